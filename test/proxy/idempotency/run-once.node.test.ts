import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Outcome, OutcomeStore } from '../../../src/proxy/idempotency/outcome-store.ts'
import {
  createRunOnce,
  type OnceRequest,
  type RunOnceOptions,
} from '../../../src/proxy/idempotency/run-once.ts'
import { ProxyError, problemReply } from '../../../src/proxy/http/problem.ts'
import type { Reply } from '../../../src/proxy/http/reply.ts'
import { ServicePausedError } from '../../../src/proxy/upstream/send.ts'

const reply: Reply = { status: 200, headers: { a: 'b' }, body: '{}' }
/** The fingerprint of `PUT /a`. */
const head = 'b5a4a460b1e15a30a9d51d791299209619bd4245d171a5b88193ac708b623056'
const emptyBody = '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'

// `idempotency.node.test.ts` covers the rest through a proxy.

/** Runs a request with a store that records what it is told. `before` are the outcomes that it knows, one after the other. */
async function runOnce(
  run: () => Promise<Reply>,
  request: Partial<OnceRequest> = {},
  before: readonly (Outcome | undefined)[] = [],
  {
    store,
    ...options
  }: Partial<Omit<RunOnceOptions, 'store'>> & { readonly store?: Partial<OutcomeStore> } = {},
) {
  const calls: unknown[] = []
  const lines: unknown[] = []
  const known = [...before]
  const once = createRunOnce({
    store: {
      start: (...call) => {
        calls.push(['start', ...call])
        return Promise.resolve(known.shift())
      },
      read: (id) => {
        calls.push(['read', id])
        return Promise.resolve(known.shift())
      },
      finish: (...call) => Promise.resolve(void calls.push(['finish', ...call])),
      forget: (...call) => Promise.resolve(void calls.push(['forget', ...call])),
      ...store,
    },
    log: (...line) => void lines.push(line),
    ...options,
  })
  const signal = new AbortController().signal
  const outcome: unknown = await once(
    {
      owner: '10000001',
      scope: ['/api/wf'],
      key: 'key',
      head: 'PUT /a',
      body: () => Promise.resolve(undefined),
      mayHaveRun: () => true,
      requestId: 'r1',
      signal,
      ...request,
    },
    run,
  ).catch((error: unknown) => error)
  return { outcome, calls, lines }
}

// SHA-256 of `["10000001","/api/wf","key"]`.
const id = await idOf('["10000001","/api/wf","key"]')

async function idOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Buffer.from(digest).toString('hex')
}

describe('what createRunOnce() records', () => {
  const start = ['start', id, '10000001', head]
  const unknown = ['finish', id, { head, state: 'unknown' }]

  it('is the reply, with a fingerprint of the body', async () => {
    const succeed = () => Promise.resolve(reply)
    const done = { head, state: 'done', body: emptyBody, reply }
    assert.deepEqual(await runOnce(succeed), {
      outcome: reply,
      calls: [start, ['finish', id, done]],
      lines: [],
    })
    for (const body of ['{"a":"ä"}', new TextEncoder().encode('{"a":"ä"}')]) {
      const { calls } = await runOnce(succeed, { body: () => Promise.resolve(body) })
      assert.deepEqual(calls[1], ['finish', id, { ...done, body: await idOf('{"a":"ä"}') }])
    }
  })

  it('is no reply that is a stream or too long', async () => {
    for (const [body, isStored] of [
      [null, true],
      ['x'.repeat(1_000_000), true],
      ['x'.repeat(1_000_001), false],
      [new Uint8Array(1), false],
      [new ReadableStream<Uint8Array>(), false],
    ] as const) {
      const long = { ...reply, body }
      const { outcome, calls } = await runOnce(() => Promise.resolve(long))
      assert.equal(outcome, long)
      const done = { head, state: 'done', body: emptyBody, reply: long }
      assert.deepEqual(calls[1], isStored ? ['finish', id, done] : unknown)
    }
  })

  it('is nothing if the request was refused before anything was sent', async () => {
    for (const [error, request] of [
      [new ProxyError(499, 'no'), {}],
      [new ProxyError(503, 'no', { cause: new ServicePausedError(3) }), {}],
      [new Error('no', { cause: new ServicePausedError(3) }), {}],
      [new ProxyError(500, 'no'), { mayHaveRun: () => false }],
      [new TypeError('no'), { mayHaveRun: () => false }],
      [new ProxyError(409, 'no', { refusedBy: 'service' }), { mayHaveRun: () => false }],
    ] as const) {
      const { outcome, calls } = await runOnce(() => Promise.reject(error), request)
      assert.equal(outcome, error)
      assert.equal(error instanceof ProxyError ? error.outcome : 'none', 'none')
      assert.deepEqual(calls, [start, ['forget', id]])
    }
  })

  it('is that the outcome is unknown if the request may have run', async () => {
    for (const error of [
      new ProxyError(500, 'no'),
      new ProxyError(502, 'no', { refusedBy: 'service', cause: new Error('reset') }),
      new TypeError('no'),
    ]) {
      const { outcome, calls } = await runOnce(() => Promise.reject(error))
      assert.equal(outcome, error)
      assert.equal(error instanceof ProxyError ? error.outcome : 'unknown', 'unknown')
      assert.deepEqual(calls, [start, unknown])
    }
  })

  it('is the refusal of the service, which is final', async () => {
    const error = new ProxyError(409, 'no', { refusedBy: 'service', reason: 'Not on Sundays' })
    const { outcome, calls } = await runOnce(() => Promise.reject(error))
    assert.equal(outcome, error)
    const refused = { head, state: 'done', body: emptyBody, reply: problemReply(error, 'r1') }
    assert.deepEqual(calls, [start, ['finish', id, refused]])
  })

  it('is the reply to each repetition, which runs nothing', async () => {
    const never = () => assert.fail('It ran before')
    const running = { head, state: 'running' } as const
    const stored = { status: 200, headers: { a: 'b' }, body: '{}' }
    const done = { head, state: 'done', body: emptyBody, reply: stored } as const
    const { outcome, calls, lines } = await runOnce(never, {}, [running, running, done])
    assert.deepEqual(outcome, { ...stored, headers: { a: 'b', 'idempotency-replayed': 'true' } })
    assert.deepEqual(calls, [start, ['read', id], ['read', id]])
    assert.deepEqual(lines, [['info', 'Repeated the reply of an earlier request', { requestId: 'r1' }]])
  })

  it('lets a repetition run if the first was refused meanwhile', async () => {
    const running = { head, state: 'running' } as const
    const { outcome, calls } = await runOnce(() => Promise.resolve(reply), {}, [
      running,
      undefined,
      undefined,
    ])
    assert.equal(outcome, reply)
    assert.deepEqual(
      calls.map((call) => (call as readonly unknown[])[0]),
      ['start', 'read', 'start', 'finish'],
    )
  })

  it('refuses another request with the same key, also if only its body differs', async () => {
    const never = () => assert.fail('It is another request')
    const reused = {
      status: 422,
      message: 'The Idempotency-Key belongs to another request. Send a new key with each request.',
    }
    for (const outcome of [
      { head: 'PUT /b', state: 'done', body: emptyBody, reply },
      { head: 'PUT /b', state: 'running' },
      { head, state: 'done', body: 'other', reply },
    ] as readonly Outcome[]) {
      const { outcome: refusal } = await runOnce(never, {}, [outcome])
      assert.ok(refusal instanceof ProxyError)
      assert.deepEqual({ status: refusal.status, message: refusal.message }, reused)
    }
  })
})

describe('createRunOnce()', () => {
  const never = () => assert.fail('It may be running')
  const running = { head, state: 'running' } as const
  const down = () => Promise.reject(new Error('The database is down'))
  const facts = { requestId: 'r1', error: 'Error: The database is down' }

  /** Returns the status, the wait and the text of the refusal of a request that is running for another one. */
  async function refusalOf(...[request, options]: [Partial<OnceRequest>, Parameters<typeof runOnce>[3]]) {
    const { outcome } = await runOnce(never, request, Array(20).fill(running), options)
    assert.ok(outcome instanceof ProxyError)
    const { status, retryAfter, message, cause } = outcome
    return { status, retryAfter, message, cause: String(cause) }
  }

  it('runs nothing if it cannot be recorded that it is running', async () => {
    const { outcome, lines } = await runOnce(never, {}, [], { store: { start: down } })
    assert.equal((outcome as ProxyError).status, 503)
    assert.deepEqual(lines, [['error', 'It cannot be recorded that a request is running', facts]])
  })

  it('replies although the outcome cannot be recorded, and logs that', async () => {
    const { outcome, lines } = await runOnce(() => Promise.resolve(reply), {}, [], {
      store: { finish: down },
    })
    assert.equal(outcome, reply)
    assert.deepEqual(lines, [['error', 'The outcome of a request cannot be recorded', facts]])
  })

  it('never runs a request again of which nobody knows whether it was carried out', async () => {
    const { outcome } = await runOnce(never, {}, [{ head, state: 'unknown' }])
    assert.ok(outcome instanceof ProxyError)
    assert.deepEqual([outcome.status, outcome.outcome], [502, 'unknown'])
  })

  it('reports that the first is still running, after a while', async () => {
    const { status, retryAfter, message } = await refusalOf({}, { maxWait: 0 })
    assert.deepEqual([status, retryAfter], [503, 5])
    assert.match(message, /still in progress/)
  })

  it('waits no longer if nobody waits for the reply', async () => {
    assert.equal((await refusalOf({ signal: AbortSignal.abort() }, {})).status, 400)
  })

  it('reports that the outcome of the first cannot be read', async () => {
    const { status, cause } = await refusalOf({}, { store: { read: down } })
    assert.equal(status, 503)
    assert.match(cause, /The database is down/)
  })

  it('gives the same key of another person or scope an id of its own', async () => {
    for (const request of [{ owner: '10000002' }, { scope: ['other'] }, { key: 'another' }]) {
      const { calls } = await runOnce(() => Promise.resolve(reply), request)
      assert.notEqual((calls[0] as readonly unknown[])[1], id)
    }
  })
})
