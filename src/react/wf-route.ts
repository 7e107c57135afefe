import '../define/wf-route.ts'
import type { WfErrorEvent, WfLoadEvent, WfSignedOutEvent } from '../elements/element/events.ts'
import type { UsualRoute } from '../elements/wf-route/office-route.ts'
import { type PackageRoute, WfRoute as WfRouteElement } from '../elements/wf-route/wf-route.ts'
import { createComponent, type EventName } from './create-component.ts'

/** `<wf-route>` for React. */
export const WfRoute = createComponent({
  tagName: 'wf-route',
  elementClass: WfRouteElement,
  events: {
    onWfLoad: 'wf-load' as EventName<WfLoadEvent<PackageRoute | UsualRoute>>,
    onWfError: 'wf-error' as EventName<WfErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
