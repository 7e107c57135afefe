import * as en from '../src/locales/en.ts'
import * as actions from '../src/locales/en-package-actions.ts'
import type { Messages } from '../src/locales/messages.ts'

const accents: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'í', o: 'ö', u: 'ü', n: 'ñ', s: 'š' }

/**
 * A pseudo-language: English with accents, brackets and 40 % more letters. Text without brackets does not come from the
 * table. Text without its closing bracket is cut off.
 */
export const pseudo = pseudoTable({ ...en, ...actions }) as Messages

function pseudoTable(value: unknown): unknown {
  if (typeof value === 'string') return pseudoText(value)
  if (typeof value === 'function') {
    const message = value as (...args: unknown[]) => string
    return (...args: unknown[]) => pseudoText(message(...args))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === 'language' ? 'en-XA' : pseudoTable(part)]),
  )
}

function pseudoText(text: string): string {
  const letters = text.replace(/[aeiouns]/g, (letter) => accents[letter] ?? letter)
  return `⟦${letters}${'~'.repeat(Math.ceil(text.length * 0.4))}⟧`
}
