import { WfComments } from '../elements/wf-comments/wf-comments.ts'
import { define } from './define.ts'

define('wf-comments', WfComments)
