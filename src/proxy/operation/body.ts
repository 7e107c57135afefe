import { personKey } from '../../contract/values/patterns.ts'
import { isRecord } from '../../contract/values/values.ts'
import { streamBody } from '../../contract/values/stream-body.ts'
import type { BufferSpace } from '../admission/buffer-space.ts'
import type { HeavyWork } from '../validation/heavy-work.ts'
import type { DisconnectSignal, Holding } from '../http/connection.ts'
import type { Identity } from '../identity/identity.ts'
import type { OperationRequest } from './operation-request.ts'
import { createSlots } from '../admission/slots.ts'
import { readBytes } from '../http/read-body.ts'
import { refusals } from '../http/refusals.ts'
import type { ValidBody } from '../validation/valid-body.ts'

interface BodyReaderOptions {
  /** Maximum size of a body, in bytes. */
  readonly maxSize: number
  /** Timeout for a body to arrive, in milliseconds. */
  readonly timeout: number
  /** Maximum number of bodies of one person that are read at a time. */
  readonly perPerson: number
  readonly work: HeavyWork
  /** Memory for bodies. */
  readonly space: BufferSpace
}

/** Reads the JSON bodies of requests. */
interface BodyReader {
  /** Throws `ProxyError` if the headers of a request show that its body is not acceptable. Reads nothing. */
  readonly check: (request: Request) => void
  /**
   * Reads the body of a request that has passed `check`, and validates it against the contract. It takes memory until the
   * reply. Throws `ProxyError`.
   */
  readonly read: (request: Request, facts: BodyFacts) => Promise<ValidBody>
}

/** The facts about a request that its body depends on. */
interface BodyFacts {
  readonly name: OperationRequest['name']
  readonly params: Readonly<Record<string, string | number>>
  readonly version: string | undefined
  readonly person: Identity
  readonly signal: DisconnectSignal
  readonly holding: Pick<Holding, 'untilReply'>
}

/** Creates a reader. Parsing and sanitizing cost processor time, so people take turns. */
export function createBodyReader({
  maxSize,
  timeout,
  perPerson,
  work,
  space,
}: BodyReaderOptions): BodyReader {
  const bodies = createSlots({ perHolder: perPerson })
  const tooLarge = () => refusals.bodyTooLarge(maxSize)

  async function read(
    request: Request,
    { name, params, version, person: { univid }, signal, holding }: BodyFacts,
  ): Promise<ValidBody> {
    const holder = personKey(univid)
    const buffered = space.open(holder)
    holding.untilReply(buffered.release)
    const bytes = await readBytes(await streamBody(request), maxSize, tooLarge, {
      timeout,
      onSize: buffered.resize,
    })
    const body = await work.readBody({ holder, signal }, { bytes, name, version })
    const { value } = body
    if (isRecord(value) && 'id' in value && value['id'] !== params['packageId']) throw refusals.otherPackage()
    return body
  }

  return {
    check(request) {
      if (!/^application\/json(?:;|$)/i.test(request.headers.get('content-type') ?? ''))
        throw refusals.notJson()
      checkEncoding(request)
      if (Number(request.headers.get('content-length')) > maxSize) throw tooLarge()
    },
    async read(request, facts) {
      const release = bodies.acquire(personKey(facts.person.univid))
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
