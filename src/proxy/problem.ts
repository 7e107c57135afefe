import { type Problem, problemTitles, problemType } from '../contract/problem.ts'

/** A request that the proxy does not carry out. Thrown anywhere below `createProxy`, answered as problem details. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly status: number

  /** `detail` is shown to people: it says what to do, and holds no secret and no address. */
  constructor(status: number, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.status = status
  }
}

/** An error as a response (RFC 9457). */
export function problem({ status, message }: ProxyError, requestId: string): Response {
  const body: Problem = { status, title: problemTitles[status] ?? 'Error', detail: message, requestId }
  return Response.json(body, { status, headers: { ...answerHeaders, 'Content-Type': problemType } })
}

/** Headers of every answer. Nothing that an upstream sends is copied. */
export const answerHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  Vary: 'Cookie, Authorization',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}
