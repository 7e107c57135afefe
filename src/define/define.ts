/**
 * Registers an element. A tag that is already defined stays as it is, with a warning: another copy of the kit may have
 * come first, and the page has to go on working.
 */
export function define(tag: string, element: CustomElementConstructor): void {
  if (!customElements.get(tag)) customElements.define(tag, element)
  else if (customElements.get(tag) !== element)
    console.warn(`<${tag}> is already defined; the first definition stays.`)
}
