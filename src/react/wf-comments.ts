import { createComponent, type EventName } from '@lit/react'
import * as react from 'react'
import '../define/wf-comments.ts'
import type { WfErrorEvent, WfLoadEvent, WfSignedOutEvent } from '../elements/events.ts'
import { type Comments, WfComments as WfCommentsElement } from '../elements/wf-comments/wf-comments.ts'
import type { WfCommentsCountEvent } from '../elements/wf-comments/wf-comments.events.ts'

/** `<wf-comments>` for React 18. */
export const WfComments = createComponent({
  react,
  tagName: 'wf-comments',
  elementClass: WfCommentsElement,
  events: {
    onWfLoad: 'wf-load' as EventName<WfLoadEvent<Comments>>,
    onWfCommentsCount: 'wf-comments-count' as EventName<WfCommentsCountEvent>,
    onWfError: 'wf-error' as EventName<WfErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
