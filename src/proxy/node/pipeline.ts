import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Maximum number of requests of one connection that wait. Browsers send the next request after the response. */
const maxWaiting = 10

/**
 * Runs the requests of a connection one after another. Node emits requests that a client has pipelined all at once, so that
 * they would run even if the response to the first one ends the connection. If the body of a request continues for longer
 * than `drainTimeout` ms after its response, the connection ends.
 */
export function createPipeline(listener: RequestListener, drainTimeout: number): RequestListener {
  /** The requests that wait, by connection with a request that runs. */
  const busy = new WeakMap<Socket, (() => void)[]>()

  function run(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming
    outgoing.once('finish', () => {
      if (incoming.complete) return
      const timer = setTimeout(() => socket.destroy(), drainTimeout).unref()
      incoming.once('close', () => clearTimeout(timer))
    })
    // Node's own pipelines add many, and Node warns of more than ten.
    outgoing.setMaxListeners(20)
    outgoing.once('close', () => {
      const next = busy.get(socket)?.shift()
      // Node has ended the socket if this response was the last one.
      if (next && socket.writable) next()
      else busy.delete(socket)
    })
    listener(incoming, outgoing)
  }

  return (incoming, outgoing) => {
    const { socket } = incoming
    const waiting = busy.get(socket)
    if (!waiting) {
      busy.set(socket, [])
      run(incoming, outgoing)
    } else if (waiting.length < maxWaiting) waiting.push(() => run(incoming, outgoing))
    else socket.destroy()
  }
}
