/** Base of every error the client throws, so that callers can tell ours from a bug. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError'
  /** Operation that failed. */
  readonly operation: string
  /** Names the request in the proxy's log, where the proxy said it. */
  readonly requestId: string | undefined

  constructor(
    operation: string,
    what: string,
    { requestId, cause }: { requestId?: string; cause?: unknown } = {},
  ) {
    super(`${operation} ${what}`, { cause })
    this.operation = operation
    this.requestId = requestId
  }
}

/** Nobody is signed in any more (401). Signing in again and repeating the call may help. */
export class SignedOutError extends ClientError {
  override readonly name = 'SignedOutError'
}

/** The signed-in person may not do this (403). */
export class ForbiddenError extends ClientError {
  override readonly name = 'ForbiddenError'
}

/** There is no such package or file, or it is gone (404, 410). */
export class NotFoundError extends ClientError {
  override readonly name = 'NotFoundError'
}

/** The request itself was refused (any other 4xx), for instance because the state has changed. Repeating will not help. */
export class RefusedError extends ClientError {
  override readonly name = 'RefusedError'
  readonly status: number
  /** Cause in the service's or the proxy's words: text, never markup. */
  readonly detail: string | undefined

  constructor(operation: string, status: number, detail: string | undefined, requestId?: string) {
    super(operation, `was refused with status ${status}`, requestId === undefined ? {} : { requestId })
    this.status = status
    this.detail = detail
  }
}

/** No usable answer arrived: no network, a timeout, a 5xx or 429, or an answer that cannot be read. Try again later. */
export class UnavailableError extends ClientError {
  override readonly name = 'UnavailableError'
  /** Milliseconds to wait before asking again, where the proxy has said so. */
  readonly retryAfter: number | undefined
  /** Whether the same request may well succeed in a moment: the connection failed, or a server was busy or out of reach. */
  readonly isTransient: boolean

  constructor(
    operation: string,
    what: string,
    {
      retryAfter,
      isTransient = false,
      ...facts
    }: { requestId?: string; cause?: unknown; retryAfter?: number | undefined; isTransient?: boolean } = {},
  ) {
    super(operation, what, facts)
    this.retryAfter = retryAfter
    this.isTransient = isTransient
  }
}
