import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { problem, ProxyError } from '../problem.ts'

// The globals of the host's process stay as they are.
const options = { overrideGlobalObjects: false }

/**
 * Runs a proxy as a listener of Node's HTTP server. The raw request target is checked before anything turns it into a
 * URL, because URL parsers collapse dot segments and backslashes: what passes is plain path segments and a query.
 */
export function createListener(handler: (request: Request) => Promise<Response>): RequestListener {
  const listener = getRequestListener(handler, options)
  const refuseTarget = refusal(400, 'The address holds characters that no operation has.')
  const refuseMethod = refusal(405, 'No operation has this method.')

  return (incoming, outgoing) => {
    if (!plainTarget.test(incoming.url ?? '')) {
      incoming.url = '/'
      void refuseTarget(incoming, outgoing)
    } else if (!plainMethods.has(incoming.method ?? '')) {
      void refuseMethod(incoming, outgoing)
    } else {
      void listener(incoming, outgoing)
    }
  }
}

function refusal(status: number, detail: string) {
  return getRequestListener(() => problem(new ProxyError(status, detail), crypto.randomUUID()), options)
}

const plainTarget = /^(?:\/[A-Za-z0-9_-]+)+(?:\?[A-Za-z0-9._~%&=+-]*)?$/
const plainMethods = new Set(['GET', 'POST', 'PUT', 'DELETE'])
