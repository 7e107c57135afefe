import type { Readable } from 'node:stream'
import { Agent } from 'undici'

/** A `fetch` of its own pool of connections, for a proxy's calls to the services. */
export interface PooledFetch {
  readonly fetch: typeof globalThis.fetch
  /** Ends all connections at once. */
  readonly close: () => Promise<void>
}

/**
 * Creates a `fetch` over `undici.request`, which costs a fraction of the global one's time and never keeps a copy of a
 * streamed body. It takes what the proxy's core uses: a method, headers, text or a stream as body, and a signal.
 * Redirects are errors.
 */
export function createPooledFetch(): PooledFetch {
  const agent = new Agent({ connect: { timeout: 3000 } })

  return {
    async fetch(input, init = {}) {
      const { statusCode, headers, body } = await agent.request({
        ...originAndPath(input instanceof Request ? input.url : input),
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        // Text, or an async iterable of bytes, which undici takes though its types list only Node's own streams.
        body: (init.body ?? null) as string | null,
        signal: init.signal ?? null,
      })
      if (statusCode >= 300 && statusCode < 400) {
        await body.dump()
        throw new TypeError('The service answered with a redirect')
      }

      const answer = new Headers()
      for (const [name, value] of Object.entries(headers)) {
        for (const item of Array.isArray(value) ? value : [value])
          if (item !== undefined) answer.append(name, item)
      }
      const isEmpty = statusCode === 204 || statusCode === 205
      return new Response(isEmpty ? null : webStream(body), { status: statusCode, headers: answer })
    },
    close: () => agent.destroy(),
  }
}

function originAndPath(url: string | URL): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search }
}

/**
 * Hands a stream on as it is pulled. Not `Readable.toWeb`, which ends the process when a reader goes away at the wrong
 * moment.
 */
function webStream(body: Readable): ReadableStream<Uint8Array> {
  // undici reports even what we break off ourselves.
  body.on('error', () => {})
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
    cancel() {
      body.destroy()
    },
  })
}
