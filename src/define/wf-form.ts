import { WfForm } from '../elements/wf-form/wf-form.ts'
import { define } from './define.ts'

define('wf-form', WfForm)
