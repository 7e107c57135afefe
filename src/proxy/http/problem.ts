import { type Problem, problemTitles, problemType } from '../../contract/schemas/problem.ts'
import type { Finding } from './finding.ts'
import { baseHeaders, type Reply } from './reply.ts'

/** Optional facts of a `ProxyError`. */
export interface ProxyErrorOptions extends ErrorOptions {
  /** Seconds after which the client may try again. */
  readonly retryAfter?: number
  /** Codes by field, if the service found entry data invalid (spec, Errors). */
  readonly errors?: Readonly<Record<string, readonly string[]>>
  /** `service` if the service refused the request. Default: the proxy did. */
  readonly refusedBy?: Problem['refusedBy']
  /** The reason that the service gives, in its own words: plain text without secrets. */
  readonly reason?: string | undefined
  /** The outcome of the change with the key of the request. See `Problem`. */
  readonly outcome?: Problem['outcome']
  /** Names a reason that people can cause, for texts in their languages. See `refusals` in `src/locales/en-refusals.ts`. */
  readonly code?: Problem['code']
  /** The file name extensions that are accepted. */
  readonly types?: Problem['types']
  /** What exactly is wrong, for the log of the operator. People see it only in development. */
  readonly finding?: Finding | undefined
}

/** A request that the proxy refuses. Thrown anywhere below `createProxy`, which replies with problem details. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly status: number
  readonly retryAfter: number | undefined
  readonly errors: ProxyErrorOptions['errors']
  readonly refusedBy: ProxyErrorOptions['refusedBy']
  readonly reason: string | undefined
  /** The outcome of the change with the key of the request. Set when a request with a key fails. */
  outcome: Problem['outcome']
  readonly finding: Finding | undefined
  readonly code: Problem['code']
  readonly types: Problem['types']

  /** `detail` is shown to people. It names the next step, and contains no secret and no address. */
  constructor(status: number, detail: string, options: ProxyErrorOptions = {}) {
    super(detail, options)
    this.status = status
    this.retryAfter = options.retryAfter
    this.errors = options.errors
    this.refusedBy = options.refusedBy
    this.reason = options.reason
    this.outcome = options.outcome
    this.finding = options.finding
    this.code = options.code
    this.types = options.types
  }
}

/** Returns the error with its finding in the text, for development. */
export function explained(error: ProxyError, { text }: Finding): ProxyError {
  return new ProxyError(error.status, `${error.message} ${text}`)
}

/** Creates a reply with problem details (RFC 9457). */
export function problemReply(
  { status, message, retryAfter, errors, refusedBy, reason, code, types, outcome }: ProxyError,
  requestId: string = crypto.randomUUID(),
): Reply {
  const body = {
    status,
    title: problemTitles[status] ?? 'Error',
    detail: message,
    requestId,
    ...(errors && { errors }),
    ...(refusedBy && { refusedBy }),
    ...(reason && { reason }),
    ...(code && { code }),
    ...(types && { types }),
    ...(outcome && { outcome }),
  } satisfies Omit<Problem, 'errors'>
  return {
    status,
    headers: {
      ...baseHeaders,
      'Content-Type': problemType,
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    },
    body: JSON.stringify(body),
  }
}
