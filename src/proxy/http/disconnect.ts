import type { AbortListener, DisconnectSignal } from './connection.ts'

/** A `DisconnectSignal` that fires when its `abort` is called. */
interface Disconnect extends DisconnectSignal {
  readonly abort: (reason: unknown) => void
}

/**
 * Creates a signal that fires once. It costs less than an `AbortSignal`, and small reads are frequent. Any number of calls may
 * listen to it: Node warns about an `AbortSignal` with more than ten listeners.
 */
export function createDisconnect(): Disconnect {
  const listeners = new Set<AbortListener>()
  let isAborted = false
  let given: unknown
  return {
    get aborted() {
      return isAborted
    },
    get reason() {
      return given
    },
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
    abort(reason) {
      isAborted = true
      given = reason
      for (const listener of listeners) listener.handleEvent(new Event('abort'))
    },
  }
}
