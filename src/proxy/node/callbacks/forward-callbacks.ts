import { Agent, request } from 'undici'
import type { Environment } from '../../../contract/values/values.ts'
import { CallbackError } from '../../callbacks/callback-error.ts'
import type { CallbackOptions } from '../../live/live-updates.ts'
import { createAddressGuard, type AddressGuardOptions } from '../address-guard.ts'
import { parseWebhookSecrets, webhookHeaders } from './webhook-signature.ts'

/** Options of `forwardCallbacks()`. */
export interface ForwardCallbacksOptions extends Partial<AddressGuardOptions> {
  /** Environment of the mount. The payload names it. */
  readonly env: Environment
  /** Address of the application, without a user name. */
  readonly url: string
  /**
   * One or two secrets of Standard Webhooks, separated by a comma: `whsec_` and Base64 of 24 to 64 bytes. With two, each
   * request has two signatures, so that the application can change its secret. A function is called for each attempt.
   */
  readonly secrets: string | (() => string)
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
}

/** Sends callbacks to an application. */
export interface CallbackForwarder {
  /** The `callbacks.onCallback` of `createProxy()`. */
  readonly onCallback: NonNullable<CallbackOptions['onCallback']>
  /** Closes all connections. */
  readonly close: () => Promise<void>
}

/**
 * Sends each callback to an application as a POST request of Standard Webhooks. A status of 200 to 299 means that the
 * application has it. After 410, it is not sent again; after 429 and 503, not before `Retry-After`. Redirects are not
 * followed. Throws if the address or a secret is not valid.
 */
export function forwardCallbacks({
  env,
  url,
  secrets,
  allowPrivate = false,
  now = Date.now,
  ...guardOptions
}: ForwardCallbacksOptions): CallbackForwarder {
  const guard = createAddressGuard({ allowPrivate, ...guardOptions })
  if (!guard.isAllowedHost(new URL(url).hostname))
    throw new RangeError('The address for forwarded callbacks is not public')
  keys()
  const agent = new Agent({ connect: { timeout: connectTimeout, lookup: guard.lookup }, connections: 16 })

  function keys(): readonly Buffer[] {
    const parsed = parseWebhookSecrets(typeof secrets === 'string' ? secrets : secrets())
    if (!parsed) throw new TypeError('The secrets for forwarded callbacks are not valid')
    return parsed
  }

  return {
    async onCallback(_callback, state, { id, body, receivedAt, signal }) {
      const payload = payloadOf({ env, state, body, receivedAt })
      const signed = webhookHeaders({ id, timestamp: Math.floor(now() / 1000), payload }, keys())
      const {
        statusCode,
        headers,
        body: response,
      } = await request(url, {
        dispatcher: agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'routeslip', ...signed },
        body: payload,
        signal,
      })
      await response.dump({ limit: maxResponseSize, signal }).catch(() => {})
      if (statusCode >= 200 && statusCode < 300) return
      throw new CallbackError(`The application returned ${statusCode}`, {
        isFinal: statusCode === 410,
        retryAfter: [429, 503].includes(statusCode) ? delayOf(headers['retry-after'], now()) : 0,
      })
    },
    close: () => agent.destroy(),
  }
}

/** Returns the JSON text of a payload. It contains the text of the callback as the service has sent it. */
function payloadOf(facts: {
  readonly env: Environment
  readonly state: string
  readonly body: Uint8Array
  readonly receivedAt: number
}): string {
  const { env, state, body, receivedAt } = facts
  const head = JSON.stringify({ type: 'package.callback', timestamp: new Date(receivedAt).toISOString() })
  const data = JSON.stringify({ env, state })
  return `${head.slice(0, -1)},"data":${data.slice(0, -1)},"callback":${new TextDecoder().decode(body)}}}`
}

/** Returns the delay in a `Retry-After` header, in ms: a number of seconds or a date. Invalid values count as 0. */
function delayOf(value: string | string[] | undefined, now: number): number {
  const text = String(value ?? '')
  const delay = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Math.min(Math.max(delay || 0, 0), maxRetryAfter)
}

/** In ms. */
const connectTimeout = 10_000
/** Maximum number of bytes of a response that are read, so that its connection can be used again. */
const maxResponseSize = 64 * 1024
/** In ms: one day. */
const maxRetryAfter = 24 * 60 * 60_000
