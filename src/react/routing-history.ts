import { createComponent, type EventName } from '@lit/react'
import * as react from 'react'
import '../define/routing-history.ts'
import type { WfErrorEvent, WfLoadEvent, WfSignedOutEvent } from '../elements/events.ts'
import { RoutingHistory as RoutingHistoryElement } from '../elements/wf-history/routing-history.ts'
import type { PackageHistory } from '../elements/wf-history/wf-history.ts'

/** `<routing-history>` for React 18. */
export const RoutingHistory = createComponent({
  react,
  tagName: 'routing-history',
  elementClass: RoutingHistoryElement,
  events: {
    onWfLoad: 'wf-load' as EventName<WfLoadEvent<PackageHistory>>,
    onWfError: 'wf-error' as EventName<WfErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
