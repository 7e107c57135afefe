import { WfList } from '../elements/wf-list/wf-list.ts'
import { define } from './define.ts'

define('wf-list', WfList)

export type { WfList } from '../elements/wf-list/wf-list.ts'
export type * from '../elements/element/events.ts'
