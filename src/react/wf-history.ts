import '../define/wf-history.ts'
import type { WfErrorEvent, WfLoadEvent, WfSignedOutEvent } from '../elements/element/events.ts'
import { type PackageHistory, WfHistory as WfHistoryElement } from '../elements/wf-history/wf-history.ts'
import { createComponent, type EventName } from './create-component.ts'

/** `<wf-history>` for React. */
export const WfHistory = createComponent({
  tagName: 'wf-history',
  elementClass: WfHistoryElement,
  events: {
    onWfLoad: 'wf-load' as EventName<WfLoadEvent<PackageHistory>>,
    onWfError: 'wf-error' as EventName<WfErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
