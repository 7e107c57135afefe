import { english } from './english.ts'
import type { Forms } from './messages.ts'

/**
 * Compares the messages of a language with the English ones. Returns a sentence for each mistake: messages that are
 * missing or unknown, placeholders that differ, and plural forms that the language lacks or does not have.
 */
export function checkMessages(messages: unknown): readonly string[] {
  const { language } = (messages ?? {}) as { readonly language?: unknown }
  if (typeof language !== 'string' || !isTag(language))
    return ['language must be a language tag such as "de".']
  const plurals = pluralsOf(language)
  const [expected, given] = [leavesOf(english), leavesOf(messages)]
  const unknown = [...given.keys()].filter((path) => !expected.has(path))
  return [
    ...[...expected].flatMap(([path, message]) =>
      problemsOf(message, given.get(path), plurals).map((problem) => `${path} ${problem}.`),
    ),
    ...unknown.map((path) => `${path} does not exist.`),
  ]
}

/** The plural categories of a language. */
interface Plurals {
  readonly all: readonly string[]
  /** Those of whole numbers below 1,000, with how many numbers they have. The others are for fractions and millions. */
  readonly needed: ReadonlyMap<string, number>
}

function problemsOf(english: unknown, message: unknown, plurals: Plurals): readonly string[] {
  if (message === undefined || message === '') return ['is missing']
  if (typeof english === 'string')
    return typeof message === 'string' ? placeholderProblems(english, message) : ['must be a text']
  if (!isForms(message)) return ['must be an object with plural forms']
  return [...formProblems(english as Forms, message, plurals)]
}

function* formProblems(english: Forms, message: Forms, { all, needed }: Plurals): Iterable<string> {
  const categories = Object.keys(message)
  for (const category of categories) if (!all.includes(category)) yield `has the unknown form "${category}"`
  if (categories.length > 1 || Object.keys(english).length > 1)
    for (const category of needed.keys())
      if (!categories.includes(category)) yield `lacks the form "${category}"`

  for (const [category, text] of Object.entries(message)) {
    for (const problem of placeholderProblems(english.other, text)) yield `${problem} in "${category}"`
    const isForOneNumber = needed.get(category) === 1
    if (english.other.includes('#') && !text.includes('#') && !isForOneNumber)
      yield `lacks # in "${category}"`
  }
}

function placeholderProblems(english: string, text: string): readonly string[] {
  const [expected, given] = [placeholdersOf(english), placeholdersOf(text)]
  return [
    ...expected.filter((name) => !given.includes(name)).map((name) => `lacks ${name}`),
    ...given.filter((name) => !expected.includes(name)).map((name) => `has the unknown placeholder ${name}`),
  ]
}

function placeholdersOf(text: string): readonly string[] {
  return text.match(/[{][^}]*[}]?|[}]/g) ?? []
}

function pluralsOf(language: string): Plurals {
  const rules = new Intl.PluralRules(language)
  const needed = new Map<string, number>()
  for (let number = 0; number < 1000; number++) {
    const category = rules.select(number)
    needed.set(category, (needed.get(category) ?? 0) + 1)
  }
  return { all: rules.resolvedOptions().pluralCategories, needed }
}

function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0
  } catch {
    return false
  }
}

/** Returns each message by its path, such as `history.verbs.signed`. */
function leavesOf(messages: unknown, path = ''): ReadonlyMap<string, unknown> {
  if (typeof messages !== 'object' || messages === null || isForms(messages))
    return new Map([[path, messages]])
  return new Map(
    Object.entries(messages).flatMap(([name, message]) => [
      ...leavesOf(message, path ? `${path}.${name}` : name),
    ]),
  )
}

/** Whether a message depends on a number. No group has a message named `other`. */
function isForms(message: unknown): message is Forms {
  return typeof message === 'object' && message !== null && 'other' in message
}
