import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createDedupeStore } from '../../../src/proxy/callbacks/dedupe-store.ts'

describe('createDedupeStore()', () => {
  it('reports a key as new to the first of many concurrent calls (F56)', async () => {
    const store = createDedupeStore()
    for (const key of ['a', 'b', '__proto__', '']) {
      const results = await Promise.all(Array.from({ length: 100 }, () => store.isFirst(key, 60)))
      assert.deepEqual(results, [true, ...Array.from({ length: 99 }, () => false)], key)
    }
  })

  it('forgets a key when it expires, and a lookup does not extend its time', async () => {
    let now = 1_000_000
    const store = createDedupeStore({ now: () => now })
    assert.equal(await store.isFirst('a', 60), true)
    now += 59_999
    assert.equal(await store.isFirst('a', 60), false)
    now += 1
    assert.equal(await store.isFirst('a', 60), true)
    now += 59_999
    assert.equal(await store.isFirst('a', 60), false)
  })

  it('drops the oldest key if there are too many', async () => {
    const store = createDedupeStore({ max: 3 })
    for (const key of ['a', 'b', 'c', 'd']) assert.equal(await store.isFirst(key, 60), true)
    assert.equal(await store.isFirst('b', 60), false)
    assert.equal(await store.isFirst('d', 60), false)
    assert.equal(await store.isFirst('a', 60), true, 'forgotten')
    assert.equal(await store.isFirst('b', 60), true, 'forgotten in its place')
    assert.equal(await store.isFirst('d', 60), false)
  })

  it('treats a key that returns after it expired as the newest', async () => {
    let now = 0
    const store = createDedupeStore({ now: () => now, max: 2 })
    await store.isFirst('a', 10)
    await store.isFirst('b', 60)
    now += 10_000
    assert.equal(await store.isFirst('a', 60), true)
    assert.equal(await store.isFirst('c', 60), true)
    assert.equal(await store.isFirst('a', 60), false)
    assert.equal(await store.isFirst('b', 60), true, 'the oldest, dropped')
  })

  it('behaves like an unlimited list of keys as long as there is room', async () => {
    const calls = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      seconds: fc.integer({ min: 1, max: 30 }),
      pause: fc.integer({ min: 0, max: 20_000 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(calls, { maxLength: 40 }), async (list) => {
        let now = 0
        const store = createDedupeStore({ now: () => now, max: 4 })
        const known: { key: string; until: number }[] = []
        for (const { key, seconds, pause } of list) {
          now += pause
          const isKnown = known.some((each) => each.key === key && each.until > now)
          assert.equal(await store.isFirst(key, seconds), !isKnown)
          if (!isKnown) known.push({ key, until: now + seconds * 1000 })
        }
      }),
      { seed: 7 },
    )
  })
})
