import type { Problem } from '../../contract/schemas/problem.ts'

/** Optional facts of each error. */
interface ClientErrorOptions extends ErrorOptions {
  readonly requestId?: string | undefined
  readonly outcome?: Problem['outcome']
}

/** Base class of all errors that the client throws. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError'
  /** Operation that failed. */
  readonly operation: string
  /** Id of the request in the proxy's log, if the response contains one. */
  readonly requestId: string | undefined
  /**
   * The outcome of a change, as the proxy reports it. `none`: nothing was changed. `unknown`: something may have been changed,
   * and no later call can find out. `undefined`: not reported; repeat the change with the same `idempotencyKey`.
   */
  readonly outcome: Problem['outcome']

  constructor(operation: string, problem: string, { requestId, outcome, cause }: ClientErrorOptions = {}) {
    super(`${operation} ${problem}`, { cause })
    this.operation = operation
    this.requestId = requestId
    this.outcome = outcome
  }
}

/** The session has ended (401). The call may succeed after a sign-in. */
export class SignedOutError extends ClientError {
  override readonly name = 'SignedOutError'
}

/** The signed-in user may not do this (403). */
export class ForbiddenError extends ClientError {
  override readonly name = 'ForbiddenError'
}

/** The package or file does not exist, or no longer exists (404, 410). */
export class NotFoundError extends ClientError {
  override readonly name = 'NotFoundError'
}

/** The request was refused (any other 4xx), for example because the state has changed. Do not repeat it. */
export class RefusedError extends ClientError {
  override readonly name = 'RefusedError'
  /** HTTP status of the response. */
  readonly status: number
  /** Reason as written by the service or the proxy. Plain text in English, never markup. Absent if the service gives none. */
  readonly detail: string | undefined
  /** Who refused it. `proxy`: nothing reached the service. */
  readonly refusedBy: 'service' | 'proxy'
  /** Which fields of an entry are not valid, if that is the reason. See `fieldErrorsOf`. */
  readonly errors: unknown
  /** The name of the reason, if the elements have a text for it in each language. */
  readonly code: string | undefined
  /** The file name extensions that the proxy accepts, if it refused another one. */
  readonly types: string | undefined

  constructor(
    operation: string,
    status: number,
    {
      detail,
      refusedBy = 'proxy',
      errors,
      code,
      types,
      ...facts
    }: ClientErrorOptions & {
      detail?: string | undefined
      refusedBy?: RefusedError['refusedBy']
      errors?: unknown
      code?: string | undefined
      types?: string | undefined
    } = {},
  ) {
    super(operation, `was refused with status ${status}`, facts)
    this.status = status
    this.detail = detail
    this.refusedBy = refusedBy
    this.errors = errors
    this.code = code
    this.types = types
  }
}

/** No valid response arrived: no connection, a timeout, a 429 or 5xx, or an unreadable body. Try again later. */
export class UnavailableError extends ClientError {
  override readonly name: string = 'UnavailableError'
  /** Minimum wait before the next attempt, in ms, if the proxy sent one. At most a minute. */
  readonly retryAfter: number | undefined
  /**
   * When a limit admits the request, in ms since 1970, if the proxy refused it because of a limit (429): nothing was done.
   * `undefined` for other failures, whose outcome is not known.
   */
  readonly limitedUntil: number | undefined
  /** Whether an immediate retry may succeed: the connection failed, or a server was busy or unreachable. */
  readonly isTransient: boolean

  constructor(
    operation: string,
    problem: string,
    {
      retryAfter,
      limitedUntil,
      isTransient = false,
      ...facts
    }: ClientErrorOptions & {
      retryAfter?: number | undefined
      limitedUntil?: number | undefined
      isTransient?: boolean
    } = {},
  ) {
    super(operation, problem, facts)
    this.retryAfter = retryAfter
    this.limitedUntil = limitedUntil
    this.isTransient = isTransient
  }
}

/** The server at the endpoint has no proxy there: it sent a 404, a page or a redirect that is not from a proxy. */
export class NoProxyError extends UnavailableError {
  override readonly name = 'NoProxyError'
  /** Root URL at which the proxy was expected. */
  readonly endpoint: string

  constructor(operation: string, endpoint: string) {
    // Only the page author can correct this, so it is rarely worth another request.
    super(operation, `found no Routeslip proxy at ${endpoint}`, { retryAfter: 300_000 })
    this.endpoint = endpoint
  }
}
