import { isRecord } from '../contract/record.ts'
import { streamBody } from '../contract/stream-body.ts'
import type { HeavyWork } from './heavy-work.ts'
import { maxHtmlLength } from './html.ts'
import type { DisconnectSignal } from './connection.ts'
import type { Identity } from './identity/identity.ts'
import type { OperationRequest } from './operation-request.ts'
import { createQuota } from './quota.ts'
import { readText } from './read-body.ts'
import { refusals } from './refusals.ts'
import { entryOperations } from './upstream/service-response.ts'

export interface BodyReaderOptions {
  /** Maximum size of a body, in bytes. */
  readonly maxSize: number
  /** Timeout for a body to arrive, in milliseconds. */
  readonly timeout: number
  /** Maximum number of bodies of one person that are read at a time. */
  readonly perPerson: number
  readonly work: HeavyWork
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

/** The facts about a request that its body depends on. */
export interface BodyFacts {
  readonly name: OperationRequest['name']
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
    { name, params, version, person: { univid }, signal }: BodyFacts,
  ): Promise<unknown> {
    const text = await readText(await streamBody(request), maxSize, tooLarge, timeout)
    const turn = { holder: univid, signal }
    const body = await work.parseBody(turn, { text, name, version })
    // Entry data may have a field of its own with the name `id`.
    const hasId = isRecord(body) && 'id' in body && !entryOperations.includes(name)
    if (hasId && body['id'] !== params['packageId']) throw refusals.otherPackage()
    return await withCleanHtml(body, (html) => work.sanitizeHtml(turn, html))
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
