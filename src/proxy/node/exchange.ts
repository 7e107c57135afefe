import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { largeSize, type Permit, type SendResponse, type SendRequest } from '../upstream/send.ts'
import { NodeBodyStream } from './node-body-stream.ts'

/**
 * Sends one request and returns its response. Rejects with the reason of the signal if that aborts. It does not use
 * `undici.request`, which creates a stream for each response and notices an abort only after it has connected.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: SendRequest,
  headersTimeout: number,
): Promise<SendResponse> {
  return new Promise((resolve, reject) => {
    const incoming = new Incoming(resolve, reject)
    incoming.obey(request)
    if (incoming.hasFailed) return
    const { method, url, headers, body = null } = request
    const { origin, path } = partsOf(url)
    dispatcher.dispatch(
      // undici takes an async iterable of bytes, though its types list only Node's own streams.
      { origin, path, method, headers, body: body as string | null, headersTimeout },
      incoming,
    )
  })
}

/** Returns the origin and the path of a URL. A URL in normal form needs no parser. */
function partsOf(url: string): { readonly origin: string; readonly path: string } {
  const [, written = '', path = ''] = /^(https?:\/\/[a-z0-9.:-]+)(\/[\w/.~%?&=+-]*)$/.exec(url) ?? []
  const isPlain = path !== '' && !path.includes('/.')
  const known = isPlain ? origins.get(written) : undefined
  if (known !== undefined) return { origin: known, path }
  const { origin, pathname, search } = new URL(url)
  // There are few origins, because each comes from the configuration.
  if (isPlain && origins.size < 100) origins.set(written, origin)
  return { origin, path: pathname + search }
}

const origins = new Map<string, string>()

const brokenOff = new Error('Broken off')

/** Receives the body of a response. */
interface Sink {
  readonly push: (chunk: Buffer) => void
  readonly end: () => void
  readonly fail: (error: Error) => void
}

/** Maximum number of bytes that are kept until a sink is known. */
const maxWaiting = 64 * 1024

/** A response while it arrives, before and after its sink is known. */
class Incoming implements Dispatcher.DispatchHandler {
  #signal: AbortSignal | undefined
  readonly #resolve: (response: SendResponse) => void
  readonly #reject: (error: Error) => void
  #controller: Dispatcher.DispatchController | undefined
  #hasBegun = false
  #waiting: Buffer[] = []
  #size = 0
  #sink: Sink | undefined
  #isWhole = false
  #failure: Error | undefined

  constructor(resolve: (response: SendResponse) => void, reject: (error: Error) => void) {
    this.#resolve = resolve
    this.#reject = reject
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined
  }

  /** Aborts when the request does. */
  obey(request: SendRequest): void {
    if (request.onAbort) return request.onAbort((reason) => this.#breakOff(reason))
    this.#signal = request.signal
    if (this.#signal.aborted) this.handleEvent()
    else this.#signal.addEventListener('abort', this)
  }

  /** The signal aborts. */
  handleEvent(): void {
    this.#breakOff(this.#signal?.reason)
  }

  #breakOff(reason: unknown): void {
    if (this.#isWhole || this.#failure) return
    this.#fail(reason as Error)
    this.abort()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#failure) this.abort()
  }

  onResponseStart(_: unknown, status: number, headers: Headers): void {
    // An interim response; the final one follows.
    if (status < 200) return
    this.#hasBegun = true
    this.#resolve(answerOf(status, headers, this))
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#sink) return this.#sink.push(chunk)
    this.#waiting.push(chunk)
    this.#size += chunk.length
    if (this.#size > maxWaiting) this.pause()
  }

  onResponseEnd(): void {
    this.#signal?.removeEventListener('abort', this)
    this.#isWhole = true
    this.#letGo()?.end()
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(error)
  }

  #fail(error: Error): void {
    this.#signal?.removeEventListener('abort', this)
    if (this.#failure || this.#isWhole) return
    this.#failure = error
    if (!this.#hasBegun) this.#reject(error)
    this.#letGo()?.fail(error)
  }

  /** Returns the sink and forgets it: a connection that keeps this object a little longer must not keep what was read. */
  #letGo(): Sink | undefined {
    const sink = this.#sink
    this.#sink = undefined
    return sink
  }

  /** Sets the sink of the body, once. */
  pipe(sink: Sink): void {
    for (const chunk of this.#waiting.splice(0)) sink.push(chunk)
    if (this.#failure) return sink.fail(this.#failure)
    if (this.#isWhole) return sink.end()
    this.#sink = sink
    this.resume()
  }

  pause(): void {
    this.#controller?.pause()
  }

  resume(): void {
    this.#controller?.resume()
  }

  abort(): void {
    this.#controller?.abort(brokenOff)
  }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

function answerOf(status: number, headers: Headers, incoming: Incoming): SendResponse {
  return {
    status,
    header(name) {
      const value = headers[name.toLowerCase()]
      return (Array.isArray(value) ? value.join(', ') : value) ?? null
    },
    bytes: (limit, permit) => collectBytes(incoming, limit, permit),
    stream: () => new NodeBodyStream(readableOf(incoming)),
  }
}

function collectBytes(incoming: Incoming, limit: number, permit?: Permit): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer<ArrayBuffer>[] = []
    let size = 0
    let isWaiting = false
    const refuse = (error: Error) => {
      reject(error)
      incoming.abort()
    }
    const resume = () => {
      isWaiting = false
      incoming.resume()
    }
    const wait = (ask: Permit) => {
      try {
        const permitted = ask(size)
        if (!permitted) return
        isWaiting = true
        permitted.then(resume, refuse)
      } catch (error) {
        refuse(error as Error)
      }
    }
    incoming.pipe({
      push(chunk) {
        size += chunk.length
        if (size > limit) return refuse(new Error(`The response is larger than ${limit} bytes`))
        // A socket never shares its memory with another thread.
        chunks.push(chunk as Buffer<ArrayBuffer>)
        if (permit && size > largeSize && !isWaiting) wait(permit)
        if (isWaiting) incoming.pause()
      },
      end: () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
      fail: reject,
    })
    // `pipe` has resumed the response.
    if (isWaiting) incoming.pause()
  })
}

function readableOf(incoming: Incoming): Readable {
  let isOver = false
  const readable = new Readable({
    read: () => incoming.resume(),
    destroy(error, callback) {
      if (!isOver) incoming.abort()
      callback(error)
    },
  })
  // Readers receive errors. Without a reader, an error must not end the process.
  readable.on('error', () => {})
  incoming.pipe({
    push(chunk) {
      if (!readable.push(chunk)) incoming.pause()
    },
    end() {
      isOver = true
      readable.push(null)
    },
    fail(error) {
      isOver = true
      // The reason of a signal may be any value.
      readable.destroy((error as unknown) instanceof Error ? error : new Error(String(error)))
    },
  })
  return readable
}
