import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  createMemoryCallbackStore,
  type StoredCallback,
} from '../../../src/proxy/callbacks/callback-store.ts'

describe('createMemoryCallbackStore()', () => {
  const callback = (id: string, size: number, dueAt: number | null = 0): StoredCallback => ({
    id,
    body: new Uint8Array(size),
    formId: 1,
    packageId: 2,
    sequence: -size,
    receivedAt: 0,
    progress: { attempts: 0, dueAt, lastError: null },
  })

  it('stores only the first of many equal callbacks (F56)', async () => {
    const store = createMemoryCallbackStore()
    for (const id of ['a', 'b', '__proto__', '']) {
      const results = await Promise.all(Array.from({ length: 100 }, () => store.add(callback(id, 1))))
      assert.deepEqual(results, [true, ...Array.from({ length: 99 }, () => false)], id)
    }
  })

  it('remembers the latest 100,000 that have taken effect, but no repetition extends that', async () => {
    const clock = { time: 0 }
    const store = createMemoryCallbackStore({ now: () => clock.time })
    const isNew = async (id: string) => {
      const added = await store.add(callback(id, 1))
      await store.finish(id)
      return added
    }
    for (let index = 0; index < 100_000; index++) await isNew(String(index))
    assert.deepEqual([await isNew('0'), await isNew('new')], [false, true])
    assert.deepEqual([await isNew('1'), await isNew('0')], [false, true], 'the oldest is forgotten')
    clock.time = 7 * 24 * 60 * 60 * 1000
    assert.deepEqual([await isNew('5'), await isNew('5')], [true, false])
  })

  it('takes callbacks up to a size, counts them once, and replaces dead letters', async () => {
    const clock = { time: 0 }
    const store = createMemoryCallbackStore({ maxSize: 10, now: () => clock.time })
    const full = { message: 'More than 10 bytes of callbacks wait' }
    assert.equal(await store.add(callback('a', 4)), true)
    assert.equal(await store.add(callback('a', 4)), false)
    await assert.rejects(store.add(callback('b', 7)), full)
    assert.equal(await store.add(callback('b', 6)), true)
    await store.update('missing', { attempts: 1, dueAt: null, lastError: 'x' })
    const dead = { attempts: 1, dueAt: null, lastError: 'x' }
    await store.update('a', dead)
    assert.deepEqual(
      (await store.list()).map(({ id, progress }) => [id, progress.dueAt]),
      [
        ['b', 0],
        ['a', null],
      ],
    )
    assert.equal(await store.add(callback('a', 4)), true, 'a dead letter is replaced')
    assert.deepEqual((await store.read('a'))?.progress, callback('a', 4).progress)
    await store.finish('a')
    await store.finish('missing')
    assert.equal(await store.read('a'), undefined)
    clock.time = 7 * 24 * 60 * 60 * 1000 - 1
    assert.equal(await store.add(callback('a', 4)), false, 'it was handled in the last seven days')
    clock.time += 1
    assert.equal(await store.add(callback('a', 4)), true)
    await assert.rejects(store.add(callback('c', 1)), full)
    assert.equal(store.isDurable, false)
  })
})
