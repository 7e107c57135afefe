/** Tags that were taken; told of together. */
const taken = new Set<string>()

/**
 * Registers an element. A tag that is already defined stays as it is, with a warning: the page may have an element of
 * that name, or another copy of the kit may have come first, and it has to go on working.
 */
export function define(tag: string, element: CustomElementConstructor): void {
  if (!customElements.get(tag)) customElements.define(tag, element)
  else if (customElements.get(tag) !== element) leave(tag)
}

/** Leaves a tag as it is, with one warning for all that are left in one moment. */
export function leave(tag: string): void {
  if (taken.size === 0) {
    queueMicrotask(() => {
      console.warn(`Already defined, so the first definition stays: ${[...taken].join(', ')}.`)
      taken.clear()
    })
  }
  taken.add(`<${tag}>`)
}
