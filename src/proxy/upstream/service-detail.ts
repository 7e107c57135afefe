import { isRecord } from '../../contract/values/values.ts'
import { parseJson } from '../validation/service-response.ts'

/** Maximum length of a reason, in characters. */
const maxLength = 300

/** Addresses, markup and credentials, in a text that may quote the request of the proxy. */
const unsuitable = /:\/\/|<\/?[a-z!]|\b(?:basic|bearer) [a-z0-9+/=_.-]{8}/i

/**
 * Returns the reason that a service gives in the problem details of a refusal, as plain text on one line. Returns
 * `undefined` if no reason is given, or if it contains an address, markup or one of the `secrets`.
 */
export function serviceDetail(text: string, secrets: readonly string[]): string | undefined {
  const body = parseJson(text)
  const detail = isRecord(body) ? body['detail'] : undefined
  if (typeof detail !== 'string' || unsuitable.test(detail)) return undefined
  if (secrets.some((secret) => detail.includes(secret))) return undefined
  // Formatting characters could reverse the text around the reason.
  const plain = detail.replace(/[\p{C}\s]+/gu, ' ').trim()
  return plain === '' ? undefined : [...plain].slice(0, maxLength).join('')
}
