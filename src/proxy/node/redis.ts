import { setTimeout as pause } from 'node:timers/promises'
import type { Environment } from '../../contract/values.ts'
import { type Bus, createEventBuffer, type EventBufferOptions, type LiveEvent } from '../live/bus.ts'
import type { Log } from '../log.ts'
import type { DedupeStore } from '../callbacks/dedupe-store.ts'

export interface RedisOptions extends EventBufferOptions {
  /** Environment of the mount: events of the other one have nothing to do with it. */
  readonly env: Environment
  readonly log: Log
  /** Most milliseconds to wait for a connection, and for an answer. Default 3000. */
  readonly timeout?: number
}

/** What several processes share through Redis. */
export interface Redis {
  readonly bus: Bus
  /** Rejects where Redis does not answer. */
  readonly dedupeStore: DedupeStore
  /** Closes both connections. So does closing the bus. */
  readonly close: () => Promise<void>
}

/**
 * Shares events and what has been seen through Redis, 6 or later. Events are one stream per environment, which all
 * processes read in the same order, so that a browser may come back to any of them. While Redis does not answer, events
 * stay in this process, and it is tried again and again. Rejects where `url` is no address of a Redis; the address itself
 * is never told to anybody, because it holds the password.
 */
export async function createRedis(
  url: string,
  { env, log, timeout = 3000, now = Date.now, size = 1000 }: RedisOptions,
): Promise<Redis> {
  const key = `routeslip:${env}:events`
  const feed = createEventBuffer({ now, size })
  const closing = new AbortController()
  let complainedAt: number | undefined
  /** Id up to which the stream has been read. */
  let cursor: string | undefined

  // A blocking command holds up whatever comes after it, hence two.
  const reader = await connect(url, timeout)
  const writer = await connect(url, timeout)
  for (const client of [reader, writer]) client.on('error', complain)
  await Promise.all([reader, writer].map(tryOnce))
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
          await within(timeout, writer.xAdd(key, '*', fields, { TRIM }))
        } catch (error) {
          complain(error)
          feed.push({ id: feed.nextId(), formId, packageId })
        }
      },
      subscribe: feed.subscribe,
      since: feed.since,
      last: feed.last,
      close,
    },
    dedupeStore: {
      async isFirst(name, seconds) {
        const expiration = { type: 'EX', value: Math.max(1, Math.ceil(seconds)) } as const
        const answer = writer.set(`routeslip:${env}:seen:${name}`, '1', { condition: 'NX', expiration })
        return (await within(timeout, answer)) === 'OK'
      },
      async forget(name) {
        await within(timeout, writer.del(`routeslip:${env}:seen:${name}`))
      },
    },
    close,
  }

  /** Reads the stream for ever. After a lost connection it goes on where it was. */
  async function follow(isCurrent: boolean): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        if (!isCurrent) await catchUp()
        isCurrent = true
        const answer = await reader.xRead({ key, id: cursor ?? '0-0' }, { BLOCK: blockFor, COUNT: size })
        for (const { messages } of (answer as readonly StreamEntries[] | null) ?? []) messages.forEach(take)
      } catch (error) {
        isCurrent = false
        complain(error)
        await pause(retryAfter, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
  }

  /** Takes the newest events at the start, and where the stream is another one than before: Redis may lose its data. */
  async function catchUp(): Promise<void> {
    const messages = (await reader.xRevRange(key, '+', '-', { COUNT: size })) ?? []
    const newest = messages[0]?.id ?? '0-0'
    if (cursor === undefined || isBefore(newest, cursor)) {
      cursor = newest
      messages.reverse().forEach(take)
    }
    if (complainedAt !== undefined) log('info', 'Redis answers again', {})
    complainedAt = undefined
  }

  function take({ id, message }: StreamMessage): void {
    cursor = id
    const event = toEvent(id, message)
    if (event && !feed.has(id)) feed.push(event)
  }

  /** Once a minute at most. */
  function complain(error: unknown): void {
    if (closing.signal.aborted || (complainedAt !== undefined && now() - complainedAt < 60_000)) return
    complainedAt = now()
    const { code, message } = error as NodeJS.ErrnoException
    log('error', 'Redis does not answer: events stay in this process', { error: code ?? message })
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

/** The library does not type what XREAD answers. */
interface StreamEntries {
  readonly messages: readonly StreamMessage[]
}

type Client = Awaited<ReturnType<typeof connect>>

async function connect(url: string, connectTimeout: number) {
  // Only those who share events need it.
  const { createClient } = await import('redis')
  try {
    if (!/^(?:rediss?|unix):\/\//.test(url)) throw new TypeError('Not an address of a Redis')
    return createClient({
      url,
      // Commands fail at once while there is no connection, and nothing piles up.
      disableOfflineQueue: true,
      maintNotifications: 'disabled',
      // Keeps a connection busy, so that one is missed that is no more.
      pingInterval: 5_000,
      socket: {
        connectTimeout,
        socketTimeout: 15_000,
        reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 2_000) + Math.random() * 200,
      },
    })
  } catch {
    // What the library throws may quote the address.
    throw new TypeError(
      'The address of Redis has to read redis[s]://[[user]:password@]host[:port][/database]',
    )
  }
}

/** Connects, and waits until that has come to something or failed once; the client goes on trying. */
function tryOnce(client: Client): Promise<void> {
  return new Promise((resolve) => {
    client.once('ready', () => resolve())
    client.once('error', () => resolve())
    // Rejects when the client is closed; what else goes wrong is an `error` event.
    client.connect().catch(() => {})
  })
}

/** Waits for an answer, and not for ever: a connection may be dead without anybody knowing. */
async function within<T>(timeout: number, answer: Promise<T>): Promise<T> {
  const answered = new AbortController()
  const tooLate = pause(timeout, undefined, { signal: answered.signal }).then(() => {
    throw new Error('Redis takes too long to answer')
  })
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    answered.abort()
  }
}

/** Reads an entry of the stream; undefined where somebody else has written it. */
function toEvent(id: string, { f, p }: StreamMessage['message']): LiveEvent | undefined {
  if (!/^\d{1,16}-\d{1,16}$/.test(id)) return undefined
  const [formId, packageId] = [f, p].map((text) => (/^[1-9]\d{0,15}$/.test(text ?? '') ? Number(text) : NaN))
  if (!Number.isSafeInteger(formId) || !Number.isSafeInteger(packageId)) return undefined
  return { id, formId: formId as number, packageId: packageId as number }
}

/** Whether an id of a stream is smaller than another. */
function isBefore(id: string, other: string): boolean {
  const [milliseconds, counter] = partsOf(id)
  const [otherMilliseconds, otherCounter] = partsOf(other)
  return milliseconds === otherMilliseconds ? counter < otherCounter : milliseconds < otherMilliseconds
}

function partsOf(id: string): readonly [milliseconds: bigint, counter: bigint] {
  const [milliseconds = '', counter = ''] = id.split('-')
  return [BigInt(milliseconds), BigInt(counter)]
}

/** How many events the stream keeps at least. */
const maxLength = 10_000
/** Milliseconds for which one reading of the stream waits for events. */
const blockFor = 5_000
/** Milliseconds after which a reading that failed is tried again. */
const retryAfter = 500
