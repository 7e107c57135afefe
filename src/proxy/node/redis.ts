import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../../contract/values.ts'
import { type Bus, createEventBuffer, type EventBufferOptions, type LiveEvent } from '../live/bus.ts'
import type { Log } from '../log.ts'
import type { OutcomeStore } from '../idempotency/outcome-store.ts'
import { createRedisOutcomeStore } from './redis-outcome-store.ts'
import type { DedupeStore } from '../callbacks/dedupe-store.ts'

export interface RedisOptions extends EventBufferOptions {
  /** Environment of the mount. Environments share nothing. */
  readonly env: Environment
  /** What the names of all keys begin with. Proxies with different prefixes share nothing. Default `routeslip:`. */
  readonly prefix?: string
  readonly log: Log
  /** Timeout for a connection and for a reply, in ms. Default 3000. */
  readonly timeout?: number
}

/** State that several processes share through Redis. */
export interface Redis {
  readonly bus: Bus
  /** Rejects if Redis does not reply. */
  readonly dedupeStore: DedupeStore
  /** Rejects if Redis does not reply. */
  readonly outcomeStore: OutcomeStore
  /** Closes both connections. Closing the bus does the same. */
  readonly close: () => Promise<void>
}

/**
 * Shares events and dispatched callbacks through Redis, 6 or later. All processes read the events of an environment from one
 * stream and in the same order, so that a browser may reconnect to any of them. While Redis does not reply, events stay in
 * this process and the connection is retried. Rejects if `url` is not a Redis address, or if a Redis Cluster or a Sentinel
 * replies. Neither errors nor log lines contain the address, because it holds the password.
 */
export async function createRedis(
  url: string,
  { env, prefix = 'routeslip:', log, timeout = 3000, now = Date.now, size = 1000 }: RedisOptions,
): Promise<Redis> {
  const root = `${prefix}${env}:`
  const key = `${root}events`
  const buffer = createEventBuffer({ now, size })
  const closing = new AbortController()
  let outageLoggedAt: number | undefined
  /** Id of the last event that was read from the stream. */
  let cursor: string | undefined

  // A blocking command delays all later commands of its connection, so publishing needs a second one.
  const reader = await connect(url, timeout)
  const writer = await connect(url, timeout)
  for (const client of [reader, writer]) client.on('error', logOutage)
  await Promise.all([reader, writer].map(firstAttempt))
  try {
    await checkMode(writer, timeout)
  } catch (error) {
    reader.destroy()
    writer.destroy()
    throw error
  }
  const isCurrent = await catchUp().then(
    () => true,
    () => false,
  )
  const following = follow(isCurrent)

  return {
    bus: {
      async publish({ formId, packageId }) {
        try {
          const fields = { f: String(formId), p: String(packageId) }
          const TRIM = { strategy: 'MAXLEN', strategyModifier: '~', threshold: maxLength } as const
          return await withTimeout(timeout, writer.xAdd(key, '*', fields, { TRIM }))
        } catch (error) {
          logOutage(error)
          const id = buffer.nextId()
          buffer.push({ id, formId, packageId })
          return id
        }
      },
      subscribe: buffer.subscribe,
      since: buffer.since,
      last: buffer.last,
      isConnected: () => writer.isReady && reader.isReady,
      close,
    },
    dedupeStore: {
      async isFirst(name, seconds) {
        const expiration = { type: 'EX', value: Math.max(1, Math.ceil(seconds)) } as const
        const reply = writer.set(`${root}seen:${name}`, '1', { condition: 'NX', expiration })
        return (await withTimeout(timeout, reply)) === 'OK'
      },
      async forget(name) {
        await withTimeout(timeout, writer.del(`${root}seen:${name}`))
      },
    },
    outcomeStore: createRedisOutcomeStore({
      prefix: `${root}once:`,
      client: writer,
      withTimeout: (reply) => withTimeout(timeout, reply),
    }),
    close,
  }

  /** Reads the stream until the connections close. After a lost connection it continues after the last event. */
  async function follow(isCurrent: boolean): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        if (!isCurrent) await catchUp()
        isCurrent = true
        const reply = await reader.xRead({ key, id: cursor ?? '0-0' }, { BLOCK: blockFor, COUNT: size })
        for (const { messages } of (reply as readonly StreamEntries[] | null) ?? []) messages.forEach(receive)
      } catch (error) {
        isCurrent = false
        logOutage(error)
        await sleep(retryDelay, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
  }

  /** Reads the newest events at the start, and again if Redis has lost its data and the stream has begun anew. */
  async function catchUp(): Promise<void> {
    const messages = (await reader.xRevRange(key, '+', '-', { COUNT: size })) ?? []
    const newest = messages[0]?.id ?? '0-0'
    if (cursor === undefined || isBefore(newest, cursor)) {
      cursor = newest
      messages.reverse().forEach(receive)
    }
    if (outageLoggedAt !== undefined) log('info', 'Redis is available again', {})
    outageLoggedAt = undefined
  }

  function receive({ id, message }: StreamMessage): void {
    cursor = id
    const event = toEvent(id, message)
    if (event && !buffer.has(id)) buffer.push(event)
  }

  /** Logs an outage, once a minute at most. */
  function logOutage(error: unknown): void {
    if (closing.signal.aborted || (outageLoggedAt !== undefined && now() - outageLoggedAt < 60_000)) return
    outageLoggedAt = now()
    const { code, message } = error as NodeJS.ErrnoException
    log('error', 'Redis is not available: events stay in this process', { error: code ?? message })
  }

  async function close(): Promise<void> {
    closing.abort()
    reader.destroy()
    writer.destroy()
    await following
  }
}

interface StreamMessage {
  readonly id: string
  readonly message: Readonly<Record<string, string>>
}

/** The reply to XREAD, which the library does not type. */
interface StreamEntries {
  readonly messages: readonly StreamMessage[]
}

type RedisConnection = Awaited<ReturnType<typeof connect>>

async function connect(url: string, connectTimeout: number) {
  // Loaded on demand, because only hosts with several processes need it.
  const { createClient } = await import('redis')
  try {
    if (!/^(?:rediss?|unix):\/\/(?:.*@)?[^@,]*$/.test(url)) throw new TypeError('Not a Redis address')
    return createClient({
      url,
      // Commands fail immediately if the connection is lost, so that they do not queue up.
      disableOfflineQueue: true,
      maintNotifications: 'disabled',
      // Regular traffic reveals a dead connection.
      pingInterval: 5_000,
      socket: {
        connectTimeout,
        socketTimeout: 15_000,
        reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 2_000) + Math.random() * 200,
      },
    })
  } catch {
    // Errors of the library may quote the address.
    throw new TypeError(
      'The Redis address must have the form redis[s]://[[user]:password@]host[:port][/database]',
    )
  }
}

/** Connects and waits for the first success or failure. After a failure, the client keeps trying. */
function firstAttempt(client: RedisConnection): Promise<void> {
  return new Promise((resolve) => {
    client.once('ready', () => resolve())
    client.once('error', () => resolve())
    // Rejects if the client is closed. All other failures are `error` events.
    client.connect().catch(() => {})
  })
}

/** Thrown if the address leads to a server of a kind that the proxy cannot use. Its message contains no address. */
export class RedisModeError extends Error {
  override readonly name = 'RedisModeError'
}

/** Rejects if the server is part of a Redis Cluster, or a Sentinel. A server that does not tell is a single one. */
async function checkMode(client: RedisConnection, timeout: number): Promise<void> {
  const facts = await withTimeout(timeout, client.info('server')).catch(() => '')
  const mode = /^redis_mode:(cluster|sentinel)\s*$/m.exec(facts)?.[1]
  if (mode === undefined) return
  const kind = mode === 'cluster' ? 'a Redis Cluster' : 'a Redis Sentinel'
  throw new RedisModeError(
    `leads to ${kind}. Set it to the address of a single Redis server, or of its failover proxy.`,
  )
}

/** Rejects if a reply takes longer than `timeout` ms: a dead connection may look alive. */
async function withTimeout<T>(timeout: number, reply: Promise<T>): Promise<T> {
  const settled = new AbortController()
  const expired = sleep(timeout, undefined, { signal: settled.signal }).then(() => {
    throw new Error('Redis took too long to reply')
  })
  try {
    return await Promise.race([reply, expired])
  } finally {
    settled.abort()
  }
}

/** Returns the event in an entry of the stream; undefined if another program wrote the entry. */
function toEvent(id: string, { f, p }: StreamMessage['message']): LiveEvent | undefined {
  if (!/^\d{1,16}-\d{1,16}$/.test(id)) return undefined
  const [formId, packageId] = [f, p].map((text) => (/^[1-9]\d{0,15}$/.test(text ?? '') ? Number(text) : NaN))
  if (!Number.isSafeInteger(formId) || !Number.isSafeInteger(packageId)) return undefined
  return { id, formId: formId as number, packageId: packageId as number }
}

/** Whether a stream id is smaller than another. */
function isBefore(id: string, other: string): boolean {
  const [milliseconds, counter] = idParts(id)
  const [otherMilliseconds, otherCounter] = idParts(other)
  return milliseconds === otherMilliseconds ? counter < otherCounter : milliseconds < otherMilliseconds
}

function idParts(id: string): readonly [milliseconds: bigint, counter: bigint] {
  const [milliseconds = '', counter = ''] = id.split('-')
  return [BigInt(milliseconds), BigInt(counter)]
}

/** Minimum number of events that the stream keeps. */
const maxLength = 10_000
/** Time for which one read of the stream waits for events, in ms. */
const blockFor = 5_000
/** Time after which a failed read is retried, in ms. */
const retryDelay = 500
