import { readBytes } from '../http/read-body.ts'
import type { Json } from '../http/reply.ts'

/** One request to a service, ready to send. */
export interface SendRequest {
  /** The service to call. */
  readonly service: 'workflow' | 'storage'
  /** HTTP method. */
  readonly method: string
  /** Absolute URL. */
  readonly url: string
  /** Headers by name. */
  readonly headers: Readonly<Record<string, string>>
  /** The body; absent if there is none. */
  readonly body?: Json | AsyncIterable<Uint8Array> | undefined
  /** Whether the request transfers a file. If it takes long, the service may still be healthy. */
  readonly isFile?: boolean
  /** Aborts the request and the reading of its response. */
  readonly signal: AbortSignal
  /**
   * Calls one listener when `signal` would abort, or at once if it has aborted. A sender that uses this instead of `signal`
   * saves the signal, which is created on first access and costs more than sending a small request.
   */
  readonly onAbort?: (listener: (reason: unknown) => void) => void
}

/** The response of a service. Call either `bytes` or `stream`, once. */
export interface SendResponse {
  /** HTTP status. */
  readonly status: number
  /** Returns a header of the response. */
  readonly header: (name: string) => string | null
  /**
   * Returns the whole body. Rejects if it is larger than `limit` bytes. When more than `largeSize` bytes have arrived, a
   * sender that can pause a response calls `permit` with their number, again for each further part. If it returns a promise,
   * the sender waits for that. If it throws or rejects, so does this.
   */
  readonly bytes: (limit: number, permit?: Permit) => Promise<Uint8Array<ArrayBuffer>>
  /** Returns the body as a stream, which fails if the body ends early. */
  readonly stream: () => ReadableStream<Uint8Array>
}

/** Returns the services to which requests are paused because they fail. */
export type PausedServices = () => readonly SendRequest['service'][]

/** Permits that a response takes `size` bytes of memory. */
export type Permit = (size: number) => Promise<void> | void

/** Size of a response from which on it is large, in bytes. */
export const largeSize = 64 * 1024

/** Sends a request to a service. Rejects if no response comes, and if the response is a redirect. */
export type Send = (request: SendRequest) => Promise<SendResponse>

/** Thrown while the circuit breaker of a service is open. */
export class ServicePausedError extends Error {
  override readonly name = 'ServicePausedError'
  /** Seconds after which the client may try again. */
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super('The service has failed repeatedly. Requests to it are paused')
    this.retryAfter = retryAfter
  }
}

/** Creates a sender that uses `fetch`. */
export function createFetchSend(fetch: typeof globalThis.fetch): Send {
  return async ({ method, url, headers, body, signal }) => {
    const init: RequestInit = { method, headers: { ...headers }, redirect: 'error', signal }
    if (typeof body === 'string' || body instanceof Uint8Array) init.body = body
    // Firefox sends no streams, and Chromium does so only over HTTP/2.
    else if (body && 'document' in globalThis) init.body = await collect(body)
    // Node requires `duplex` if the body is a stream; the DOM types do not contain it.
    else if (body) Object.assign(init, { body: streamOf(body), duplex: 'half' })
    const response = await fetch(url, init)
    const isEncoded = response.headers.has('content-encoding')
    return {
      status: response.status,
      // `fetch` has decoded the body, so these two no longer describe it.
      header: (name) =>
        isEncoded && /^content-(?:encoding|length)$/i.test(name) ? null : response.headers.get(name),
      bytes: (limit) =>
        readBytes(response.body, limit, () => new Error(`The response is larger than ${limit} bytes`)),
      stream: () => response.body ?? new ReadableStream({ start: (controller) => controller.close() }),
    }
  }
}

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Blob> {
  const chunks: BlobPart[] = []
  for await (const chunk of bytes) chunks.push(new Uint8Array(chunk))
  return new Blob(chunks)
}

/** Creates a stream that pulls from an iterable. */
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
