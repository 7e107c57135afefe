import '../define/wf-badge.ts'
import type {
  WfChangeEvent,
  WfErrorEvent,
  WfLoadEvent,
  WfSignedOutEvent,
} from '../elements/element/events.ts'
import type { BadgeContent } from '../elements/wf-badge/render-badge.ts'
import { WfBadge as WfBadgeElement } from '../elements/wf-badge/wf-badge.ts'
import { createComponent, type EventName } from './create-component.ts'

/** `<wf-badge>` for React. */
export const WfBadge = createComponent({
  tagName: 'wf-badge',
  elementClass: WfBadgeElement,
  events: {
    onWfLoad: 'wf-load' as EventName<WfLoadEvent<BadgeContent>>,
    onWfChange: 'wf-change' as EventName<WfChangeEvent>,
    onWfError: 'wf-error' as EventName<WfErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
