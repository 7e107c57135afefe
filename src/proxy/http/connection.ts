/** A listener as an object, which `AbortSignal` accepts too. */
export interface AbortListener {
  readonly handleEvent: (event: Event) => void
}

/** Fires when the client disconnects: the part of `AbortSignal` that the proxy uses. */
export interface DisconnectSignal {
  readonly aborted: boolean
  readonly reason: unknown
  readonly addEventListener: (type: 'abort', listener: AbortListener) => void
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

/** A connection whose request the proxy can end as if the client had disconnected. */
interface RevocableConnection extends Connection {
  readonly revoke: (reason: Error) => void
}

/** Creates a revocable connection from another one. */
export function revocable(connection: Connection): RevocableConnection {
  const { disconnect, onEnd, body } = connection
  const listeners = new Set<AbortListener>()
  let revoked: Error | undefined
  return {
    onEnd,
    body,
    disconnect: {
      get aborted() {
        return revoked !== undefined || disconnect.aborted
      },
      get reason() {
        return revoked ?? disconnect.reason
      },
      addEventListener(type, listener) {
        listeners.add(listener)
        disconnect.addEventListener(type, listener)
      },
      removeEventListener(type, listener) {
        listeners.delete(listener)
        disconnect.removeEventListener(type, listener)
      },
    },
    revoke(reason) {
      revoked ??= reason
      for (const listener of listeners) listener.handleEvent(new Event('abort'))
      connection.endSending?.()
    },
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
