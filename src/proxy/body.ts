import type { z } from 'zod'
import type { OperationForBrowsers } from '../contract/browser-operations.ts'
import { isRecord } from '../contract/record.ts'
import type { BrowserOperation } from '../contract/routes.ts'
import { maxHtmlLength, sanitizeHtml } from './html.ts'
import { ProxyError } from './problem.ts'
import { bodyTimeout, readText } from './read-body.ts'

/** Largest JSON body, in bytes: far more than any operation needs. */
const maxJsonSize = 256 * 1024

/** How deep objects and lists may stand in each other. */
const maxDepth = 20

/** Reads the JSON body of a call, checked against the contract and ready to be sent on. Throws `ProxyError`. */
export async function readBody(
  request: Request,
  name: BrowserOperation,
  operation: OperationForBrowsers,
  version: string | undefined,
  params: Readonly<Record<string, string | number>>,
): Promise<unknown> {
  if (!/^application\/json(?:;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new ProxyError(415, 'Send JSON, as application/json.')
  }
  checkEncoding(request)
  const text = await readText(
    request.body,
    maxJsonSize,
    () => new ProxyError(413, `The body is larger than ${maxJsonSize} bytes.`),
    bodyTimeout,
  )
  const body = parseBody(text, (version && operation.bodies?.[version]) || operation.body)
  if (isRecord(body) && name !== 'updateEntry' && 'id' in body && body['id'] !== params['packageId']) {
    throw new ProxyError(400, 'The id of the body is not the package of the address.')
  }
  return withCleanHtml(body)
}

/** A compressed body would have to be unpacked to be looked at. */
export function checkEncoding(request: Request): void {
  const encoding = request.headers.get('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new ProxyError(415, 'Send the body as it is, without Content-Encoding.')
  }
}

/** Reads JSON with a schema. Throws `ProxyError`. */
export function parseBody(text: string, schema: z.ZodType | undefined): unknown {
  if (!schema) throw new TypeError('The operation takes no body')
  if (depthOf(text) > maxDepth)
    throw new ProxyError(400, `The body is nested deeper than ${maxDepth} levels.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new ProxyError(400, 'The body is not JSON.', { cause })
  }
  if (namesPrototype(value))
    throw new ProxyError(400, 'The body has a field that no operation has: "__proto__".')
  return checked(schema.safeParse(value))
}

/** The value, or what is wrong with it as a `ProxyError`. */
export function checked<T>(parsed: z.ZodSafeParseResult<T>): T {
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.slice(0, 10)
  throw new ProxyError(
    400,
    issues.map(({ path, message }) => `${path.join('.') || 'value'}: ${message}`).join('; '),
  )
}

/** How deep the brackets of a JSON text stand. Counted before it is parsed, so that depth costs nothing. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') {
      // To the end of the string.
      for (index++; index < text.length && text[index] !== '"'; index++) if (text[index] === '\\') index++
    } else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth--
  }
  return deepest
}

/** Whether some object has a member that copies of it would take for their prototype. */
function namesPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(namesPrototype)
}

/** Fields that hold HTML, which goes into e-mails in the institution's name (spec, Create a package, Update entry data). */
const htmlFields = ['packageDetails', 'deltaSummary'] as const

/**
 * The body with its HTML cut down to what e-mails may hold. Text that is all markup is refused instead: an empty string
 * would clear what is stored.
 */
function withCleanHtml(body: unknown): unknown {
  if (!isRecord(body) || !isRecord(body['emailContent'])) return body
  const emailContent = { ...body['emailContent'] }
  for (const field of htmlFields) {
    const html = emailContent[field]
    if (typeof html !== 'string') continue
    if (html.length > maxHtmlLength) {
      throw new ProxyError(422, `${field} is longer than ${maxHtmlLength} characters. Shorten it.`)
    }
    const clean = sanitizeHtml(html)
    if (clean === undefined) {
      throw new ProxyError(422, `${field} holds nothing that may go into an e-mail. Write it as text.`)
    }
    emailContent[field] = clean
  }
  return { ...body, emailContent }
}
