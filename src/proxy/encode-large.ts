import type { Reply } from './reply.ts'
import { largeSize } from './send.ts'

/** Encodes the text of a large reply once, so that all requests that share the reply send the same bytes. */
export function encodeLarge(reply: Reply): Reply {
  const { body } = reply
  if (typeof body !== 'string' || body.length <= largeSize) return reply
  return { ...reply, body: new TextEncoder().encode(body) }
}
