import type { ServerResponse } from 'node:http'
import type { Respond } from '../problem.ts'

export interface TextResponseInit {
  /** Default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A response whose body is a text that is at hand. Node's own makes a stream of any text at once, at a multiple of what the
 * rest of a request costs; this one becomes such a response only where somebody reads it instead of sending it.
 */
export class TextResponse implements Response {
  readonly content: string
  // Not a field: it would be assigned, and Response has a getter only.
  readonly #status: number
  readonly #plain: Readonly<Record<string, string>>
  #headers: Headers | undefined
  #real: Response | undefined

  constructor(content: string, { status = 200, headers = {} }: TextResponseInit = {}) {
    this.content = content
    this.#status = status
    this.#plain = headers
  }

  get status(): number {
    return this.#status
  }
  get headers(): Headers {
    return (this.#headers ??= new Headers(this.#plain))
  }

  /** Writes it as Node does at the least cost. */
  writeTo(outgoing: ServerResponse): void {
    const length = Buffer.byteLength(this.content)
    const headers = this.#headers ? Object.fromEntries(this.#headers) : this.#plain
    outgoing.writeHead(this.#status, { ...headers, 'Content-Length': String(length) })
    // What is ASCII all through needs no encoder.
    outgoing.end(this.content, length === this.content.length ? 'latin1' : 'utf8')
  }

  get #response(): Response {
    return (this.#real ??= new Response(this.content, { status: this.status, headers: this.headers }))
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }
  get statusText(): string {
    return ''
  }
  get redirected(): boolean {
    return false
  }
  get type(): ResponseType {
    return 'default'
  }
  get url(): string {
    return ''
  }
  get body(): Response['body'] {
    return this.#response.body
  }
  get bodyUsed(): boolean {
    return this.#real?.bodyUsed ?? false
  }
  text(): Promise<string> {
    return this.#response.text()
  }
  json(): Promise<unknown> {
    return this.#response.json()
  }
  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#response.arrayBuffer()
  }
  blob(): Promise<Blob> {
    return this.#response.blob()
  }
  bytes(): ReturnType<Response['bytes']> {
    return this.#response.bytes()
  }
  formData(): Promise<FormData> {
    return this.#response.formData()
  }
  clone(): Response {
    return this.#response.clone()
  }
}

// It passes for one where somebody asks, without the cost of making one.
Object.setPrototypeOf(TextResponse.prototype, Response.prototype)

/** Makes responses that cost Node less. */
export const respond: Respond = (text, init) => new TextResponse(text, init)
