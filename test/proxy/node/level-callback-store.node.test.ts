import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, it } from 'node:test'
import { createMemoryCallbackStore } from '../../../src/proxy/callbacks/callback-store.ts'
import { openCallbackStore } from '../../../src/proxy/node/level-callback-store.ts'
import { storedCallback as callback, testStore } from '../callbacks/store-contract.ts'

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
