import { readText } from './read-body.ts'

/** One request to a service, ready to be sent. */
export interface SendRequest {
  readonly service: 'workflow' | 'storage'
  readonly method: string
  /** Absolute address. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | AsyncIterable<Uint8Array> | undefined
  /** Whether a file goes up or comes down, which may take long and says little about the service. */
  readonly isFile?: boolean
  /** Breaks the request off, and the reading of its answer. */
  readonly signal: AbortSignal
  /**
   * Tells one listener what `signal` would, at once where it is too late already. To make a signal costs more than to
   * send a small request, so `signal` may be one that is made only where somebody asks for it. Use one or the other.
   */
  readonly onAbort?: (listener: (reason: unknown) => void) => void
}

/** What a service has answered. Exactly one of `text` and `stream` is to be called, once. */
export interface SendResponse {
  readonly status: number
  /** A header of the answer. */
  readonly header: (name: string) => string | null
  /** The body as UTF-8 text. Rejects where it is larger than `limit` bytes. */
  readonly text: (limit: number) => Promise<string>
  /** The body as it comes. Fails where it ends before its time. */
  readonly stream: () => ReadableStream<Uint8Array>
}

/** Sends a request to a service. Redirects are errors. Rejects where there is no answer. */
export type Send = (request: SendRequest) => Promise<SendResponse>

/** A service is not asked at present, because it has failed again and again. */
export class ServicePausedError extends Error {
  override readonly name = 'ServicePausedError'
  /** Seconds after which asking again makes sense. */
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super('The service is not asked for now: it has failed again and again')
    this.retryAfter = retryAfter
  }
}

/** Sends with a `fetch`: in pages and tests. On Node, `proxy/node` sends at a fraction of the cost. */
export function createFetchSend(fetch: typeof globalThis.fetch): Send {
  return async ({ method, url, headers, body, signal }) => {
    const init: RequestInit = { method, headers: { ...headers }, redirect: 'error', signal }
    // Node demands `duplex` with a stream; the DOM types do not know it.
    if (body !== undefined)
      Object.assign(init, typeof body === 'string' ? { body } : { body: streamOf(body), duplex: 'half' })
    const response = await fetch(url, init)
    const isPacked = response.headers.has('content-encoding')
    return {
      status: response.status,
      // What was packed has been unpacked by now, so these two no longer hold.
      header: (name) =>
        isPacked && /^content-(?:encoding|length)$/i.test(name) ? null : response.headers.get(name),
      text: (limit) =>
        readText(response.body, limit, () => new Error(`The answer is larger than ${limit} bytes`)),
      stream: () => response.body ?? new ReadableStream({ start: (controller) => controller.close() }),
    }
  }
}

/** Bytes as a stream that is pulled. */
export function streamOf(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await source.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
    async cancel() {
      await source.return?.()
    },
  })
}
