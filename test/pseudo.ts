import { english } from '../src/locales/english.ts'
import type { Messages } from '../src/locales/messages.ts'

const accents: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'í', o: 'ö', u: 'ü', n: 'ñ', s: 'š' }

/**
 * A pseudo-language: English with accents, brackets and 40 % more letters. Text without brackets does not come from the
 * table. Text without its closing bracket is cut off.
 */
export const pseudo = { ...(pseudoTable(english) as Messages), language: 'en-XA' }

function pseudoTable(value: unknown): unknown {
  if (typeof value === 'string') return pseudoText(value)
  return Object.fromEntries(Object.entries(value as object).map(([key, part]) => [key, pseudoTable(part)]))
}

function pseudoText(text: string): string {
  // Placeholders keep their names.
  const letters = text.replace(/\{\w+\}|[aeiouns]/g, (part) => accents[part] ?? part)
  return `⟦${letters}${'~'.repeat(Math.ceil(text.length * 0.4))}⟧`
}
