import { createComponent } from '@lit/react'
import * as react from 'react'
import '../define/wf-context.ts'
import { WfContext as WfContextElement } from '../elements/wf-context/wf-context.ts'

/** `<wf-context>` for React 18. */
export const WfContext = createComponent({
  react,
  tagName: 'wf-context',
  elementClass: WfContextElement,
})
