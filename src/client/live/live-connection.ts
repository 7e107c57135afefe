import { callHeader } from '../../contract/values/headers.ts'
import { createEventReader, type ServerEvent } from './event-reader.ts'
import { backoff, parseRetryAfter } from '../transport/retry.ts'

interface LiveConnectionOptions {
  /** Root URL of the proxy without a trailing slash. */
  readonly root: string
  readonly fetch: typeof globalThis.fetch
  /** Time without a byte in ms after which a stream is considered dead. */
  readonly silence: number
  readonly onEvent: (event: ServerEvent) => void
  /** Called when a stream has ended, and before another one opens. */
  readonly onDisconnect: () => void
  /** Returns the random part of a wait, from 0 to 1. Default `Math.random`. */
  readonly random?: () => number
}

/** One stream of server-sent events, which reconnects until it is closed. Never throws. */
interface LiveConnection {
  /** What the stream follows, or the one that opens after a failure. Empty: no stream is wanted. */
  keys: readonly string[]
  /** Id of the last event, from which the next stream continues. */
  lastId: string
  /** Whether the proxy has refused these keys in a way that no retry can change. */
  isRefused: boolean
  /** Opens a stream for these keys, given as parts of a query, and closes the previous one. */
  connect(keys: readonly string[]): void
  disconnect(): void
  /** Disconnects, and forgets the last id and all failures. */
  reset(): void
}

/** Statuses after which no retry can help: the user may not follow, or the proxy has no live events. */
const finalStatuses = [401, 403, 404]

export function createLiveConnection({
  root,
  fetch,
  silence,
  onEvent,
  onDisconnect,
  random = Math.random,
}: LiveConnectionOptions): LiveConnection {
  let stream: AbortController | undefined
  /** Shortest wait before a reconnect in ms, as the proxy has sent it. */
  let retry = 1000
  let failures = 0
  /** Ends a silent stream; between two streams, opens the next. */
  let timer: ReturnType<typeof setTimeout> | undefined

  function setTimer(action: () => void, delay: number): void {
    clearTimeout(timer)
    timer = setTimeout(action, delay)
  }

  function disconnect(): void {
    clearTimeout(timer)
    stream?.abort()
    stream = undefined
    connection.keys = []
    connection.isRefused = false
    onDisconnect()
  }

  async function connect(keys: readonly string[]): Promise<void> {
    disconnect()
    connection.keys = keys
    const current = (stream = new AbortController())
    const isCurrent = () => stream === current
    let after: number | undefined
    try {
      after = await readStream(current, isCurrent)
    } catch {
      // Handled like any other end of a stream.
    }
    if (!isCurrent()) return
    disconnect()
    connection.keys = keys
    const wait = (after ?? 0) + backoff(failures++, 30_000, random, retry)
    if (wait < Infinity) setTimer(() => void connect(keys), wait)
    else connection.isRefused = true
  }

  /** Reads until the stream ends. Returns the minimum wait before the next one. */
  async function readStream(abort: AbortController, isCurrent: () => boolean): Promise<number | undefined> {
    const watchSilence = () => setTimer(() => abort.abort(), silence)
    watchSilence()
    const { keys, lastId } = connection
    const { status, headers, body } = await fetch(`${root}/events?${keys.join('&')}`, {
      // An id that a header cannot carry is not from our proxy.
      headers: { [callHeader]: '1', ...(/^[!-~]+$/.test(lastId) && { 'Last-Event-ID': lastId }) },
      credentials: 'include',
      signal: abort.signal,
    })
    if (finalStatuses.includes(status)) return Infinity
    if (!headers.get('content-type')?.startsWith('text/event-stream') || !body)
      return parseRetryAfter(headers.get('retry-after'))
    let hasEvents = false
    const read = createEventReader((event) => {
      connection.lastId = event.get('id') ?? connection.lastId
      retry = Math.max(1000, Number(event.get('retry')) || retry)
      // Only a heartbeat shows that the stream works for longer than it takes to open it.
      if (!event.has('event') && hasEvents) failures = 0
      hasEvents = true
      onEvent(event)
    })
    const reader = body.getReader()
    let chunk
    while ((chunk = await reader.read()).value && isCurrent()) {
      watchSilence()
      read(chunk.value)
    }
    return undefined
  }

  const connection: LiveConnection = {
    keys: [],
    isRefused: false,
    lastId: '',
    connect: (keys) => void connect(keys),
    disconnect,
    reset() {
      connection.lastId = ''
      failures = 0
      disconnect()
    },
  }
  return connection
}
