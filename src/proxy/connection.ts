/** Fires when the client disconnects: the part of `AbortSignal` that the proxy uses. */
export interface DisconnectSignal {
  readonly aborted: boolean
  readonly reason: unknown
  readonly addEventListener: (type: 'abort', listener: EventListenerObject) => void
  readonly removeEventListener: (type: 'abort', listener: EventListenerObject) => void
}

/** The connection of a request. The adapter of a runtime passes it to `Proxy.handle`. */
export interface Connection {
  /** Fires if the client disconnects before it has the whole response. */
  readonly disconnect: DisconnectSignal
  /** Calls `listener` when the response is sent or the client disconnects; at once if that has already happened. */
  readonly onEnd: (listener: () => void) => void
  /** The request body as the runtime delivers it. Default: `request.body`. Read one or the other, not both. */
  readonly body?: AsyncIterable<Uint8Array> | undefined
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
