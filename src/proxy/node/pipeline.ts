import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'

/** Maximum number of requests of one connection that wait. Browsers send the next request after the response. */
const maxWaiting = 10

/** The requests of one connection. */
interface Turns {
  isBusy: boolean
  /** Those that wait for the one that runs. */
  readonly waiting: (() => void)[]
}

/**
 * Runs the requests of a connection one after another. Node emits requests that a client has pipelined all at once, so that
 * they would run even if the response to the first one ends the connection. If the body of a request continues for longer
 * than `drainTimeout` ms after its response, the connection ends.
 */
export function createPipeline(listener: RequestListener, drainTimeout: number): RequestListener {
  const drain = createDrain()
  const connections = new WeakMap<Socket, Turns>()

  function turnsOf(socket: Socket): Turns {
    let turns = connections.get(socket)
    if (!turns) {
      turns = { isBusy: false, waiting: [] }
      connections.set(socket, turns)
    }
    return turns
  }

  function run(incoming: IncomingMessage, outgoing: ServerResponse, turns: Turns): void {
    const { socket } = incoming
    turns.isBusy = true
    if (hasBody(incoming)) watchRest(incoming, outgoing)
    // Node's own pipelines add many, and Node warns of more than ten.
    outgoing.setMaxListeners(20)
    outgoing.once('close', () => {
      turns.isBusy = false
      const next = turns.waiting.shift()
      // Node has ended the socket if this response was the last one.
      if (socket.writable) next?.()
    })
    listener(incoming, outgoing)
  }

  /** Discards what arrives of the body after the response. */
  function watchRest(incoming: IncomingMessage, outgoing: ServerResponse): void {
    // Before Node discards the rest at full speed.
    outgoing.once('prefinish', () => {
      if (!incoming.complete) drain(incoming)
    })
    outgoing.once('finish', () => {
      if (incoming.complete) return
      const timer = setTimeout(() => incoming.socket.destroy(), drainTimeout).unref()
      incoming.once('close', () => clearTimeout(timer))
    })
  }

  return (incoming, outgoing) => {
    const { socket } = incoming
    const turns = turnsOf(socket)
    if (!turns.isBusy) {
      run(incoming, outgoing, turns)
    } else if (turns.waiting.length < maxWaiting) turns.waiting.push(() => run(incoming, outgoing, turns))
    else socket.destroy()
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Number of chunks of bodies that are discarded in one turn of the event loop. */
const chunksPerTurn = 16

/**
 * Creates a function that discards the rest of a body, so that the client reads the response. All bodies share a limit per
 * turn of the event loop: libuv reads up to 2 MB of a connection at once, so a hundred refused uploads would block all other
 * requests for a second.
 */
function createDrain(): (body: Readable) => void {
  const paused: Readable[] = []
  let isPlanned = false

  function resumeSome(): void {
    for (const body of paused.splice(0, chunksPerTurn)) body.resume()
    isPlanned = paused.length > 0
    if (isPlanned) setImmediate(resumeSome)
  }

  return (body) => {
    // A handler that has read a part of it needs no more.
    body.removeAllListeners('data').removeAllListeners('readable')
    body.on('data', () => {
      body.pause()
      paused.push(body)
      if (isPlanned) return
      isPlanned = true
      setImmediate(resumeSome)
    })
    body.resume()
  }
}
