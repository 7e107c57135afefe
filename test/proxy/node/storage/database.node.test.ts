import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, it } from 'node:test'
import { type Database, openDatabase, StorageError } from '../../../../src/proxy/node/storage/database.ts'

const schema = 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT'

const closes: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close()
})

function createPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
  closes.push(() => rmSync(folder, { recursive: true }))
  return join(folder, 'notes.db')
}

async function open(path: string, tables = schema): Promise<Database> {
  const database = await openDatabase({ path, schema: tables })
  closes.push(database.close)
  return database
}

const insert = (id: number, text = `note ${id}`) => ({
  sql: 'INSERT INTO notes VALUES (?, ?)',
  values: [id, text],
})
const idsIn = async ({ run }: Database) =>
  (await run({ sql: 'SELECT id FROM notes ORDER BY id', values: [], isRead: true }))[0]?.rows.map(
    ({ id }) => id,
  )

const failsAs = (kind: StorageError['kind']) => (error: unknown) =>
  error instanceof StorageError && error.kind === kind

describe('openDatabase()', () => {
  it('keeps what it has confirmed, and returns rows and the number of changes', async () => {
    const path = createPath()
    const first = await open(path)
    const [added, none] = await first.run(insert(1), { sql: 'DELETE FROM notes WHERE id = 7', values: [] })
    assert.deepEqual([added?.changes, none?.changes], [1, 0])
    await first.close()
    await assert.rejects(first.run(insert(2)), /is closed/)
    assert.deepEqual(await idsIn(await open(path)), [1])
  })

  it('writes the orders that arrive meanwhile in one transaction', async () => {
    const reply =
      'id INTEGER PRIMARY KEY, to_id INTEGER REFERENCES replies (id) DEFERRABLE INITIALLY DEFERRED'
    const { run } = await open(createPath(), `CREATE TABLE replies (${reply}) STRICT`)
    const add = (...values: readonly number[]) => run({ sql: 'INSERT INTO replies VALUES (?, ?)', values })
    // Takes long, so that the next two orders wait.
    const numbers =
      'WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300000)'
    const long = run({ sql: `${numbers} SELECT count(*) FROM numbers`, values: [], isRead: true })
    // A transaction may end only if each reply has the one that it replies to.
    await Promise.all([long, add(1, 2), add(2, 1)])
    await assert.rejects(add(3, 4), /FOREIGN KEY/, 'control: alone')
    await add(5, 1)
  })

  it('carries out an order as a whole or not at all, and no order suffers from another', async () => {
    const database = await open(createPath())
    await database.run(insert(1))
    const results = await Promise.allSettled([
      database.run(insert(2)),
      database.run(insert(3), insert(1)),
      database.run(insert(4)),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(await idsIn(database), [1, 2, 4])
  })

  it('takes orders again as soon as a full disk has space', async () => {
    const database = await open(createPath())
    const { run } = database
    await run({ sql: 'PRAGMA max_page_count = 20', values: [], isRead: true })
    const large = 'x'.repeat(10_000)
    let stored = 0
    const fill = async () => {
      for (;;) {
        await run(insert(stored + 1, large))
        stored++
      }
    }
    await assert.rejects(fill(), /full/)
    assert.ok(stored > 0)
    await assert.rejects(run(insert(1000, large)), /full/, 'still full')
    await run({ sql: 'DELETE FROM notes WHERE id = 1', values: [] })
    await run(insert(1000, large))
    assert.equal((await idsIn(database))?.length, stored)
  })

  it('belongs to one process at a time, and is free after that process was killed', async () => {
    const path = createPath()
    const first = await open(path)
    await assert.rejects(openDatabase({ path, schema }), failsAs('in-use'))
    await first.close()

    const module = new URL('../../../../src/proxy/node/storage/database.ts', import.meta.url)
    const code = `import { openDatabase } from ${JSON.stringify(module.href)}
      const { run } = await openDatabase(${JSON.stringify({ path, schema })})
      await run(${JSON.stringify(insert(1))})
      console.log('stored')
      setInterval(() => {}, 1000)`
    const other = spawn(process.execPath, [...process.execArgv, '--input-type=module', '--eval', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(other.stdout, 'data')
    await assert.rejects(openDatabase({ path, schema }), failsAs('in-use'))
    other.kill('SIGKILL')
    await once(other, 'exit')
    assert.deepEqual(await idsIn(await open(path)), [1])
  })

  it('refuses a damaged file, instead of reading it as shorter', async () => {
    const path = createPath()
    const database = await open(path)
    for (let id = 0; id < 200; id++) await database.run(insert(id, 'x'.repeat(200)))
    await database.close()
    const whole = readFileSync(path)
    const damages: Readonly<Record<string, () => void>> = {
      'that is empty': () => truncateSync(path),
      'that is cut': () => truncateSync(path, whole.length - 4096),
      'that is text': () => writeFileSync(path, 'Hello. '.repeat(1000)),
      'with a page of zeros': () =>
        writeFileSync(
          path,
          Buffer.concat([whole.subarray(0, 8192), Buffer.alloc(4096), whole.subarray(12_288)]),
        ),
    }
    for (const [what, damage] of Object.entries(damages)) {
      writeFileSync(path, whole)
      damage()
      await assert.rejects(openDatabase({ path, schema }), failsAs('damaged'), what)
    }
    writeFileSync(path, whole)
    assert.equal((await idsIn(await open(path)))?.length, 200, 'control')
  })

  it('refuses the tables of another version, and a path that it cannot use', async () => {
    const path = createPath()
    await (await open(path)).close()
    await assert.rejects(open(path, `${schema}; CREATE TABLE more (id INTEGER)`), (error) => {
      assert.match(String(error), /written by another version of Routeslip: its version is \d+\. Use that/)
      return failsAs('other-version')(error)
    })
    assert.deepEqual(await idsIn(await open(path)), [], 'control: the same tables')
    await assert.rejects(open(join(path, 'notes.db')), failsAs('unusable'))
  })

  it('prints no warning, and does not keep the process running', async () => {
    const path = createPath()
    assert.deepEqual(await program(path, `await run(${JSON.stringify(insert(1))})`), [0, '', ''])
    assert.deepEqual(await idsIn(await open(path)), [1])
  })

  it('keeps the process running until it is closed, also if it still works', async () => {
    const closing = `void run(${JSON.stringify(insert(1))})
      await close()
      console.log('closed')`
    assert.deepEqual(await program(createPath(), closing), [0, 'closed\n', ''])
  })
})

/** Runs a program with an open database. Returns its exit code, and what it has printed as output and as errors. */
async function program(path: string, code: string): Promise<readonly [number, string, string]> {
  const module = new URL('../../../../src/proxy/node/storage/database.ts', import.meta.url)
  const whole = `import { openDatabase } from ${JSON.stringify(module.href)}
    const { run, close } = await openDatabase(${JSON.stringify({ path, schema })})
    ${code}`
  const child = spawn(process.execPath, [...process.execArgv, '--input-type=module', '--eval', whole], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let errors = ''
  child.stdout.on('data', (chunk) => (printed += String(chunk)))
  child.stderr.on('data', (chunk) => (errors += String(chunk)))
  const [exitCode] = (await once(child, 'close')) as [number]
  return [exitCode, printed, errors]
}
