import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { UnavailableError } from '../../../src/client/transport/errors.ts'
import { backoff, createRetry } from '../../../src/client/transport/retry.ts'

const busy = (retryAfter?: number) =>
  new UnavailableError('getPackage', 'failed', { isTransient: true, retryAfter })

describe('backoff()', () => {
  it('doubles the wait after each failure up to the maximum, half of it random (F01)', () => {
    const longest = [1, 2, 3, 4, 5, 6, 100].map((failures) => backoff(failures, 30_000, () => 1))
    assert.deepEqual(longest, [2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
    assert.equal(
      backoff(2, 30_000, () => 0),
      2000,
    )
  })
})

describe('createRetry()', () => {
  it('waits longer before each retry', async (t) => {
    const { retry, times } = setUp(t)
    const result = assert.rejects(retry(() => Promise.reject(busy())))
    await passTime(t, 10_000)
    await result
    const [first = 0, second = 0, third = 0] = times
    assert.equal(times.length, 3)
    assert.ok(second - first >= 150 && second - first <= 300, `${second - first}`)
    assert.ok(third - second >= 300 && third - second <= 600, `${third - second}`)
  })

  it('waits as long as the proxy asks for, if that is two seconds or less', async (t) => {
    const { retry, times, results } = setUp(t)
    const result = assert.rejects(retry(() => Promise.reject(busy(2000))))
    await passTime(t, 10_000)
    await result
    assert.deepEqual(times, [0, 2000, 4000])
    assert.equal(results.length, 1)

    const other = busy(2001)
    await assert.rejects(
      retry(() => Promise.reject(other)),
      other,
    )
    assert.equal(times.length, 4, 'no retry')
    assert.equal(results.at(-1), other)
  })

  it('reports an aborted call neither as a success nor as a failure', async (t) => {
    const { retry, results } = setUp(t)
    const abort = new AbortController()
    const result = retry(() => {
      abort.abort()
      return Promise.reject(busy())
    }, abort.signal)
    await assert.rejects(result)
    assert.deepEqual(results, [])
  })

  it('ends a wait at once when the call is aborted, and does not call again', async (t) => {
    const { retry, times, results } = setUp(t)
    const abort = new AbortController()
    const result = assert.rejects(
      retry(() => Promise.reject(busy()), abort.signal),
      /enough/,
    )
    await passTime(t, 1)
    abort.abort(new Error('enough'))
    await result
    await passTime(t, 10_000)
    assert.equal(times.length, 1)
    assert.deepEqual(results, [])
  })

  it('keeps no listener on the signal after its waits', async (t) => {
    const { retry } = setUp(t)
    const { signal } = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++
      addEventListener.apply(signal, args)
    }
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners--
      removeEventListener.apply(signal, args)
    }
    const result = assert.rejects(retry(() => Promise.reject(busy()), signal))
    await passTime(t, 10_000)
    await result
    assert.equal(listeners, 0)
  })

  it('reports each success and each final failure once', async (t) => {
    const { retry, results } = setUp(t)
    assert.equal(await retry(() => Promise.resolve('value')), 'value')
    assert.deepEqual(results, [undefined])
    const failure = new UnavailableError('getPackage', 'failed')
    await assert.rejects(
      retry(() => Promise.reject(failure)),
      failure,
    )
    assert.deepEqual(results, [undefined, failure])
  })

  it('stops retrying when its budget is spent (F13)', async (t) => {
    const { retry, times } = setUp(t)
    const results = Array.from({ length: 10 }, () => assert.rejects(retry(() => Promise.reject(busy()))))
    await passTime(t, 10_000)
    await Promise.all(results)
    assert.equal(times.length, 15)
  })
})

/** Creates a retry with a maximum of two attempts after the first. `times` contains the start of each call. */
function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
  const times: number[] = []
  const results: (UnavailableError | undefined)[] = []
  const run = createRetry({ retries: 2, onResult: (error) => results.push(error) })
  const retry = (call: () => Promise<unknown>, signal = new AbortController().signal) =>
    run(() => {
      times.push(Date.now())
      return call()
    }, signal)
  return { retry, times, results }
}

/** Lets fake time pass in small steps, and lets promises settle between them. */
async function passTime(t: TestContext, milliseconds: number): Promise<void> {
  await new Promise(setImmediate)
  for (let passed = 0; passed < milliseconds; passed += 10) {
    t.mock.timers.tick(Math.min(10, milliseconds - passed))
    await new Promise(setImmediate)
  }
}
