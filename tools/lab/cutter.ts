import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Decides where a connection is cut: after this many bytes of a request and its response. Undefined: not at all. */
export type ChooseCut = (head: string, size: number) => number | undefined

/** A TCP proxy that cuts connections. */
export interface Cutter {
  readonly port: number
  /** The number of connections that were cut, in the request and in the response. */
  readonly cuts: { request: number; response: number }
  readonly close: () => void
}

/**
 * Starts a TCP proxy in front of a port. It asks `choose` about each request whose head begins with `marked`, and cuts its
 * connection after that many bytes: with a reset in the request, and with a plain end in its response, which browsers may
 * take for the end of the headers. A server may respond before it has the whole request, such as to one that a browser sends
 * again. The response follows the request all the same, so that the place of a cut does not depend on speed.
 */
export async function startCutter(target: number, marked: string, choose: ChooseCut): Promise<Cutter> {
  const cuts = { request: 0, response: 0 }
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    /** Bytes until the cut; infinite if this request passes. */
    let left = Infinity
    /** Bytes that are missing of a request whose connection will be cut. Until they come, its response waits in `early`. */
    let rest = 0
    const early: Buffer[] = []
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => open.delete(socket))
    }
    const pass = (chunk: Buffer, to: Socket, kind: keyof typeof cuts) => {
      const part = chunk.subarray(0, left)
      left -= chunk.length
      to.write(part)
      if (left > 0) return
      cuts[kind] += 1
      // What has been written arrives before the end. A reset while a socket is ending would never close it.
      if (kind === 'request') {
        upstream.end()
        client.resetAndDestroy()
      } else client.destroySoon()
      client.removeAllListeners('data')
      upstream.removeAllListeners('data')
    }
    client.on('data', (chunk: Buffer) => {
      if (chunk.subarray(0, marked.length).toString('latin1') === marked) {
        const head = chunk.toString('latin1')
        const size = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0) + head.indexOf('\r\n\r\n') + 4
        left = choose(head, size) ?? Infinity
        rest = left === Infinity ? 0 : size
      }
      rest -= chunk.length
      pass(chunk, upstream, 'request')
      if (rest > 0 || left <= 0) return
      for (const waiting of early.splice(0)) pass(waiting, client, 'response')
    })
    upstream.on('data', (chunk: Buffer) => {
      if (rest > 0) early.push(chunk)
      else pass(chunk, client, 'response')
    })
    client.on('end', () => upstream.end())
    upstream.on('end', () => client.end())
    client.on('close', () => upstream.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cuts,
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** Returns numbers from 0 to 1 that depend only on the seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
