import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createSlots } from '../../../src/proxy/admission/slots.ts'

const { signal } = new AbortController()

describe('createSlots()', () => {
  it('gives a person no more places than allowed, also if others give theirs back', async () => {
    const { take } = createSlots({ perHolder: 1, total: 3, wait: 60_000 })
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
    const { take } = createSlots({ perHolder: 2, total: 1, wait: 60_000 })
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
    const { take } = createSlots({ perHolder: 2, total: 2, wait: 60_000 })
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

describe('createSlots(), without waiting', () => {
  it('limits each person alone, at exactly the limit', () => {
    const { acquire } = createSlots({ perHolder: 2 })
    assert.ok(acquire('a'))
    assert.ok(acquire('a'))
    assert.equal(acquire('a'), undefined)
    assert.ok(acquire('b'))
  })

  it('limits all people together', () => {
    const { acquire } = createSlots({ perHolder: 2, total: 3 })
    const release = acquire('a')
    acquire('a')
    acquire('b')
    assert.equal(acquire('c'), undefined)
    release?.()
    assert.ok(acquire('c'))
    assert.equal(acquire('d'), undefined)
  })

  it('gives a place back once, even if it is released twice', () => {
    const { acquire } = createSlots({ perHolder: 2, total: 2 })
    const release = acquire('a')
    acquire('a')
    release?.()
    release?.()
    assert.ok(acquire('a'))
    assert.equal(acquire('a'), undefined)
    assert.equal(acquire('b'), undefined)
  })

  it('takes no place if it refuses', () => {
    const { acquire } = createSlots({ perHolder: 1, total: 2 })
    const release = acquire('a')
    for (let time = 0; time < 5; time++) assert.equal(acquire('a'), undefined)
    release?.()
    assert.ok(acquire('a'))
    assert.ok(acquire('b'))
  })
})

describe('createSlots(), for one holder', () => {
  it('gives each slot to the one that has waited longest', async () => {
    const { take } = createSlots({ total: 2 })
    const order: string[] = []
    const releases: (() => void)[] = []
    for (const name of ['a', 'b', 'c', 'd'])
      void take({ holder: '' }).then((release) => {
        order.push(name)
        releases.push(release)
      })
    await setImmediate()
    assert.deepEqual(order, ['a', 'b'])
    releases[1]?.()
    await setImmediate()
    assert.deepEqual(order, ['a', 'b', 'c'])
    releases[0]?.()
    await setImmediate()
    assert.deepEqual(order, ['a', 'b', 'c', 'd'])
  })

  it('takes back each slot once', async () => {
    const { take } = createSlots({ total: 1 })
    const release = await take({ holder: '' })
    release()
    release()
    await take({ holder: '' })
    let isTaken = false
    void take({ holder: '' }).then(() => (isTaken = true))
    await setImmediate()
    assert.equal(isTaken, false)
  })
})
