import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, it } from 'node:test'
import { NotFoundError, UnavailableError } from '../../../src/client/transport/errors.ts'
import { createRetry } from '../../../src/client/transport/retry.ts'

describe('the results that createRetry() reports', () => {
  it('do not include a refusal, which says nothing about the connection', async () => {
    const { retry, results } = setUp()
    const { signal } = new AbortController()
    const refusal = new NotFoundError('getPackage', 'found nothing')
    let calls = 0
    const refuse = () => {
      calls++
      return Promise.reject(refusal)
    }
    await assert.rejects(retry(refuse, signal), refusal)
    assert.equal(calls, 1)
    assert.deepEqual(results, [])

    const outage = new UnavailableError('getPackage', 'failed with status 500')
    await assert.rejects(
      retry(() => Promise.reject(outage), signal),
      outage,
    )
    assert.deepEqual(results, [outage], 'control')
  })
})

describe('a wait of createRetry()', () => {
  it('removes its listener from the signal at its end', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { retry } = setUp()
    const { signal } = new AbortController()
    const listeners = () => getEventListeners(signal, 'abort').length
    let calls = 0
    const result = retry(
      () =>
        ++calls === 1
          ? Promise.reject(new UnavailableError('getPackage', 'failed', { isTransient: true }))
          : Promise.resolve('value'),
      signal,
    )
    await new Promise(setImmediate)
    assert.equal(listeners(), 1, 'control')
    // The first wait takes 300 ms at most.
    t.mock.timers.tick(300)
    assert.equal(await result, 'value')
    assert.equal(listeners(), 0)
  })
})

function setUp() {
  const results: (UnavailableError | undefined)[] = []
  return { retry: createRetry({ retries: 2, onResult: (error) => results.push(error) }), results }
}
