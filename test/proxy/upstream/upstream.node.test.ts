import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { Deadline } from '../../../src/proxy/upstream/deadline.ts'
import { createUpstream } from '../../../src/proxy/upstream/upstream.ts'
import type { Send, SendRequest } from '../../../src/proxy/upstream/send.ts'
import { jsonResponse } from '../oracle.ts'

const service = { baseUrl: 'http://service.test', clientId: 'demo-app', clientSecret: 'demo-secret' }
const timeouts = { timeout: 8000, uploadTimeout: 60_000, downloadTimeout: 100_000 }
const file = { uuid: '00000000-0000-4000-8000-000000000000' }
import { until } from '../until.ts'

describe('createUpstream()', () => {
  let aborted: string[]
  beforeEach(() => {
    aborted = []
    mock.timers.enable({ apis: ['setTimeout'] })
  })
  afterEach(() => mock.timers.reset())

  function over(send: Send) {
    const client = new AbortController()
    const upstream = createUpstream({
      ...{ env: 'test', services: { workflow: service, storage: service }, send, timeouts },
      ...{ log: () => {}, metrics: undefined, maxResponseSize: 1000 },
    })
    const call = { as: { univid: '10000001' }, requestId: 'id', signal: client.signal }
    const listeners = () => getEventListeners(client.signal, 'abort').length
    return { ...upstream, client, callOptions: call, listeners }
  }

  /** Never responds, and records why it is aborted. */
  const silent: Send = ({ onAbort }) =>
    new Promise((_, reject) => {
      onAbort?.((reason) => {
        assert.ok(reason instanceof Error)
        aborted.push(reason.name)
        reject(reason)
      })
    })

  /** Reads the body of a request, then never responds. */
  const reading: Send = async (request: SendRequest) => {
    if (typeof request.body === 'object') for await (const chunk of request.body) void chunk
    return await silent(request)
  }

  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }

  it('aborts a call at the timeout and not before (F02)', async () => {
    const { call, callOptions } = over(silent)
    const failed = assert.rejects(
      call('getComments', { ...callOptions, params: { formId: 1, packageId: 2 } }),
      {
        status: 502,
      },
    )
    await settle()
    mock.timers.tick(7999)
    assert.deepEqual(aborted, [])
    mock.timers.tick(1)
    assert.deepEqual(aborted, ['TimeoutError'])
    await failed
  })

  it('starts the timeout of an upload with its last byte', async () => {
    const { call, callOptions } = over(reading)
    let next = () => {}
    async function* bytes() {
      yield new Uint8Array(1)
      await new Promise<void>((resolve) => (next = resolve))
    }
    const body = { type: 'multipart/form-data; boundary=a', bytes: bytes() }
    const failed = assert.rejects(call('uploadFile', { ...callOptions, body }), { status: 502 })
    await settle()
    // An hour of bytes.
    mock.timers.tick(3_600_000)
    assert.deepEqual(aborted, [])
    next()
    await settle()
    mock.timers.tick(59_999)
    assert.deepEqual(aborted, [])
    mock.timers.tick(1)
    assert.deepEqual(aborted, ['TimeoutError'])
    await failed
  })

  it('gives a download its own timeout to begin, and none after that', async () => {
    const slow = over(silent)
    const params = { formId: 1, packageId: 2 }
    const failed = assert.rejects(slow.download('getPdf', { ...slow.callOptions, params }), { status: 502 })
    mock.timers.tick(99_999)
    assert.deepEqual(aborted, [])
    mock.timers.tick(1)
    assert.deepEqual(aborted, ['TimeoutError'])
    await failed

    let signal: AbortSignal | undefined
    const begun = over(async (request) => {
      ;({ signal } = request)
      return jsonResponse('%PDF')
    })
    await begun.download('getPdf', { ...begun.callOptions, params })
    mock.timers.tick(3_600_000)
    assert.equal(signal?.aborted, false)
    // The client may still break it off.
    begun.client.abort()
    assert.equal(signal?.aborted, true)
  })

  it('leaves no listener on the client, whatever comes of a call (T23)', async () => {
    const sends: readonly Send[] = [
      async () => jsonResponse(file),
      async () => jsonResponse('nonsense'),
      async () => jsonResponse('', 401),
      async () => jsonResponse('', 500),
      () => Promise.reject(new Error('down')),
      async () => ({ ...jsonResponse(file), bytes: () => Promise.reject(new Error('broken')) }),
    ]
    for (const [index, send] of sends.entries()) {
      const { call, callOptions, listeners } = over(send)
      for (let time = 0; time < 3; time++) {
        await call('getFileMeta', { ...callOptions, params: file }).catch(() => {})
        assert.equal(listeners(), 0, `sender ${index}`)
      }
    }
    const failing = over(async () => jsonResponse('', 500))
    await assert.rejects(
      failing.download('getPdf', { ...failing.callOptions, params: { formId: 1, packageId: 2 } }),
    )
    assert.equal(failing.listeners(), 0)
  })

  describe('a secret that changes', () => {
    /** A service that refuses all secrets but one. */
    function changing(refusal = 401) {
      const state = { secret: 'old', accepted: 'old', sent: [] as string[] }
      const storage = { ...service, clientSecret: () => state.secret }
      const upstream = createUpstream({
        ...{ env: 'test', services: { workflow: storage, storage }, timeouts },
        ...{ log: () => {}, metrics: undefined, maxResponseSize: 1000 },
        send: async ({ headers, body }) => {
          const [, used = ''] = atob((headers['authorization'] ?? '').slice(6)).split(':')
          state.sent.push(used)
          if (typeof body === 'object') for await (const chunk of body) void chunk
          return used === state.accepted ? jsonResponse(file) : jsonResponse('', refusal)
        },
      })
      const { signal } = new AbortController()
      const call = { as: 'application' as const, requestId: 'id', signal, params: file }
      return { state, upstream, call }
    }
    beforeEach((t) => {
      assert.ok('mock' in t)
      t.mock.method(performance, 'now', () => time)
      time = 0
    })
    let time = 0

    it('is read again after a second, and at once if the service has refused it', async () => {
      const { state, upstream, call } = changing()
      state.secret = state.accepted = 'new'
      await upstream.call('getFileMeta', call)
      state.secret = state.accepted = 'newest'
      time = 999
      await upstream.call('getFileMeta', call)
      state.secret = state.accepted = 'last'
      time = 1999
      await upstream.call('getFileMeta', call)
      assert.deepEqual(state.sent, ['old', 'new', 'new', 'newest', 'last'])
    })

    it('is used for the same call again, once, and only if it has changed (F16)', async () => {
      const { state, upstream, call } = changing()
      state.accepted = 'new'
      await assert.rejects(upstream.call('getFileMeta', call), { status: 502 })
      assert.deepEqual(state.sent, ['old'])
      state.secret = 'other'
      await assert.rejects(upstream.call('getFileMeta', call), { status: 502 })
      assert.deepEqual(state.sent, ['old', 'old', 'other'])
    })

    it('is used for each of the calls that were on their way with the old one (F16)', async () => {
      const { state, upstream, call } = changing()
      state.secret = state.accepted = 'new'
      await Promise.all([upstream.call('getFileMeta', call), upstream.call('getFileMeta', call)])
      assert.deepEqual(state.sent.toSorted(), ['new', 'new', 'old', 'old'])
    })

    it('repeats no call that may have had an effect or whose body is gone (F16)', async () => {
      const bytes = () => Readable.from([new Uint8Array(1)]) as AsyncIterable<Uint8Array>
      const json = { json: { filename: 'a.pdf' } }
      const upload = { type: 'multipart/form-data; boundary=a', bytes: bytes() }
      const cases = [
        ['updateFileMeta', 401, json, true],
        ['updateFileMeta', 403, json, false],
        ['getFileMeta', 403, undefined, true],
        ['uploadFile', 401, upload, false],
      ] as const
      for (const [name, refusal, body, isRepeated] of cases) {
        const { state, upstream, call } = changing(refusal)
        state.secret = state.accepted = 'new'
        await upstream.call(name, { ...call, body }).catch(() => {})
        assert.deepEqual(state.sent, isRepeated ? ['old', 'new'] : ['old'], `${name} ${refusal}`)
      }
    })

    it('is used for a download again (F16)', async () => {
      const { state, upstream, call } = changing()
      state.secret = state.accepted = 'new'
      const params = { formId: 1, packageId: 2 }
      assert.equal((await upstream.download('getPdf', { ...call, params })).status, 200)
      assert.deepEqual(state.sent, ['old', 'new'])
    })
  })
})

describe('Deadline', () => {
  afterEach(() => mock.timers.reset())

  it('notifies its listener and its signal of a client that has gone already', () => {
    const deadline = new Deadline(AbortSignal.abort('gone'))
    const reasons: unknown[] = []
    deadline.onAbort((reason) => reasons.push(reason))
    assert.deepEqual(reasons, ['gone'])
    assert.equal(deadline.signal.reason, 'gone')
  })

  it('does not expire while this process is too busy to receive the response', async () => {
    const busy = (milliseconds: number) => {
      const start = performance.now()
      while (performance.now() - start < milliseconds);
    }
    const reasons: unknown[] = []
    const deadline = new Deadline(new AbortController().signal)
    deadline.onAbort((reason) => reasons.push(reason))
    deadline.start(20)
    let isResponseRead = false
    setTimeout(() => (isResponseRead = true), 30)
    busy(1000)
    await until(() => isResponseRead)
    assert.deepEqual(reasons, [])
    await until(() => reasons.length >= 1)
    assert.match(String(reasons[0]), /TimeoutError/)
  })

  it('replaces its timeout, aborts once, and stays silent after its release', () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const client = new AbortController()
    const reasons: unknown[] = []
    const deadline = new Deadline(client.signal)
    deadline.onAbort((reason) => reasons.push(reason))
    deadline.start(10)
    deadline.start(100)
    mock.timers.tick(99)
    assert.equal(reasons.length, 0)
    mock.timers.tick(1)
    client.abort()
    mock.timers.tick(1000)
    assert.equal(reasons.length, 1)
    assert.equal(deadline.signal.aborted, true)

    const released = new Deadline(new AbortController().signal)
    released.start(10)
    released.release()
    // The last byte of an upload may be read after the response.
    released.start(10)
    mock.timers.tick(1000)
    assert.equal(released.signal.aborted, false)
  })
})
