import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Ends a server without breaking off what is under way. */
export interface Drain {
  /**
   * Accepts nothing new, and ends every connection as soon as it is idle; after so many milliseconds, the rest. Resolves
   * when none is left.
   */
  readonly end: (milliseconds: number) => Promise<void>
  /** Ends the rest now. */
  readonly endNow: () => void
}

/** Watches a server's connections from now on, so that it can be drained. */
export function createDrain(server: Server): Drain {
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
      // Of several requests in a row, the last is answered last.
      if (connections.get(socket) !== response) return
      connections.set(socket, undefined)
      if (isEnding) socket.end()
    })
  })

  return {
    async end(milliseconds) {
      isEnding = true
      const closed = once(server, 'close')
      server.close()
      for (const [socket, response] of connections) {
        if (response) announceEnd(response)
        // Those too that have not sent anything yet, which Node takes for busy.
        else socket.end()
      }
      const timer = setTimeout(() => server.closeAllConnections(), milliseconds)
      await closed
      clearTimeout(timer)
    },
    endNow: () => server.closeAllConnections(),
  }
}
