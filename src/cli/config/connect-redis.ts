import { createRedis, type Redis, RedisModeError, type RedisOptions } from '../../proxy/node/index.ts'
import { ConfigError } from './config-error.ts'
import type { MountConfig, ProxyConfig } from './proxy-config.ts'

/** Connects to the Redis of `REDIS_URL`. Throws `ConfigError`, without the address, if it cannot be used. */
export async function connectRedis(url: string, options: RedisOptions): Promise<Redis> {
  try {
    return await createRedis(url, options)
  } catch (cause) {
    if (cause instanceof RedisModeError) throw new ConfigError(`REDIS_URL ${cause.message}`, { cause })
    throw new ConfigError(
      'REDIS_URL is not usable. Set it to redis[s]://[[user]:password@]host[:port][/database].',
      { cause },
    )
  }
}

/** The stores that several proxies share, and the mount to which they belong. */
interface SharedMount {
  readonly mount: MountConfig
  readonly redis: Redis
}

/** Gives a command access to what several proxies share, which may be running. Throws `ConfigError` if Redis does not reply. */
export async function withRedis<T>(
  { redisUrl, redisPrefix }: { readonly redisUrl: string } & Pick<ProxyConfig, 'redisPrefix'>,
  mounts: readonly MountConfig[],
  use: (shared: readonly SharedMount[]) => Promise<T>,
): Promise<T> {
  const shared: SharedMount[] = []
  try {
    for (const mount of mounts) {
      const { env, basePath } = mount
      const redis = await connectRedis(redisUrl, { env, basePath, prefix: redisPrefix, log: () => {} })
      shared.push({ mount, redis })
      if (redis.bus.isConnected?.() === false)
        throw new ConfigError('REDIS_URL: Redis does not reply. Check the address, and that it is running.')
    }
    return await use(shared)
  } finally {
    for (const { redis } of shared) await redis.close()
  }
}
