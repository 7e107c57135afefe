import { z } from 'zod'
import { clientIdPattern, wholeText } from '../../contract/values/patterns.ts'
import { parseWebhookSecrets } from '../../proxy/node/callbacks/webhook-signature.ts'

// Types of configuration variables. Values are strings from the environment, or JSON values from a configuration file.

/**
 * A variable with a parser. `parse` returns undefined if a value is not valid; `expected` describes the valid ones and
 * becomes the message of the issue.
 */
export function variable<T>(
  expected: string,
  parse: (value: unknown) => T | undefined,
  schema: JsonSchemaPart = {},
) {
  return z
    .unknown()
    .transform((value, context): T => {
      const result = parse(value)
      if (result !== undefined) return result
      context.issues.push({ code: 'custom', message: expected, input: value })
      return z.NEVER
    })
    .meta({ ...schema })
}

/** What an editor shows about the JSON value of a variable. */
type JsonSchemaPart = Readonly<Record<string, unknown>>

export function integer(minimum: number, maximum: number) {
  return variable(
    `a number from ${minimum} to ${maximum}`,
    (value) => {
      const number = /^\d{1,9}$/.test(toText(value)) ? Number(toText(value)) : NaN
      return number >= minimum && number <= maximum ? number : undefined
    },
    {
      anyOf: [
        { type: 'integer', minimum, maximum },
        { type: 'string', pattern: String.raw`^\d{1,9}$` },
      ],
    },
  )
}

export function choice<const T extends string>(values: readonly T[]) {
  const last = values.at(-1)
  return variable(
    `${values.slice(0, -1).join(', ')} or ${last}`,
    (value) => values.find((one) => one === toText(value)),
    {
      enum: [
        ...values,
        ...values.flatMap((one) => (one === 'true' ? [true] : one === 'false' ? [false] : [])),
      ],
    },
  )
}

export function clientSecret() {
  return variable('the client secret, on one line, with no blank or byte order mark around it', parseSecret)
}

export function pathOfFile() {
  return variable('the path of a file', parseLine)
}

export function serviceUrl() {
  return variable(
    'an address such as https://service.example.edu, without a user name, query or fragment',
    (value) => parseUrl(value)?.href.replace(/\/+$/, ''),
  )
}

export function clientIdVariable() {
  return variable('1 to 64 letters, digits, _ or -', matching(wholeText(clientIdPattern)))
}

/** Trims a string, a number or a boolean. Returns an empty string for other values. */
function toText(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : ''
}

/** Accepts one line that is not blank. */
export function parseLine(value: unknown): string | undefined {
  return typeof value === 'string' && /^[^\p{Cc}]+$/u.test(value) && value.trim() !== '' ? value : undefined
}

/** Accepts a secret on one line. An editor may have added a blank or a byte order mark, which nobody sees. */
export function parseSecret(value: unknown): string | undefined {
  const text = parseLine(value)
  return text !== undefined && text === text.trim() ? text : undefined
}

export function matching(pattern: RegExp): (value: unknown) => string | undefined {
  return (value) => (pattern.test(toText(value)) ? toText(value) : undefined)
}

/** Parses text that is separated by commas, or a list. */
export function listOf<T>(
  parse: (value: unknown) => T | undefined,
  minimum = 0,
): (value: unknown) => readonly T[] | undefined {
  return (value) => {
    const parts: readonly unknown[] | undefined = Array.isArray(value)
      ? value
      : typeof value === 'string' || typeof value === 'number'
        ? toText(value)
            .split(',')
            .filter((part) => part.trim() !== '')
        : undefined
    const items = parts?.map(parse)
    const valid = items?.filter((item) => item !== undefined)
    return valid && valid.length === items?.length && valid.length >= minimum ? valid : undefined
  }
}

export function parseFormIds(value: unknown): readonly number[] | undefined {
  const ids = listOf((id) => {
    const number = /^[1-9]\d{0,15}$/.test(toText(id)) ? Number(toText(id)) : NaN
    return Number.isSafeInteger(number) ? number : undefined
  }, 1)(value)
  return ids && new Set(ids).size === ids.length ? ids : undefined
}

export function parseUrl(value: unknown): URL | undefined {
  if (!URL.canParse(toText(value)) || /[?#]/.test(toText(value))) return undefined
  const url = new URL(toText(value))
  return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined
}

/** Whether requests to an address are encrypted or stay on this machine. */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
}

export function parseSecureUrl(value: unknown): string | undefined {
  const url = parseUrl(value)
  return url && isSecure(url) ? url.href : undefined
}

export function parseOrigin(value: unknown): string | undefined {
  const url = parseUrl(value)
  return url && isSecure(url) && url.pathname === '/' ? url.origin : undefined
}

export function parseRedisUrl(value: unknown): string | undefined {
  return URL.canParse(toText(value)) && /^rediss?:\/\/(?:.*@)?[^@,]+$/.test(toText(value))
    ? toText(value)
    : undefined
}

export function parseForwardSecrets(value: unknown): string | undefined {
  return parseWebhookSecrets(toText(value)) && toText(value)
}

export function parseFrontSecret(value: unknown): string | undefined {
  const text = parseSecret(value)
  return text !== undefined && text.length >= 32 ? text : undefined
}

const sizeUnits: Readonly<Record<string, number>> = { '': 1, B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

/** Returns a size in bytes. */
export function parseSize(value: unknown): number | undefined {
  const [, number = '', unit = ''] = /^(\d{1,12}) ?([KMG]?B|)$/.exec(toText(value).toUpperCase()) ?? []
  const bytes = Number(number) * (sizeUnits[unit] ?? NaN)
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined
}

/** Returns an extension in lower case, without a dot. */
export function parseExtension(value: unknown): string | undefined {
  return /^\.?([a-z0-9]{1,16})$/.exec(toText(value).toLowerCase())?.[1]
}

export function parseHostAndPort(
  value: unknown,
): { readonly host: string; readonly port: number } | undefined {
  const [, host = '', port = ''] = /^([\w.-]+|\[[\da-f:.]+\]):(\d{1,5})$/i.exec(toText(value)) ?? []
  const isPort = Number(port) >= 1 && Number(port) <= 65_535
  return isPort ? { host: host.replace(/^\[|\]$/g, ''), port: Number(port) } : undefined
}
