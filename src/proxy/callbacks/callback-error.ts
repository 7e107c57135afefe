/** Facts about a failed attempt. */
export interface CallbackErrorOptions extends ErrorOptions {
  /** Minimum time until the next attempt, in ms. */
  readonly retryAfter?: number
  /** Whether further attempts are useless, so that the callback becomes a dead letter now. Default false. */
  readonly isFinal?: boolean
}

/** Thrown by `onCallback` to decide when a callback is tried again. After any other error, the schedule decides alone. */
export class CallbackError extends Error {
  override readonly name = 'CallbackError'
  /** In ms. */
  readonly retryAfter: number
  /** Whether the callback becomes a dead letter now. */
  readonly isFinal: boolean

  constructor(message: string, { retryAfter = 0, isFinal = false, ...options }: CallbackErrorOptions = {}) {
    super(message, options)
    this.retryAfter = retryAfter
    this.isFinal = isFinal
  }
}
