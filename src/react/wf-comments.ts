import '../define/wf-comments.ts'
import type { WfErrorEvent, WfLoadEvent, WfSignedOutEvent } from '../elements/element/events.ts'
import { type Comments, WfComments as WfCommentsElement } from '../elements/wf-comments/wf-comments.ts'
import type { WfCommentsCountEvent } from '../elements/wf-comments/wf-comments.events.ts'
import { createComponent, type EventName } from './create-component.ts'

/** `<wf-comments>` for React. */
export const WfComments = createComponent({
  tagName: 'wf-comments',
  elementClass: WfCommentsElement,
  events: {
    onWfLoad: 'wf-load' as EventName<WfLoadEvent<Comments>>,
    onWfCommentsCount: 'wf-comments-count' as EventName<WfCommentsCountEvent>,
    onWfError: 'wf-error' as EventName<WfErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
