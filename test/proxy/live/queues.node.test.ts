import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createKeyedQueue } from '../../../src/proxy/live/keyed-queue.ts'

/** Waits until the reactions of settled promises have run. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A function whose calls the test finishes. */
function manual<Result>() {
  const started: string[] = []
  const finish = new Map<string, (result: Result) => void>()
  const run = (key: string) =>
    new Promise<Result>((resolve) => {
      started.push(key)
      finish.set(key, resolve)
    })
  return { started, run, finish: (key: string, result: Result) => finish.get(key)?.(result) }
}

describe('createKeyedQueue()', () => {
  it('collects keys until the delay is over, and runs each once', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { started, run, finish } = manual<boolean>()
    const queue = createKeyedQueue({ run, delay: 50, maxParallel: 9 })
    for (const key of ['a', 'b', 'a']) queue.add(key)
    t.mock.timers.tick(49)
    assert.deepEqual(started, [])
    t.mock.timers.tick(1)
    assert.deepEqual(started, ['a', 'b'])
    finish('a', false)
    await settle()
    queue.add('c')
    t.mock.timers.tick(50)
    assert.deepEqual(started, ['a', 'b', 'c'], 'the timer starts again')
  })

  it('runs no key twice at a time, and again if it was added or became due meanwhile', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { started, run, finish } = manual<boolean>()
    const queue = createKeyedQueue({ run, delay: 0, maxParallel: 9 })
    queue.addNow(['a'])
    queue.addNow(['a'])
    assert.deepEqual(started, ['a'])
    finish('a', false)
    await settle()
    assert.deepEqual(started, ['a', 'a'])
    finish('a', true)
    await settle()
    assert.deepEqual(started, ['a', 'a', 'a'])
    finish('a', false)
    await settle()
    assert.equal(started.length, 3)
  })

  it('runs a limited number of keys at a time, in order', async () => {
    const { started, run, finish } = manual<boolean>()
    const queue = createKeyedQueue({ run, delay: 0, maxParallel: 2 })
    queue.addNow(['a', 'b', 'c', 'd'])
    assert.deepEqual(started, ['a', 'b'])
    finish('b', false)
    await settle()
    assert.deepEqual(started, ['a', 'b', 'c'])
    queue.delete('d')
    finish('a', false)
    finish('c', false)
    await settle()
    assert.deepEqual(started, ['a', 'b', 'c'], 'a deleted key does not run')
  })

  it('runs nothing after close(), and leaves no timer', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { started, run, finish } = manual<boolean>()
    const queue = createKeyedQueue({ run, delay: 50, maxParallel: 1 })
    queue.addNow(['a', 'b'])
    queue.add('c')
    queue.close()
    finish('a', false)
    await settle()
    t.mock.timers.tick(1000)
    assert.deepEqual(started, ['a'])
  })
})
