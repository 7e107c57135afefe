import type { IncomingMessage } from 'node:http'
import type { DisconnectSignal } from '../http/connection.ts'

/**
 * Returns Node's request as a `Request`. Throws `TypeError` if its `Host` is not one.
 *
 * What the proxy reads comes from Node, because creating a `Request` takes longer than most of a small read. It is created
 * only if a function of the host, such as `identify`, reads anything else.
 */
export function requestOf(incoming: IncomingMessage, disconnect: DisconnectSignal): Request {
  return new NodeRequest(incoming, disconnect) as unknown as Request
}

class NodeRequest {
  readonly #url: string
  readonly #headers: Headers
  readonly #incoming: IncomingMessage
  readonly #disconnect: DisconnectSignal
  #body: ReadableStream<Uint8Array> | undefined
  #controller: AbortController | undefined
  #standard: Request | undefined

  constructor(incoming: IncomingMessage, disconnect: DisconnectSignal) {
    this.#url = originOf(incoming) + (incoming.url ?? '/')
    this.#headers = new NodeHeaders(incoming.rawHeaders) as unknown as Headers
    this.#incoming = incoming
    this.#disconnect = disconnect
  }

  get method(): string {
    return this.#incoming.method ?? 'GET'
  }

  get url(): string {
    return this.#url
  }

  get headers(): Headers {
    return this.#headers
  }

  get body(): ReadableStream<Uint8Array> | null {
    if (this.#standard) return this.#standard.body
    if (this.method === 'GET' || this.method === 'HEAD') return null
    return (this.#body ??= bodyOf(this.#incoming))
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = (this.#controller = new AbortController())
      const handleEvent = () => controller.abort(this.#disconnect.reason)
      if (this.#disconnect.aborted) handleEvent()
      else this.#disconnect.addEventListener('abort', { handleEvent })
    }
    return this.#controller.signal
  }

  get standard(): Request {
    if (!this.#standard) {
      const { method, headers, signal, body } = this
      // Node requires `duplex` if the body is a stream; the DOM types do not contain it.
      const init = { method, headers, signal, body, duplex: 'half' }
      this.#standard = new Request(this.url, init)
    }
    return this.#standard
  }
}

/** The headers of a request. If one is repeated, its value is a list, as in `Headers`. Node would keep the first of some. */
class NodeHeaders {
  readonly #raw: readonly string[]
  #standard: Headers | undefined

  constructor(raw: readonly string[]) {
    this.#raw = raw
  }

  get(name: string): string | null {
    if (this.#standard) return this.#standard.get(name)
    const wanted = name.toLowerCase()
    let value: string | null = null
    for (let index = 0; index < this.#raw.length; index += 2) {
      const found = this.#raw[index] ?? ''
      if (found.length !== wanted.length || found.toLowerCase() !== wanted) continue
      const next = this.#raw[index + 1] ?? ''
      value = value === null ? next : `${value}${wanted === 'cookie' ? ';' : ','} ${next}`
    }
    return value
  }

  has(name: string): boolean {
    return this.get(name) !== null
  }

  get standard(): Headers {
    if (!this.#standard) {
      const headers = new Headers()
      for (let index = 0; index < this.#raw.length; index += 2) {
        headers.append(this.#raw[index] ?? '', this.#raw[index + 1] ?? '')
      }
      this.#standard = headers
    }
    return this.#standard
  }
}

standFor(NodeRequest.prototype, Request.prototype)
standFor(NodeHeaders.prototype, Headers.prototype)

/** Lets objects stand for those of a standard class: what they do not have themselves, `standard` has. */
function standFor(prototype: { readonly standard: object }, standard: object): void {
  for (const name of Reflect.ownKeys(standard)) {
    if (Object.hasOwn(prototype, name)) continue
    const isGetter = Object.getOwnPropertyDescriptor(standard, name)?.get !== undefined
    Object.defineProperty(prototype, name, {
      get(this: { readonly standard: object }) {
        const value: unknown = Reflect.get(this.standard, name)
        return isGetter || typeof value !== 'function' ? value : (value.bind(this.standard) as unknown)
      },
    })
  }
  Object.setPrototypeOf(prototype, standard)
}

/**
 * Returns the body of a request as a web stream. If it is cancelled, the connection stays open, so that the browser can
 * receive the response; the pipeline discards the rest. `Readable.toWeb` would end the connection.
 */
export function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let removeListeners = () => {}
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const onData = (chunk: Uint8Array) => {
          incoming.pause()
          controller.enqueue(chunk)
        }
        const onEnd = () => {
          removeListeners()
          controller.close()
        }
        const onError = (error?: Error) => {
          removeListeners()
          controller.error(error ?? new Error('The client has disconnected.'))
        }
        // A body can be destroyed without an error.
        const onClose = () => onError()
        removeListeners = () => {
          incoming.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
        }
        if (incoming.readableEnded) return controller.close()
        if (incoming.destroyed) return onError()
        incoming.pause().on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)
      },
      pull() {
        incoming.resume()
      },
      cancel() {
        removeListeners()
        incoming.pause()
      },
    },
    { highWaterMark: 0 },
  )
}

const plainHost = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/

/** Returns the origin of a request. A host in normal form needs no parser. */
function originOf({ headers: { host = '' }, socket }: IncomingMessage): string {
  const scheme = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http'
  if (plainHost.test(host)) return `${scheme}://${host}`
  const { origin, hostname } = new URL(`${scheme}://${host}`)
  if (hostname !== host.replace(/:\d*$/, '').toLowerCase()) throw new TypeError('The host is not valid')
  return origin
}
