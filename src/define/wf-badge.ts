import { WfBadge } from '../elements/wf-badge/wf-badge.ts'
import { define } from './define.ts'

define('wf-badge', WfBadge)

export type { WfBadge } from '../elements/wf-badge/wf-badge.ts'
export type * from '../elements/element/events.ts'
