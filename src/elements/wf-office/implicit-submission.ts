import { submitButtonsOf } from '../element/form-element.ts'

/** Does what Enter does in a native field: presses the first submit button of the form, or sends a form without one. */
export function submitImplicitly(form: HTMLFormElement | null): void {
  if (!form) return
  const [button] = submitButtonsOf(form)
  if (button) button.click()
  else HTMLFormElement.prototype.requestSubmit.call(form)
}
