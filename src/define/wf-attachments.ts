import { WfAttachments } from '../elements/wf-attachments/wf-attachments.ts'
import { define } from './define.ts'

define('wf-attachments', WfAttachments)

export type { WfAttachments } from '../elements/wf-attachments/wf-attachments.ts'
export type * from '../elements/element/events.ts'
