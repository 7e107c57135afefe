import type { OwnServiceOperation } from '../../contract/routes/own-routes.ts'
import { browserOperations, type OperationForBrowsers } from '../../contract/services/browser-operations.ts'
import { isRecord } from '../../contract/values/values.ts'
import { maxHtmlLength, type Sanitize, sanitizeHtml } from './html.ts'
import type { BrowserOperation } from '../../contract/routes/routes.ts'
import { ownServiceOperations } from '../../contract/services/own-service-operations.ts'
import { parseBody } from '../http/parse-body.ts'
import { refusals } from '../http/refusals.ts'
import type { Json } from '../http/reply.ts'

/** The JSON body of a request, in UTF-8. */
export interface BodyBytes {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly name: BrowserOperation | OwnServiceOperation
  readonly version: string | undefined
}

/** The body of a request that may be sent to a service. */
export interface ValidBody {
  /** The whole body. */
  readonly json: Json
  /** The part that decisions about the request depend on: everything except the entry data, which may be long. */
  readonly value: unknown
}

/**
 * Parses a body, validates it against the contract and reduces its HTML to what e-mails may contain. Throws `ProxyError` if
 * it is not valid.
 */
export async function readValidBody(
  { bytes, name, version }: BodyBytes,
  sanitize: Sanitize = sanitizeHtml,
): Promise<ValidBody> {
  const operation: OperationForBrowsers = { ...browserOperations, ...ownServiceOperations }[name]
  const schema = (version && operation.bodies?.[version]) || operation.body
  const parsed = parseBody(new TextDecoder().decode(bytes), schema)
  const clean = await withCleanHtml(parsed, sanitize)
  return { json: JSON.stringify(clean), value: isEntry(name, version) ? {} : withoutEntry(clean) }
}

/** Whether the body is the entry data itself, whose fields belong to the form. */
function isEntry(name: BrowserOperation | OwnServiceOperation, version: string | undefined): boolean {
  return name === 'updateEntry' && version === undefined
}

function withoutEntry(body: unknown): unknown {
  if (!isRecord(body) || !('entry' in body)) return body
  const { entry: _, ...rest } = body
  return rest
}

/** Fields with HTML that goes into e-mails of the institution (spec, Create a package, Update entry data). */
const htmlFields = ['packageDetails', 'deltaSummary'] as const

/**
 * Returns the body with only the HTML that e-mails may contain. Throws `ProxyError` if no text remains: an empty string
 * would clear the stored value. Escaping makes a text longer, so its length is checked twice.
 */
async function withCleanHtml(body: unknown, sanitize: Sanitize): Promise<unknown> {
  if (!isRecord(body) || !isRecord(body['emailContent'])) return body
  const emailContent = { ...body['emailContent'] }
  for (const field of htmlFields) {
    const html = emailContent[field]
    if (typeof html !== 'string') continue
    if (html.length > maxHtmlLength) throw refusals.htmlTooLong(field, maxHtmlLength)
    const clean = await sanitize(html)
    if (clean === undefined) throw refusals.htmlEmpty(field)
    if (clean.length > maxHtmlLength) throw refusals.htmlTooLong(field, maxHtmlLength)
    emailContent[field] = clean
  }
  return { ...body, emailContent }
}
