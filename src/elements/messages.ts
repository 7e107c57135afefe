import { languages } from '../locales/index.ts'
import type { Section, Messages } from '../locales/messages.ts'
import { languageOf } from './language.ts'
import { renderAll } from './mounted-elements.ts'

/** Words by language; undefined while they are fetched, and where they cannot be. */
const tables = new Map<string, Messages | undefined>()

/** Teaches the elements of this page a language. `tag` is its primary subtag, such as `de`. */
export function addLanguage(tag: string, words: Messages): void {
  tables.set(tag, words)
  renderAll()
}

/** Words of one element in its language; English where there are no others, or not yet. */
export function messagesFor<Name extends Section>(
  element: Element,
  section: Name,
  english: Messages[Name],
): Messages[Name] {
  return tableOf(element)?.[section] ?? english
}

/** Language of the words that `wordsOf` gives an element. */
export function messagesLanguage(element: Element): string {
  return tableOf(element)?.language ?? 'en'
}

function tableOf(element: Element): Messages | undefined {
  const [tag = ''] = (languageOf(element) ?? navigator.language).toLowerCase().split('-')
  const fetch = languages[tag]
  if (!tables.has(tag) && fetch) {
    tables.set(tag, undefined)
    fetch().then(
      (words) => addLanguage(tag, words),
      () => {},
    )
  }
  return tables.get(tag)
}
