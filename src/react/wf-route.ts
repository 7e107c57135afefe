import { createComponent, type EventName } from '@lit/react'
import * as react from 'react'
import '../define/wf-route.ts'
import type { WfErrorEvent, WfLoadEvent, WfSignedOutEvent } from '../elements/events.ts'
import type { UsualRoute } from '../elements/wf-route/office-route.ts'
import { type PackageRoute, WfRoute as WfRouteElement } from '../elements/wf-route/wf-route.ts'

/** `<wf-route>` for React 18. */
export const WfRoute = createComponent({
  react,
  tagName: 'wf-route',
  elementClass: WfRouteElement,
  events: {
    onWfLoad: 'wf-load' as EventName<WfLoadEvent<PackageRoute | UsualRoute>>,
    onWfError: 'wf-error' as EventName<WfErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
