import { WfContext } from '../elements/wf-context/wf-context.ts'
import { define } from './define.ts'

define('wf-context', WfContext)

export type { WfContext } from '../elements/wf-context/wf-context.ts'
