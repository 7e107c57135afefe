import { createComponent, type EventName } from '@lit/react'
import * as react from 'react'
import '../define/wf-office.ts'
import type { WfErrorEvent, WfSignedOutEvent } from '../elements/events.ts'
import { WfOffice as WfOfficeElement } from '../elements/wf-office/wf-office.ts'

/** `<wf-office>` for React 18. */
export const WfOffice = createComponent({
  react,
  tagName: 'wf-office',
  elementClass: WfOfficeElement,
  events: {
    onWfError: 'wf-error' as EventName<WfErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
