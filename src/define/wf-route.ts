import { WfRoute } from '../elements/wf-route/wf-route.ts'
import { define } from './define.ts'

define('wf-route', WfRoute)
