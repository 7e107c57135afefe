// A form of a page. Its controls hide the form's own members if they have the same names, such as `reset`, `elements` or `id`. So
// members of a form are used through the prototypes.

/** Returns all elements that belong to a form, also those outside of it, in the order of the page. */
export function elementsOf(form: HTMLFormElement): Element[] {
  const { get } = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'elements')!
  return [...(get!.call(form) as HTMLFormControlsCollection)]
}

export function resetForm(form: HTMLFormElement): void {
  HTMLFormElement.prototype.reset.call(form)
}

/** Sets whether the browser leaves the check of the form to us. */
export function setNoValidate(form: HTMLFormElement, isOurs: boolean): void {
  Element.prototype.toggleAttribute.call(form, 'novalidate', isOurs)
}
