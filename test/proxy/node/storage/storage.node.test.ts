import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, it } from 'node:test'
import { DatabaseSync } from 'node:sqlite'
import type { FormFilter } from '../../../../src/proxy/desk/package-index.ts'
import { openDatabase } from '../../../../src/proxy/node/storage/database.ts'
import { callbacksSchema } from '../../../../src/proxy/node/storage/sqlite-callbacks.ts'
import { outcomesSchema } from '../../../../src/proxy/node/storage/sqlite-outcomes.ts'
import { createMemoryCallbackStore } from '../../../../src/proxy/callbacks/callback-store.ts'
import { openStorage } from '../../../../src/proxy/node/storage/storage.ts'
import { doneWith, testOutcomes } from '../../idempotency/outcome-contract.ts'
import { storedCallback as callback, testStore } from '../../callbacks/store-contract.ts'

const day = 24 * 60 * 60_000
const closes: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close()
})

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
  closes.push(() => rmSync(folder, { recursive: true }))
  return folder
}

async function openAll(folder: string, now?: () => number) {
  const storage = await openStorage(folder, { ...(now && { now }) })
  closes.push(storage.close)
  return storage
}

/** Opens the callbacks of a folder. */
async function open(folder: string, now?: () => number) {
  const { callbackStore, close } = await openAll(folder, now)
  return { ...callbackStore, close }
}

describe('openStorage()', () => {
  it('returns each callback byte for byte after it is opened again, in the order of arrival', async () => {
    const folder = createFolder()
    const first = await open(folder)
    for (const [id, sequence] of [
      ['c', 1],
      ['a', 2],
      ['b', 3],
    ] as const) {
      assert.equal(await first.add(callback(id, sequence)), true)
    }
    const progress = { attempts: 2, dueAt: 9, lastError: 'Error: down' }
    await first.update('a', progress)
    await first.finish('c')
    await first.close()
    const second = await open(folder)
    assert.deepEqual(
      (await second.list()).map(({ id }) => id),
      ['a', 'b'],
    )
    assert.deepEqual(await second.read('a'), { ...callback('a', 2), progress })
    assert.equal(await second.read('c'), undefined)
    assert.equal(await second.add(callback('c')), false, 'it has taken effect')
  })

  it('checks that it can write', async () => {
    const store = await open(createFolder())
    await store.check?.()
    assert.deepEqual(await store.list(), [])
    await store.close()
    await assert.rejects(async () => await store.check?.())
  })

  it('keeps what cannot be verified and the locks apart, after it is opened again too', async () => {
    const folder = createFolder()
    const first = await open(folder)
    const one = { body: new Uint8Array([0, 255]), signature: new Uint8Array([1]) }
    const other = { body: new Uint8Array([1]), signature: new Uint8Array([0, 255]) }
    const lock = { formId: 1, packageId: 2, lockId: 3, stop: null, createdAt: null, receivedAt: 5 }
    await first.unverified.add(one)
    await first.unverified.add(other)
    await first.unverified.add(other)
    await first.locks.put(lock)
    await first.add(callback('a'))
    await first.add(callback('z'))
    await first.finish('z')
    await first.check?.()
    await first.close()
    const second = await open(folder)
    assert.deepEqual(
      (await second.list()).map(({ id }) => id),
      ['a'],
    )
    assert.deepEqual(
      (await second.unverified.list()).toSorted((a, b) => b.body.length - a.body.length),
      [one, other],
    )
    assert.deepEqual(await second.locks.list(), [lock])
  })

  it('belongs to one process', async () => {
    const folder = createFolder()
    await open(folder)
    await assert.rejects(openStorage(folder), /in use by another process/)
  })

  it('refuses a folder of the first version, and says what to do', async () => {
    const folder = createFolder()
    writeFileSync(join(folder, 'CURRENT'), 'MANIFEST-000001')
    await assert.rejects(
      openStorage(folder),
      /Let that version run until "routeslip callbacks" lists none, then move/,
    )
  })

  it('opens a file whose index has no stops, and has them read', async () => {
    const folder = createFolder()
    const schema = [callbacksSchema, outcomesSchema, indexWithoutStops].join(';')
    const earlier = await openDatabase({ path: join(folder, 'routeslip.db'), schema })
    const values = (id: number, state: string) => [6025, id, state, '10000001', 'd', 1, 5, 1e12, 0]
    const columns = 'form_id, package_id, state, initiator, digest, learnt_at, changed_at, due_at, requests'
    const sql = `INSERT INTO packages (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
    await earlier.run(
      { sql, values: values(1, 'ROUTING') },
      { sql, values: values(2, 'COMPLETE') },
      { sql: "INSERT INTO holders VALUES (6025, 1, '10000002', 5, NULL)", values: [] },
    )
    await earlier.close()

    const { packageIndex, close } = await openAll(folder)
    const find = async () => (await packageIndex.find({ formId: 6025, packageId: 1 }))?.holders
    const holder = { person: '10000002', received: null, stop: null, stopName: null, office: null }
    assert.deepEqual(
      (await find())?.map((one) => ({ ...one })),
      [holder],
    )
    const due = await packageIndex.due(1000, 10)
    assert.deepEqual(
      due.map(({ packageId }) => packageId),
      [1],
    )
    const found = { ...holder, stop: 1, stopName: 'Advisor', office: '05-0100' }
    await packageIndex.record(due.map((pkg) => ({ pkg, holders: [found] })))
    await close()
    const { packageIndex: again } = await openAll(folder)
    const form = { view: 'form', person: '10000009', forms: [6025], limit: 9 } as const
    const listed = async (filter?: FormFilter) =>
      (await again.list({ ...form, filter })).candidates.map(({ packageId }) => packageId)
    assert.deepEqual([await listed(), await listed({ stop: 1, office: '05-0100' })], [[2, 1], [1]])
  })

  it('rejects a path that is a file', async () => {
    const path = join(createFolder(), 'file')
    writeFileSync(path, '')
    await assert.rejects(openStorage(path))
  })
})

/** The tables of the index before its holders had stops. */
const indexWithoutStops = `
  CREATE TABLE packages (
    form_id INTEGER NOT NULL, package_id INTEGER NOT NULL, state TEXT, initiator TEXT, started TEXT, digest TEXT,
    learnt_at REAL NOT NULL, changed_at REAL NOT NULL, absent_since REAL, due_at REAL NOT NULL,
    requests INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (form_id, package_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX packages_by_initiator ON packages (initiator, form_id, changed_at, package_id);
  CREATE INDEX packages_by_check ON packages (due_at, form_id);
  CREATE INDEX packages_of_form_by_check ON packages (form_id, due_at);
  CREATE TABLE holders (
    form_id INTEGER NOT NULL, package_id INTEGER NOT NULL, person TEXT, changed_at REAL NOT NULL, received TEXT
  ) STRICT;
  CREATE INDEX holders_by_person ON holders (person, form_id, changed_at, package_id);
  CREATE INDEX holders_of_packages ON holders (form_id, package_id);
  CREATE TABLE reminders (
    form_id INTEGER NOT NULL, package_id INTEGER NOT NULL, at REAL NOT NULL, person TEXT NOT NULL,
    holders TEXT NOT NULL, is_confirmed INTEGER NOT NULL, PRIMARY KEY (form_id, package_id, at)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX reminders_by_person ON reminders (person, at);
  CREATE TABLE notes (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID`

testStore('openStorage()', () => open(createFolder()))
testOutcomes('openStorage()', async () => (await openAll(createFolder())).outcomeStore)
testStore('createMemoryCallbackStore()', () => Promise.resolve(createMemoryCallbackStore()))

for (const [name, create] of [
  ['openStorage()', (now: () => number) => open(createFolder(), now)],
  ['createMemoryCallbackStore()', (now: () => number) => Promise.resolve(createMemoryCallbackStore({ now }))],
] as const) {
  describe(`${name} as a memory`, () => {
    it('remembers for seven days what has taken effect (T28)', async () => {
      let now = 0
      const store = await create(() => now)
      await store.add(callback('a'))
      await store.finish('a')
      now = 7 * day - 1
      assert.equal(await store.add(callback('a')), false)
      now = 7 * day
      assert.equal(await store.add(callback('a')), true)
      assert.equal((await store.list()).length, 1)
    })
  })
}

describe('openStorage() as a memory', () => {
  /** Reads with the database itself, because the store does not return these. */
  function idsIn(folder: string): readonly unknown[] {
    const database = new DatabaseSync(join(folder, 'routeslip.db'))
    const rows = database.prepare('SELECT id FROM finished ORDER BY id').all()
    database.close()
    return rows.map(({ id }) => id)
  }

  it('removes old ids when it is opened, and each hour after that', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const folder = createFolder()
    let now = 0
    const first = await open(folder, () => now)
    await first.finish('a')
    now = 1000
    await first.finish('b')
    await first.close()
    now = 7 * day
    const second = await open(folder, () => now)
    await second.finish('c')
    await second.close()
    assert.deepEqual(idsIn(folder), ['b', 'c'])

    const third = await open(folder, () => now)
    now += 1000
    t.mock.timers.tick(60 * 60_000 - 1)
    await third.close()
    assert.deepEqual(idsIn(folder), ['b', 'c'], 'nothing is removed yet')
    const fourth = await open(folder, () => now - 1000)
    t.mock.timers.tick(60 * 60_000)
    await fourth.close()
    assert.deepEqual(idsIn(folder), ['b', 'c'])
    const fifth = await open(folder, () => now - 1000)
    now += 1000
    t.mock.timers.tick(60 * 60_000)
    // Orders are carried out in turn, so the removal comes before the end.
    await fifth.close()
    assert.deepEqual(idsIn(folder), ['c'])
  })
})

describe('openStorage() as a store of outcomes', () => {
  it('knows them after it is opened again; nobody knows what became of a request that was running', async () => {
    const folder = createFolder()
    const first = await openAll(folder)
    await first.outcomeStore.start('done', 'a', 'head')
    await first.outcomeStore.finish('done', doneWith('{}'))
    await first.outcomeStore.start('running', 'a', 'head')
    await first.close()
    const { outcomeStore } = await openAll(folder)
    assert.deepEqual(await outcomeStore.read('done'), doneWith('{}'))
    assert.deepEqual(await outcomeStore.start('running', 'a', 'head'), { head: 'head', state: 'unknown' })
  })

  it('forgets each a day after its start, and a large reply after ten minutes', async () => {
    let now = 0
    const { outcomeStore } = await openAll(createFolder(), () => now)
    for (const [id, body] of [
      ['small', 'x'.repeat(65_536)],
      ['large', 'x'.repeat(65_537)],
    ] as const) {
      await outcomeStore.start(id, 'a', 'head')
      await outcomeStore.finish(id, doneWith(body))
    }
    now = 10 * 60_000 - 1
    assert.ok(await outcomeStore.read('large'))
    now = 10 * 60_000
    assert.equal(await outcomeStore.read('large'), undefined)
    now = day - 1
    assert.ok(await outcomeStore.read('small'))
    now = day
    assert.equal(await outcomeStore.start('small', 'a', 'head'), undefined)
  })
})
