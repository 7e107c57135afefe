import { parseTimestamp } from '../../contract/values/timestamp.ts'
import type { FieldKind } from '../../contract/values/values.ts'
import { keyOf, levelOf, type OfficeLevel, readOfficeText } from '../wf-office/office-key.ts'

/** The value of a field, as the service expects it. */
export interface ParsedField {
  /** The value to send. Text that is not valid for its kind is sent as typed, so that the service judges it. */
  readonly value: unknown
  /** Whether the text has the shape of its kind. Only the service knows whether what it refers to exists. */
  readonly isValid: boolean
}

/** How numbers are written: a language tag, or null for the plain form of `<input type="number">`. */
export type NumberStyle = string | null

/** Returns the value of a text by the kind of its field (spec, Entry). Empty text is null. */
export function parseField(text: string, kind: FieldKind, style: NumberStyle): ParsedField {
  if (kind === 'no_answer' || text === '') return { value: null, isValid: true }
  if (kind === 'text') return { value: text, isValid: true }
  if (text.trim() === '') return { value: null, isValid: true }
  const value = parsers[kind](text.trim(), style)
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
  date: (text) => (parseTimestamp(`${text}T00:00:00`) ? text : undefined),
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
  /** From 0 to 9. */
  readonly digits: readonly string[]
}

/**
 * Returns a number that a person typed in a language, or `undefined` if it is not a number there, could be read in two
 * ways, or has more digits than JSON numbers keep. So the value is what the person meant, to the last digit.
 */
function parseNumber(text: string, style: NumberStyle): number | undefined {
  const plain = style === null ? text : toPlainNumber(text, charactersOf(style))
  if (plain === undefined || !/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return undefined
  const significant = plain.replace(/e.*/i, '').replace(/\D/g, '').replace(/^0+/, '')
  return significant.length > 15 ? undefined : Number(plain)
}

function toPlainNumber(typed: string, { decimal, group, digits }: NumberCharacters): string | undefined {
  const text = typed
    .replace(/[\s\p{Sc}\p{Cf}]/gu, '')
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/[’']/g, /[’']/.test(group) ? group : '$&')
    .replace(/\p{Nd}/gu, (digit) => {
      const at = digits.indexOf(digit)
      return at < 0 ? digit : String(at)
    })
  const parts = text.split(decimal)
  const [whole = '', fraction] = parts
  if (parts.length > 2 || fraction === '') return undefined
  // 1.234 may be a thousand in another language, so it is not read as a thousandth of it.
  if (fraction?.length === 3 && /^-?[1-9]\d{0,2}$/.test(whole)) return undefined
  const groups = group ? whole.split(group) : [whole]
  const isGrouped = groups.every((one, at) =>
    at === 0 ? groups.length === 1 || /^-?\d{1,3}$/.test(one) : /^\d{2,3}$/.test(one),
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
    digits: [...new Intl.NumberFormat(language, { useGrouping: false }).format(9876543210)].reverse(),
  }
}

function formatCurrency(value: number, language: string): string {
  const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length
  // Three decimals could be read as a thousand; see `toPlainNumber()`.
  const minimumFractionDigits = decimals === 3 ? 4 : 2
  return new Intl.NumberFormat(language, { minimumFractionDigits, maximumFractionDigits: 20 }).format(value)
}
