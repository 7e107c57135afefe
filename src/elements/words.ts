import { languages } from '../locales/index.ts'
import type { Section, Words } from '../locales/words.ts'
import { languageOf } from './language.ts'
import { renderAll } from './page.ts'

/** Words by language; undefined while they are fetched, and where they cannot be. */
const tables = new Map<string, Words | undefined>()

/** Teaches the elements of this page a language. `tag` is its primary subtag, such as `de`. */
export function addLanguage(tag: string, words: Words): void {
  tables.set(tag, words)
  renderAll()
}

/** Words of one element in its language; English where there are no others, or not yet. */
export function wordsOf<Name extends Section>(
  element: Element,
  section: Name,
  english: Words[Name],
): Words[Name] {
  return tableOf(element)?.[section] ?? english
}

/** Language of the words that `wordsOf` gives an element. */
export function wordsLanguage(element: Element): string {
  return tableOf(element)?.language ?? 'en'
}

function tableOf(element: Element): Words | undefined {
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
