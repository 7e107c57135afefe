import { createRedis, type Redis, RedisModeError, type RedisOptions } from '../../proxy/node/index.ts'
import { ConfigError } from './config-error.ts'

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
