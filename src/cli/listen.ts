import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

/** A server that by default accepts connections on this machine only. */
export interface LocalServer {
  /** Address with a trailing slash, such as `http://127.0.0.1:8080/`. */
  readonly url: string
  readonly port: number
  /** Accepts no new connections and closes all open ones at once. */
  readonly close: () => Promise<void>
}

/** A server that could not start. The message is for the operator. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** Starts a server, by default on the loopback address. Port 0 uses any free port. */
export async function listen(
  listener: RequestListener,
  port: number,
  hint: string,
  host = '127.0.0.1',
): Promise<LocalServer> {
  const server = createServer(
    {
      // Allows slow uploads: by default, Node ends a request that is incomplete after five minutes.
      requestTimeout: 0,
      headersTimeout: 10_000,
      // Longer than a client keeps an idle connection, so that none sends into one that is closing.
      keepAliveTimeout: 75_000,
    },
    listener,
  )
  const actual = await startServer(server, { host, port, hint })

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

interface StartOptions {
  readonly host: string
  /** 0 uses any free port. */
  readonly port: number
  /** Next step if the port is not available, for the error message. */
  readonly hint: string
}

/** Starts a server and returns its port. Throws `ListenError` if that fails. */
export async function startServer(server: Server, { host, port, hint }: StartOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is taken.`
          : error.code === 'EACCES'
            ? `This user has no permission to open port ${port}.`
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

/** Adapts a fetch handler to a Node listener. */
export function toNodeListener(handler: (request: Request) => Promise<Response>): RequestListener {
  const listener = getRequestListener(
    async (request, env) => {
      const response = await handler(request)
      if (!response.body) return response
      const { outgoing } = env as { outgoing: ServerResponse }
      outgoing.setHeaders(response.headers).writeHead(response.status)
      void writeBody(response.body, outgoing)
      return RESPONSE_ALREADY_SENT
    },
    { overrideGlobalObjects: false },
  )
  return (incoming, outgoing) => void listener(incoming, outgoing)
}

/**
 * Writes a body. If it fails, sends what came before and then breaks the connection. The adapter would send an error of its
 * own if the body failed early enough.
 */
async function writeBody(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader()
  outgoing.once('close', () => void reader.cancel().catch(() => {}))
  // Sends the headers, because the first chunk may come much later. `flushHeaders()` would encode them as UTF-8.
  await new Promise((resolve) => outgoing.write(new Uint8Array(), resolve))
  try {
    let chunk
    while ((chunk = await reader.read()).value && !outgoing.destroyed) {
      const { value } = chunk
      await new Promise((resolve) => outgoing.write(value, resolve))
    }
    outgoing.end()
  } catch {
    outgoing.destroy()
  }
}

/** Parses a port. Throws `ListenError` if the text is not a port. */
export function parsePort(text: string, name: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN
  if (!(port <= 65535))
    throw new ListenError(`${name} is "${text}". Use a number from 0 to 65535, such as 8081.`)
  return port
}
