import type { RedisCommands } from './redis-commands.ts'

/** This process among those that share a Redis. */
export interface RedisProcess {
  readonly id: string
  /** Resolves when it has a lease, or Redis does not reply. */
  readonly entered: Promise<void>
  /** Prefix of the leases. While a process lives, a key with this prefix and its id exists. */
  readonly leases: string
  /** Time in ms for which a lease is valid after it was renewed. */
  readonly lease: number
  /** Calls a function after each renewal. If it rejects, Redis does not reply; it is called again after the next. */
  readonly onRenewal: (listener: () => Promise<void>) => void
  /** Of these processes, returns those that had no lease now and at the previous call. */
  readonly findDead: (ids: readonly string[]) => Promise<readonly string[]>
  /** Ends the lease, so that other processes take over at once. */
  readonly leave: () => Promise<void>
}

interface RedisProcessOptions {
  readonly prefix: string
  readonly commands: RedisCommands
  /** Default 15 seconds. */
  readonly lease?: number
}

/** Enters this process, and renews its lease until it leaves. */
export function createRedisProcess({
  prefix,
  commands: { client, reply },
  lease = 15_000,
}: RedisProcessOptions): RedisProcess {
  const id = crypto.randomUUID()
  const listeners: (() => Promise<void>)[] = []
  let missing: ReadonlySet<string> = new Set()
  let renewing: Promise<void> | undefined
  let hasLeft = false

  async function renew(): Promise<void> {
    try {
      const expiration = { type: 'PX', value: lease } as const
      await reply(client().set(prefix + id, '1', { expiration }))
      for (const listener of listeners) await listener()
    } catch {
      // The connection logs outages.
    }
  }
  /** One at a time: a listener may take long. */
  const beat = () => {
    if (!hasLeft) renewing ??= renew().finally(() => (renewing = undefined))
  }
  const timer = setInterval(beat, lease / 3)
  timer.unref()
  beat()

  return {
    id,
    entered: renewing ?? Promise.resolve(),
    leases: prefix,
    lease,
    onRenewal: (listener) => void listeners.push(listener),
    async findDead(ids) {
      const others = ids.filter((other) => other !== id)
      if (others.length === 0) return []
      const leases = await reply(client().mGet(others.map((other) => prefix + other)))
      const without = others.filter((_, index) => leases[index] === null)
      // After a restart of Redis, living processes have to renew theirs first.
      const dead = without.filter((other) => missing.has(other))
      missing = new Set(without)
      return dead
    },
    async leave() {
      if (hasLeft) return
      hasLeft = true
      clearInterval(timer)
      await renewing
      await reply(client().del(prefix + id)).catch(() => {})
    },
  }
}
