/**
 * Returns the `lang` of an element or its nearest ancestor, across shadow roots; `undefined` if it is missing or invalid,
 * so that the language of the browser applies.
 */
export function languageOf(element: Element): string | undefined {
  for (
    let node: Node | null = element;
    node;
    node = node instanceof ShadowRoot ? node.host : node.parentNode
  ) {
    const lang = node instanceof Element ? node.getAttribute('lang') : null
    if (lang) return isLanguage(lang) ? lang : undefined
  }
  return undefined
}

/** Whether `Intl` accepts a tag. Some pages use invalid tags such as `en_US`. The result is cached for speed. */
export function isLanguage(tag: string): boolean {
  let is = known.get(tag)
  if (is === undefined) {
    try {
      is = Intl.getCanonicalLocales(tag).length > 0
    } catch {
      is = false
    }
    known.set(tag, is)
  }
  return is
}

const known = new Map<string, boolean>()
