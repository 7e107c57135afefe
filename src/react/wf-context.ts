import '../define/wf-context.ts'
import { WfContext as WfContextElement } from '../elements/wf-context/wf-context.ts'
import { createComponent } from './create-component.ts'

/** `<wf-context>` for React. */
export const WfContext = createComponent({
  tagName: 'wf-context',
  elementClass: WfContextElement,
})
