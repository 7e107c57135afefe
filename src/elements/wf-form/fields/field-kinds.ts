import { parseTimestamp } from '../../../contract/values/timestamp.ts'
import type { FieldKind } from '../../../contract/values/values.ts'
import { plainDigits } from '../../person/plain-digits.ts'
import { keyOf, levelOf, type OfficeLevel, readOfficeText } from '../../wf-office/office-key.ts'

/** The value of a field, as the service expects it. */
export interface ParsedField {
  /** The value to send. Text that is not valid for its kind is sent as typed, so that the service judges it. */
  readonly value: unknown
  /** Whether the text has the shape of its kind. Only the service knows whether what it refers to exists. */
  readonly isValid: boolean
}

/** How numbers are written: a language tag, or null for the plain form of `<input type="number">`. */
export type NumberStyle = string | null

/**
 * Returns the value of a text by the kind of its field (spec, Entry). Empty text is null. In all kinds but `text`, digits of every
 * script count, and invisible characters, which are often copied with a value, do not.
 */
export function parseField(text: string, kind: FieldKind, style: NumberStyle): ParsedField {
  if (kind === 'no_answer' || text === '') return { value: null, isValid: true }
  if (kind === 'text') return { value: text, isValid: true }
  const plain = plainDigits(text.replace(/\p{Cf}/gu, '')).trim()
  if (plain === '') return { value: null, isValid: true }
  const value = parsers[kind](plain, style)
  return value === undefined ? { value: text, isValid: false } : { value, isValid: true }
}

/** Returns the text that shows a value to people. Values of another type appear as they are. */
export function formatField(value: unknown, kind: FieldKind, style: NumberStyle): string {
  if (value === null || value === undefined) return ''
  if (kind === 'currency' && typeof value === 'number' && style !== null) return formatCurrency(value, style)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns the value of a trimmed text; `undefined` if the text has another shape. */
const parsers: Readonly<
  Record<
    Exclude<FieldKind, 'text' | 'no_answer'>,
    (text: string, style: NumberStyle) => string | number | undefined
  >
> = {
  date: parseDate,
  url: (text) => (/^https?:\/\/[^\s/]+\S*$/i.test(text) ? text : undefined),
  email: (text) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? text : undefined),
  number: (text, style) => {
    const number = parseNumber(text, style)
    return Number.isSafeInteger(number) ? number : undefined
  },
  currency: (text, style) => parseNumber(text, style),
  university_id: digits,
  org: (text) => officeKey(text, 'org'),
  department: (text) => officeKey(text, 'department'),
  sub_department: (text) => officeKey(text, 'sub_department'),
  position: digits,
}

/** Returns `2027-05-14`, or the same in the order of the language, such as 5/14/2027 or 14.05.2027, with a year of four digits. */
function parseDate(text: string, style: NumberStyle): string | undefined {
  const day = style === null ? text : (toPlainDate(text, style) ?? text)
  return parseTimestamp(`${day}T00:00:00`) ? day : undefined
}

function toPlainDate(text: string, language: string): string | undefined {
  const numbers = /^(\d+)\s*([./-])\s*(\d+)\s*\2\s*(\d+)\.?$/.exec(text)
  if (!numbers) return undefined
  const typed = [numbers[1], numbers[3], numbers[4]]
  const order = new Intl.DateTimeFormat(language, { calendar: 'gregory', dateStyle: 'short' })
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => type === 'year' || type === 'month' || type === 'day')
  const part = (type: 'year' | 'month' | 'day', size: number) =>
    typed[order.indexOf(type)]?.padStart(size, '0')
  const year = typed[order.indexOf('year')]
  return year?.length === 4 ? `${year}-${part('month', 2)}-${part('day', 2)}` : undefined
}

/** Ids are texts, so that they keep leading zeros. */
function digits(text: string): string | undefined {
  const id = text.replace(/\s/g, '')
  return /^\d+$/.test(id) ? id : undefined
}

/** Returns `110420`, or the same with spaces or any dashes, as `11-0420`. */
function officeKey(text: string, level: OfficeLevel): string | undefined {
  const key = keyOf(readOfficeText(text)) ?? ''
  return levelOf(key) === level ? key : undefined
}

/** The characters with which a language writes numbers. */
interface NumberCharacters {
  readonly decimal: string
  /** An empty string if the language does not separate groups. */
  readonly group: string
}

/**
 * Returns a number that a person typed in a language, or `undefined` if it is not a number there, could be read in two
 * ways, or has more digits than JSON numbers keep. So the value is what the person meant, to the last digit.
 */
function parseNumber(text: string, style: NumberStyle): number | undefined {
  const signed = style === null ? text : toPlainNumber(text, charactersOf(style))
  const plain = signed?.replace(/^\+/, '')
  if (plain === undefined || !/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return undefined
  const significant = plain.replace(/e.*/i, '').replace(/\D/g, '').replace(/^0+/, '')
  return significant.length > 15 ? undefined : Number(plain)
}

function toPlainNumber(typed: string, { decimal, group }: NumberCharacters): string | undefined {
  const text = typed
    .replace(/[\s\p{Sc}]/gu, '')
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/[’']/g, /[’']/.test(group) ? group : '$&')
  const parts = text.split(decimal)
  const [whole = '', fraction] = parts
  if (parts.length > 2 || fraction === '') return undefined
  // 1.234 may be a thousand in another language, so it is not read as a thousandth of it.
  if (fraction?.length === 3 && /^[+-]?[1-9]\d{0,2}$/.test(whole)) return undefined
  const groups = group ? whole.split(group) : [whole]
  const isGrouped = groups.every((one, at) =>
    at === 0 ? groups.length === 1 || /^[+-]?\d{1,3}$/.test(one) : /^\d{2,3}$/.test(one),
  )
  if (!isGrouped || (groups.length > 1 && groups.at(-1)?.length !== 3)) return undefined
  return groups.join('') + (fraction === undefined ? '' : `.${fraction}`)
}

function charactersOf(language: string): NumberCharacters {
  const parts = new Intl.NumberFormat(language).formatToParts(1234567.5)
  const character = (type: 'decimal' | 'group') => parts.find((part) => part.type === type)?.value ?? ''
  return {
    decimal: character('decimal'),
    group: character('group'),
  }
}

function formatCurrency(value: number, language: string): string {
  const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length
  // Three decimals could be read as a thousand; see `toPlainNumber()`.
  const minimumFractionDigits = decimals === 3 ? 4 : 2
  return new Intl.NumberFormat(language, { minimumFractionDigits, maximumFractionDigits: 20 }).format(value)
}
