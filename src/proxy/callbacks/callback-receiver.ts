import { streamBody } from '../../contract/values/stream-body.ts'
import type { ByteText } from '../../contract/values/byte-text.ts'
import { type CallbackBody, verificationHeader } from '../../contract/schemas/callbacks.ts'
import { readSignature } from '../../contract/values/public-key.ts'
import { createSlots } from '../admission/slots.ts'
import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import { createRefusalLog } from '../observe/refusal-log.ts'
import { problemReply, ProxyError } from '../http/problem.ts'
import { refusals } from '../http/refusals.ts'
import { baseHeaders, responseOf } from '../http/reply.ts'
import { type BodyBudget, createBodyBudget, readBytes } from '../http/read-body.ts'
import { type CallbackInbox, parseCallback } from './callback-inbox.ts'
import { callbackRefusals } from './callback-refusals.ts'
import { createCallbackKey, type SignedBody } from './callback-key.ts'
import type { UnverifiedStore } from './callback-store.ts'
import { createPendingCallbacks } from './pending-callbacks.ts'

export interface CallbackReceiverOptions {
  /** Ids of the forms whose callbacks are processed. */
  readonly forms: readonly number[]
  /**
   * Fetches the response of the service to "public key", as text or bytes. The spec leaves its shape open, and a binary key
   * does not survive decoding as text. Must not follow redirects.
   */
  readonly fetchKey: () => Promise<string | Uint8Array>
  /** Encoding of signatures. All others are refused. Default `base64`. */
  readonly encoding?: ByteText
  /** Takes the verified callbacks. */
  readonly inbox: Pick<CallbackInbox, 'add'>
  /** Keeps callbacks that wait for a new key. Default: only in memory. */
  readonly unverified?: UnverifiedStore | undefined
  readonly log: Log
  /** Default: nothing is counted. */
  readonly metrics?: Pick<Metrics, 'count'>
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** Maximum size of a body, in bytes. Default 256 kB. */
  readonly maxSize?: number
  /** Timeout for a body to arrive, in ms. Default 15 seconds. */
  readonly bodyTimeout?: number
  /** Maximum number of bodies that are read at a time. Default 6000, more than the service sends in a batch. */
  readonly maxConcurrent?: number
  /** Maximum size of all bodies that are being read, in bytes. Default 4 MB. */
  readonly maxReading?: number
  /** Minimum time between two requests for the key, in ms. Default one minute. */
  readonly cooldown?: number
  /** Maximum time that a response waits for the key, in ms. Default 500. */
  readonly keyTimeout?: number
  /** Maximum number of callbacks that wait for a new key. Default 10,000. */
  readonly maxPending?: number
  /** Maximum size of all callbacks that wait for a new key, in bytes. Default 16 MB. */
  readonly maxPendingSize?: number
}

/** Receives the callbacks of the routing service. */
export interface CallbackReceiver {
  /** Handles a POST request of the service. Never rejects. */
  readonly receive: (request: Request) => Promise<Response>
  /** Resolves to whether a public key of the service is known. If not, requests it, once per cooldown. */
  readonly hasKey: () => Promise<boolean>
  /** Stops. Callbacks that wait for a new key are discarded, unless a store keeps them. */
  readonly close: () => void
}

/**
 * Creates the receiver of signed callbacks (spec, Events and Authentication 7).
 *
 * A callback is only a hint: its body names no environment and no recipient, and the service signs the callbacks of all
 * clients with the same key. Code that acts on one has to read the current state from the service. For that reason, callbacks
 * need not be sorted by `createdAt` if they overtake each other, and processing one twice does no harm.
 *
 * The status of the response:
 *
 * - 200: The callback is verified and stored, whether or not it has an effect.
 * - 202: The signature does not match, but the key may have changed and cannot be requested now. The callback is kept until
 *   the next key arrives, because the service never repeats a callback that was refused.
 * - 400: The verified body is not a callback.
 * - 401: The signature does not match a key that was requested since the callback arrived, or is not encoded as `encoding`.
 * - 413 and 415: The body is too large or not JSON. Sent before verification.
 * - 503: The callback could not be stored, or too many wait for a key. Before the latter, the key is requested early, at most
 *   once per second. After a 503, the service notifies the owners of the form.
 */
export function createCallbackReceiver({
  forms,
  fetchKey,
  encoding = 'base64',
  inbox,
  unverified,
  log,
  metrics,
  now = Date.now,
  maxSize = 256 * 1024,
  bodyTimeout = 15_000,
  maxConcurrent = 6000,
  maxReading = 4 * 1024 * 1024,
  cooldown = 60_000,
  keyTimeout = 500,
  maxPending = 10_000,
  maxPendingSize = 16 * 1024 * 1024,
}: CallbackReceiverOptions): CallbackReceiver {
  const key = createCallbackKey({
    fetchKey,
    cooldown,
    timeout: keyTimeout,
    log,
    now,
    onKey: () => void pending.verifyAll(),
  })
  const pending = createPendingCallbacks({
    key,
    store: unverified,
    maxCount: maxPending,
    maxSize: maxPendingSize,
    async onDecided({ body }, verification) {
      if (verification === 'valid') await acceptVerified(body)
      else logRefusal('The signature of a pending callback does not match')
    },
    log,
  })
  const report = createRefusalLog({ log, interval: cooldown, now })
  const logRefusal = (text: string) => {
    metrics?.count('callback_refused')
    report({ cause: 'callback', text })
  }
  const bodies = createSlots({ total: maxConcurrent })
  const budget = createBodyBudget(maxReading)

  async function handle(request: Request): Promise<Response> {
    // Comes first: only a key that is requested after this moment can prove the signature wrong.
    const generation = key.generation()
    if (request.headers.has('content-encoding')) {
      throw callbackRefusals.encodedBody()
    }
    const body = await readLimited(request)
    // If the header occurs twice, its value is `a, b`, which is not a signature.
    const text = request.headers.get(verificationHeader) ?? ''
    const signature = readSignature(text, encoding)
    if (!signature) throw callbackRefusals.invalidSignature(encoding, encodingOf(text))

    const signed: SignedBody = { body, signature, generation }
    let verification = await key.verify(signed)
    if (verification === 'unknown' && (await key.refresh())) verification = await key.verify(signed)
    if (verification === 'valid') {
      await acceptVerified(body)
      return emptyResponse(200)
    }
    const callback = parseCallback(body)
    if (verification === 'invalid' || !callback || !isServed(callback)) {
      throw callbackRefusals.signatureMismatch()
    }
    if (!(await park(signed))) return await handleOverflow(signed)
    metrics?.count('callback_pending')
    return emptyResponse(202)
  }

  /**
   * Handles a callback for which no place is left to wait. Anyone can fill the queue with forgeries, and the service repeats
   * no callback. The key is therefore requested early: it decides on this callback and on all that wait.
   */
  async function handleOverflow(signed: SignedBody): Promise<Response> {
    await key.refresh(true)
    const verification = await key.verify(signed)
    if (verification === 'valid') {
      await acceptVerified(signed.body)
      return emptyResponse(200)
    }
    if (verification === 'invalid') throw callbackRefusals.signatureMismatch()
    if (!(await park(signed))) throw callbackRefusals.tooManyPending()
    metrics?.count('callback_pending')
    return emptyResponse(202)
  }

  /** Reads the body. The number and the size of concurrent bodies are limited because anyone can send requests here. */
  async function readLimited(request: Request): Promise<Uint8Array<ArrayBuffer>> {
    const release = bodies.acquire('')
    if (!release) throw callbackRefusals.tooManyBodies()
    try {
      return await readBody(request, maxSize, bodyTimeout, budget)
    } finally {
      release()
    }
  }

  /** Stores a verified callback. Throws `ProxyError`: 400 if the body is not a callback, 503 if it could not be stored. */
  async function acceptVerified(body: Uint8Array<ArrayBuffer>): Promise<void> {
    metrics?.count('callback_verified')
    const callback = parseCallback(body)
    if (!callback) throw callbackRefusals.notCallback()
    const { formId, packageId, state } = callback
    if (!isServed(callback)) {
      // Somebody configured our address at another form. If we refused, its owners would get an email for every callback.
      log('warn', 'A callback belongs to a form that is not served here', { formId, packageId, state })
      return
    }
    try {
      await inbox.add(body, callback)
    } catch (cause) {
      log('error', 'A callback could not be stored', { formId, packageId, state, error: String(cause) })
      throw callbackRefusals.notStored(cause)
    }
  }

  /**
   * Keeps a callback until the next key arrives. Resolves to false if there is no room. Throws `ProxyError` 503 if it could not
   * be stored.
   */
  async function park(signed: SignedBody): Promise<boolean> {
    try {
      return await pending.add(signed)
    } catch (cause) {
      log('error', 'A callback that cannot be verified yet could not be stored', { error: String(cause) })
      throw callbackRefusals.notStored(cause)
    }
  }

  function isServed({ formId }: CallbackBody): boolean {
    return forms.includes(formId)
  }

  return {
    async receive(request) {
      const requestId = crypto.randomUUID()
      try {
        return await handle(request)
      } catch (error) {
        if (error instanceof ProxyError) {
          logRefusal(error.message)
          return responseOf(problemReply(error, requestId))
        }
        log('error', 'A callback request failed', { requestId, error: String(error) })
        return responseOf(problemReply(refusals.proxyFailed(), requestId))
      }
    },
    hasKey: key.isKnown,
    close: pending.close,
  }
}

function emptyResponse(status: 200 | 202): Response {
  return new Response(null, { status, headers: baseHeaders })
}

/** Returns the encoding of a signature: the spec leaves it open, so a wrong `encoding` option is the most likely mistake. */
function encodingOf(text: string): ByteText | undefined {
  return (['base64', 'base64url', 'hex'] as const).find((encoding) => readSignature(text, encoding))
}

async function readBody(
  request: Request,
  limit: number,
  timeout: number,
  budget: BodyBudget,
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => callbackRefusals.bodyTooLarge(limit)
  const limits = { timeout, shared: { budget, dropped: callbackRefusals.tooManyBodies } }
  return await readBytes(await streamBody(request), limit, tooLarge, limits).catch((cause: unknown) => {
    throw cause instanceof ProxyError ? cause : callbackRefusals.interrupted(cause)
  })
}
