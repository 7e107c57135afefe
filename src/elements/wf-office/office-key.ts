import { plainText } from '../person/plain-digits.ts'
import type { Texts } from '../../locales/messages.ts'

/** Level of an office. It decides the length of its key (spec, Entry). */
export type OfficeLevel = Exclude<keyof Texts['office']['levels'], 'any'>

/** Number of digits of a key, by level. */
const digitCounts: Readonly<Record<OfficeLevel, number>> = { org: 2, department: 6, sub_department: 10 }

/** Keys that messages show as examples, by level. */
export const exampleKeys: Readonly<Record<OfficeLevel, string>> = {
  org: '11',
  department: '11-0420',
  sub_department: '11-0420-0010',
}

/** A typed text: the digits of a number, and a part of a name. */
export interface OfficeText {
  readonly digits: string
  readonly words: string
}

/**
 * Reads a typed or pasted text. Digits of all scripts count, and blanks, dashes and dots between them do
 * not matter: `11 – 0420` is `110420`.
 */
export function readOfficeText(text: string): OfficeText {
  const plain = plainText(text.normalize('NFKC'))
  const [number = ''] = /^[\d\s\p{Pd}\u2212./]*/u.exec(plain) ?? []
  const digits = number.replace(/\D/g, '')
  const words = plain.slice(number.length)
  // A name may begin with digits: only a whole number can precede a name.
  return words && !isWhole(digits) ? { digits: '', words: plain } : { digits, words }
}

/** Writes digits as a key, as far as they go: `110420` is `11-0420`. */
export function formatKey(digits: string): string {
  return [digits.slice(0, 2), digits.slice(2, 6), digits.slice(6)].filter(Boolean).join('-')
}

/** Returns the key of an office whose number was entered; `undefined` if the text is not a number, or if a name follows. */
export function keyOf({ digits, words }: OfficeText): string | undefined {
  return isWhole(digits) && !words ? formatKey(digits) : undefined
}

export function levelOf(key: string): OfficeLevel | undefined {
  return levelsByDigits.get(key.replace(/\D/g, '').length)
}

/** Returns the longest key at the start of the digits that the search accepts; empty if they are too few. */
export function searchableKey(digits: string): string {
  const size = [10, 6, 2].find((size) => size <= digits.length) ?? 0
  return formatKey(digits.slice(0, size))
}

/** Returns the number of digits of the first level that is below these digits. */
export function digitsOfNextLevel({ length }: string): number {
  return [2, 6].find((size) => size > length) ?? 10
}

function isWhole({ length }: string): boolean {
  return levelsByDigits.has(length)
}

const levelsByDigits: ReadonlyMap<number, OfficeLevel> = new Map(
  Object.entries(digitCounts).map(([level, size]) => [size, level as OfficeLevel]),
)
