/** Does what Enter does in a native field: presses the first submit button of the form, or sends a form without one. */
export function submitImplicitly(form: HTMLFormElement | null): void {
  const button = [...(form?.elements ?? [])].find(
    (control): control is HTMLButtonElement => (control as HTMLButtonElement).type === 'submit',
  )
  if (button) button.click()
  else form?.requestSubmit()
}
