import { createServer, type RequestListener, type Server } from 'node:http'
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
  const actual = await open(server, { host: '127.0.0.1', port, hint })

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

export interface OpenOptions {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** What to do where the port cannot be had. */
  readonly hint: string
}

/** Opens a server, and answers its port. Throws `ListenError` where that cannot be. */
export async function open(server: Server, { host, port, hint }: OpenOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is taken.`
          : error.code === 'EACCES'
            ? `Port ${port} may not be opened by this user.`
            : error.message
      reject(new ListenError(`${reason} ${hint}`, { cause: error }))
    }
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      resolve()
    })
  })
  return (server.address() as AddressInfo).port
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
