import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOutcomeStore, type OutcomeStore } from '../../src/proxy/idempotency/outcome-store.ts'
import { createRunOnce, type OnceRequest, type RunOnceOptions } from '../../src/proxy/idempotency/run-once.ts'
import { ProxyError, type ProxyErrorOptions } from '../../src/proxy/http/problem.ts'
import { ServicePausedError } from '../../src/proxy/upstream/send.ts'
import { until } from './until.ts'

// `idempotency.node.test.ts` covers the rest through a proxy.

const reply = { status: 200, headers: {}, body: '{}' }

function setUp(changes: Partial<OutcomeStore> = {}, options: Partial<RunOnceOptions> = {}) {
  const logs: (readonly unknown[])[] = []
  const store = { ...createOutcomeStore(), ...changes }
  const runOnce = createRunOnce({ store, log: (...line) => void logs.push(line), ...options })
  let runs = 0
  const send = (run: () => Promise<typeof reply>, request: Partial<OnceRequest> = {}) =>
    runOnce(
      {
        owner: '10000001',
        scope: ['mount'],
        key: 'key',
        head: 'PUT /a',
        body: () => Promise.resolve(undefined),
        mayHaveRun: () => true,
        requestId: 'r1',
        signal: new AbortController().signal,
        ...request,
      },
      () => {
        runs++
        return run()
      },
    )
  return { send, logs, runs: () => runs }
}

const succeed = () => Promise.resolve(reply)
const failWith = (status: number, options?: ProxyErrorOptions) => () =>
  Promise.reject(new ProxyError(status, 'no', options))
const down = () => Promise.reject(new Error('The database is down'))

/** Returns the error of a request. */
async function errorOf(sending: Promise<unknown>): Promise<ProxyError> {
  const error: unknown = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ProxyError)
  return error
}

describe('createRunOnce()', () => {
  it('runs nothing if it cannot be recorded that it is running', async () => {
    const { send, logs, runs } = setUp({ start: down })
    assert.equal((await errorOf(send(succeed))).status, 503)
    assert.equal(runs(), 0)
    assert.deepEqual(logs, [
      [
        'error',
        'It cannot be recorded that a request is running',
        { requestId: 'r1', error: 'Error: The database is down' },
      ],
    ])
  })

  it('replies although the outcome cannot be recorded, and logs that', async () => {
    const { send, logs } = setUp({ finish: down })
    assert.equal((await send(succeed)).status, 200)
    assert.deepEqual(logs, [
      [
        'error',
        'The outcome of a request cannot be recorded',
        { requestId: 'r1', error: 'Error: The database is down' },
      ],
    ])
  })

  it('lets a request run again that was refused before anything was sent', async () => {
    const { send, runs } = setUp()
    assert.equal((await errorOf(send(failWith(502), { mayHaveRun: () => false }))).outcome, 'none')
    assert.equal((await errorOf(send(failWith(403)))).outcome, 'none')
    const paused = { cause: new ServicePausedError(5) }
    assert.equal((await errorOf(send(failWith(503, paused)))).outcome, 'none')
    assert.equal((await send(succeed)).status, 200)
    assert.equal(runs(), 4)
  })

  it('never runs a request again of which nobody knows whether it was carried out', async () => {
    const { send, runs } = setUp()
    assert.equal((await errorOf(send(failWith(500)))).outcome, 'unknown')
    const again = await errorOf(send(succeed))
    assert.deepEqual([again.status, again.outcome], [502, 'unknown'])
    await assert.rejects(
      send(succeed, { key: 'another' }).then(() => send(down, { key: 'third' })),
      /database/,
    )
    assert.equal((await errorOf(send(succeed, { key: 'third' }))).outcome, 'unknown')
    assert.equal(runs(), 3)
  })

  it('repeats the refusal of the service, which is final, but only if something was sent', async () => {
    const { send, runs } = setUp()
    const refusal = failWith(409, { refusedBy: 'service', reason: 'Not on Sundays' })
    assert.equal((await errorOf(send(refusal))).outcome, 'none')
    const repeated = await send(succeed)
    assert.equal(repeated.status, 409)
    assert.equal(repeated.headers['idempotency-replayed'], 'true')
    assert.match(repeated.body as string, /Not on Sundays/)
    assert.equal(runs(), 1)
    await errorOf(send(refusal, { key: 'another', mayHaveRun: () => false }))
    assert.equal((await send(succeed, { key: 'another' })).status, 200)
  })

  it('reports that the first is still running, after a while', async () => {
    const { send, runs } = setUp({}, { maxWait: 0 })
    void send(() => new Promise(() => {}))
    // Until then, the second may overtake the first, because both calculate hashes first.
    await until(() => runs() === 1)
    const error = await errorOf(send(succeed))
    assert.deepEqual([error.status, error.retryAfter], [503, 5])
    assert.match(error.message, /still in progress/)
    assert.equal(runs(), 1)
  })

  it('waits no longer if nobody waits for the reply', async () => {
    const { send, runs } = setUp()
    void send(() => new Promise(() => {}))
    // Until then, the second may overtake the first, because both calculate hashes first.
    await until(() => runs() === 1)
    const client = new AbortController()
    const waiting = errorOf(send(succeed, { signal: client.signal }))
    client.abort()
    assert.ok((await waiting).status >= 400)
    assert.equal(runs(), 1)
  })

  it('reports that the outcome of the first cannot be read', async () => {
    const { send, runs } = setUp({ read: down })
    void send(() => new Promise(() => {}))
    // Until then, the second may overtake the first, because both calculate hashes first.
    await until(() => runs() === 1)
    const error = await errorOf(send(succeed))
    assert.equal(error.status, 503)
    assert.match(String(error.cause), /The database is down/)
  })

  it('gives the same key of another person, scope or body no reply that is not its own', async () => {
    const { send, runs } = setUp()
    await send(succeed)
    await send(succeed, { owner: '10000002' })
    await send(succeed, { scope: ['other'] })
    assert.equal(runs(), 3)
    assert.equal((await errorOf(send(succeed, { head: 'PUT /b' }))).status, 422)
    assert.equal((await errorOf(send(succeed, { body: () => Promise.resolve('{"a":1}') }))).status, 422)
    assert.equal(runs(), 3)
  })
})
