import { type Outcome, outcomeLifetime, type OutcomeStore } from '../../idempotency/outcome-store.ts'

/** The commands that the store sends. */
interface RedisClient {
  set(
    key: string,
    value: string,
    options: {
      readonly expiration: { readonly type: 'PX'; readonly value: number }
      readonly condition?: 'NX'
    },
  ): Promise<string | null>
  mGet(keys: string[]): Promise<(string | null)[]>
  del(key: string): Promise<unknown>
}

interface RedisOutcomeStoreOptions {
  /** Prefix of all keys. */
  readonly prefix: string
  /** Returns the current client. */
  readonly client: () => RedisClient
  /** Rejects if a reply takes too long. */
  readonly withTimeout: <T>(reply: Promise<T>) => Promise<T>
  /** Time in ms after which the process that runs a request counts as dead, unless it renews its claim. Default 15 seconds. */
  readonly lease?: number
}

/**
 * Creates a store that several processes share. Beside each request that is running, its process renews a second key. If
 * that has expired, the process has died, and the outcome is unknown.
 */
export function createRedisOutcomeStore({
  prefix,
  client,
  withTimeout,
  lease = 15_000,
}: RedisOutcomeStoreOptions): OutcomeStore {
  const renewals = new Map<string, ReturnType<typeof setInterval>>()

  const keyOf = (id: string) => prefix + id
  const leaseOf = (id: string) => `${prefix}${id}:lease`

  function renew(id: string): Promise<unknown> {
    return withTimeout(client().set(leaseOf(id), '1', { expiration: { type: 'PX', value: lease } }))
  }

  function stopRenewing(id: string): void {
    clearInterval(renewals.get(id))
    renewals.delete(id)
  }

  async function read(id: string): Promise<Outcome | undefined> {
    const [text, isAlive] = await withTimeout(client().mGet([keyOf(id), leaseOf(id)]))
    if (!text) return undefined
    const outcome = JSON.parse(text) as Outcome
    return outcome.state === 'running' && !isAlive ? { ...outcome, state: 'unknown' } : outcome
  }

  return {
    async start(id, _owner, head) {
      // The lease of a process that has died must not be renewed.
      const known = await read(id)
      if (known) return known
      // First the lease: without one, others would take the process for dead.
      await renew(id)
      const outcome: Outcome = { head, state: 'running' }
      const expiration = { type: 'PX', value: outcomeLifetime } as const
      const text = JSON.stringify(outcome)
      const isFirst = await withTimeout(client().set(keyOf(id), text, { expiration, condition: 'NX' }))
      if (!isFirst) return (await read(id)) ?? outcome
      const renewal = setInterval(() => void renew(id).catch(() => {}), lease / 3)
      renewal.unref()
      renewals.set(id, renewal)
      return undefined
    },
    read,
    async finish(id, outcome) {
      stopRenewing(id)
      const expiration = { type: 'PX', value: outcomeLifetime } as const
      await withTimeout(client().set(keyOf(id), JSON.stringify(outcome), { expiration }))
    },
    async forget(id) {
      stopRenewing(id)
      await withTimeout(client().del(keyOf(id)))
    },
  }
}
