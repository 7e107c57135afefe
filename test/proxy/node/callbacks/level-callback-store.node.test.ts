import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, it } from 'node:test'
import { ClassicLevel } from 'classic-level'
import { createMemoryCallbackStore } from '../../../../src/proxy/callbacks/callback-store.ts'
import { openCallbackStore } from '../../../../src/proxy/node/callbacks/level-callback-store.ts'
import { until } from '../../until.ts'
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

async function open(folder: string, now?: () => number) {
  const store = await openCallbackStore(folder, { ...(now && { now }) })
  closes.push(store.close)
  return store
}

describe('openCallbackStore()', () => {
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
    const store = await openCallbackStore(createFolder())
    await store.check?.()
    assert.deepEqual(await store.list(), [])
    await store.close()
    await assert.rejects(async () => await store.check?.())
  })

  it('keeps a callback that comes twice at once in one copy, and each of different ones', async () => {
    const store = await open(createFolder())
    const ids = ['c', 'a', 'c', 'b', 'a', 'c']
    const added = await Promise.all(ids.map((id, index) => store.add(callback(id, index))))
    assert.deepEqual(added, [true, true, false, true, false, false])
    assert.deepEqual(
      (await store.list()).map(({ id, ...facts }) => [id, facts]),
      [
        ['c', 0],
        ['a', 1],
        ['b', 3],
      ].map(([id, sequence]) => {
        const { id: _, body: __, ...facts } = callback(String(id), Number(sequence))
        return [id, facts]
      }),
    )
    assert.equal(store.isDurable, true)
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

  it('flushes to the disk what arrives meanwhile at once', async (t) => {
    const store = await open(createFolder())
    const { mock } = t.mock.method(ClassicLevel.prototype, 'batch')
    await Promise.all(Array.from({ length: 100 }, (_, index) => store.add(callback(`${index}`, index))))
    const calls = mock.calls as unknown as readonly {
      readonly arguments: readonly [operations: readonly unknown[], options: unknown]
    }[]
    const written = calls.map(({ arguments: [operations, options] }) => {
      assert.deepEqual(options, { sync: true })
      return operations.length
    })
    mock.restore()
    assert.equal(
      written.reduce((sum, count) => sum + count, 0),
      100,
    )
    assert.ok(written.length < 50, `${written.length} flushes`)
  })

  it('takes callbacks again after a write has failed, and rejects those that failed', async (t) => {
    const store = await open(createFolder())
    await store.add(callback('a'))
    const { mock } = t.mock.method(ClassicLevel.prototype, 'batch', () =>
      Promise.reject(new Error('The disk is full')),
    )
    const failed = ['b', 'c'].map((id) => store.add(callback(id)))
    // All at once: a rejection that nothing waits for yet ends the test.
    await Promise.all(failed.map((each) => assert.rejects(each, /The disk is full/)))
    await assert.rejects(async () => await store.check?.(), /The disk is full/)
    mock.restore()
    // The end of the log may be damaged, so the database is opened again before the next write, once.
    const close = t.mock.method(ClassicLevel.prototype, 'close')
    assert.equal(await store.add(callback('b', 2)), true)
    assert.equal(await store.add(callback('b', 2)), false)
    await store.check?.()
    assert.equal(close.mock.callCount(), 1)
    close.mock.restore()
    assert.deepEqual(
      (await store.list()).map(({ id }) => id),
      ['a', 'b'],
    )
  })

  it('belongs to one process', async () => {
    const folder = createFolder()
    await open(folder)
    await assert.rejects(openCallbackStore(folder))
  })

  it('rejects a path that is a file', async () => {
    const path = join(createFolder(), 'file')
    writeFileSync(path, '')
    await assert.rejects(openCallbackStore(path))
  })
})

testStore('openCallbackStore()', () => open(createFolder()))
testStore('createMemoryCallbackStore()', () => Promise.resolve(createMemoryCallbackStore()))

for (const [name, create] of [
  ['openCallbackStore()', (now: () => number) => open(createFolder(), now)],
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

describe('openCallbackStore() as a memory', () => {
  /** Reads with the database itself, because the store does not return these. */
  async function idsIn(folder: string): Promise<readonly string[]> {
    const level = new ClassicLevel(folder)
    const keys = await level.keys().all()
    await level.close()
    return keys
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
    assert.deepEqual(await idsIn(folder), ['finished:b', 'finished:c'])

    const third = await open(folder, () => now)
    now += 1000
    const { mock } = t.mock.method(ClassicLevel.prototype, 'batch')
    t.mock.timers.tick(60 * 60_000 - 1)
    await third.check?.()
    assert.equal(mock.callCount(), 1, 'nothing is removed yet')
    t.mock.timers.tick(1)
    await until(() => mock.callCount() === 2)
    mock.restore()
    // Waits for the removal, because writes come one after the other.
    await third.check?.()
    await third.close()
    assert.deepEqual(await idsIn(folder), ['check', 'finished:c'])
  })
})
