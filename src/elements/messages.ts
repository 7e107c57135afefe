import { languages } from '../locales/index.ts'
import type { Section, Messages } from '../locales/messages.ts'
import { isLanguage, languageOf } from './language.ts'
import { renderAll } from './mounted-elements.ts'

/** The messages of a language, as they were added. They may be those of another version, or from a script without types. */
interface Table {
  readonly language: string
  readonly messages: Partial<Messages>
  /** The sections used so far. English replaces what they lack. */
  readonly sections: Map<Section, unknown>
  /** The names of the messages that they lack. */
  readonly missing: string[]
}

/** Milliseconds in which missing messages are collected into one warning. Elements use most messages when they have loaded. */
const collectionTime = 2000

/** Messages by language; `undefined` while they load, or if they failed to load. */
const tables = new Map<string, Table | undefined>()

/**
 * Adds a language to all elements of the page. `tag` is its primary subtag, such as `de`. English replaces messages that
 * are missing, and a warning in the console names them.
 */
export function addLanguage(tag: string, messages: Messages): void {
  const { language }: Partial<Messages> = messages
  tables.set(tag, {
    language: language && isLanguage(language) ? language : tag,
    messages,
    sections: new Map(),
    missing: [],
  })
  renderAll()
}

/** Returns the messages of an element in its language, or in English if they are not available yet. */
export function messagesFor<Name extends Section>(
  element: Element,
  section: Name,
  english: Messages[Name],
): Messages[Name] {
  const table = tableOf(element)
  if (!table) return english
  const { messages, sections, missing } = table
  if (!sections.has(section)) {
    const hasWarned = missing.length > 0
    sections.set(section, withEnglish(messages[section], english, section, missing))
    if (!hasWarned && missing.length > 0) {
      setTimeout(() => {
        console.warn(
          `The language "${table.language}" lacks ${missing.join(', ')}. English is shown instead.`,
        )
      }, collectionTime)
    }
  }
  return sections.get(section) as Messages[Name]
}

/** Returns the language of the messages that `messagesFor()` returns for an element. */
export function messagesLanguage(element: Element): string {
  return tableOf(element)?.language ?? 'en'
}

/** Returns the messages, with English in place of those that are missing or of another type. Notes their names. */
function withEnglish(messages: unknown, english: unknown, name: string, missing: string[]): unknown {
  if (typeof messages !== typeof english || messages === null) {
    missing.push(name)
    return english
  }
  if (typeof english !== 'object') return messages
  return Object.fromEntries(
    Object.entries(english as object).map(([key, value]) => [
      key,
      withEnglish((messages as Record<string, unknown>)[key], value, `${name}.${key}`, missing),
    ]),
  )
}

/**
 * Returns the language of an element's dates and units: that of the page if the messages are in it, in any region;
 * otherwise that of the messages, so that no sentence mixes languages or directions.
 */
export function formattingLanguage(element: Element): string | undefined {
  const page = languageOf(element)
  const words = messagesLanguage(element)
  return primaryTag(page ?? navigator.language) === primaryTag(words) ? page : words
}

function primaryTag(language: string): string | undefined {
  return language.toLowerCase().split('-')[0]
}

function tableOf(element: Element): Table | undefined {
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
