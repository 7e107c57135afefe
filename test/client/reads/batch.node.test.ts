import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createBatch } from '../../../src/client/reads/batch.ts'
import { nextTurn } from '../../next-turn.ts'

describe('createBatch()', () => {
  it('does not send keys whose loads were aborted before the call', async () => {
    const { load, calls } = setUp()
    const abort = new AbortController()
    const aborted = load(1, abort.signal)
    const kept = load(2, new AbortController().signal)
    abort.abort(new Error('enough'))
    await assert.rejects(aborted, /enough/)
    assert.equal(await kept, 'value 2')
    assert.deepEqual(calls, [[2]])
  })

  it('sends nothing if all loads were aborted before the call', async () => {
    const { load, calls } = setUp()
    const aborts = [1, 2].map((key) => {
      const abort = new AbortController()
      const result = assert.rejects(load(key, abort.signal), /enough/)
      abort.abort(new Error('enough'))
      return result
    })
    await Promise.all(aborts)
    await nextTurn()
    assert.deepEqual(calls, [])
  })

  it('leaves out loads that were aborted during a refused call when it sends the rest in halves', async () => {
    const abort = new AbortController()
    const { load, calls } = setUp((keys) => {
      if (keys.length === 4) {
        abort.abort(new Error('enough'))
        throw new Error('refused')
      }
    })
    const keep = new AbortController().signal
    const results = [
      load(1, keep),
      load(2, keep),
      assert.rejects(load(3, abort.signal), /enough/),
      load(4, keep),
    ]
    await Promise.all(results)
    assert.deepEqual(calls, [[1, 2, 3, 4], [1, 2], [4]])
  })

  it('sends each key once, and at most as many keys in one call as its size', async () => {
    const { load, calls } = setUp()
    const { signal } = new AbortController()
    const values = await Promise.all([1, 2, 2, 3].map((key) => load(key, signal)))
    assert.deepEqual(values, ['value 1', 'value 2', 'value 2', 'value 3'])
    assert.deepEqual(calls, [[1, 2, 3]])
    await Promise.all([1, 2, 3, 4, 5].map((key) => load(key, signal)))
    assert.deepEqual(calls.slice(1), [[1, 2, 3, 4], [5]])
  })

  it('sends a full call at once, and the rest after the tick', async () => {
    const { load, calls } = setUp()
    const { signal } = new AbortController()
    const results = [1, 2, 3, 4, 5].map((key) => load(key, signal))
    assert.deepEqual(calls, [[1, 2, 3, 4]])
    await Promise.all(results)
    assert.deepEqual(calls, [[1, 2, 3, 4], [5]])
  })

  it('makes 20 calls at most to find bad keys, and rejects the keys of the last ones together', async () => {
    const { load, calls } = setUp(() => {
      throw new Error('refused')
    }, 100)
    const signals = Array.from({ length: 100 }, () => new AbortController().signal)
    const keys = Array.from({ length: 100 }, (_, index) => index)
    const results = await Promise.allSettled(keys.map((key) => load(key, signals[key]!)))
    assert.ok(results.every(({ status }) => status === 'rejected'))
    assert.equal(calls.length, 20)
  })
})

function setUp(onCall: (keys: readonly number[]) => void = () => {}, size = 4) {
  const calls: (readonly number[])[] = []
  const load = createBatch<number, string>(
    async (keys) => {
      calls.push(keys)
      await Promise.resolve()
      onCall(keys)
      return new Map(keys.map((key) => [key, `value ${key}`]))
    },
    { size, isPartial: () => true },
  )
  return { load, calls }
}
