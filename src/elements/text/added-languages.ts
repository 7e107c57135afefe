import { languages } from '../../locales/index.ts'
import type { Messages } from '../../locales/messages.ts'
import type { NumberRules } from './compile-messages.ts'
import { canonicalTag } from './language.ts'
import { renderAll } from '../configuration/mounted-elements.ts'

/** The messages and formats of one language. */
export interface Edition {
  /** The language of the messages. */
  readonly language: string
  /** The language of dates, numbers and units. */
  readonly locale: string
  readonly rules: NumberRules
  /** The messages as they were added; `undefined` in English, which the elements contain. */
  readonly messages: AddedMessages | undefined
  /** The messages used so far, ready for use, by the English ones. */
  readonly compiled: Map<object, unknown>
  /** The paths of the messages that English replaces. */
  readonly missing: Set<string>
}

/** Messages that may be those of another version, or from a script without types. */
export type AddedMessages = Partial<Messages>

/** Messages by tag, or the function that loads them; `undefined` while they load, if that failed, and in English. */
export const sources = new Map<string, AddedMessages | (() => Promise<Messages>) | undefined>([
  ['en', undefined],
  ...Object.entries(languages),
])

/** By the `lang` of the page. Empty after a language was added. */
export const editions = new Map<string, Edition>()

/**
 * Adds a language to all elements of the page. `tag` is its language tag, such as `de` or `pt-PT`. English replaces
 * messages that are missing, and a warning in the console names them. Throws a `RangeError` if the tag is not valid.
 */
export function addLanguage(tag: string, messages: Messages): void {
  sources.set(canonicalTag(tag), messages)
  editions.clear()
  renderAll()
}
