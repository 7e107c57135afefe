import { callHeader, personHeader } from '../../contract/values/headers.ts'

/** JSON text, or its bytes in UTF-8 if it is long. */
export type Json = string | Uint8Array<ArrayBuffer>

/**
 * A response as plain data, which the adapter of a runtime writes. In Node, a `Response` turns each text into a stream,
 * which costs more than the rest of a small read.
 */
export interface Reply {
  /** HTTP status. */
  readonly status: number
  /** Headers by name. */
  readonly headers: Readonly<Record<string, string>>
  /** The body; null if there is none. */
  readonly body: Json | ReadableStream<Uint8Array> | null
}

/** Headers of every response. The proxy copies none from a service. */
export const baseHeaders: Readonly<Record<string, string>> = {
  [callHeader]: '1',
  'Cache-Control': 'no-store',
  Vary: 'Cookie, Authorization, Origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** Creates a JSON reply. `univid` names the person that it is for. */
export function jsonReply(value: unknown, univid?: string): Reply {
  return textReply(JSON.stringify(value), 'application/json', univid)
}

/** Creates a reply with a text that is already encoded. */
export function textReply(body: Exclude<Reply['body'], null>, type: string, univid?: string): Reply {
  // Assigned instead of spread: small reads are frequent, and spreading a second object costs much more.
  const headers: Record<string, string> = { ...baseHeaders, 'Content-Type': type }
  if (univid !== undefined) headers[personHeader] = univid
  return { status: 200, headers, body }
}

/** Creates a reply without a body. */
export function emptyReply(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { ...baseHeaders, ...headers }, body: null }
}

/** Creates the `Response` that a fetch handler returns. */
export function responseOf({ status, headers, body }: Reply): Response {
  return new Response(body, { status, headers })
}

/** Reads a `Response` as a reply. It must not set cookies. */
export function replyOf({ status, headers, body }: Response): Reply {
  return { status, headers: Object.fromEntries(headers), body }
}
