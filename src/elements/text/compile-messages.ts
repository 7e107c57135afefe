import type { Compiled, Forms } from '../../locales/messages.ts'

/** How a language counts and writes numbers. */
export interface NumberRules {
  readonly plural: Intl.PluralRules
  readonly format: Intl.NumberFormat
}

/**
 * Returns the rules of a language. `locale` is the language in which to write numbers, such as a region of it. The first
 * number format of a page takes about 20 ms, and badges need none, so it is created on first use.
 */
export function numberRules(language: string, locale = language): NumberRules {
  let format: Intl.NumberFormat | undefined
  return {
    plural: new Intl.PluralRules(language),
    get format() {
      return (format ??= new Intl.NumberFormat(locale))
    },
  }
}

/**
 * Makes messages ready for use: those with placeholders become functions. English replaces messages that are missing or of
 * another kind, and their paths are added to `missing`.
 */
export function compileMessages<English>(
  english: English,
  messages: unknown,
  rules: NumberRules,
  missing?: Set<string>,
  path?: string,
): Compiled<English>
export function compileMessages(
  english: unknown,
  messages: unknown,
  rules: NumberRules,
  missing = new Set<string>(),
  path = '',
): unknown {
  const kind = kindOf(english)
  if (kindOf(messages) !== kind) {
    missing.add(path)
    return compileMessages(english, english, numberRules('en'))
  }
  if (kind !== 'object') return compileText(english as Message, messages as Message, rules)
  return Object.fromEntries(
    Object.entries(english as Group).map(([name, part]) => [
      name,
      compileMessages(part, (messages as Group)[name], rules, missing, `${path}.${name}`),
    ]),
  )
}

type Message = string & Partial<Forms>
type Group = Readonly<Record<string, unknown>>

/** Returns a text without placeholders as it is, and a function otherwise. `english` determines the order of arguments. */
function compileText(english: Message, message: Message, rules: NumberRules): unknown {
  const names: string[] = (english.other ?? english).match(/\w+(?=\})/g) ?? []
  if (english.other) names.unshift('#')
  if (names.length === 0) return message
  return (...values: readonly (string | number)[]) =>
    (message[rules.plural.select(values[0] as number)] ?? message.other ?? message).replace(
      /#|\{(\w+)\}/g,
      (match: string, name: string = '#') => {
        const value = values[names.indexOf(name)] ?? match
        return typeof value === 'number' ? rules.format.format(value) : value
      },
    )
}

/** Distinguishes texts, messages with forms, and groups. No group has a message named `other`. */
function kindOf(message: unknown): unknown {
  return message && ((message as Partial<Forms>).other ? 'forms' : typeof message)
}
