import type { StopReference } from '../../contract/schemas/history.ts'
import { type Hint, packageKey } from '../changes/bus.ts'

/** A lock that a callback has named. */
export interface StoredLock extends Hint {
  readonly lockId: number
  readonly stop: StopReference | null
  /** Local date-time at which the service has created the callback, if it names one. */
  readonly createdAt: string | null
  /** Time of arrival of the callback, in ms since 1970. */
  readonly receivedAt: number
}

/** Keeps the latest lock of each package. A package waits at one stop, so it has at most one. */
export interface LockStore {
  /** Stores a lock in place of an earlier one of its package. Resolves when it is safe. */
  readonly put: (lock: StoredLock) => Promise<void>
  readonly get: (hint: Hint) => Promise<StoredLock | undefined>
  /** Removes a lock, but no later one of its package. Both are one atomic step. */
  readonly remove: (lock: Pick<StoredLock, keyof Hint | 'lockId'>) => Promise<void>
  readonly list: () => Promise<readonly StoredLock[]>
}

/** Creates a store in memory. Its locks are forgotten when the process ends. */
export function createMemoryLockStore(): LockStore {
  const locks = new Map<string, StoredLock>()
  return {
    put: (lock) => Promise.resolve(void locks.set(packageKey(lock), lock)),
    get: (hint) => Promise.resolve(locks.get(packageKey(hint))),
    remove(lock) {
      const key = packageKey(lock)
      if (locks.get(key)?.lockId === lock.lockId) locks.delete(key)
      return Promise.resolve()
    },
    list: () => Promise.resolve([...locks.values()]),
  }
}
