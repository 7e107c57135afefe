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
  const sockets = new Set<Socket>()
  const responses = new Set<ServerResponse>()
  let isEnding = false

  function announceEnd(response: ServerResponse): void {
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }
  function isIdle(socket: Socket): boolean {
    return ![...responses].some((response) => response.socket === socket)
  }

  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    responses.add(response)
    if (isEnding) announceEnd(response)
    response.once('close', () => {
      responses.delete(response)
      if (isEnding && isIdle(socket)) socket.end()
    })
  })

  return {
    async end(milliseconds) {
      isEnding = true
      const closed = once(server, 'close')
      server.close()
      for (const response of responses) announceEnd(response)
      // Those too that have not sent anything yet, which Node takes for busy.
      for (const socket of sockets) if (isIdle(socket)) socket.end()
      const timer = setTimeout(() => server.closeAllConnections(), milliseconds)
      await closed
      clearTimeout(timer)
    },
    endNow: () => server.closeAllConnections(),
  }
}
