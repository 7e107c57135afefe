import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createFairPlaces } from '../../../src/proxy/admission/fair-places.ts'

const { signal } = new AbortController()

describe('createFairPlaces()', () => {
  it('gives a person no more places than allowed, also if others give theirs back', async () => {
    const { take } = createFairPlaces({ perPerson: 1, total: 3, timeout: 60_000 })
    const freeFirst = await take({ holder: 'a', signal })
    const freeOther = await take({ holder: 'b', signal })
    let isGranted = false
    const second = take({ holder: 'a', signal }).then((free) => {
      isGranted = true
      return free
    })
    freeOther()
    await setImmediate()
    assert.equal(isGranted, false)
    freeFirst()
    const freeSecond = await second
    freeSecond()
  })

  it('serves the people who wait in turns', async () => {
    const { take } = createFairPlaces({ perPerson: 2, total: 1, timeout: 60_000 })
    let free = await take({ holder: 'a', signal })
    const order: string[] = []
    for (const holder of ['a', 'a', 'b', 'b'])
      void take({ holder, signal }).then((release) => {
        order.push(holder)
        free = release
      })
    for (let turn = 0; turn < 4; turn++) {
      free()
      await setImmediate()
    }
    assert.deepEqual(order, ['a', 'b', 'a', 'b'])
  })

  it('gives back a place once', async () => {
    const { take } = createFairPlaces({ perPerson: 2, total: 2, timeout: 60_000 })
    const free = await take({ holder: 'a', signal })
    await take({ holder: 'b', signal })
    free()
    free()
    await take({ holder: 'c', signal })
    let isGranted = false
    const abort = new AbortController()
    const waiting = take({ holder: 'd', signal: abort.signal }).then(
      () => (isGranted = true),
      () => {},
    )
    await setImmediate()
    assert.equal(isGranted, false)
    abort.abort()
    await waiting
    assert.equal(isGranted, false)
  })
})
