import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Connection } from '../http/connection.ts'
import { Disconnect } from '../http/disconnect.ts'

/** Creates the connection of a request from what Node knows about it. */
export function createNodeConnection(incoming: IncomingMessage, outgoing: ServerResponse): Connection {
  return new NodeConnection(incoming, outgoing)
}

/** A connection that is its own signal: small reads are frequent, so a request needs few objects. */
class NodeConnection extends Disconnect implements Connection {
  readonly body: IncomingMessage
  readonly #outgoing: ServerResponse
  #endListeners: (() => void)[] = []

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    super()
    this.body = incoming
    this.#outgoing = outgoing
    // One listener for all: Node warns if a response has more than ten.
    outgoing.once('close', () => this.#onClose())
  }

  get disconnect(): this {
    return this
  }

  onEnd(listener: () => void): void {
    if (this.#outgoing.closed) listener()
    else this.#endListeners.push(listener)
  }

  endSending(): void {
    if (this.#outgoing.headersSent) this.#outgoing.destroy()
  }

  isBodyComplete(): boolean {
    return this.body.complete
  }

  #onClose(): void {
    const listeners = this.#endListeners
    this.#endListeners = []
    for (const listener of listeners) listener()
    if (!this.#outgoing.writableFinished) this.abort('The client has disconnected.')
  }
}
