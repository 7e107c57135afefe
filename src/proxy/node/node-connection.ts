import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AbortListener, Connection, DisconnectSignal } from '../http/connection.ts'

/** Creates the connection of a request from what Node knows about it. */
export function createNodeConnection(incoming: IncomingMessage, outgoing: ServerResponse): Connection {
  const disconnect = new ResponseWatcher(outgoing)
  return {
    disconnect,
    onEnd: (listener) => disconnect.onEnd(listener),
    body: incoming,
    endSending: () => {
      if (outgoing.headersSent) outgoing.destroy()
    },
    isBodyComplete: () => incoming.complete,
  }
}

/** Watches a response. Costs less than an `AbortSignal` per request, which matters because small reads are frequent. */
class ResponseWatcher implements DisconnectSignal {
  readonly #outgoing: ServerResponse
  readonly #endListeners: (() => void)[] = []
  readonly #abortListeners = new Set<AbortListener>()
  aborted = false
  readonly reason = 'The client has disconnected.'

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing
    // One listener for all: Node warns if a response has more than ten.
    outgoing.once('close', () => this.#onClose())
  }

  onEnd(listener: () => void): void {
    if (this.#outgoing.closed) listener()
    else this.#endListeners.push(listener)
  }

  addEventListener(_: 'abort', listener: AbortListener): void {
    this.#abortListeners.add(listener)
  }

  removeEventListener(_: 'abort', listener: AbortListener): void {
    this.#abortListeners.delete(listener)
  }

  #onClose(): void {
    for (const listener of this.#endListeners) listener()
    if (this.#outgoing.writableFinished) return
    this.aborted = true
    for (const listener of this.#abortListeners) listener.handleEvent(new Event('abort'))
  }
}
