import type { DisconnectSignal } from '../http/connection.ts'

/**
 * Aborts a call of a service when the client disconnects or a timeout expires. Most calls need no signal: it is
 * created on first access.
 */
export class Deadline {
  #disconnect: DisconnectSignal | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isReleased = false
  #isAborted = false
  #reason: unknown
  #listener: ((reason: unknown) => void) | undefined
  #controller: AbortController | undefined

  constructor(disconnect: DisconnectSignal) {
    this.#disconnect = disconnect
    if (disconnect.aborted) this.#abort(disconnect.reason)
    else disconnect.addEventListener('abort', this)
  }

  /** Handles the `abort` event of the client. */
  handleEvent(): void {
    this.#abort(this.#disconnect?.reason)
  }

  /** The signal of this deadline, created on first access. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#isAborted) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** Calls one listener when the signal would abort, or at once if it has aborted. Creates no signal. */
  onAbort(listener: (reason: unknown) => void): void {
    if (this.#isAborted) listener(this.#reason)
    else this.#listener = listener
  }

  /** Starts a timeout, which replaces the previous one. */
  start(milliseconds: number): void {
    this.stop()
    // A response may arrive before the request body ends.
    if (this.#isReleased) return
    this.#wait(milliseconds, milliseconds)
  }

  /**
   * Aborts after a number of milliseconds. If this process was too busy to notice their end, waits again for as long as it was
   * busy, but no longer than `spare`: the response may have arrived in the meantime.
   */
  #wait(milliseconds: number, spare: number): void {
    const due = performance.now() + milliseconds
    this.#timer = setTimeout(() => {
      const delay = performance.now() - due
      const more = Math.min(delay, spare)
      if (delay > tolerance && more > 0) this.#wait(more, spare - more)
      else this.#abort(new DOMException('The deadline has passed', 'TimeoutError'))
    }, milliseconds)
  }

  /** Stops the timeout. The client may still abort. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  /** Stops the timeout and no longer listens to the client. */
  release(): void {
    this.#isReleased = true
    this.stop()
    this.#disconnect?.removeEventListener('abort', this)
    // A sender or a timer that keeps this object a little longer must not keep the whole request.
    this.#disconnect = undefined
    this.#listener = undefined
    this.#timer = undefined
  }

  #abort(reason: unknown): void {
    if (this.#isAborted) return
    this.#isAborted = true
    this.#reason = reason
    this.#controller?.abort(reason)
    this.#listener?.(reason)
  }
}

/** The delay of a timer that is normal, in ms. */
const tolerance = 50
