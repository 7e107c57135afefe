import type { IndexChanges, ListChange } from '../../desk/package-index.ts'
import type { RedisCommands } from './redis-commands.ts'

/** Changes of an index, in a stream that all processes follow. */
export interface RedisChanges extends IndexChanges {
  /** Name of the stream. */
  readonly key: string
  readonly receive: (message: Readonly<Record<string, string>>) => void
}

interface RedisChangesOptions extends Pick<RedisChanges, 'key'> {
  readonly commands: RedisCommands
  readonly onError: (error: unknown) => void
}

/** Carries changes to all processes. While Redis does not reply, they stay in this process. */
export function createRedisChanges({
  key,
  commands: { client, reply },
  onError,
}: RedisChangesOptions): RedisChanges {
  const listeners = new Set<(change: ListChange) => void>()

  function deliver(change: ListChange): void {
    for (const listener of listeners) listener(change)
  }

  async function send({ hint, people }: ListChange): Promise<void> {
    const fields = { f: String(hint.formId), p: String(hint.packageId), people: people.join(' ') }
    // Nobody reads older ones.
    const TRIM = { strategy: 'MINID', strategyModifier: '=', threshold: Date.now() - lifetime } as const
    await reply(client().multi().xAdd(key, '*', fields, { TRIM }).pExpire(key, lifetime).exec())
  }

  return {
    key,
    publish(change) {
      send(change).catch((error: unknown) => {
        onError(error)
        deliver(change)
      })
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    receive({ f, p, people = '' }) {
      deliver({
        hint: { formId: Number(f), packageId: Number(p) },
        people: people.split(' ').filter((univid) => univid !== ''),
      })
    },
  }
}

/** In ms. */
const lifetime = 60_000
