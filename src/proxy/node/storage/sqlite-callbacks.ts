import { createHash } from 'node:crypto'
import {
  type CallbackStore,
  memorySeconds,
  type StoredCallback,
  type UnverifiedCallback,
  type UnverifiedStore,
} from '../../callbacks/callback-store.ts'
import type { LockStore, StoredLock } from '../../locks/lock-store.ts'
import type { Database } from './database.ts'
import type { Outcome, Statement } from './database-messages.ts'

/** A callback store on disk. */
interface SqliteCallbacks extends CallbackStore {
  readonly unverified: UnverifiedStore
  readonly locks: LockStore
  /** Ends the removal of old ids. */
  readonly endCleaning: () => void
}

/** Times are in ms since 1970. A callback without `due_at` is a dead letter. */
export const callbacksSchema = `
  CREATE TABLE callbacks (
    id TEXT PRIMARY KEY, body BLOB NOT NULL, form_id INTEGER NOT NULL, package_id INTEGER NOT NULL,
    sequence INTEGER NOT NULL, received_at REAL NOT NULL, attempts INTEGER NOT NULL, due_at REAL, last_error TEXT
  ) STRICT;
  CREATE TABLE finished (id TEXT PRIMARY KEY, finished_at REAL NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE unverified (id TEXT PRIMARY KEY, body BLOB NOT NULL, signature BLOB NOT NULL) STRICT;
  CREATE TABLE locks (
    form_id INTEGER, package_id INTEGER, lock_id INTEGER NOT NULL, facts TEXT NOT NULL, PRIMARY KEY (form_id, package_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE checks (id INTEGER PRIMARY KEY, at REAL NOT NULL) STRICT`

/** Creates a store that keeps callbacks and locks in a database. */
export async function createSqliteCallbacks(database: Database, now: () => number): Promise<SqliteCallbacks> {
  async function write(sql: string, ...values: Statement['values']): Promise<number> {
    const [outcome] = await database.run({ sql, values })
    return outcome?.changes ?? 0
  }

  async function read(sql: string, ...values: Statement['values']): Promise<Outcome['rows']> {
    const [outcome] = await database.run({ sql, values, isRead: true })
    return outcome?.rows ?? []
  }

  /** Forgets the ids of callbacks that have taken effect more than seven days ago. */
  const removeOld = () => write('DELETE FROM finished WHERE finished_at <= ?', now() - memorySeconds * 1000)
  const cleaning = setInterval(() => void removeOld().catch(() => {}), cleaningInterval)
  cleaning.unref()
  await removeOld()

  return {
    isDurable: true,
    async add({ id, body, formId, packageId, sequence, receivedAt, progress }) {
      const { attempts, dueAt, lastError } = progress
      const changes = await write(
        `INSERT INTO callbacks
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
           WHERE NOT EXISTS (SELECT 1 FROM callbacks WHERE id = ?1 AND due_at IS NOT NULL)
             AND NOT EXISTS (SELECT 1 FROM finished WHERE id = ?1 AND finished_at > ?10)
         ON CONFLICT (id) DO UPDATE SET
           body = excluded.body, sequence = excluded.sequence, received_at = excluded.received_at,
           attempts = excluded.attempts, due_at = excluded.due_at, last_error = excluded.last_error`,
        ...[id, body, formId, packageId, sequence, receivedAt, attempts, dueAt, lastError],
        now() - memorySeconds * 1000,
      )
      return changes > 0
    },
    async update(id, { attempts, dueAt, lastError }) {
      const sql = 'UPDATE callbacks SET attempts = ?, due_at = ?, last_error = ? WHERE id = ?'
      await write(sql, attempts, dueAt, lastError, id)
    },
    async finish(id) {
      await database.run(
        { sql: 'DELETE FROM callbacks WHERE id = ?', values: [id] },
        { sql: 'INSERT OR REPLACE INTO finished VALUES (?, ?)', values: [id, now()] },
      )
    },
    async read(id) {
      const [row] = await read('SELECT * FROM callbacks WHERE id = ?', id)
      return row && { ...callbackIn(row), body: bytesIn(row['body']) }
    },
    async list() {
      const columns = 'id, form_id, package_id, sequence, received_at, attempts, due_at, last_error'
      return (await read(`SELECT ${columns} FROM callbacks ORDER BY sequence`)).map(callbackIn)
    },
    async waiting() {
      const [row] = await read(
        'SELECT min(CASE WHEN due_at IS NULL THEN NULL ELSE received_at END) AS oldest, sum(due_at IS NULL) AS dead FROM callbacks',
      )
      return {
        oldest: (row?.['oldest'] ?? undefined) as number | undefined,
        dead: Number(row?.['dead'] ?? 0),
      }
    },
    async check() {
      await write('INSERT OR REPLACE INTO checks VALUES (1, ?)', now())
    },
    unverified: {
      async add(callback) {
        const { body, signature } = callback
        await write(
          'INSERT OR REPLACE INTO unverified VALUES (?, ?, ?)',
          unverifiedId(callback),
          body,
          signature,
        )
      },
      async remove(callback) {
        await write('DELETE FROM unverified WHERE id = ?', unverifiedId(callback))
      },
      async list() {
        return (await read('SELECT body, signature FROM unverified')).map(({ body, signature }) => ({
          body: bytesIn(body),
          signature: bytesIn(signature),
        }))
      },
    },
    locks: {
      async put(lock) {
        const { formId, packageId, lockId } = lock
        const sql = 'INSERT OR REPLACE INTO locks VALUES (?, ?, ?, ?)'
        await write(sql, formId, packageId, lockId, JSON.stringify(lock))
      },
      async get({ formId, packageId }) {
        const sql = 'SELECT facts FROM locks WHERE form_id = ? AND package_id = ?'
        return (await read(sql, formId, packageId)).map(lockIn)[0]
      },
      async remove({ formId, packageId, lockId }) {
        const sql = 'DELETE FROM locks WHERE form_id = ? AND package_id = ? AND lock_id = ?'
        await write(sql, formId, packageId, lockId)
      },
      async list() {
        return (await read('SELECT facts FROM locks')).map(lockIn)
      },
    },
    endCleaning: () => clearInterval(cleaning),
  }
}

type Row = Outcome['rows'][number]

function callbackIn(row: Row): Omit<StoredCallback, 'body'> {
  return {
    id: row['id'] as string,
    formId: row['form_id'] as number,
    packageId: row['package_id'] as number,
    sequence: row['sequence'] as number,
    receivedAt: row['received_at'] as number,
    progress: {
      attempts: row['attempts'] as number,
      dueAt: row['due_at'] as number | null,
      lastError: row['last_error'] as string | null,
    },
  }
}

function lockIn({ facts }: Row): StoredLock {
  return JSON.parse(facts as string) as StoredLock
}

/** Returns bytes in a buffer of their own. */
function bytesIn(value: Row[string] | undefined): Uint8Array<ArrayBuffer> {
  return new Uint8Array(value as Uint8Array)
}

function unverifiedId({ body, signature }: UnverifiedCallback): string {
  return createHash('sha256').update(signature).update(body).digest('hex')
}

/** Time between two removals of old ids, in ms: one hour. */
const cleaningInterval = 60 * 60_000
