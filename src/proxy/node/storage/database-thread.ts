// Runs in a thread of its own, because SQLite blocks until the disk has taken what is written.
import { createHash } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { DatabaseFile, Order, Outcome, Statement, StorageFailure } from './database-messages.ts'

const { path, schema } = workerData as DatabaseFile
const port = parentPort!
const version = versionOf(schema)

/** Opens the file. Throws a `FileFailure`, or an error of the system or of SQLite. */
function open(): DatabaseSync {
  if (!existsSync(path)) create()
  // SQLite takes an empty file for a new database.
  if (statSync(path).size === 0) throw new FileFailure('damaged', 'it is empty')
  const database = new DatabaseSync(path)
  try {
    // The lock stays until the file is closed or the process ends.
    database.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL',
    )
    database.exec('BEGIN EXCLUSIVE; COMMIT')
    const [found] = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})
    if (found !== 'ok') throw new FileFailure('damaged', String(found))
    const known = database.prepare('PRAGMA user_version').get()?.['user_version']
    if (known !== version) throw new FileFailure('other-version', `its version is ${String(known)}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Creates the file with its tables under another name, so that it is whole as soon as it exists. */
function create(): void {
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  const database = new DatabaseSync(draft)
  database.exec(`BEGIN; ${schema}; PRAGMA user_version = ${version}; COMMIT`)
  database.close()
  try {
    // Unlike a renamed file, a link never replaces the file of another process that starts now.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** Different tables have different versions. */
function versionOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() >>> 1
}

/** The file cannot be used for this reason. */
class FileFailure extends Error {
  readonly kind: StorageFailure['kind']

  constructor(kind: StorageFailure['kind'], detail: string) {
    super(detail)
    this.kind = kind
  }
}

function run(database: DatabaseSync): void {
  const prepared = new Map<string, StatementSync>()

  function execute({ sql, values, isRead }: Statement): Outcome {
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, statement)
    return isRead
      ? { rows: statement.all(...values), changes: 0 }
      : { rows: [], changes: Number(statement.run(...values).changes) }
  }

  function inTransaction<T>(work: () => T): T {
    database.exec('BEGIN')
    try {
      const result = work()
      database.exec('COMMIT')
      return result
    } catch (error) {
      // After some errors, such as a full disk, SQLite has ended the transaction itself.
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  /** One transaction for all orders: a flush costs as much for a hundred. If it fails, each is tried alone. */
  function carryOut(orders: readonly Order[]): readonly (readonly Outcome[] | { readonly error: string })[] {
    try {
      return inTransaction(() => orders.map((statements) => statements.map(execute)))
    } catch {
      return orders.map((statements) => {
        try {
          return inTransaction(() => statements.map(execute))
        } catch (error) {
          return { error: String(error) }
        }
      })
    }
  }

  port.on('message', (first: Order | 'close') => {
    const orders: Order[] = []
    let isClosing = false
    for (let next: Order | 'close' | undefined = first; next !== undefined; next = waiting()) {
      if (next === 'close') isClosing = true
      else orders.push(next)
    }
    for (const outcome of orders.length > 0 ? carryOut(orders) : []) port.postMessage(outcome)
    if (!isClosing) return
    database.close()
    port.close()
  })
}

function waiting(): Order | 'close' | undefined {
  const received: { message: Order | 'close' } | undefined = receiveMessageOnPort(port)
  return received?.message
}

try {
  const database = open()
  run(database)
  port.postMessage('ready')
} catch (error) {
  port.postMessage({ failure: failureIn(error) })
  port.close()
}

/** Codes of SQLite: the file is locked, is damaged, or holds no database. */
function failureIn(error: unknown): StorageFailure {
  const { message: detail, errcode } = error as Error & { readonly errcode?: number }
  if (error instanceof FileFailure) return { kind: error.kind, detail }
  if (errcode === 5) return { kind: 'in-use', detail }
  return { kind: errcode === 11 || errcode === 26 ? 'damaged' : 'unusable', detail }
}
