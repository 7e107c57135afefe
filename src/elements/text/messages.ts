import type { Compiled, English, Section } from '../../locales/messages.ts'
import { compileMessages, numberRules } from './compile-messages.ts'
import { closestTag, languageOf, validTag } from './language.ts'
import { addLanguage, type AddedMessages, type Edition, editions, sources } from './added-languages.ts'

/** Milliseconds in which missing messages are collected into one warning. Elements use most messages when they have loaded. */
const collectionTime = 2000

/**
 * Returns the messages of an element in its language, or in English if they are not available yet. `english`: those of the
 * section that it needs.
 */
export function messagesFor<Name extends Section, Part extends Partial<English[Name]>>(
  element: Element,
  section: Name,
  english: Part,
): Compiled<Part> {
  const { language, messages, missing, rules, compiled } = editionOf(element)
  const known = compiled.get(english)
  if (known) return known as Compiled<Part>
  const hasWarned = missing.size > 0
  const texts = compileMessages(english, messages ? messages[section] : english, rules, missing, section)
  compiled.set(english, texts)
  if (!hasWarned && missing.size > 0) {
    setTimeout(() => {
      console.warn(`The language "${language}" lacks ${[...missing].join(', ')}. English is shown instead.`)
    }, collectionTime)
  }
  return texts
}

/** Returns the language of the messages that `messagesFor()` returns for an element. */
export function messagesLanguage(element: Element): string {
  return editionOf(element).language
}

/**
 * Returns the language of an element's dates, numbers and units: that of the page if the messages are in it, in any region;
 * otherwise that of the messages.
 */
export function formattingLanguage(element: Element): string {
  return editionOf(element).locale
}

function editionOf(element: Element): Edition {
  const attribute = languageOf(element)
  let edition = editions.get(attribute)
  if (!edition) {
    const page = validTag(attribute)
    const tag = closestTag(page, [...sources.keys()]) ?? ''
    const messages = availableMessages(tag)
    const language = messages ? tag : 'en'
    // No sentence mixes languages or directions.
    const locale = tag === language ? page : language
    const rules = numberRules(language, locale)
    edition = { language, locale, rules, messages, compiled: new Map(), missing: new Set() }
    editions.set(attribute, edition)
  }
  return edition
}

/** Returns the messages of a language if they are available. Starts to load them if they are not. */
function availableMessages(tag: string): AddedMessages | undefined {
  const source = sources.get(tag)
  if (typeof source !== 'function') return source
  sources.set(tag, undefined)
  source().then(
    // The page may have added its own messages meanwhile.
    (messages) => sources.get(tag) ?? addLanguage(tag, messages),
    () => {},
  )
  return undefined
}
