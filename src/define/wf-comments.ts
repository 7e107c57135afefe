import { WfComments } from '../elements/wf-comments/wf-comments.ts'
import { define } from './define.ts'

define('wf-comments', WfComments)

export type { WfComments } from '../elements/wf-comments/wf-comments.ts'
export type * from '../elements/element/events.ts'
export type * from '../elements/wf-comments/wf-comments.events.ts'
