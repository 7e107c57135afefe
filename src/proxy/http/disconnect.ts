import type { AbortListener, DisconnectSignal } from './connection.ts'

/**
 * A `DisconnectSignal` that fires once, when its `abort` is called. It costs less than an `AbortSignal`, and small reads are
 * frequent. Any number of calls may listen to it: Node warns about an `AbortSignal` with more than ten listeners.
 */
export class Disconnect implements DisconnectSignal {
  aborted = false
  reason: unknown
  readonly #listeners: AbortListener[] = []

  addEventListener(_: 'abort', listener: AbortListener): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_: 'abort', listener: AbortListener): void {
    const at = this.#listeners.indexOf(listener)
    if (at >= 0) this.#listeners.splice(at, 1)
  }

  abort(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    // One at a time: a listener may remove others.
    for (let next = this.#listeners.shift(); next; next = this.#listeners.shift()) {
      next.handleEvent(new Event('abort'))
    }
  }
}
