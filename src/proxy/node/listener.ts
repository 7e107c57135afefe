import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { problem, ProxyError } from '../problem.ts'

/**
 * Runs a proxy as a listener of Node's HTTP server. The raw request target is checked before anything turns it into a
 * URL, because URL parsers collapse dot segments and backslashes: what passes is plain path segments and a query.
 */
export function createListener(handler: (request: Request) => Promise<Response>): RequestListener {
  const listener = getRequestListener(handler)
  const refuse = getRequestListener(() =>
    problem(new ProxyError(400, 'The address holds characters that no operation has.'), crypto.randomUUID()),
  )

  return (incoming, outgoing) => {
    const isPlain = plainTarget.test(incoming.url ?? '') && plainMethods.has(incoming.method ?? '')
    if (!isPlain) incoming.url = '/'
    void (isPlain ? listener : refuse)(incoming, outgoing)
  }
}

const plainTarget = /^(?:\/[A-Za-z0-9_-]+)+(?:\?[A-Za-z0-9._~%&=+-]*)?$/
const plainMethods = new Set(['GET', 'POST', 'PUT', 'DELETE'])
