import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { callHeader } from '../../contract/values/headers.ts'
import type { Connection } from '../http/connection.ts'
import { problemReply, type ProxyError } from '../http/problem.ts'
import type { Proxy } from '../mount/proxy.ts'
import { refusals } from '../http/refusals.ts'
import type { Reply } from '../http/reply.ts'
import { largeSize } from '../upstream/send.ts'
import { NodeBodyStream } from './node-body-stream.ts'
import { createNodeConnection } from './node-connection.ts'
import { requestOf } from './node-request.ts'
import { createPipeline } from './pipeline.ts'
import { type MinimumRate, watchRate } from './rate.ts'

/** A listener for Node's HTTP server that a framework may call too, with a function that passes a request on. */
export type MountableListener = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  next?: (error?: unknown) => void,
) => void

/** Handles a request. Both kinds of response are written alike; a `Reply` costs less. */
export type ListenerHandler = (request: Request, connection: Connection) => Promise<Response | Reply>

/** The minimum rate is that of a download, or of another large response. The connection of a slower reader ends. */
export interface ListenerOptions extends MinimumRate {
  /** Maximum time for which the rest of a body that the proxy does not read may arrive, in ms. Default 60,000. */
  readonly drainTimeout?: number
}

/**
 * Creates a listener for Node's HTTP server from a proxy, or from a handler of your own. It validates the raw request
 * before anything interprets it: URL parsers collapse dot segments and backslashes, and if a header is repeated, each
 * reader takes a different one. Only plain path segments and a query pass. Nothing behind a request that is refused here
 * runs, because its end may not be where it seems to be.
 *
 * Express, Connect and others may call it too. It reads the path as the browser sent it, even if it is mounted at a path. If
 * they pass `next`, it calls that for requests to paths outside of the proxy. They must not read the body before.
 */
export function createListener(
  handler: Proxy | ListenerHandler,
  { drainTimeout = 60_000, ...minimum }: ListenerOptions = {},
): MountableListener {
  const handle: ListenerHandler = 'handle' in handler ? handler.handle : handler
  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const connection = createNodeConnection(incoming, outgoing)
    let request: Request
    try {
      request = requestOf(incoming, connection.disconnect)
    } catch {
      return refuse(outgoing, refusals.brokenRequest())
    }
    try {
      const response = await handle(request, connection)
      if (!(response instanceof Response)) return writeReply(response, outgoing, minimum)
      outgoing.setHeaders(response.headers).writeHead(response.status)
      if (response.body) writeStream(response.body, outgoing, minimum)
      else outgoing.end()
    } catch {
      if (outgoing.headersSent) outgoing.destroy()
      else refuse(outgoing, refusals.proxyFailed())
    }
  }

  const basePaths = 'basePaths' in handler ? handler.basePaths : ['']
  const listen = createPipeline((incoming, outgoing) => {
    if (isBodyConsumed(incoming)) {
      refuse(outgoing, refusals.bodyConsumed())
    } else if (!plainTarget.test(incoming.url ?? '')) {
      refuse(outgoing, refusals.invalidAddress())
    } else if (!methods.has(incoming.method ?? '')) {
      refuse(outgoing, refusals.methodNotAllowed(), { Allow: [...methods].join(', ') })
    } else if (!hasPlainHeaders(incoming.rawHeaders)) {
      refuse(outgoing, refusals.ambiguousHeaders())
    } else {
      void respond(incoming, outgoing)
    }
  }, drainTimeout)

  return (incoming, outgoing, next) => {
    const { originalUrl } = incoming as { readonly originalUrl?: unknown }
    // Express and Connect remove the path at which they mount a listener.
    const asked = typeof originalUrl === 'string' ? originalUrl : (incoming.url ?? '')
    const url = withoutSession(asked, basePaths)
    if (next && !basePaths.some((path) => url.startsWith(`${path}/`))) return next()
    incoming.url = url
    listen(incoming, outgoing)
  }
}

/**
 * Returns an address without the session that Java servers write into the first addresses of a visit, such as an `endpoint`
 * that a JSP encodes. Paths outside of the proxy stay as they are: a front server may protect them by their spelling.
 */
function withoutSession(url: string, basePaths: readonly string[]): string {
  return url.includes(';') &&
    basePaths.some((path) => url.startsWith(`${path}/`) || url.startsWith(`${path};`))
    ? url.replace(/^[^?]*/, (path) => path.replace(/;jsessionid=[A-Za-z0-9._!-]*(?=\/|$)/gi, ''))
    : url
}

/** Whether something has read the body before, such as `express.json()`: what is left would look like an empty body. */
function isBodyConsumed({ headers, readableDidRead }: IncomingMessage): boolean {
  const length = headers['content-length'] ?? (headers['transfer-encoding'] === undefined ? '0' : '1')
  return readableDidRead && length !== '0'
}

const segment = '[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*'
const plainTarget = new RegExp(`^(?:/${segment})+(?:\\?[A-Za-z0-9._~%&=+-]*)?$`)
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])

/** Whether there is one Host, at most one of each other header that matters, and one way to find the end of the body. */
function hasPlainHeaders(raw: readonly string[]): boolean {
  let hosts = 0
  let types = 0
  let calls = 0
  let frames = 0
  for (let index = 0; index < raw.length; index += 2) {
    switch (raw[index]?.toLowerCase()) {
      case 'host':
        hosts += 1
        break
      case 'content-type':
        types += 1
        break
      case callHeader:
        calls += 1
        break
      case 'content-length':
        frames += 1
        break
      case 'transfer-encoding':
        frames += raw[index + 1]?.toLowerCase() === 'chunked' ? 1 : 2
    }
  }
  return hosts === 1 && types <= 1 && calls <= 1 && frames <= 1
}

/** Replies without reading the request, and ends the connection: no browser sends such a request. */
function refuse(
  outgoing: ServerResponse,
  refusal: ProxyError,
  extra: Readonly<Record<string, string>> = {},
): void {
  const reply = closing(problemReply(refusal))
  writeReply({ ...reply, headers: { ...reply.headers, ...extra } }, outgoing)
}

/** A reply that ends the connection. */
function closing(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, Connection: 'close' } }
}

function writeReply(
  { status, headers, body }: Reply,
  outgoing: ServerResponse,
  minimum: MinimumRate = {},
): void {
  if (typeof body === 'string') {
    const length = Buffer.byteLength(body)
    outgoing.writeHead(status, { ...headers, 'Content-Length': String(length) })
    if (length > largeSize) sendWatched(Readable.from(piecesOf(Buffer.from(body))), outgoing, minimum)
    // A text that is all ASCII needs no encoder.
    else outgoing.end(body, length === body.length ? 'latin1' : 'utf8')
  } else if (body instanceof Uint8Array) {
    outgoing.writeHead(status, { ...headers, 'Content-Length': String(body.length) })
    sendWatched(Readable.from(piecesOf(body)), outgoing, minimum)
  } else {
    outgoing.writeHead(status, headers)
    if (body) writeStream(body, outgoing, minimum)
    else outgoing.end()
  }
}

/** Yields many bytes in pieces, so that the rate at which a browser takes them can be measured. */
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += largeSize) yield bytes.subarray(at, at + largeSize)
}

/** Sends a stream, and ends the connection if the browser takes it too slowly. */
function sendWatched(source: Readable, outgoing: ServerResponse, minimum: MinimumRate): void {
  // The browser has disconnected in the meantime.
  if (outgoing.destroyed) return void source.destroy()
  const { count, stop } = watchRate(
    () => outgoing.writableNeedDrain,
    minimum,
    () => outgoing.destroy(),
  )
  source.on('data', (chunk: Uint8Array) => count(chunk.length))
  pipeline(source, outgoing, stop)
}

/**
 * Writes a body. If either side ends early, so does the other: a browser never takes a part for the whole.
 */
function writeStream(body: ReadableStream<Uint8Array>, outgoing: ServerResponse, minimum: MinimumRate): void {
  if (body instanceof NodeBodyStream) return sendWatched(body.takeSource(), outgoing, minimum)
  // The first live event may come much later.
  outgoing.flushHeaders()
  sendWatched(Readable.from(body), outgoing, minimum)
}

/** Options of `createHttpServer()`. */
export interface HttpServerOptions {
  /** Timeout for a connection on which nothing moves, in milliseconds. Default 120,000. */
  readonly idleTimeout?: number
  /** Maximum number of connections. Default: no limit. */
  readonly maxConnections?: number
}

/** Creates a server with the limits that a proxy needs. Uploads may take long as long as they move. */
export function createHttpServer(
  listener: RequestListener,
  { idleTimeout = 120_000, maxConnections }: HttpServerOptions = {},
): Server {
  const server = createServer(serverOptions, listener)
  server.timeout = idleTimeout
  if (maxConnections !== undefined) server.maxConnections = maxConnections
  return server
}

const serverOptions: ServerOptions = {
  // Node would end any request that is not complete after five minutes.
  requestTimeout: 0,
  headersTimeout: 10_000,
  // By default Node checks the headers timeout only every 30 seconds.
  connectionsCheckingInterval: 2000,
  // Longer than nginx keeps an idle connection (60 s), so that nginx never sends into one that is closing.
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16 * 1024,
  insecureHTTPParser: false,
}
