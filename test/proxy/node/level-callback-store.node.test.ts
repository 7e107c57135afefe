import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, it } from 'node:test'
import {
  createMemoryCallbackStore,
  type StoredCallback,
} from '../../../src/proxy/callbacks/callback-store.ts'
import { openCallbackStore } from '../../../src/proxy/node/level-callback-store.ts'

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

function callback(id: string, sequence = 1): StoredCallback {
  const progress = { attempts: 0, dueAt: 5, lastError: null }
  // Bytes that are not UTF-8.
  const body = new Uint8Array([0, 255, 128, sequence])
  return { id, body, formId: 6025, packageId: 42, sequence, receivedAt: 5, progress }
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

for (const [name, create] of [
  ['openCallbackStore()', (now: () => number) => open(createFolder(), now)],
  ['createMemoryCallbackStore()', (now: () => number) => Promise.resolve(createMemoryCallbackStore({ now }))],
] as const) {
  describe(`${name} as a store`, () => {
    it('takes one of many equal callbacks that arrive at once (T28)', async () => {
      const store = await create(() => 0)
      const results = await Promise.all(Array.from({ length: 100 }, () => store.add(callback('a'))))
      assert.equal(results.filter((isNew) => isNew).length, 1)
    })

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

    it('replaces a dead letter', async () => {
      const store = await create(() => 0)
      await store.add(callback('a'))
      assert.equal(await store.add(callback('a')), false, 'still waits')
      await store.update('a', { attempts: 10, dueAt: null, lastError: 'Error: down' })
      assert.equal(await store.add(callback('a', 2)), true)
      assert.deepEqual((await store.read('a'))?.progress, callback('a').progress)
    })
  })
}
