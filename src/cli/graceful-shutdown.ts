import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Stops a server after its open requests. */
export interface GracefulShutdown {
  /**
   * Accepts no new connections and ends each open one as soon as it is idle; ends the rest after a timeout in ms. Resolves
   * when all have ended.
   */
  readonly shutDown: (milliseconds: number) => Promise<void>
  /** Ends all connections at once. */
  readonly closeNow: () => void
}

/** Starts to track the connections of a server, so that it can be drained. */
export function createGracefulShutdown(server: Server): GracefulShutdown {
  /**
   * Connections, and what each answers last while that is under way. Not a set of responses: one that changes with every
   * request is made anew again and again, and until old ones are collected they keep all that was in them.
   */
  const connections = new Map<Socket, ServerResponse | undefined>()
  let isEnding = false

  function announceEnd(response: ServerResponse): void {
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }

  server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    connections.set(socket, response)
    if (isEnding) announceEnd(response)
    response.once('close', () => {
      // A connection may have started its next request.
      if (connections.get(socket) !== response) return
      connections.set(socket, undefined)
      if (isEnding) socket.end()
    })
  })

  return {
    async shutDown(milliseconds) {
      isEnding = true
      const closed = once(server, 'close')
      server.close()
      for (const [socket, response] of connections) {
        if (response) announceEnd(response)
        // Includes connections that have not sent anything, which Node considers busy.
        else socket.end()
      }
      const timer = setTimeout(() => server.closeAllConnections(), milliseconds)
      await closed
      clearTimeout(timer)
    },
    closeNow: () => server.closeAllConnections(),
  }
}
