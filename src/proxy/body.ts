import type { z } from 'zod'
import type { OperationForBrowsers } from '../contract/browser-operations.ts'
import { isRecord } from '../contract/record.ts'
import type { BrowserOperation } from '../contract/routes.ts'
import { maxHtmlLength, sanitizeInPasses } from './html.ts'
import type { DisconnectSignal } from './connection.ts'
import type { Identity } from './identity/identity.ts'
import { createQuota } from './quota.ts'
import { readText } from './read-body.ts'
import { refusals } from './refusals.ts'
import { entryOperations } from './upstream/service-response.ts'
import type { WorkQueue } from './work-queue.ts'

export interface BodyReaderOptions {
  /** Maximum size of a body, in bytes. */
  readonly maxSize: number
  /** Timeout for a body to arrive, in milliseconds. */
  readonly timeout: number
  /** Maximum number of bodies of one person that are read at a time. */
  readonly perPerson: number
  readonly work: WorkQueue
}

/** Reads the JSON bodies of requests. */
export interface BodyReader {
  /** Throws `ProxyError` if the headers of a request show that its body is not acceptable. Reads nothing. */
  readonly check: (request: Request) => void
  /**
   * Reads the body of a request that has passed `check`, and validates it against the contract. The result may be sent on.
   * Throws `ProxyError`.
   */
  readonly read: (request: Request, facts: BodyFacts) => Promise<unknown>
}

/** Maximum depth of objects and lists in each other. */
const maxDepth = 20

/** The facts about a request that its body depends on. */
export interface BodyFacts {
  readonly name: BrowserOperation
  readonly operation: OperationForBrowsers
  readonly params: Readonly<Record<string, string | number>>
  readonly version: string | undefined
  readonly person: Identity
  readonly signal: Pick<DisconnectSignal, 'aborted'>
}

/** Creates a reader. Parsing and sanitizing cost processor time, so people take turns. */
export function createBodyReader({ maxSize, timeout, perPerson, work }: BodyReaderOptions): BodyReader {
  const bodies = createQuota({ perKey: perPerson })
  const tooLarge = () => refusals.bodyTooLarge(maxSize)

  async function read(
    request: Request,
    { name, operation, params, version, person: { univid }, signal }: BodyFacts,
  ): Promise<unknown> {
    const text = await readText(request.body, maxSize, tooLarge, timeout)
    const run = <T>(task: () => T) =>
      work.run(univid, () => {
        if (signal.aborted) throw refusals.interrupted()
        return task()
      })
    const body = await run(() => parseBody(text, (version && operation.bodies?.[version]) || operation.body))
    // Entry data may have a field of its own with the name `id`.
    const hasId = isRecord(body) && 'id' in body && !entryOperations.includes(name)
    if (hasId && body['id'] !== params['packageId']) throw refusals.otherPackage()
    return await withCleanHtml(body, (html) => sanitizeInPasses(html, run))
  }

  return {
    check(request) {
      if (!/^application\/json(?:;|$)/i.test(request.headers.get('content-type') ?? ''))
        throw refusals.notJson()
      checkEncoding(request)
      if (Number(request.headers.get('content-length')) > maxSize) throw tooLarge()
    },
    async read(request, facts) {
      const release = bodies.acquire(facts.person.univid)
      if (!release) throw refusals.tooManyRequests()
      try {
        return await read(request, facts)
      } finally {
        release()
      }
    },
  }
}

/** Throws `ProxyError` if the body is compressed: the proxy would have to decompress it to validate it. */
export function checkEncoding(request: Request): void {
  const encoding = request.headers.get('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity') throw refusals.encodedBody()
}

/** Parses JSON and validates it with a schema. Throws `ProxyError`. */
export function parseBody(text: string, schema: z.ZodType | undefined): unknown {
  if (!schema) throw new TypeError('The operation takes no body')
  if (depthOf(text) > maxDepth) throw refusals.bodyTooDeep(maxDepth)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw refusals.invalidJson(cause)
  }
  if (hasPrototypeField(value)) throw refusals.prototypeField()
  return checked(schema.safeParse(value))
}

/** Returns the parsed value. Throws a `ProxyError` that lists up to ten problems if the value is not valid. */
export function checked<T>(parsed: z.ZodSafeParseResult<T>): T {
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.slice(0, 10)
  throw refusals.invalidValue(
    problems.map(({ path, message }) => `${path.join('.') || 'value'}: ${message}`).join('; '),
  )
}

/** The depth of the brackets in a JSON text. Counted before parsing, so that a deep text costs nothing. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') {
      // Skips the string.
      for (index++; index < text.length && text[index] !== '"'; index++) if (text[index] === '\\') index++
    } else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth--
  }
  return deepest
}

/** Whether any object in the value has a field that a copy of the object would use as its prototype. */
function hasPrototypeField(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeField)
}

/** Fields with HTML that goes into e-mails of the institution (spec, Create a package, Update entry data). */
const htmlFields = ['packageDetails', 'deltaSummary'] as const

/**
 * Returns the body with only the HTML that e-mails may contain. Throws `ProxyError` if no text remains: an empty string
 * would clear the stored value.
 */
async function withCleanHtml(
  body: unknown,
  sanitize: (html: string) => Promise<string | undefined>,
): Promise<unknown> {
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
