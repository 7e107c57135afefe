import '../define/wf-attachments.ts'
import type {
  WfBeforeChangeEvent,
  WfChangeEvent,
  WfErrorEvent,
  WfLoadEvent,
  WfSignedOutEvent,
} from '../elements/element/events.ts'
import type { Attachments } from '../elements/wf-attachments/content.ts'
import { WfAttachments as WfAttachmentsElement } from '../elements/wf-attachments/wf-attachments.ts'
import { createComponent, type EventName } from './create-component.ts'

/** `<wf-attachments>` for React. */
export const WfAttachments = createComponent({
  tagName: 'wf-attachments',
  elementClass: WfAttachmentsElement,
  events: {
    onWfLoad: 'wf-load' as EventName<WfLoadEvent<Attachments>>,
    onWfBeforeChange: 'wf-before-change' as EventName<WfBeforeChangeEvent>,
    onWfChange: 'wf-change' as EventName<WfChangeEvent>,
    onWfError: 'wf-error' as EventName<WfErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
