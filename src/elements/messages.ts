import { languages } from '../locales/index.ts'
import type { Section, Messages } from '../locales/messages.ts'
import { languageOf } from './language.ts'
import { renderAll } from './mounted-elements.ts'

/** Messages by language; `undefined` while they load, or if they failed to load. */
const tables = new Map<string, Messages | undefined>()

/** Adds a language to all elements of the page. `tag` is its primary subtag, such as `de`. */
export function addLanguage(tag: string, messages: Messages): void {
  tables.set(tag, messages)
  renderAll()
}

/** Returns the messages of an element in its language, or in English if they are not available yet. */
export function messagesFor<Name extends Section>(
  element: Element,
  section: Name,
  english: Messages[Name],
): Messages[Name] {
  return tableOf(element)?.[section] ?? english
}

/** Returns the language of the messages that `messagesFor()` returns for an element. */
export function messagesLanguage(element: Element): string {
  return tableOf(element)?.language ?? 'en'
}

function tableOf(element: Element): Messages | undefined {
  const [tag = ''] = (languageOf(element) ?? navigator.language).toLowerCase().split('-')
  const fetch = languages[tag]
  if (!tables.has(tag) && fetch) {
    tables.set(tag, undefined)
    fetch().then(
      (messages) => addLanguage(tag, messages),
      () => {},
    )
  }
  return tables.get(tag)
}
