import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLimiter } from '../../../src/client/transport/limiter.ts'

describe('createLimiter()', () => {
  it('runs no more tasks than its size at once, in the order of their calls', async () => {
    const { run, started, finish } = createTasks(2)
    const results = ['a', 'b', 'c', 'd'].map((name) => run(name))
    assert.deepEqual(started, ['a', 'b'])
    await finish('b')
    assert.deepEqual(started, ['a', 'b', 'c'])
    await finish('a')
    assert.deepEqual(started, ['a', 'b', 'c', 'd'])
    await finish('c')
    await finish('d')
    assert.deepEqual(await Promise.all(results), ['a', 'b', 'c', 'd'])
  })

  it('removes exactly the waiting task whose signal aborts', async () => {
    const { run, started, finish } = createTasks(1)
    const abort = new AbortController()
    const reason = new Error('enough')
    const results = [run('a'), run('b'), run('c', abort.signal), run('d')]
    abort.abort(reason)
    await assert.rejects(results[2]!, reason)
    for (const name of ['a', 'b', 'd']) await finish(name)
    assert.deepEqual(started, ['a', 'b', 'd'])
    assert.deepEqual(await Promise.all([results[0], results[1], results[3]]), ['a', 'b', 'd'])
  })

  it('leaves the queue alone when the signal of a started task aborts', async () => {
    const { run, started, finish } = createTasks(1)
    const abort = new AbortController()
    const results = [run('a'), run('b', abort.signal), run('c')]
    await finish('a')
    assert.deepEqual(started, ['a', 'b'])
    abort.abort()
    await finish('b')
    assert.deepEqual(started, ['a', 'b', 'c'])
    await finish('c')
    assert.deepEqual(await Promise.all(results), ['a', 'b', 'c'])
  })

  it('gives the place of a failed task to the next one, and frees all places in the end', async () => {
    const limit = createLimiter(1)
    const failure = new Error('failed')
    const first = limit(() => Promise.reject(failure))
    const second = limit(() => Promise.resolve('b'))
    await assert.rejects(first, failure)
    assert.equal(await second, 'b')
    assert.equal(await limit(() => Promise.resolve('c')), 'c')
  })

  it('rejects a call whose signal has aborted already', async () => {
    const limit = createLimiter(1)
    const reason = new Error('enough')
    let isStarted = false
    const call = limit(() => Promise.resolve((isStarted = true)), AbortSignal.abort(reason))
    await assert.rejects(call, reason)
    assert.equal(isStarted, false)
  })
})

/** Creates tasks that the test ends. */
function createTasks(size: number) {
  const limit = createLimiter(size)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    run: (name: string, signal?: AbortSignal) =>
      limit(() => {
        started.push(name)
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
      }, signal),
    async finish(name: string) {
      const end = ends.get(name)
      assert.ok(end, `${name} has not started`)
      end()
      await new Promise(setImmediate)
    },
  }
}
