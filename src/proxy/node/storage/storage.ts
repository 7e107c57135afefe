import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CallbackStore, UnverifiedStore } from '../../callbacks/callback-store.ts'
import { outcomeLimits, type OutcomeStore } from '../../idempotency/outcome-store.ts'
import type { PackageIndex } from '../../desk/package-index.ts'
import type { LockStore } from '../../locks/lock-store.ts'
import { makeFolder } from './make-folder.ts'
import { openDatabase, StorageError } from './database.ts'
import { callbacksSchema, createSqliteCallbacks } from './sqlite-callbacks.ts'
import { createSqliteIndex, indexSchema } from './sqlite-index.ts'
import { createSqliteOutcomes, outcomesSchema } from './sqlite-outcomes.ts'

/** Options of `openStorage()`. */
export interface StorageOptions {
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
}

/** What a proxy of one process keeps on its disk: the `storage` of `createProxy()`. */
export interface Storage {
  /** Keeps callbacks and open locks. */
  readonly callbackStore: CallbackStore & { readonly unverified: UnverifiedStore; readonly locks: LockStore }
  /** Remembers the outcomes of changes. */
  readonly outcomeStore: OutcomeStore
  /** Empty unless the proxy keeps lists. */
  readonly packageIndex: PackageIndex
  /** Waits for all operations and unlocks the folder. */
  readonly close: () => Promise<void>
}

/**
 * Opens a folder that keeps callbacks, locks, the outcomes of changes and the index of known packages in a SQLite file, and creates it if it does not exist.
 * What is stored is flushed to the disk before a promise resolves, so it survives a loss of power. Rejects if another process
 * uses the folder, or if it is not readable.
 */
export async function openStorage(folder: string, { now = Date.now }: StorageOptions = {}): Promise<Storage> {
  // The database of the first version was a folder of many files.
  if (existsSync(join(folder, 'CURRENT')))
    throw new StorageError({ kind: 'first-version', detail: '' }, folder)
  makeFolder(folder, 0o700)
  const schema = [callbacksSchema, outcomesSchema, indexSchema].join(';')
  const database = await openDatabase({ path: join(folder, 'routeslip.db'), schema })
  const { endCleaning, ...callbackStore } = await createSqliteCallbacks(database, now)
  return {
    callbackStore,
    outcomeStore: await createSqliteOutcomes(database, { ...outcomeLimits, now }),
    packageIndex: createSqliteIndex(database),
    async close() {
      endCleaning()
      await database.close()
    },
  }
}
