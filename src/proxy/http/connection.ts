/** A listener as an object, which `AbortSignal` accepts too. */
export interface AbortListener {
  readonly handleEvent: (event: Event) => void
}

/** Fires when the client disconnects: the part of `AbortSignal` that the proxy uses. */
export interface DisconnectSignal {
  /** Whether the client has disconnected. */
  readonly aborted: boolean
  /** Why the request has ended; undefined before. */
  readonly reason: unknown
  /** Calls a listener when the client disconnects. */
  readonly addEventListener: (type: 'abort', listener: AbortListener) => void
  /** Removes a listener. */
  readonly removeEventListener: (type: 'abort', listener: AbortListener) => void
}

/** The connection of a request. The adapter of a runtime passes it to `Proxy.handle`. */
export interface Connection {
  /** Fires if the client disconnects before it has the whole response. */
  readonly disconnect: DisconnectSignal
  /** Calls `listener` when the response is sent or the client disconnects; at once if that has already happened. */
  readonly onEnd: (listener: () => void) => void
  /** The request body as the runtime delivers it. Default: `request.body`. Read one or the other, not both. */
  readonly body?: AsyncIterable<Uint8Array> | undefined
  /** Whether the whole request body has arrived. Absent if the runtime does not know it. */
  readonly isBodyComplete?: () => boolean
  /** Ends the connection if the response has begun. */
  readonly endSending?: () => void
}

/** How long a call may keep memory after it has returned. */
export interface Holding {
  /** Calls `release` when the reply has been created. */
  readonly untilReply: (release: () => void) => void
  /** Calls `release` when the reply has been sent. */
  readonly untilSent: (release: () => void) => void
  /** Ends the request. */
  readonly revoke: (reason: Error) => void
}

/** A connection whose request the proxy can end as if the client had disconnected. */
export class RevocableConnection implements Connection, DisconnectSignal {
  readonly #connection: Connection
  /** They also listen to the connection, which fires if the client disconnects. */
  readonly #listeners: AbortListener[] = []
  #revoked: Error | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  get disconnect(): this {
    return this
  }

  get body(): Connection['body'] {
    return this.#connection.body
  }

  get aborted(): boolean {
    return this.#revoked !== undefined || this.#connection.disconnect.aborted
  }

  get reason(): unknown {
    return this.#revoked ?? this.#connection.disconnect.reason
  }

  onEnd(listener: () => void): void {
    this.#connection.onEnd(listener)
  }

  addEventListener(type: 'abort', listener: AbortListener): void {
    this.#listeners.push(listener)
    this.#connection.disconnect.addEventListener(type, listener)
  }

  removeEventListener(type: 'abort', listener: AbortListener): void {
    const at = this.#listeners.indexOf(listener)
    if (at >= 0) this.#listeners.splice(at, 1)
    this.#connection.disconnect.removeEventListener(type, listener)
  }

  /** Ends the request. The first reason counts. */
  revoke(reason: Error): void {
    this.#revoked ??= reason
    for (const listener of [...this.#listeners]) listener.handleEvent(new Event('abort'))
    this.#connection.endSending?.()
  }
}

/**
 * The connection of a request to a plain fetch handler: `request.signal` fires when the client disconnects, and a response
 * counts as sent when the handler returns it.
 */
export function connectionOf(request: Request): Connection {
  return {
    get disconnect() {
      return request.signal
    },
    onEnd: (listener) => listener(),
  }
}
