import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, it } from 'node:test'
import { DatabaseSync } from 'node:sqlite'
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

  it('rejects a path that is a file', async () => {
    const path = join(createFolder(), 'file')
    writeFileSync(path, '')
    await assert.rejects(openStorage(path))
  })
})

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
