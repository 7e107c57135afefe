import { setTimeout as sleep } from 'node:timers/promises'
import { createSlots, type Slots } from '../../admission/slots.ts'
import { ProxyError } from '../../http/problem.ts'
import { refusals } from '../../http/refusals.ts'
import { type RedisCommands, redisScript } from './redis-commands.ts'

/** Arguments: key, token, time in ms for which it stays valid, or 0 to end it. Only its holder renews or ends a lock. */
const renewScript = redisScript(`
if redis.call('GET', ARGV[1]) ~= ARGV[2] then return 0 end
if ARGV[3] == '0' then return redis.call('DEL', ARGV[1]) end
return redis.call('PEXPIRE', ARGV[1], ARGV[3])`)

interface RedisEntryTurnsOptions {
  /** Prefix of all keys. */
  readonly prefix: string
  readonly commands: RedisCommands
  /** Time in ms after which the lock of a process that has died ends. */
  readonly lease: number
  /** Maximum time in ms that a change waits for another one. Default 30 seconds. */
  readonly wait?: number
}

/**
 * Creates places for one change of the entry of a package at a time, in all processes. Those of one process take turns in it, so
 * that only the first of them asks Redis. Rejects while Redis does not reply: a change in another process could be lost.
 */
export function createRedisEntryTurns({
  prefix,
  commands: { client, reply, run },
  lease,
  wait = 30_000,
}: RedisEntryTurnsOptions): Pick<Slots, 'take'> {
  const local = createSlots({ perHolder: 1, wait })

  async function lock(key: string, token: string): Promise<boolean> {
    const options = { condition: 'NX', expiration: { type: 'PX', value: lease } } as const
    return (await reply(client().set(key, token, options))) !== null
  }

  return {
    async take(request) {
      const begin = performance.now()
      const leave = await local.take(request)
      const key = prefix + request.holder
      const token = crypto.randomUUID()
      try {
        while (!(await lock(key, token))) {
          if (request.signal?.aborted) throw refusals.interrupted()
          if (performance.now() - begin > wait) throw refusals.tooBusy()
          await sleep(retryDelay)
        }
      } catch (error) {
        leave()
        throw error instanceof ProxyError ? error : refusals.cannotRunOnce(error)
      }
      const renewal = setInterval(() => void run(renewScript, key, token, lease).catch(() => {}), lease / 3)
      renewal.unref()
      return () => {
        clearInterval(renewal)
        run(renewScript, key, token, 0).catch(() => {})
        leave()
      }
    },
  }
}

/** Time in ms after which a lock is tried again that another process holds. */
const retryDelay = 50
