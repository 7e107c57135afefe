import '../define/wf-form.ts'
import type {
  WfBeforeChangeEvent,
  WfChangeEvent,
  WfErrorEvent,
  WfLoadEvent,
  WfSignedOutEvent,
} from '../elements/element/events.ts'
import type { FormContent } from '../elements/wf-form/state/form-content.ts'
import type { WfFormSavedEvent, WfFormSubmittedEvent } from '../elements/wf-form/wf-form.events.ts'
import { WfForm as WfFormElement } from '../elements/wf-form/wf-form.ts'
import { createComponent, type EventName } from './create-component.ts'

/** `<wf-form>` for React. */
export const WfForm = createComponent({
  tagName: 'wf-form',
  elementClass: WfFormElement,
  events: {
    onWfLoad: 'wf-load' as EventName<WfLoadEvent<FormContent>>,
    onWfBeforeChange: 'wf-before-change' as EventName<WfBeforeChangeEvent>,
    onWfChange: 'wf-change' as EventName<WfChangeEvent>,
    onWfFormSaved: 'wf-form-saved' as EventName<WfFormSavedEvent>,
    onWfFormSubmitted: 'wf-form-submitted' as EventName<WfFormSubmittedEvent>,
    onWfError: 'wf-error' as EventName<WfErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
