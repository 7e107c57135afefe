import '../define/wf-office.ts'
import type { WfErrorEvent, WfSignedOutEvent } from '../elements/element/events.ts'
import { WfOffice as WfOfficeElement } from '../elements/wf-office/wf-office.ts'
import { createComponent, type EventName } from './create-component.ts'

/** `<wf-office>` for React. */
export const WfOffice = createComponent({
  tagName: 'wf-office',
  elementClass: WfOfficeElement,
  events: {
    onWfError: 'wf-error' as EventName<WfErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
