import { type Problem, problemTitles, problemType } from '../contract/problem.ts'

/** What a `ProxyError` may tell besides its words. */
export interface ProxyErrorOptions extends ErrorOptions {
  /** Seconds after which asking again makes sense. */
  readonly retryAfter?: number
  /** Codes by field, where the service found entry data invalid (spec, Errors). */
  readonly errors?: Readonly<Record<string, readonly string[]>>
}

/** A request that the proxy does not carry out. Thrown anywhere below `createProxy`, answered as problem details. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly status: number
  readonly retryAfter: number | undefined
  readonly errors: ProxyErrorOptions['errors']

  /** `detail` is shown to people: it says what to do, and holds no secret and no address. */
  constructor(status: number, detail: string, options: ProxyErrorOptions = {}) {
    super(detail, options)
    this.status = status
    this.retryAfter = options.retryAfter
    this.errors = options.errors
  }
}

/** An error as a response (RFC 9457). */
export function problem(
  { status, message, retryAfter, errors }: ProxyError,
  requestId: string,
  respond: Respond = respondPlainly,
): Response {
  const body = {
    status,
    title: problemTitles[status] ?? 'Error',
    detail: message,
    requestId,
    ...(errors && { errors }),
  } satisfies Omit<Problem, 'errors'>
  return respond(JSON.stringify(body), {
    status,
    headers: {
      ...baseHeaders,
      'Content-Type': problemType,
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    },
  })
}

/** Makes a response of a text. */
export type Respond = (
  text: string,
  init: { readonly status?: number; readonly headers: Readonly<Record<string, string>> },
) => Response

/** Makes one as runtimes do. */
export const respondPlainly: Respond = (text, init) => new Response(text, init)

/** Headers of every answer. Nothing that an upstream sends is copied. */
export const baseHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  Vary: 'Cookie, Authorization, Origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}
