import '../define/wf-list.ts'
import type {
  WfBeforeChangeEvent,
  WfErrorEvent,
  WfLoadEvent,
  WfSignedOutEvent,
} from '../elements/element/events.ts'
import type { ListContent } from '../elements/wf-list/list-content.ts'
import { WfList as WfListElement } from '../elements/wf-list/wf-list.ts'
import { createComponent, type EventName } from './create-component.ts'

/** `<wf-list>` for React. */
export const WfList = createComponent({
  tagName: 'wf-list',
  elementClass: WfListElement,
  events: {
    onWfLoad: 'wf-load' as EventName<WfLoadEvent<ListContent>>,
    onWfBeforeChange: 'wf-before-change' as EventName<WfBeforeChangeEvent>,
    onWfError: 'wf-error' as EventName<WfErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
