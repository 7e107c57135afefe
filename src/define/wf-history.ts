import { WfHistory } from '../elements/wf-history/wf-history.ts'
import { define } from './define.ts'

define('wf-history', WfHistory)

export type { WfHistory } from '../elements/wf-history/wf-history.ts'
export type * from '../elements/element/events.ts'
