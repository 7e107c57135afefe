import { createLocalLimiter, type Limiter, secondsUntil } from '../../admission/limiter.ts'
import { type RedisCommands, redisScript } from './redis-commands.ts'
import type { RedisProcess } from './redis-process.ts'

/** Arguments: key, prefix of leases, place, maximum. Places of processes that have died are free. Returns 1 if it was taken. */
const holdScript = redisScript(`
local key, leases, place, max = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local count = 0
for _, other in ipairs(redis.call('SMEMBERS', key)) do
  if redis.call('EXISTS', leases .. string.match(other, '^(.*) ')) == 1 then count = count + 1
  else redis.call('SREM', key, other) end
end
if count >= max then return 0 end
redis.call('SADD', key, place)
redis.call('PEXPIRE', key, 86400000)
return 1`)

/** Arguments: key, maximum, window in ms. Returns 0, or the ms until the next time. The list holds times, oldest first. */
const countScript = redisScript(`
local key, max, window = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local oldest = redis.call('LINDEX', key, 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', key)
  oldest = redis.call('LINDEX', key, 0)
end
if redis.call('LLEN', key) >= max then return math.max(1, oldest + window - now) end
redis.call('RPUSH', key, string.format('%.0f', now))
redis.call('PEXPIRE', key, window)
return 0`)

interface RedisLimiterOptions {
  /** Prefix of all keys. */
  readonly prefix: string
  readonly commands: RedisCommands
  readonly process: RedisProcess
}

/**
 * Creates a limiter that several processes share. While Redis does not reply, each of them counts by itself. Places of a
 * process are free when its lease has ended.
 */
export function createRedisLimiter({
  prefix,
  commands: { client, reply, run },
  process,
}: RedisLimiterOptions): Limiter {
  const local = createLocalLimiter()
  /** Places that could not be given back yet. */
  const unreturned = new Map<string, string>()
  let lastPlace = 0

  async function giveBack(place: string, key: string): Promise<void> {
    unreturned.set(place, key)
    await reply(client().sRem(key, place))
    unreturned.delete(place)
  }

  process.onRenewal(async () => {
    for (const [place, key] of unreturned) await giveBack(place, key)
  })

  return {
    async hold(limit, person, max) {
      const release = await local.hold(limit, person, max)
      if (!release) return undefined
      const key = `${prefix}${limit}:${person}`
      const place = `${process.id} ${++lastPlace}`
      const isTaken = await run(holdScript, key, process.leases, place, max).catch(() => undefined)
      if (isTaken === 0) {
        release()
        return undefined
      }
      let isHeld = true
      return () => {
        release()
        // Without a reply, it may have been taken all the same.
        if (isHeld) giveBack(place, key).catch(() => {})
        isHeld = false
      }
    },
    async count(limit, person, max, window) {
      const wait = await run(countScript, `${prefix}${limit}:${person}`, max, window).catch(() => undefined)
      if (wait === undefined) return await local.count(limit, person, max, window)
      return wait === 0 ? 0 : secondsUntil(Number(wait))
    },
  }
}
