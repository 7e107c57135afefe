/** Returns the `lang` of an element or its nearest ancestor, across shadow roots; otherwise, the language of the browser. */
export function languageOf(element: Element): string {
  // Not step by step: a form between may have a control named `parentNode`.
  const lang = element.closest('[lang]:not([lang=""])')?.getAttribute('lang')
  if (lang) return lang
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? languageOf(root.host) : navigator.language
}

/** Returns a tag as `Intl` writes it; the language of the browser if it is not valid. Some pages use tags such as `en_US`. */
export function validTag(tag: string): string {
  try {
    return canonicalTag(tag)
  } catch {
    return navigator.language
  }
}

/** Returns a tag as `Intl` writes it. Throws a `RangeError` if it is not valid. */
export function canonicalTag(tag: string): string {
  return new Intl.Locale(tag).toString()
}

/**
 * Returns the tag of the messages for a page with a valid language: its own, or the first of the same language and script.
 * `zh-CN` gets `zh-Hans`, and `pt-PT` gets `pt-BR`. `zh-TW` does not get `zh-Hans`, because that is another script.
 */
export function closestTag(page: string, tags: readonly string[]): string | undefined {
  return tags.find((tag) => tag === page) ?? tags.find((tag) => scriptOf(tag) === scriptOf(page))
}

function scriptOf(tag: string): string {
  const { language, script } = new Intl.Locale(tag).maximize()
  return `${language}-${script}`
}
