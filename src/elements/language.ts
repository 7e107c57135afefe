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

/** Whether `Intl` takes it: pages carry tags like `en_US` that are none. */
function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}
