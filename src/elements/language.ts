/** Language of an element: the `lang` of its nearest ancestor across shadow roots, else of the browser. */
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

/** Whether `Intl` takes it: pages carry tags like `en_US` that are none. Each element asks, many times. */
function isLanguage(tag: string): boolean {
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
