import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCleanHtml } from '../../../src/proxy/validation/clean-html.ts'
import { createHealth } from '../../../src/proxy/handlers/health.ts'
import { workAtOnce } from '../../../src/proxy/validation/heavy-work.ts'
import {
  continueTrace,
  createTracing,
  type RequestSpan,
  requestIdOf,
  writeTraceparent,
} from '../../../src/proxy/observe/tracing.ts'
import { readValidBody } from '../../../src/proxy/validation/valid-body.ts'

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const turn = { holder: '10000001', signal: new AbortController().signal }
const noLog = () => {}

describe('readValidBody()', () => {
  type Name = Parameters<typeof readValidBody>[0]['name']
  const read = (name: Name, body: unknown, version?: string) =>
    readValidBody({ bytes: bytesOf(body), name, version }, (html) => clean(html))
  let clean = (html: string): string | undefined => html.toUpperCase()

  it('returns the whole body, and the part without entry data that decisions depend on', async () => {
    const creation = { state: 'DRAFT', entry: { cost: 3 } }
    assert.deepEqual(await read('createPackage', creation), {
      json: JSON.stringify(creation),
      value: { state: 'DRAFT' },
    })
    const reason = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }
    assert.deepEqual(await read('voidPackage', reason), { json: JSON.stringify(reason), value: reason })
    // The body is the entry data itself, whatever its fields are called.
    assert.deepEqual(await read('updateEntry', { id: 42, emailContent: { packageDetails: 'x' } }), {
      json: '{"id":42,"emailContent":{"packageDetails":"X"}}',
      value: {},
    })
    const update = { entry: { cost: 3 }, sendDeltaEmail: true }
    assert.deepEqual(await read('updateEntry', update, '1.1'), {
      json: JSON.stringify(update),
      value: { sendDeltaEmail: true },
    })
  })

  it('cleans the HTML of e-mails, and nothing else', async () => {
    const { json, value } = await read(
      'updateEntry',
      { entry: { text: '<b>' }, emailContent: { deltaSummary: '<i>', packageDetails: '<b>' } },
      '1.1',
    )
    assert.deepEqual(JSON.parse(json as string), {
      entry: { text: '<b>' },
      emailContent: { deltaSummary: '<I>', packageDetails: '<B>' },
    })
    assert.deepEqual(value, { emailContent: { deltaSummary: '<I>', packageDetails: '<B>' } })
    for (const emailContent of [null, {}, { deltaSummary: null }]) {
      const body = { entry: {}, emailContent }
      assert.equal((await read('updateEntry', body, '1.1')).json, JSON.stringify(body))
    }
  })

  it('refuses HTML that is too long before or after it is cleaned, or of which nothing is left', async () => {
    const send = (field: string, html: string) =>
      read('updateEntry', { entry: {}, emailContent: { [field]: html } }, '1.1')
    const tooLong = {
      status: 422,
      message: 'deltaSummary is longer than 20000 characters of clean HTML. Shorten it.',
    }
    assert.ok(await send('deltaSummary', 'x'.repeat(20_000)))
    clean = () => assert.fail('It is too long to be cleaned')
    await assert.rejects(send('deltaSummary', 'x'.repeat(20_001)), tooLong)
    clean = () => 'x'.repeat(20_001)
    await assert.rejects(send('deltaSummary', 'x'), tooLong)
    clean = () => undefined
    await assert.rejects(send('packageDetails', 'x'), {
      status: 422,
      message: 'packageDetails contains nothing that an e-mail may contain. Write it as text.',
    })
    clean = () => ''
    assert.ok(await send('packageDetails', ''), 'an empty text clears the stored one')
  })
})

describe('workAtOnce', () => {
  it('writes a list of any length as JSON, in its order', async () => {
    const { readJson, readResponse } = workAtOnce
    const facts = { name: 'getStatus', params: {}, version: undefined, requestId: 'r1' } as const
    for (const length of [0, 1, 250, 251, 1001]) {
      const rows = Array.from({ length }, (_, index) => ({ id: index + 1, state: 'ROUTING' }))
      const json = await readJson(turn, { bytes: bytesOf(rows), facts }, noLog)
      const value = await readResponse(turn, { bytes: bytesOf(rows), facts }, noLog)
      assert.equal(json, JSON.stringify(value), String(length))
      assert.deepEqual(value, rows)
    }
  })

  it('cleans HTML, also that of bodies', async () => {
    const html = '<b onclick="x">x</b>'
    assert.equal(await workAtOnce.sanitizeHtml(turn, html), '<b>x</b>')
    const body = bytesOf({ entry: {}, emailContent: { deltaSummary: html } })
    const { json } = await workAtOnce.readBody(turn, { bytes: body, name: 'updateEntry', version: '1.1' })
    assert.equal(json, '{"entry":{},"emailContent":{"deltaSummary":"<b>x</b>"}}')
  })
})

describe('createCleanHtml()', () => {
  it('counts the characters before and after', async () => {
    const calls: string[] = []
    const clean = createCleanHtml(16)
    const read = (html: string) =>
      clean(html, (text) => {
        calls.push(text)
        return text === 'bb' ? undefined : text
      })
    for (const html of ['aaa', 'bb', 'aaa', 'bb', 'c', 'dddd', 'aaa']) await read(html)
    assert.deepEqual(calls, ['aaa', 'bb', 'c', 'dddd', 'aaa'])
  })
})

describe('continueTrace()', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

  it('begins calls with ids of their own, and no trace', () => {
    const span = continueTrace(
      'getPackage',
      new Headers({ traceparent: ` 00-${traceId}-00f067aa0ba902b7-03 ` }),
    )
    assert.equal(span?.traceId, traceId)
    const calls = Array.from({ length: 50 }, () => span?.startCall('getPackage').traceparent ?? '')
    for (const call of calls) assert.match(call, /^00-4bf92f3577b34da6a3ce929d0e0e4736-[\da-f]{16}-03$/)
    assert.equal(new Set(calls).size, 50)
    assert.equal(continueTrace('getPackage', new Headers()), undefined)
  })

  it('never uses an id of zeros', (t) => {
    t.mock.method(crypto, 'getRandomValues', (bytes: Uint8Array) => bytes.fill(0))
    const span = continueTrace(
      'getPackage',
      new Headers({ traceparent: `00-${traceId}-00f067aa0ba902b7-00` }),
    )
    assert.equal(span?.startCall('x').traceparent, `00-${traceId}-0000000000000001-00`)
    assert.equal(writeTraceparent({ traceId, spanId: 'a', flags: 16 }), `00-${traceId}-a-10`)
  })
})

describe('createTracing()', () => {
  it('knows a request until its end', () => {
    const ends: unknown[] = []
    const lines: unknown[] = []
    let next = 0
    const { log, startRequest, startCall } = createTracing(
      (name, headers): RequestSpan | undefined => {
        if (!headers.has('traceparent')) return undefined
        const traceId = `t${(next += 1)}`
        return {
          traceId,
          startCall: (call) => ({ traceparent: `${traceId} ${name} ${call}`, end: () => {} }),
          end: (status) => void ends.push([traceId, status]),
        }
      },
      (...line) => void lines.push(line),
    )
    const headers = new Headers({ traceparent: 'x' })
    const end = startRequest('r1', 'getPackage', headers)
    // A front server may give two requests the same id.
    const endOther = startRequest('r1', 'getEntry', headers)
    startRequest('r2', 'getPackage', new Headers())(200)
    assert.equal(startCall('r1', 'call')?.traceparent, 't2 getEntry call')
    assert.equal(startCall('r2', 'call'), undefined)
    log('info', 'a', { requestId: 'r1', x: 1 })
    log('info', 'b', { requestId: 'r2' })
    log('info', 'c', { x: 1 })
    end(200)
    assert.equal(startCall('r1', 'call')?.traceparent, 't2 getEntry call')
    endOther(404)
    assert.equal(startCall('r1', 'call'), undefined)
    log('warn', 'd', { requestId: 'r1' })
    assert.deepEqual(ends, [
      ['t1', 200],
      ['t2', 404],
    ])
    assert.deepEqual(lines, [
      ['info', 'a', { requestId: 'r1', x: 1, traceId: 't2' }],
      ['info', 'b', { requestId: 'r2' }],
      ['info', 'c', { x: 1 }],
      ['warn', 'd', { requestId: 'r1' }],
    ])
  })

  it('takes the id of a front server if it is plain text of 8 to 128 characters', () => {
    const idOf = (id: string, name: string | undefined = 'x-id') =>
      requestIdOf(new Headers({ 'x-id': id }), name)
    for (const id of ['12345678', 'a'.repeat(128), 'A-b_c.9x']) assert.equal(idOf(id), id)
    for (const id of ['1234567', 'a'.repeat(129), 'a b c d e f', '12345678/', '/12345678'])
      assert.match(idOf(id), /^[\da-f]{8}-[\da-f-]{27}$/, id)
    assert.match(requestIdOf(new Headers({ 'x-id': '12345678' }), undefined), /^[\da-f-]{36}$/)
    assert.match(requestIdOf(new Headers(), 'x-id'), /^[\da-f-]{36}$/)
  })
})

describe('createHealth()', () => {
  const callbacks = {
    canStore: async () => true,
    hasKey: async () => true,
    waiting: async () => ({ oldest: undefined as number | undefined, dead: 0 }),
  }

  it('lacks nothing without Redis and breakers, and measures nothing without metrics', async () => {
    const waiting = async () => assert.fail('Nobody reads it')
    const options = { pausedServices: undefined, metrics: undefined }
    const live = { callbacks: { ...callbacks, waiting } }
    const health = createHealth({ bus: undefined, live, ...options })
    assert.deepEqual(await health.lacks(), [])
    await health.measure()
    const unknown = createHealth({ bus: {}, live, ...options })
    assert.deepEqual(await unknown.lacks(), [])
  })

  it('looks again if the clock was set back, and measures no negative age', async () => {
    const clock = { time: 10_000 }
    let hasKey = true
    const gauges: unknown[] = []
    const health = createHealth({
      bus: undefined,
      pausedServices: undefined,
      live: {
        callbacks: {
          ...callbacks,
          hasKey: async () => hasKey,
          waiting: async () => ({ oldest: 12_000, dead: 2 }),
        },
      },
      metrics: { health: (facts) => void gauges.push(facts) },
      now: () => clock.time,
    })
    assert.deepEqual(await health.lacks(), [])
    hasKey = false
    clock.time = 9999
    assert.deepEqual(await health.lacks(), ['callbackKey'])
    await health.measure()
    clock.time = 13_500
    await health.measure()
    const facts = { isRedisUp: undefined, pausedServices: [], deadLetters: 2 }
    assert.deepEqual(gauges, [
      { ...facts, oldestCallbackSeconds: 0 },
      { ...facts, oldestCallbackSeconds: 1.5 },
    ])
  })
})
