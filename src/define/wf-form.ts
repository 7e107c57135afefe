import { WfForm } from '../elements/wf-form/wf-form.ts'
import { define } from './define.ts'

define('wf-form', WfForm)

export type { WfForm } from '../elements/wf-form/wf-form.ts'
export type * from '../elements/element/events.ts'
export type * from '../elements/wf-form/wf-form.events.ts'
