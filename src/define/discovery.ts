/** Defines one tag: at once, or after it was fetched. */
export type Loaders = Readonly<Record<string, () => unknown>>

/** Attribute of a placeholder: `<div data-wf="history" data-package-id="42">`. */
const placeholder = 'data-wf'

/**
 * Finds the kit's tags in the page, now and later, and has each defined that is there. Fills placeholders, for editors
 * that strip tags they do not know: `data-wf` names the element without its prefix, and every other `data-` attribute
 * becomes the attribute of that name. What stands inside a placeholder is shown until the element has loaded.
 *
 * @returns how to stop looking.
 */
export function discover(loaders: Loaders, page: Document | undefined = globalThis.document): () => void {
  // Where a server imports what it renders, there is no page.
  if (!page) return () => {}
  const started = new Map<string, Promise<unknown>>()
  const failures = new Map<string, number>()

  function load(tag: string, define: () => unknown): Promise<unknown> {
    let loading = started.get(tag)
    if (!loading) {
      loading = Promise.resolve(define())
      started.set(tag, loading)
      loading.catch((error: unknown) => {
        // The fallback content stays. The next one of its kind tries again, a few times.
        const count = (failures.get(tag) ?? 0) + 1
        failures.set(tag, count)
        if (count < 3) started.delete(tag)
        console.warn(`<${tag}> could not be loaded: ${String(error)}`)
      })
    }
    return loading
  }

  function visit(root: ParentNode): void {
    for (const [tag, define] of Object.entries(loaders)) {
      if (root.querySelector(tag)) load(tag, define).catch(() => {})
      for (const place of root.querySelectorAll(`[${placeholder}="${nameOf(tag)}"]`)) {
        load(tag, define).then(
          () => fill(place, tag),
          () => {},
        )
      }
    }
  }

  visit(page)
  const observer = new MutationObserver((records) => {
    // By parent, because what was added may be the tag itself; and each parent once.
    for (const parent of new Set(records.map(({ target }) => target))) visit(parent as Element)
  })
  observer.observe(page, { childList: true, subtree: true })
  return () => observer.disconnect()
}

/** Puts the element into its placeholder, with what stood there inside it, once. */
function fill(place: Element, tag: string): void {
  if (place.firstElementChild?.localName === tag) return
  const element = place.ownerDocument.createElement(tag)
  const known = (customElements.get(tag) as { observedAttributes?: readonly string[] } | undefined)
    ?.observedAttributes
  for (const { name, value } of place.attributes) {
    const attribute = name.replace(/^data-/, '')
    // Only what the element itself reads: an attribute can also be a script.
    if (attribute !== name && known?.includes(attribute)) element.setAttribute(attribute, value)
  }
  element.append(...place.childNodes)
  place.append(element)
}

/** Name of a tag in a placeholder: `wf-history` is `history`, `fs-uploader` is `uploader`. */
function nameOf(tag: string): string {
  return tag.replace(/^(?:wf|fs)-/, '')
}
