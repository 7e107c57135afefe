import '../define/routing-history.ts'
import type { WfErrorEvent, WfLoadEvent, WfSignedOutEvent } from '../elements/element/events.ts'
import { RoutingHistory as RoutingHistoryElement } from '../elements/wf-history/routing-history.ts'
import type { PackageHistory } from '../elements/wf-history/wf-history.ts'
import { createComponent, type EventName } from './create-component.ts'

/** `<routing-history>` for React. */
export const RoutingHistory = createComponent({
  tagName: 'routing-history',
  elementClass: RoutingHistoryElement,
  events: {
    onWfLoad: 'wf-load' as EventName<WfLoadEvent<PackageHistory>>,
    onWfError: 'wf-error' as EventName<WfErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
