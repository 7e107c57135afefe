import { WfRoute } from '../elements/wf-route/wf-route.ts'
import { define } from './define.ts'

define('wf-route', WfRoute)

export type { WfRoute } from '../elements/wf-route/wf-route.ts'
export type * from '../elements/element/events.ts'
