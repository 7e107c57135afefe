import {
  largeLifetime,
  largeReply,
  type Outcome,
  type OutcomeLimits,
  outcomeLifetime,
  outcomeLimits,
  type OutcomeStore,
  sizeOf,
} from '../../idempotency/outcome-store.ts'
import { type RedisCommands, redisScript } from './redis-commands.ts'

/** Removes the oldest reply of a person whose set is `own`. Returns whether there was one. */
const dropReply = `
local function dropReply(prefix, own)
  for _, id in ipairs(redis.call('ZRANGE', own, 0, -1)) do
    local text = redis.call('GET', prefix .. id)
    if not text then redis.call('ZREM', own, id)
    elseif string.find(text, '"state":"done"', 1, true) then
      redis.call('DEL', prefix .. id)
      redis.call('ZREM', own, id)
      return true
    end
  end
  return false
end`

/**
 * Arguments: prefix, id, owner, outcome, lifetime in ms, time in ms, maximum per owner. Returns the outcome that the id already
 * has, 1 if the request has been recorded, or 0 if the owner has too many without a known outcome.
 */
const startScript = redisScript(`${dropReply}
local prefix, id, max = ARGV[1], ARGV[2], tonumber(ARGV[7])
local own = prefix .. 'of:' .. ARGV[3]
local known = redis.call('GET', prefix .. id)
if known then return known end
if redis.call('ZCARD', own) >= max then
  for _, other in ipairs(redis.call('ZRANGE', own, 0, -1)) do
    if redis.call('EXISTS', prefix .. other) == 0 then redis.call('ZREM', own, other) end
  end
  if redis.call('ZCARD', own) >= max and not dropReply(prefix, own) then return 0 end
end
redis.call('SET', prefix .. id, ARGV[4], 'PX', ARGV[5])
redis.call('ZADD', own, ARGV[6], id)
redis.call('PEXPIRE', own, ARGV[5])
return 1`)

/** Arguments: prefix, id, owner, outcome, lifetime in ms, maximum size of all outcomes of the owner in bytes. */
const finishScript = redisScript(`${dropReply}
local prefix, id, max = ARGV[1], ARGV[2], tonumber(ARGV[6])
local own = prefix .. 'of:' .. ARGV[3]
redis.call('SET', prefix .. id, ARGV[4], 'PX', ARGV[5])
local function total()
  local sum = 0
  for _, other in ipairs(redis.call('ZRANGE', own, 0, -1)) do sum = sum + redis.call('STRLEN', prefix .. other) end
  return sum
end
while total() > max and dropReply(prefix, own) do end
return 1`)

interface RedisOutcomeStoreOptions {
  /** Prefix of all keys. */
  readonly prefix: string
  readonly commands: RedisCommands
  /** Time in ms after which the process that runs a request counts as dead, unless it renews its claim. Default 15 seconds. */
  readonly lease?: number
  /** Default: those of `createOutcomeStore()`. The number of all outcomes has no limit. */
  readonly limits?: OutcomeLimits
}

/**
 * Creates a store that several processes share. Beside each request that is running, its process renews a second key. If
 * that has expired, the process has died, and the outcome is unknown.
 */
export function createRedisOutcomeStore({
  prefix,
  commands: { client, reply, run },
  lease = 15_000,
  limits: { maxPerOwner, maxSizePerOwner } = outcomeLimits,
}: RedisOutcomeStoreOptions): OutcomeStore {
  /** The requests that this process runs. */
  const running = new Map<
    string,
    { readonly owner: string; readonly renewal: ReturnType<typeof setInterval> }
  >()

  const leaseOf = (id: string) => `${prefix}${id}:lease`

  function renew(id: string): Promise<unknown> {
    return reply(client().set(leaseOf(id), '1', { expiration: { type: 'PX', value: lease } }))
  }

  /** Returns the owner of the request. */
  function stopRenewing(id: string): string {
    const { owner = '', renewal } = running.get(id) ?? {}
    clearInterval(renewal)
    running.delete(id)
    return owner
  }

  async function read(id: string): Promise<Outcome | undefined> {
    const [text, isAlive] = await reply(client().mGet([prefix + id, leaseOf(id)]))
    if (!text) return undefined
    const outcome = JSON.parse(text) as Outcome
    return outcome.state === 'running' && !isAlive ? { ...outcome, state: 'unknown' } : outcome
  }

  return {
    async start(id, owner, head) {
      // The lease of a process that has died must not be renewed.
      const known = await read(id)
      if (known) return known
      // First the lease: without one, others would take the process for dead.
      await renew(id)
      const outcome: Outcome = { head, state: 'running' }
      const facts = [JSON.stringify(outcome), outcomeLifetime, Date.now(), maxPerOwner]
      const result = await run(startScript, prefix, id, owner, ...facts)
      if (result === 0) throw new Error('Too many requests have no known outcome')
      if (result !== 1) return (await read(id)) ?? outcome
      const renewal = setInterval(() => void renew(id).catch(() => {}), lease / 3)
      renewal.unref()
      running.set(id, { owner, renewal })
      return undefined
    },
    read,
    async finish(id, outcome) {
      const owner = stopRenewing(id)
      const lifetime = sizeOf(outcome) > largeReply ? largeLifetime : outcomeLifetime
      await run(finishScript, prefix, id, owner, JSON.stringify(outcome), lifetime, maxSizePerOwner)
    },
    async forget(id) {
      const owner = stopRenewing(id)
      await reply(client().del(prefix + id))
      await reply(client().zRem(`${prefix}of:${owner}`, id))
    },
  }
}
