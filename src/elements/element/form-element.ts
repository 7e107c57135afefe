// A form of a page. Its controls hide the form's own members if they have the same names, such as `reset`, `elements` or `id`. So
// members of a form are used through the prototypes.

/** The forms into which values are being written, so that an event in them is not the person's. */
export const writtenForms = new WeakSet<HTMLFormElement>()

/** Returns all elements that belong to a form, also those outside of it, in the order of the page. */
export function elementsOf(form: HTMLFormElement): Element[] {
  const { get } = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'elements')!
  return [...(get!.call(form) as HTMLFormControlsCollection)]
}

/** Returns the buttons that submit a form, also those outside of it. */
export function submitButtonsOf(form: HTMLFormElement): (HTMLButtonElement | HTMLInputElement)[] {
  return (elementsOf(form) as HTMLButtonElement[]).filter(({ type }) => type === 'submit')
}

export function resetForm(form: HTMLFormElement): void {
  HTMLFormElement.prototype.reset.call(form)
}

/** Sets whether the browser leaves the check of the form to us. */
export function setNoValidate(form: HTMLFormElement, isOurs: boolean): void {
  Element.prototype.toggleAttribute.call(form, 'novalidate', isOurs)
}
