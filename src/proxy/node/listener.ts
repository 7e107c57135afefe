import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { pipeline } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { callHeader } from '../../contract/headers.ts'
import { type DisconnectSignal, setLeaving } from '../connection.ts'
import { problem, ProxyError } from '../problem.ts'
import { nodeStreamOf } from './send.ts'
import { TextResponse } from './text-response.ts'

/**
 * Runs a proxy as a listener of Node's HTTP server. The raw request is checked before anything interprets it: URL
 * parsers collapse dot segments and backslashes, and of headers that must be single, each reader takes another one.
 * What passes is plain path segments and a query.
 */
export function createListener(handler: (request: Request) => Promise<Response>): RequestListener {
  const listener = getRequestListener(
    async (request, env) => {
      // HTTP/2 has a listener of its own.
      const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse }
      const answer = new Answer(outgoing)
      Object.assign(request, { [answerOf]: answer })
      // Reads are many, and a signal of their own costs much of what the rest of them does.
      if (incoming.method === 'GET') setLeaving(request, answer)
      else sources.set(request, incoming)
      const response = await handler(request)
      if (response instanceof TextResponse) response.writeTo(outgoing)
      else if (response.body) write(response, response.body, outgoing)
      else return response
      return RESPONSE_ALREADY_SENT
    },
    {
      // The globals of the host's process stay as they are.
      overrideGlobalObjects: false,
      errorHandler: (error) =>
        error instanceof RequestError
          ? problem(new ProxyError(400, 'The request is broken.'), crypto.randomUUID())
          : problem(new ProxyError(500, 'The proxy failed.'), crypto.randomUUID()),
    },
  )

  return (incoming, outgoing) => {
    if (!plainTarget.test(incoming.url ?? '')) {
      void refuse(outgoing, 400, 'The address holds characters that no operation has.')
    } else if (!methods.has(incoming.method ?? '')) {
      void refuse(outgoing, 405, 'No operation has this method.', { Allow: [...methods].join(', ') })
    } else if (!hasPlainHeaders(incoming.rawHeaders)) {
      void refuse(outgoing, 400, 'A header that must be single is missing or repeated.')
    } else {
      void listener(incoming, outgoing)
    }
  }
}

const segment = '[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*'
const plainTarget = new RegExp(`^(?:/${segment})+(?:\\?[A-Za-z0-9._~%&=+-]*)?$`)
const methods = new Set(['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'])

/** Whether there is one Host, at most one of the others that count, and one way to tell where the body ends. */
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

/** Answers without reading the request, and ends the connection: whoever sends this is no browser. */
async function refuse(
  outgoing: ServerResponse,
  status: number,
  detail: string,
  extra: Readonly<Record<string, string>> = {},
): Promise<void> {
  const response = problem(new ProxyError(status, detail), crypto.randomUUID())
  const headers = { ...Object.fromEntries(response.headers), Connection: 'close', ...extra }
  new TextResponse(await response.text(), { status, headers }).writeTo(outgoing)
}

/**
 * Writes an answer. Not the adapter's way, which tells browsers the error of a stream that fails at once. Where one of
 * both ends before its time, so does the other: a browser never takes a part for the whole.
 */
function write(response: Response, body: ReadableStream<Uint8Array>, outgoing: ServerResponse): void {
  outgoing.setHeaders(response.headers).writeHead(response.status)
  const source = nodeStreamOf(body)
  if (source) {
    // Nobody else reads it from here on.
    body.getReader()
    pipeline(source, outgoing, () => {})
  } else {
    // The first piece of live events may be long in coming.
    outgoing.flushHeaders()
    pipeline(body as unknown as AsyncIterable<Uint8Array>, outgoing, () => {})
  }
}

const sources = new WeakMap<Request, IncomingMessage>()
/** What becomes of the answer to a request. On the request itself: a map would cost the garbage collector much more. */
const answerOf = Symbol('answer')

/** Calls `done` when the answer to a request has been sent, or nobody is there any more to read it. */
export function onSent(request: Request, done: () => void): void {
  const { [answerOf]: answer } = request as { readonly [answerOf]?: Answer }
  if (answer) answer.onSent(done)
  else done()
}

/** An answer on its way, which tells whoever wants to know when it is over and whether it ended before its time. */
class Answer implements DisconnectSignal {
  readonly #outgoing: ServerResponse
  readonly #waiting: (() => void)[] = []
  readonly #listeners = new Set<EventListenerObject>()
  aborted = false
  readonly reason = 'Nobody is there any more to read the answer.'

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing
    // One for all: Node warns where an answer has more than ten.
    outgoing.once('close', () => this.#close())
  }

  onSent(done: () => void): void {
    if (this.#outgoing.closed) done()
    else this.#waiting.push(done)
  }

  addEventListener(_: 'abort', listener: EventListenerObject): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_: 'abort', listener: EventListenerObject): void {
    this.#listeners.delete(listener)
  }

  #close(): void {
    for (const done of this.#waiting) done()
    if (this.#outgoing.writableFinished) return
    this.aborted = true
    for (const listener of this.#listeners) listener.handleEvent(new Event('abort'))
  }
}

/** The message of Node's behind a request that may have a body, for whoever can read that instead. Use one or the other. */
export function incomingOf(request: Request): IncomingMessage | undefined {
  return sources.get(request)
}

export interface HttpServerOptions {
  /** Most milliseconds in which nothing moves on a connection. Default 120,000. */
  readonly idleTimeout?: number
  /** Most connections at a time. Default: no limit. */
  readonly maxConnections?: number
}

/** Creates a server with the limits that a proxy needs. Slow but honest uploads live in it. */
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
  // Node would end any request that is not whole after five minutes.
  requestTimeout: 0,
  headersTimeout: 10_000,
  // Node looks for such requests every 30 s only.
  connectionsCheckingInterval: 2000,
  // Longer than nginx keeps an idle connection (60 s), so that it never sends into one that is being closed.
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16 * 1024,
  insecureHTTPParser: false,
}
