import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'

/** A server that accepts connections on this machine only. */
export interface Listening {
  /** Address with a trailing slash, such as `http://127.0.0.1:8080/`. */
  readonly url: string
  readonly port: number
  /** Stops accepting, and ends every open connection at once. */
  readonly close: () => Promise<void>
}

/** A server that could not be opened, with a message for whoever started it. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** Opens a server on the loopback address. Port 0 takes any free one. */
export async function listen(listener: RequestListener, port: number, hint: string): Promise<Listening> {
  // Slow but honest uploads live: Node would end any request that is not whole after five minutes.
  const server = createServer({ requestTimeout: 0, headersTimeout: 10_000 }, listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is taken.`
          : error.code === 'EACCES'
            ? `Port ${port} may not be opened by this user.`
            : error.message
      reject(new ListenError(`${reason} ${hint}`, { cause: error }))
    })
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: actual } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${actual}/`,
    port: actual,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Runs a handler of web requests as a listener of Node's. */
export function serveWith(handler: (request: Request) => Promise<Response>): RequestListener {
  const listener = getRequestListener(handler, { overrideGlobalObjects: false })
  return (incoming, outgoing) => void listener(incoming, outgoing)
}

/** Reads a port. Throws `ListenError` where the text names none. */
export function parsePort(text: string, name: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN
  if (!(port <= 65535))
    throw new ListenError(`${name} is "${text}". Give a number from 0 to 65535, for instance 8081.`)
  return port
}
