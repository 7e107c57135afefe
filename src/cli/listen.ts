import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { createNodeConnection } from '../proxy/node/node-connection.ts'
import { requestOf } from '../proxy/node/node-request.ts'

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
  return (incoming, outgoing) => void respond(handler, incoming, outgoing)
}

async function respond(
  handler: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  let request: Request
  try {
    request = requestOf(incoming, createNodeConnection(incoming, outgoing).disconnect)
  } catch {
    // Its host is not one.
    return void outgoing.writeHead(400).end()
  }
  try {
    const response = await handler(request)
    outgoing.setHeaders(response.headers).writeHead(response.status)
    if (response.body) await writeBody(response.body, outgoing)
    else outgoing.end()
  } catch {
    // The client must not take a part for the whole.
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(500).end()
  }
}

/** Writes a body. Rejects if the body fails, after it has sent what came before. */
async function writeBody(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader()
  outgoing.once('close', () => void reader.cancel().catch(() => {}))
  // Sends the headers, because the first chunk may come much later. `flushHeaders()` would encode them as UTF-8.
  await new Promise((resolve) => outgoing.write(new Uint8Array(), resolve))
  let chunk
  while ((chunk = await reader.read()).value && !outgoing.destroyed) {
    const { value } = chunk
    await new Promise((resolve) => outgoing.write(value, resolve))
  }
  outgoing.end()
}

/** Parses a port. Throws `ListenError` if the text is not a port. */
export function parsePort(text: string, name: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN
  if (!(port <= 65535))
    throw new ListenError(`${name} is "${text}". Use a number from 0 to 65535, such as 8081.`)
  return port
}
