import { WfOverrides } from '../elements/wf-overrides/wf-overrides.ts'
import { define } from './define.ts'

define('wf-overrides', WfOverrides)

export type { WfOverrides } from '../elements/wf-overrides/wf-overrides.ts'
export type * from '../elements/element/events.ts'
export type * from '../elements/wf-overrides/wf-overrides.events.ts'
