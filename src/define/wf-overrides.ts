import { WfOverrides } from '../elements/wf-overrides/wf-overrides.ts'
import { define } from './define.ts'

define('wf-overrides', WfOverrides)
