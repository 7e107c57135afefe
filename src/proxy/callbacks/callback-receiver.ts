import type { ByteText } from '../../contract/byte-text.ts'
import { writeBytes } from '../../contract/byte-text.ts'
import { CallbackBody, verificationHeader } from '../../contract/callbacks.ts'
import { readSignature } from '../../contract/public-key.ts'
import type { Environment } from '../../contract/values.ts'
import { createCallbackKey, type Signed } from './callback-key.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { baseHeaders, problem, ProxyError } from '../problem.ts'
import { bodyTimeout, readBytes } from '../read-body.ts'
import type { DedupeStore } from './dedupe-store.ts'

type Bytes = Uint8Array<ArrayBuffer>

export interface CallbackReceiverOptions {
  /** Ids of the forms whose callbacks count. */
  readonly forms: readonly number[]
  /** Environment of the mount: a callback does not name its own. What one has seen is new to the other. */
  readonly env: Environment
  /**
   * Fetches the service's answer to "public key", as text or as bytes: the spec leaves its shape open, and bytes that
   * were read as text are lost. Must not follow redirects.
   */
  readonly fetchKey: () => Promise<string | Uint8Array>
  /** How signatures are written. Any other way is refused. Default `base64`. */
  readonly encoding?: ByteText
  /** Remembers the callbacks that have had their effect. */
  readonly dedupeStore: DedupeStore
  /** Takes a verified callback, once. Runs after the answer; what it throws is logged. */
  readonly onCallback: (callback: CallbackBody) => void | Promise<void>
  readonly log: Log
  /** Default: nothing is counted. */
  readonly metrics?: Pick<Metrics, 'count'>
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** Largest body, in bytes. Default 256 kB. */
  readonly maxSize?: number
  /** Least time between two fetches of the key, in milliseconds. Default one minute. */
  readonly cooldown?: number
  /** How long an answer may wait for the key, in milliseconds. Default 500. */
  readonly keyTimeout?: number
  /** Most callbacks that wait for a new key. Default 1000. */
  readonly maxPending?: number
  /** Most bytes of callbacks that wait for a new key. Default 8 MB. */
  readonly maxPendingSize?: number
}

/** Receives the callbacks of the routing service. */
export interface CallbackReceiver {
  /** Answers a POST of the service. Never rejects. */
  readonly receive: (request: Request) => Promise<Response>
  /** Stops. Callbacks that still wait for a new key are given up. */
  readonly close: () => void
}

/** Most callbacks whose bodies are on their way at a time: more than a batch of the service. */
const maxReceiving = 6000

/** How long a callback is known, in seconds: seven days. */
const seenSeconds = 7 * 24 * 60 * 60

/**
 * Creates the receiver of signed callbacks (spec, Events and Authentication 7).
 *
 * A callback is a hint and no more: its body names no environment and no recipient, and the same key signs for every
 * client of the service. Whoever accepts one reads the truth from the service. That is also why callbacks that overtake
 * each other need no putting in order by `createdAt`, and why one that takes effect twice does no harm.
 *
 * Answers 200 to what is verified, whether or not it has an effect; 401 to a signature that does not hold under a key
 * fetched since, or is not written as `encoding` says; 400 to what is no callback though verified; 413 and 415 before
 * anything is verified. While the key may not be fetched, or cannot be, a callback that may be a real one is parked and
 * answered 202: the service never sends again what it was refused, and the key may have changed. The next key to come
 * decides on it. Where too many are parked the answer is 503, of which the service tells the owners of the form.
 */
export function createCallbackReceiver({
  forms,
  env,
  fetchKey,
  encoding = 'base64',
  dedupeStore,
  onCallback,
  log,
  metrics,
  now = Date.now,
  maxSize = 256 * 1024,
  cooldown = 60_000,
  keyTimeout = 500,
  maxPending = 1000,
  maxPendingSize = 8 * 1024 * 1024,
}: CallbackReceiverOptions): CallbackReceiver {
  const key = createCallbackKey({
    fetchKey,
    cooldown,
    patience: keyTimeout,
    log,
    now,
    onRenewed: () => void decideParked(),
  })
  let parked: readonly Signed[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  let lastWarning = -Infinity
  let unwarned = 0
  let receiving = 0

  async function answer(request: Request): Promise<Response> {
    // Before anything else: the signature is as old as this, and a key that is fetched from now on tells whether it holds.
    const mark = key.mark()
    if (request.headers.has('content-encoding')) {
      throw new ProxyError(415, 'Send the body as it was signed, without Content-Encoding.')
    }
    // Anyone may send here, so what is on its way at a time is limited.
    if (receiving >= maxReceiving) throw new ProxyError(503, 'Too many callbacks at once. Send it again.')
    receiving += 1
    const body = await readBody(request, maxSize).finally(() => {
      receiving -= 1
    })
    // One that came twice reads `a, b`, which is no signature.
    const text = request.headers.get(verificationHeader) ?? ''
    const signature = readSignature(text, encoding)
    if (!signature) throw new ProxyError(401, notSigned(text, encoding))

    const signed: Signed = { body, signature, mark }
    let verdict = await key.check(signed)
    if (verdict === 'undecided' && (await key.renew())) verdict = await key.check(signed)
    if (verdict === 'valid') {
      take(body)
      return answered(200)
    }
    const callback = read(body)
    if (verdict === 'invalid' || !callback || !isOurs(callback)) {
      throw new ProxyError(
        401,
        'The signature does not hold for this body and the public key of the service.',
      )
    }
    park(signed)
    return answered(202)
  }

  /** Has a verified callback carried out. */
  function take(body: Bytes): void {
    metrics?.count('callback_verified')
    const callback = read(body)
    if (!callback) throw new ProxyError(400, 'The body is signed, but it is no callback.')
    const { formId, packageId, state } = callback
    if (isOurs(callback)) void deliver(body, callback)
    // Somebody set our address at a form that we do not serve. Refused, its owners would get a mail for every callback.
    else log('warn', 'A callback is of a form that is not served here', { formId, packageId, state })
  }

  /** Makes the digest first, so that the answer is on its way before anyone else's code runs. */
  async function deliver(body: Bytes, callback: CallbackBody): Promise<void> {
    const { formId, packageId, state } = callback
    // The header is left out, so that no second signature for the same body makes another callback of it.
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
    const name = `callback:${env}:${writeBytes(digest, 'hex')}`
    if (!(await isFirst(name))) {
      metrics?.count('callback_repeated')
      return
    }
    log('info', 'A callback has come', { formId, packageId, state })
    try {
      await onCallback(callback)
    } catch (error) {
      log('error', 'A callback was not carried out', { formId, packageId, state, error: String(error) })
      // Should the service send it again, that may have the effect which this one had not.
      await dedupeStore.forget(name).catch(() => {})
    }
  }

  async function isFirst(name: string): Promise<boolean> {
    try {
      return await dedupeStore.isFirst(name, seenSeconds)
    } catch (error) {
      log('warn', 'It is not known whether a callback was seen before', { error: String(error) })
      return true
    }
  }

  /** Keeps a callback until the next key comes. */
  function park(signed: Signed): void {
    const size = parked.reduce((sum, { body }) => sum + body.length, signed.body.length)
    if (isClosed || parked.length >= maxPending || size > maxPendingSize) {
      throw new ProxyError(503, 'Too many callbacks wait for the key of the service.')
    }
    metrics?.count('callback_pending')
    parked = [...parked, signed]
    schedule()
  }

  /** Fetches the key as soon as it may be, for as long as anything waits for it. */
  function schedule(): void {
    if (timer !== undefined || parked.length === 0) return
    timer = setTimeout(() => {
      timer = undefined
      void key.renew()
      schedule()
    }, key.wait())
  }

  /** Verifies what is parked with the key that has just come, each once. */
  async function decideParked(): Promise<void> {
    const waiting = parked
    parked = []
    for (const signed of waiting) {
      const verdict = await key.check(signed)
      if (isClosed) return
      if (verdict === 'valid') take(signed.body)
      else if (verdict === 'invalid') refused('The signature of a parked callback does not hold')
      // Came after the fetch had begun, so that the next one tells.
      else parked = [...parked, signed]
    }
    if (parked.length > 0) return schedule()
    clearTimeout(timer)
    timer = undefined
  }

  function isOurs({ formId }: CallbackBody): boolean {
    return forms.includes(formId)
  }

  /** Counts each, but writes down one in a cool-down: anyone can send thousands. */
  function refused(reason: string): void {
    metrics?.count('callback_refused')
    const passed = now() - lastWarning
    if (passed >= 0 && passed < cooldown) {
      unwarned++
      return
    }
    log('warn', 'A callback was refused', { reason, othersBefore: unwarned })
    lastWarning = now()
    unwarned = 0
  }

  return {
    async receive(request) {
      const requestId = crypto.randomUUID()
      try {
        return await answer(request)
      } catch (error) {
        if (error instanceof ProxyError) {
          refused(error.message)
          return problem(error, requestId)
        }
        log('error', 'The receiver of callbacks failed', { requestId, error: String(error) })
        return problem(new ProxyError(500, 'The proxy failed. Its operator can find out why.'), requestId)
      }
    },

    close() {
      isClosed = true
      clearTimeout(timer)
      if (parked.length > 0) {
        log('warn', 'Callbacks that waited for a new key are given up', { count: parked.length })
      }
      parked = []
    },
  }
}

function answered(status: 200 | 202): Response {
  return new Response(null, { status, headers: baseHeaders })
}

/** The likeliest reason is that the receiver is not set to the service's encoding, which the spec leaves open. */
function notSigned(text: string, encoding: ByteText): string {
  const other = (['base64', 'base64url', 'hex'] as const).find((each) => readSignature(text, each))
  const found = other ? `, but the one it holds is written in ${other}` : ''
  return `The header ${verificationHeader} has to hold one Ed25519 signature, written in ${encoding}${found}.`
}

/** The callback in a body; undefined where there is none. Bytes that are no UTF-8 can only be in what is of no account. */
function read(body: Bytes): CallbackBody | undefined {
  try {
    return CallbackBody.safeParse(JSON.parse(new TextDecoder().decode(body))).data
  } catch {
    return undefined
  }
}

/** Reads a body up to `limit` bytes. */
async function readBody(request: Request, limit: number): Promise<Bytes> {
  const tooLong = () => new ProxyError(413, `The body is larger than ${limit} bytes.`)
  return await readBytes(request.body, limit, tooLong, bodyTimeout).catch((cause: unknown) => {
    throw cause instanceof ProxyError ? cause : new ProxyError(400, 'The request was broken off.', { cause })
  })
}
