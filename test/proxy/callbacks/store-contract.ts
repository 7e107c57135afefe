import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CallbackStore, StoredCallback } from '../../../src/proxy/callbacks/callback-store.ts'

// What every callback store has to do, whatever keeps the callbacks.

export function storedCallback(id: string, sequence = 1, packageId = 42): StoredCallback {
  const progress = { attempts: 0, dueAt: 5, lastError: null }
  // Bytes that are not UTF-8.
  const body = new Uint8Array([0, 255, 128, sequence])
  return { id, body, formId: 6025, packageId, sequence, receivedAt: 5, progress }
}

const dead = { attempts: 10, dueAt: null, lastError: 'Error: down' }

/** Tests a store. `open` opens an empty one. */
export function testStore(name: string, open: () => Promise<CallbackStore>): void {
  describe(`${name} as a store`, () => {
    it('takes one of many equal callbacks that arrive at once (T28)', async () => {
      const store = await open()
      const results = await Promise.all(Array.from({ length: 100 }, () => store.add(storedCallback('a'))))
      assert.equal(results.filter((isNew) => isNew).length, 1)
    })

    it('returns each callback byte for byte, and lists them in the order of arrival', async () => {
      const store = await open()
      for (const [id, sequence] of [
        ['c', 1],
        ['a', 2],
        ['b', 3],
      ] as const) {
        assert.equal(await store.add(storedCallback(id, sequence)), true)
      }
      const progress = { attempts: 2, dueAt: 9, lastError: 'Error: down' }
      await store.update('a', progress)
      await store.finish('c')
      assert.deepEqual(
        (await store.list()).map(({ id }) => id),
        ['a', 'b'],
      )
      assert.deepEqual(await store.read('a'), { ...storedCallback('a', 2), progress })
      assert.equal(await store.read('c'), undefined)
      assert.equal(await store.add(storedCallback('c')), false, 'it has taken effect')
    })

    it('keeps a dead letter, and replaces it if the callback is sent again', async () => {
      const store = await open()
      await store.add(storedCallback('a'))
      assert.equal(await store.add(storedCallback('a')), false, 'still waits')
      await store.update('a', dead)
      assert.deepEqual(
        (await store.list()).map(({ progress }) => progress),
        [dead],
      )
      assert.equal(await store.add(storedCallback('a', 2)), true)
      assert.deepEqual((await store.read('a'))?.progress, storedCallback('a').progress)
      assert.equal((await store.list()).length, 1)
    })

    it('ignores what is recorded about a callback that it does not have', async () => {
      const store = await open()
      await store.update('a', dead)
      await store.finish('b')
      assert.deepEqual(await store.list(), [])
    })

    it('can be written to', async () => {
      const store = await open()
      await store.check?.()
      assert.deepEqual(await store.list(), [])
    })

    it('keeps the latest lock of each package, and removes no later one', async () => {
      const { locks } = await open()
      if (!locks) return
      const lock = { formId: 6025, packageId: 42, lockId: 1, stop: null, createdAt: null, receivedAt: 5 }
      await locks.put(lock)
      await locks.put({ ...lock, packageId: 7 })
      await locks.put({ ...lock, lockId: 2 })
      await locks.remove(lock)
      assert.equal((await locks.get(lock))?.lockId, 2)
      assert.equal((await locks.list()).length, 2)
      await locks.remove({ ...lock, lockId: 2 })
      assert.equal(await locks.get(lock), undefined)
    })

    it('keeps what cannot be verified yet until it is removed', async () => {
      const { unverified } = await open()
      if (!unverified) return
      const one = { body: new Uint8Array([0, 255]), signature: new Uint8Array([1]) }
      const other = { body: new Uint8Array([0, 255]), signature: new Uint8Array([2]) }
      await unverified.add(one)
      await unverified.add(other)
      await unverified.remove(one)
      assert.deepEqual(await unverified.list(), [other])
    })
  })
}
