import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createSlots } from '../../../src/proxy/admission/slots.ts'
import { Disconnect } from '../../../src/proxy/http/disconnect.ts'

// `fairness.node.test.ts` tests who gets a slot, and the timeout.

describe('createSlots()', () => {
  it('ends the place that can be ended, and none if the other person has only one more', async () => {
    const { take } = createSlots({ perHolder: 3, total: 3, wait: 60_000 })
    const signal = new Disconnect()
    const ended: string[] = []
    await take({ holder: 'a', signal })
    await take({ holder: 'a', signal, revoke: () => ended.push('a2') })
    await take({ holder: 'a', signal, revoke: () => ended.push('a3') })
    await take({ holder: 'b', signal, revoke: () => ended.push('b1') })
    assert.deepEqual(ended, ['a2'])
    const gone = new Disconnect()
    const waiting = take({ holder: 'b', signal: gone })
    gone.abort('gone')
    await assert.rejects(waiting, { status: 400 })
    assert.deepEqual(ended, ['a2'])
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
})
