// Sends requests at a rate, whether or not earlier ones have a response. Uses raw sockets, because an HTTP client would need
// much of the processor time that the proxies share.
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { headOf, isWhole, type Target } from '../bench/load.ts'

/** Where the requests go. */
export interface LoadTarget extends Pick<Target, 'port' | 'path'> {
  /** Whether a response contains the person who made the request. Otherwise, that is not checked. */
  readonly isChecked: boolean
}

/** A request that has ended. */
export interface Sent {
  /** When the request was due, in ms since the beginning of the load. */
  readonly at: number
  /**
   * Time from when the request was due to the end of the response, in ms. If the load generator is late, that counts as if the
   * proxy were late.
   */
  readonly time: number
  /** 0 if the connection failed. */
  readonly status: number
  readonly isWrongPerson: boolean
}

/** The secret of the front server, which the requests contain. */
export const secret = 'a secret of the laboratory, 32 characters at least'

/** Number of people who send the requests, in turn. */
export const people = 500
const maxConnections = 1000
/** Time after which a connection without traffic ends, in ms. */
const idleTimeout = 20_000

/**
 * Sends `rate` requests per second, and waits for all of them. `isOver` takes the ms since the beginning, and the number of
 * requests that are due and wait for a connection.
 */
export async function load(
  target: LoadTarget,
  rate: number,
  isOver: (elapsed: number, backlog: number) => boolean,
): Promise<readonly Sent[]> {
  const begin = performance.now()
  const elapsed = () => performance.now() - begin
  // Of each request that has ended. Millions of objects would be work for the garbage collector, which delays the load.
  const ats: number[] = []
  const times: number[] = []
  const statuses: number[] = []
  const wrong = new Set<number>()
  const waiting: number[] = []
  /** Number of those that no longer wait. */
  let begun = 0
  const idle: Connection[] = []
  const open = new Set<Connection>()

  function send(index: number): void {
    const connection = idle.pop() ?? (open.size < maxConnections ? connectTo(target) : undefined)
    if (!connection) return void waiting.push(index)
    open.add(connection)
    const univid = String(10_000_000 + (index % people))
    const at = (index * 1000) / rate
    connection.ask(univid, (status, text, isReusable) => {
      const isWrongPerson = target.isChecked && status === 200 && !text.includes(`For ${univid}.`)
      if (isWrongPerson) wrong.add(ats.length)
      ats.push(at)
      times.push(elapsed() - at)
      statuses.push(status)
      if (isReusable) idle.push(connection)
      else open.delete(connection)
      const next = waiting[begun]
      if (next === undefined) return
      begun++
      send(next)
    })
  }

  /** Opens a connection, which is forgotten when it closes. */
  function connectTo({ port, path }: LoadTarget): Connection {
    const connection = new Connection(port, path, () => {
      open.delete(connection)
      const index = idle.indexOf(connection)
      if (index >= 0) idle.splice(index, 1)
    })
    return connection
  }

  let count = 0
  while (!isOver(elapsed(), waiting.length - begun)) {
    const due = Math.floor((elapsed() / 1000) * rate)
    while (count < due) send(count++)
    await pause(2)
  }
  while (ats.length < count) await pause(2)
  for (const connection of open) connection.end()
  return ats.map((at, index) => ({
    at,
    time: times[index] ?? Infinity,
    status: statuses[index] ?? 0,
    isWrongPerson: wrong.has(index),
  }))
}

/** Time of 99 of 100 requests, in ms. */
export function percentile(sent: readonly Pick<Sent, 'time'>[]): number {
  const times = sent.map(({ time }) => time).sort((a, b) => a - b)
  return times[Math.floor(times.length * 0.99)] ?? Infinity
}

type OnEnd = (status: number, text: string, isReusable: boolean) => void

/** A persistent connection with one request at a time. */
class Connection {
  readonly #socket: Socket
  readonly #port: number
  readonly #path: string
  #text = ''
  #onEnd: OnEnd | undefined

  constructor(port: number, path: string, onClose: () => void) {
    this.#port = port
    this.#path = path
    this.#socket = connect(port, '127.0.0.1')
      .setNoDelay()
      .setTimeout(idleTimeout, () => this.end())
      .on('data', (chunk: Buffer) => this.#onData(chunk))
      .on('error', () => {})
      .on('close', () => {
        onClose()
        this.#finish(0, false)
      })
  }

  ask(univid: string, onEnd: OnEnd): void {
    this.#onEnd = onEnd
    const headers = {
      'x-remote-user': univid,
      'x-routeslip-front': secret,
      'x-routeslip': '1',
      'sec-fetch-site': 'same-origin',
    }
    this.#socket.write(headOf('GET', { port: this.#port, path: this.#path }, headers))
  }

  end(): void {
    this.#socket.destroy()
  }

  #onData(chunk: Buffer): void {
    this.#text += chunk.toString('latin1')
    if (!isWhole(this.#text)) return
    const isReusable = !/^connection: close\r?$/im.test(
      this.#text.slice(0, this.#text.indexOf('\r\n\r\n') + 2),
    )
    this.#finish(Number(this.#text.slice(9, 12)), isReusable)
    if (!isReusable) this.end()
  }

  #finish(status: number, isReusable: boolean): void {
    const { onEnd, text } = { onEnd: this.#onEnd, text: this.#text }
    this.#onEnd = undefined
    this.#text = ''
    onEnd?.(status, text, isReusable)
  }
}
