import { setTimeout as sleep } from 'node:timers/promises'

/** A connection that can move to another address. */
interface RedisConnection {
  /** Returns the client of now. Call this for each command. */
  readonly client: () => RedisClient
  /** Connects to another address, and uses it if that succeeds. Resolves to whether it did. Throws as `connectRedis()`. */
  readonly moveTo: (url: string) => Promise<boolean>
  readonly close: () => void
}

export type RedisClient = Awaited<ReturnType<typeof createRedisClient>>

interface RedisConnectionOptions {
  /** Timeout for a connection, in ms. */
  readonly timeout: number
  readonly onError: (error: unknown) => void
}

/**
 * Connects, and waits for the first success or failure. After a failure, the client keeps trying. Throws a `TypeError` if `url`
 * is not a Redis address. No error contains the address, because it holds the password.
 */
export async function connectRedis(
  url: string,
  { timeout, onError }: RedisConnectionOptions,
): Promise<RedisConnection> {
  async function open(address: string): Promise<RedisClient> {
    const opened = await createRedisClient(address, timeout)
    opened.on('error', onError)
    await firstAttempt(opened)
    return opened
  }
  let client = await open(url)
  let isClosed = false

  return {
    client: () => client,
    async moveTo(address) {
      const next = await open(address)
      if (!next.isReady || isClosed) {
        endConnection(next)
        return false
      }
      try {
        await checkMode(next, timeout)
      } catch (error) {
        endConnection(next)
        throw error
      }
      const previous = client
      client = next
      // Waits for the replies that are due.
      void previous.close().catch(() => endConnection(previous))
      return true
    },
    close() {
      isClosed = true
      endConnection(client)
    },
  }
}

/** Ends a client for good: the library keeps a connection that is established only after `destroy()`. */
function endConnection(client: RedisClient): void {
  client.destroy()
  client.once('connect', () => client.destroy())
}

async function createRedisClient(url: string, connectTimeout: number) {
  // Loaded on demand, because only hosts with several processes need it.
  const { createClient } = await import('@redis/client')
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

function firstAttempt(client: RedisClient): Promise<void> {
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

/** Rejects if the server is part of a Redis Cluster, or a Sentinel. A server that does not report its mode counts as a single one. */
export async function checkMode(client: RedisClient, timeout: number): Promise<void> {
  const facts = await withTimeout(timeout, client.info('server')).catch(() => '')
  const mode = /^redis_mode:(cluster|sentinel)\s*$/m.exec(facts)?.[1]
  if (mode === undefined) return
  const kind = mode === 'cluster' ? 'a Redis Cluster' : 'a Redis Sentinel'
  throw new RedisModeError(
    `leads to ${kind}. Set it to the address of a single Redis server, or of its failover proxy.`,
  )
}

/** Rejects if a reply takes longer than `timeout` ms: a dead connection may look alive. */
export async function withTimeout<T>(timeout: number, reply: Promise<T>): Promise<T> {
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
