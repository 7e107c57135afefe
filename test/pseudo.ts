import * as en from '../src/locales/en.ts'
import * as actions from '../src/locales/en-package-actions.ts'
import type { Messages } from '../src/locales/messages.ts'

const accents: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'í', o: 'ö', u: 'ü', n: 'ñ', s: 'š' }

/**
 * A language that nobody speaks: English with accents, brackets and 40 % more letters. What is not in brackets does not
 * come from the table; what is cut off lost its closing bracket.
 */
export const pseudo = strange({ ...en, ...actions }) as Messages

function strange(value: unknown): unknown {
  if (typeof value === 'string') return strangeText(value)
  if (typeof value === 'function') {
    const say = value as (...args: unknown[]) => string
    return (...args: unknown[]) => strangeText(say(...args))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === 'language' ? 'en-XA' : strange(part)]),
  )
}

function strangeText(text: string): string {
  const letters = text.replace(/[aeiouns]/g, (letter) => accents[letter] ?? letter)
  return `⟦${letters}${'~'.repeat(Math.ceil(text.length * 0.4))}⟧`
}
