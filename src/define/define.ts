/** Skipped tags that the next warning lists. */
const skipped = new Set<string>()

/**
 * Registers an element. If the tag is already defined, logs a warning and keeps the first definition: the page may have
 * its own element of that name, or it may have loaded another copy of this package.
 */
export function define(tag: string, element: CustomElementConstructor): void {
  if (!customElements.get(tag)) customElements.define(tag, element)
  else if (customElements.get(tag) !== element) skip(tag)
}

/** Skips a tag that is already defined. Logs one warning for all tags of the same moment. */
export function skip(tag: string): void {
  // A server may load the modules twice, and renders no elements.
  if (typeof document === 'undefined') return
  if (skipped.size === 0) {
    queueMicrotask(() => {
      console.warn(`Already defined, so the first definition stays: ${[...skipped].join(', ')}.`)
      skipped.clear()
    })
  }
  skipped.add(`<${tag}>`)
}
