import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createPackageQueues } from '../../../src/proxy/callbacks/package-queues.ts'

interface Item {
  readonly name: string
  dueAt: number
}

/** Queues whose attempts end when a test ends them. Time passes only in `pass()`. */
function setUp() {
  const started: string[] = []
  const ends = new Map<string, (needsAnother: boolean) => void>()
  const queues = createPackageQueues<Item>({
    now: Date.now,
    run({ name }) {
      started.push(name)
      return new Promise((resolve) => ends.set(name, resolve))
    },
  })
  const end = async (name: string, needsAnother = false) => {
    ends.get(name)?.(needsAnother)
    await setImmediate()
  }
  const pass = async (ms: number) => {
    mock.timers.tick(ms)
    await setImmediate()
  }
  const add = async (key: string, name: string, dueAt = 0) => {
    const item = { name, dueAt }
    queues.add(key, item)
    await setImmediate()
    return item
  }
  /** Begins to close the queues. `left()` is the number of items that are left, once they are closed. */
  const close = async (timeout: number) => {
    let left: number | undefined
    void queues.close(timeout).then((count) => (left = count))
    await setImmediate()
    return { left: () => left }
  }
  return { queues, started, end, pass, add, close }
}

describe('createPackageQueues()', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1000 }))
  afterEach(() => mock.timers.reset())

  it('runs the items of one package one after the other, and those of another meanwhile', async () => {
    const { started, end, add } = setUp()
    await add('a', 'a1')
    await add('a', 'a2')
    await add('b', 'b1')
    assert.deepEqual(started, ['a1', 'b1'])
    await end('b1')
    assert.deepEqual(started, ['a1', 'b1'])
    await end('a1')
    assert.deepEqual(started, ['a1', 'b1', 'a2'])
    await end('a2')
    await add('a', 'a3')
    assert.deepEqual(started, ['a1', 'b1', 'a2', 'a3'])
  })

  it('runs an item when it is due, and the next one only after the last attempt', async () => {
    const { started, end, pass, add } = setUp()
    const item = await add('a', 'a1', 1500)
    await add('a', 'a2')
    await pass(499)
    assert.deepEqual(started, [])
    await pass(1)
    assert.deepEqual(started, ['a1'])
    item.dueAt = 2000
    await end('a1', true)
    await pass(499)
    assert.deepEqual(started, ['a1'])
    await pass(1)
    await end('a1')
    assert.deepEqual(started, ['a1', 'a1', 'a2'])
  })

  it('waits for 30 hours at most, because the clock may have been set back', async () => {
    const { started, pass, add } = setUp()
    await add('a', 'a1', 1e12)
    await pass(30 * 3_600_000 - 1)
    assert.deepEqual(started, [])
    await pass(1)
    assert.deepEqual(started, ['a1'])
  })

  it('makes the next attempt now if it is woken, once', async () => {
    const { queues, started, end, pass, add } = setUp()
    queues.wake('a')
    await add('a', 'a1', 5000)
    queues.wake('b')
    await setImmediate()
    assert.deepEqual(started, [])
    queues.wake('a')
    await setImmediate()
    assert.deepEqual(started, ['a1'])
    queues.wake('a')
    await pass(10_000)
    assert.deepEqual(started, ['a1'])
    await end('a1')
    assert.deepEqual(started, ['a1'])
  })

  it('closes at once if nothing runs, and counts what waits for a later attempt', async () => {
    const empty = setUp()
    assert.equal((await empty.close(1000)).left(), 0)
    const { started, pass, add, close } = setUp()
    await add('a', 'a1', 5000)
    await add('a', 'a2')
    await add('b', 'b1', 6000)
    assert.equal((await close(1000)).left(), 3)
    await pass(100_000)
    assert.deepEqual(started, [])
  })

  it('closes when the last item has run, or starts to wait', async () => {
    const { started, end, add, close } = setUp()
    await add('a', 'a1')
    const waiting = await add('b', 'b1')
    const closing = await close(1000)
    assert.equal(closing.left(), undefined)
    await end('a1')
    assert.equal(closing.left(), undefined)
    waiting.dueAt = 5000
    await end('b1', true)
    assert.equal(closing.left(), 1)
    assert.deepEqual(started, ['a1', 'b1'])
  })

  it('closes after the timeout although an item runs', async () => {
    const { pass, add, close } = setUp()
    await add('a', 'a1')
    await add('a', 'a2')
    const closing = await close(1000)
    await pass(999)
    assert.equal(closing.left(), undefined)
    await pass(1)
    assert.equal(closing.left(), 2)
  })

  it('runs what is added after it was closed, but only once', async () => {
    const { started, end, pass, add, close } = setUp()
    await close(1000)
    const item = await add('a', 'a1')
    assert.deepEqual(started, ['a1'])
    item.dueAt = 5000
    await end('a1', true)
    await pass(10_000)
    assert.deepEqual(started, ['a1'])
    const again = await close(1000)
    assert.equal(again.left(), 0)
  })
})
