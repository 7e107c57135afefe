// A form of a page. Its controls hide the form's own members if they have the same names, such as `reset`, `elements` or `id`. So
// members of a form are used through the prototypes.

/** The forms into which values are being written, so that an event in them is not the person's. */
export const writtenForms = new WeakSet<HTMLFormElement>()

/** Returns all elements that belong to a form, also those outside of it, in the order of the page. */
export function elementsOf(form: HTMLFormElement): Element[] {
  const { get } = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'elements')!
  // A polyfill of scoped registries replaces the collection by one that cannot be iterated.
  return Array.prototype.slice.call(get!.call(form)) as Element[]
}

/** Returns the buttons that submit a form, also those outside of it. Pictures come last, because the form does not list them. */
export function submitButtonsOf(form: HTMLFormElement): (HTMLButtonElement | HTMLInputElement)[] {
  const root = Node.prototype.getRootNode.call(form) as Document
  const pictures = root.querySelectorAll<HTMLInputElement>('[type=image]')
  return [
    ...(elementsOf(form) as HTMLButtonElement[]).filter(({ type }) => type === 'submit'),
    ...[...pictures].filter((one) => one.form === form),
  ]
}

/** Returns the parent of an element, which may be a form. */
export function parentOf(element: Element): Element | null {
  return Reflect.get(Node.prototype, 'parentElement', element) as Element | null
}

export function resetForm(form: HTMLFormElement): void {
  HTMLFormElement.prototype.reset.call(form)
}

/** The forms, and whether their page lets the browser check them. */
const checks = new WeakMap<HTMLFormElement, boolean>()

/** Whether the page lets the browser check a form. */
export function isChecked(form: HTMLFormElement): boolean {
  if (!checks.has(form)) checks.set(form, !Element.prototype.hasAttribute.call(form, 'novalidate'))
  return checks.get(form)!
}

/** Sets whether the browser leaves the check of the form to us. */
export function setNoValidate(form: HTMLFormElement, isOurs: boolean): void {
  Element.prototype.toggleAttribute.call(form, 'novalidate', !isChecked(form) || isOurs)
}
