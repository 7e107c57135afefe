import { setMaxListeners } from 'node:events'
import type { Environment } from '../../../contract/values/values.ts'
import type { CallbackStore } from '../../callbacks/callback-store.ts'
import type { OutcomeStore } from '../../idempotency/outcome-store.ts'
import type { Bus, EventBufferOptions } from '../../changes/bus.ts'
import type { Limiter } from '../../admission/limiter.ts'
import type { Log } from '../../observe/log.ts'
import type { PackageIndex } from '../../desk/package-index.ts'
import type { Slots } from '../../admission/slots.ts'
import { createRedisBus } from './redis-bus.ts'
import { createRedisCallbackStore } from './redis-callback-store.ts'
import { createRedisChanges } from './redis-changes.ts'
import { createRedisCommands } from './redis-commands.ts'
import { checkMode, connectRedis, withTimeout } from './redis-connection.ts'
import { createRedisEntryTurns } from './redis-entry-turns.ts'
import { createFlush } from './redis-flush.ts'
import { createRedisIndex } from './redis-index.ts'
import { createRedisLimiter } from './redis-limiter.ts'
import { createRedisOutcomeStore } from './redis-outcome-store.ts'
import { createRedisProcess } from './redis-process.ts'

/** Options of `createRedis()`. */
export interface RedisOptions extends EventBufferOptions {
  /** Environment of the mount. Environments share nothing. */
  readonly env: Environment
  /** Path of the mount. Mounts with different paths share no callbacks and no index. Default `/api/wf`. */
  readonly basePath?: string
  /** Prefix of all keys. Proxies with different prefixes share nothing. Default `routeslip:`. */
  readonly prefix?: string
  /** Logs what an operator should know about the connection. */
  readonly log: Log
  /** Timeout for a connection and for a reply, in ms. Default 3000. */
  readonly timeout?: number
  /** Time in ms after which a process that has died loses its callbacks and the entries that it changes to others. Default 15 seconds. */
  readonly lease?: number
}

/** State that several processes share through Redis. */
export interface Redis {
  readonly bus: Bus
  /** Rejects if Redis does not reply. */
  readonly outcomeStore: OutcomeStore
  /** Keeps callbacks, and hands them out to the processes. Rejects if Redis does not reply. */
  readonly callbackStore: CallbackStore
  /** Empty unless a proxy keeps lists. Rejects if Redis does not reply. */
  readonly packageIndex: PackageIndex
  /** Rejects if Redis does not reply. */
  readonly entryTurns: Pick<Slots, 'take'>
  /** Counts what each person uses in all processes. While Redis does not reply, each process counts by itself. */
  readonly limiter: Limiter
  /**
   * Moves all connections to another address, without a gap. Resolves to false if it could not connect; the previous ones then
   * stay. Rejects as `createRedis()`.
   */
  readonly moveTo: (url: string) => Promise<boolean>
  /** Ends the lease of this process, and closes all connections. Closing the bus does the same. */
  readonly close: () => Promise<void>
}

/**
 * Shares events, callbacks, locks, outcomes and the index of packages through Redis, 6.2 or later. All processes read the events of an environment from
 * one stream and in the same order, so that a browser may reconnect to any of them. While Redis does not reply, events stay in
 * this process and the connection is retried. Rejects if `url` is not a Redis address, or if a Redis Cluster or a Sentinel
 * replies. Neither errors nor log lines contain the address, because it holds the password.
 */
export async function createRedis(
  url: string,
  {
    env,
    basePath = '/api/wf',
    prefix = 'routeslip:',
    log,
    timeout = 3000,
    lease = 15_000,
    now = Date.now,
    size = 1000,
  }: RedisOptions,
): Promise<Redis> {
  const root = `${prefix}${env}:`
  const closing = new AbortController()
  // While Redis does not reply, all that waits for it listens. Node warns of more than ten listeners.
  setMaxListeners(0, closing.signal)
  let outageLoggedAt: number | undefined

  // A blocking command delays all later commands of its connection.
  const names = ['writer', 'events', 'callbacks', 'storing'] as const
  const options = { timeout, onError: logOutage }
  const [writer, events, callbacks, storing] = (await Promise.all(
    names.map(() => connectRedis(url, options)),
  )) as FourOf<Awaited<ReturnType<typeof connectRedis>>>
  const connections = [writer, events, callbacks, storing]
  try {
    await checkMode(writer.client(), timeout)
  } catch (error) {
    for (const connection of connections) connection.close()
    throw error
  }
  const reply = <T>(pending: Promise<T>) => withTimeout(timeout, pending)
  const commands = createRedisCommands(writer.client, reply)
  const process = createRedisProcess({ prefix: `${root}process:`, commands, lease })
  await process.entered
  const stored = createRedisCommands(storing.client, reply)
  const flush = createFlush(stored, log)
  const lists = `${root}lists${basePath}:`
  const changes = createRedisChanges({ key: `${lists}changes`, commands, onError: logOutage })
  const bus = await createRedisBus({
    key: `${root}events`,
    other: changes,
    commands,
    reader: events.client,
    onError: logOutage,
    onConnected() {
      if (outageLoggedAt !== undefined) log('info', 'Redis is available again', {})
      outageLoggedAt = undefined
    },
    closing: closing.signal,
    now,
    size,
  })
  const { following } = bus

  return {
    bus: {
      ...bus,
      isConnected: () => connections.every(({ client }) => client().isReady),
      close,
    },
    outcomeStore: createRedisOutcomeStore({
      prefix: `${root}once:`,
      commands,
    }),
    callbackStore: createRedisCallbackStore({
      prefix: `${root}callbacks${basePath}:`,
      commands,
      reader: callbacks.client,
      storing: stored,
      flush,
      process,
      log,
      closing: closing.signal,
      now,
    }),
    packageIndex: createRedisIndex({ prefix: lists, commands, storing: stored, flush, changes }),
    entryTurns: createRedisEntryTurns({ prefix: `${lists}lock:`, commands, lease }),
    limiter: createRedisLimiter({ prefix: `${root}limit:`, commands, process }),
    async moveTo(address) {
      for (const connection of connections) if (!(await connection.moveTo(address))) return false
      return true
    },
    close,
  }

  /** Logs an outage, once a minute at most. */
  function logOutage(error: unknown): void {
    if (closing.signal.aborted || (outageLoggedAt !== undefined && now() - outageLoggedAt < 60_000)) return
    outageLoggedAt = now()
    const { code, message } = error as NodeJS.ErrnoException
    log('error', 'Redis is not available: events stay in this process, and callbacks are refused', {
      error: code ?? message,
    })
  }

  async function close(): Promise<void> {
    closing.abort()
    await process.leave()
    for (const connection of connections) connection.close()
    await following
  }
}

type FourOf<T> = [T, T, T, T]
