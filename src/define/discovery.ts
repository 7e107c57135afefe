/** Functions that define a tag, or return a promise that resolves when it is defined; by tag. */
type Loaders = Readonly<Record<string, () => unknown>>

/** Attribute of a placeholder: `<div data-wf="history" data-package-id="42">`. */
const placeholder = 'data-wf'

/**
 * Finds the tags of this package in the page, now and later, and defines them. Also fills placeholders, for editors
 * that remove unknown tags: `data-wf` names the element without its prefix, and each other `data-` attribute becomes
 * the attribute of that name. The content of a placeholder is shown until the element has loaded.
 *
 * @returns a function that stops the search.
 */
export function discover(loaders: Loaders, page: Document | undefined = globalThis.document): () => void {
  // A server that imports the module has no page.
  if (!page) return () => {}
  const started = new Map<string, Promise<unknown>>()
  const failures = new Map<string, number>()

  function load(tag: string, define: () => unknown): Promise<unknown> {
    let loading = started.get(tag)
    if (!loading) {
      loading = Promise.resolve(define())
      started.set(tag, loading)
      loading.catch((error: unknown) => {
        // The fallback content stays. The next element of this tag tries again, at most twice.
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
      for (const place of root.querySelectorAll(`[${placeholder}="${placeholderName(tag)}"]`)) {
        load(tag, define).then(
          () => fill(place, tag),
          () => {},
        )
      }
    }
  }

  visit(page)
  const observer = new MutationObserver((records) => {
    // Visits parents, because the added node may be the element itself; and each parent only once.
    for (const parent of new Set(records.map(({ target }) => target))) visit(parent as Element)
  })
  observer.observe(page, { childList: true, subtree: true })
  return () => observer.disconnect()
}

/** Puts the element into its placeholder once. The content of the placeholder moves into the element. */
function fill(place: Element, tag: string): void {
  if (place.firstElementChild?.localName === tag) return
  const element = place.ownerDocument.createElement(tag)
  const known = (customElements.get(tag) as { observedAttributes?: readonly string[] } | undefined)
    ?.observedAttributes
  for (const { name, value } of place.attributes) {
    const attribute = name.replace(/^data-/, '')
    // Copies only attributes that the element observes, because others could run a script.
    if (attribute !== name && known?.includes(attribute)) element.setAttribute(attribute, value)
  }
  element.append(...place.childNodes)
  place.append(element)
}

/** Returns the name of a tag in a placeholder: `history` for `wf-history`, `uploader` for `fs-uploader`. */
function placeholderName(tag: string): string {
  return tag.replace(/^(?:wf|fs)-/, '')
}
