import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Stops a server after its open requests have finished. */
export interface GracefulShutdown {
  /**
   * Accepts no new connections and closes each open one when it is idle. Closes the rest after a timeout in ms. Resolves
   * when all connections are closed.
   */
  readonly shutDown: (timeout: number) => Promise<void>
  /** Closes all connections at once. */
  readonly closeNow: () => void
}

/** Tracks the connections of a server from now on, for a graceful shutdown. */
export function createGracefulShutdown(server: Server): GracefulShutdown {
  /**
   * Connections, each with the response in progress. This is a map and not a set of responses: V8 rebuilds a set that
   * changes with each request, and the old tables keep the responses in memory until they are collected.
   */
  const connections = new Map<Socket, ServerResponse | undefined>()
  let isShuttingDown = false

  function announceClose(response: ServerResponse): void {
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }

  server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    connections.set(socket, response)
    if (isShuttingDown) announceClose(response)
    response.once('close', () => {
      // A connection may have started its next request.
      if (connections.get(socket) !== response) return
      connections.set(socket, undefined)
      if (isShuttingDown) socket.end()
    })
  })

  return {
    async shutDown(timeout) {
      isShuttingDown = true
      const closed = once(server, 'close')
      server.close()
      for (const [socket, response] of connections) {
        if (response) announceClose(response)
        // Includes connections that have not sent anything, which Node considers busy.
        else socket.end()
      }
      const timer = setTimeout(() => server.closeAllConnections(), timeout)
      await closed
      clearTimeout(timer)
    },
    closeNow: () => server.closeAllConnections(),
  }
}
