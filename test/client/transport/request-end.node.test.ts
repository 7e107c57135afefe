import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, it } from 'node:test'
import { createClient, UnavailableError } from '../../../src/client/index.ts'

const params = { formId: 6025, packageId: 42 }
const voiding = { params, body: { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' } } as const

describe('a request that has ended', () => {
  it('is not aborted when its time is over', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { client, signals } = setUp()
    await client.voidPackage(voiding)
    t.mock.timers.tick(12_000)
    assert.equal(signals[0]?.aborted, false)
  })

  it('is not aborted with the signal of its call, which it no longer listens to', async () => {
    const { client, signals } = setUp()
    const abort = new AbortController()
    const call = client.voidPackage(voiding, { signal: abort.signal })
    assert.equal(getEventListeners(abort.signal, 'abort').length, 1, 'control')
    await call
    assert.equal(getEventListeners(abort.signal, 'abort').length, 0)
    abort.abort()
    assert.equal(signals[0]?.aborted, false)
  })

  it('was aborted with this reason if it took too long', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { client } = setUp(
      (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
        ),
    )
    const call = assert.rejects(client.voidPackage(voiding), (error) => {
      assert.ok(error instanceof UnavailableError)
      const { name, message } = error.cause as Error
      assert.deepEqual([name, message], ['TimeoutError', 'Timed out'])
      return true
    })
    t.mock.timers.tick(1000)
    await call
  })

  it('is not aborted before its body has taken 12 times the timeout (F04)', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { client } = setUp(async (signal) => {
      const body = new ReadableStream({
        start(controller) {
          signal.addEventListener('abort', () => controller.error(signal.reason))
        },
      })
      return new Response(body, { headers: { 'x-routeslip': '1', 'content-type': 'application/json' } })
    })
    let isOver = false
    const call = assert.rejects(client.voidPackage(voiding), UnavailableError).then(() => (isOver = true))
    await new Promise(setImmediate)
    t.mock.timers.tick(11_999)
    await new Promise(setImmediate)
    assert.equal(isOver, false)
    t.mock.timers.tick(1)
    await call
  })
})

/** A client with a timeout of one second. */
function setUp(
  respond: (signal: AbortSignal) => Promise<Response> = async () =>
    Response.json({ id: 42, state: 'VOID' }, { headers: { 'x-routeslip': '1' } }),
) {
  const signals: AbortSignal[] = []
  const client = createClient({
    endpoint: 'https://site.test/api/wf',
    live: false,
    timeout: 1000,
    fetch: (_, init) => {
      const signal = init?.signal as AbortSignal
      signals.push(signal)
      return respond(signal)
    },
  })
  return { client, signals }
}
