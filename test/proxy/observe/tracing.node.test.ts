import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import {
  context,
  propagation,
  type SpanContext,
  type SpanOptions,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import { openTelemetrySpans } from '../../../src/proxy/node/index.ts'
import {
  continueTrace,
  createTracing,
  readTraceparent,
  type RequestSpan,
  writeTraceparent,
} from '../../../src/proxy/observe/tracing.ts'
import { type SetUp, setUp } from '../mount.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parent = `00-${traceId}-00f067aa0ba902b7-01`
const package42 = '/forms/6025/packages/42'

/** Reads a package whose service fails, and returns what the service and the log received. */
async function read(headers: Record<string, string>, options: SetUp = {}) {
  const { request, journal, log } = setUp({
    intercept: () => new Response(null, { status: 500 }),
    ...options,
  })
  const response = await request(package42, { as: 'initiator', headers })
  const problem = (await response.json()) as { requestId?: string }
  const sent = journal.map(({ headers: all }) => all.get('traceparent'))
  return { sent, log, problem, ids: journal.map(({ headers: all }) => all.get('x-request-id')) }
}

describe('a request that belongs to a trace', () => {
  it('continues it in the calls of the services, each with an id of its own, and in the log', async () => {
    const { sent, log } = await read({ traceparent: parent })
    assert.ok(sent.length > 0)
    for (const header of sent) assert.match(header ?? '', new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
    assert.ok(sent.every((header) => header !== parent && !header?.includes('00f067aa0ba902b7')))
    assert.equal(new Set(sent).size, sent.length)
    assert.ok(log.some((line) => line.includes(`"traceId":"${traceId}"`)))
  })

  it('passes on nothing else, such as the state of other vendors', async () => {
    const { request, journal } = setUp()
    await request(package42, {
      as: 'initiator',
      headers: { traceparent: parent, tracestate: 'a=b', baggage: 'c=d' },
    })
    assert.ok(journal.length > 0)
    for (const { headers } of journal)
      assert.deepEqual([headers.get('tracestate'), headers.get('baggage')], [null, null])
  })

  it('leaves no trace in requests without one, or in calls that nobody has requested', async () => {
    const { sent, log } = await read({})
    assert.deepEqual(new Set(sent), new Set([null]))
    assert.doesNotMatch(log.join(), /traceId/)
  })

  it('is read as W3C Trace Context defines it', () => {
    const fields = { traceId, spanId: '00f067aa0ba902b7' }
    assert.deepEqual(readTraceparent(parent), { ...fields, flags: 1 })
    assert.deepEqual(readTraceparent(parent.replace('-01', '-ff')), { ...fields, flags: 3 })
    assert.deepEqual(readTraceparent(`${parent.replace('00-', 'cc-')}-what-the-future-adds`), {
      ...fields,
      flags: 1,
    })
    const invalid = [
      null,
      '',
      `${parent}, ${parent}`,
      `${parent}-more`,
      parent.replace('00-', 'ff-'),
      parent.toUpperCase(),
      parent.replace(traceId, '0'.repeat(32)),
      parent.replace('00f067aa0ba902b7', '0'.repeat(16)),
      parent.slice(0, -1),
      `${parent.replace('00-', 'cc-')}more`,
    ]
    for (const value of invalid) assert.equal(readTraceparent(value), undefined, String(value))
  })

  it('is known until its end', () => {
    const ends: unknown[] = []
    const lines: unknown[] = []
    let next = 0
    const { log, startRequest, startCall } = createTracing(
      (name, headers): RequestSpan | undefined => {
        if (!headers.has('traceparent')) return undefined
        const id = `t${(next += 1)}`
        return {
          traceId: id,
          startCall: (call) => ({ traceparent: `${id} ${name} ${call}`, end: () => {} }),
          end: (status) => void ends.push([id, status]),
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

  it('never has a call with an id of zeros', (t) => {
    t.mock.method(crypto, 'getRandomValues', (bytes: Uint8Array) => bytes.fill(0))
    const span = continueTrace(
      'getPackage',
      new Headers({ traceparent: `00-${traceId}-00f067aa0ba902b7-00` }),
    )
    assert.equal(span?.startCall('x').traceparent, `00-${traceId}-0000000000000001-00`)
    assert.equal(writeTraceparent({ traceId, spanId: 'a', flags: 16 }), `00-${traceId}-a-10`)
  })
})

describe('the id of a request', () => {
  const given = 'front-4711.a_b'

  it('is that of the front server if its header is configured', async () => {
    for (const id of [given, 'A-b_c.9x', 'a'.repeat(128)]) {
      const { ids, problem, log } = await read(
        { 'x-request-id': id },
        { observe: { requestIdHeader: 'x-request-id' } },
      )
      assert.deepEqual(new Set(ids), new Set([id]))
      assert.equal(problem.requestId, id)
      assert.ok(log.some((line) => line.includes(`"requestId":"${id}"`)))
    }
  })

  for (const [name, value, requestIdHeader] of [
    ['no header is configured', given, undefined],
    ['another header is configured', given, 'x-other'],
    ['it is too short', '1234567', 'x-request-id'],
    ['it is too long', 'a'.repeat(129), 'x-request-id'],
    ['it holds other characters', 'front-4711\u00e9', 'x-request-id'],
    ['it holds a slash at its start', '/12345678', 'x-request-id'],
    ['it occurs twice', `${given}, ${given}`, 'x-request-id'],
  ] as const) {
    it(`is one of the proxy if ${name}`, async () => {
      const options = requestIdHeader === undefined ? {} : { observe: { requestIdHeader } }
      const { ids, problem } = await read({ 'x-request-id': value }, options)
      assert.match(problem.requestId ?? '', /^[\da-f]{8}-[\da-f-]{27}$/)
      assert.deepEqual(new Set(ids), new Set([problem.requestId]))
    })
  }
})

describe('openTelemetrySpans()', () => {
  afterEach(() => {
    trace.disable()
    propagation.disable()
  })

  it('continues a trace as without it if the process has no SDK', async () => {
    const startSpan = await openTelemetrySpans()
    assert.ok(startSpan)
    const { sent } = await read({ traceparent: parent }, { observe: { startSpan } })
    for (const header of sent) assert.match(header ?? '', new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
  })

  it('gives the SDK a span for the request and one for each call, with their status', async () => {
    const spans = useSdk()
    const startSpan = await openTelemetrySpans()
    assert.ok(startSpan)
    const { sent } = await read({ traceparent: parent }, { observe: { startSpan } })
    const [request, ...calls] = spans
    assert.deepEqual(request, {
      name: 'getPackage',
      kind: 1,
      parent: '00f067aa0ba902b7',
      id: '0000000000000001',
      attributes: { 'http.response.status_code': 502 },
      isFailed: true,
      isEnded: true,
    })
    assert.equal(calls.length, sent.length)
    for (const [index, call] of calls.entries()) {
      assert.deepEqual([call.parent, call.kind, call.isFailed, call.isEnded], [request?.id, 2, true, true])
      assert.equal(call.attributes['http.response.status_code'], 500)
      assert.equal(sent[index], `00-${traceId}-${call.id}-01`)
    }
  })
})

interface RecordedSpan {
  readonly name: string
  readonly kind: number | undefined
  readonly parent: string | undefined
  readonly id: string
  readonly attributes: Record<string, unknown>
  isFailed: boolean
  isEnded: boolean
}

/** Registers an SDK that records the spans. */
function useSdk(): readonly RecordedSpan[] {
  const spans: RecordedSpan[] = []
  const startSpan = (name: string, { kind }: SpanOptions = {}, from = context.active()) => {
    const above = trace.getSpanContext(from)
    const id = String(spans.length + 1).padStart(16, '0')
    const recorded: RecordedSpan = {
      name,
      kind,
      parent: above?.spanId,
      id,
      attributes: {},
      isFailed: false,
      isEnded: false,
    }
    spans.push(recorded)
    const spanContext: SpanContext = {
      traceId: above?.traceId ?? '',
      spanId: id,
      traceFlags: above?.traceFlags ?? 0,
    }
    return Object.assign(trace.wrapSpanContext(spanContext), {
      setAttribute: (key: string, value: unknown) => (recorded.attributes[key] = value),
      setStatus: ({ code }: { code: number }) => (recorded.isFailed = code === 2),
      end: () => (recorded.isEnded = true),
    })
  }
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as unknown as Tracer })
  propagation.setGlobalPropagator({
    inject: () => {},
    fields: () => ['traceparent'],
    extract(from, carrier) {
      const found = readTraceparent((carrier as { traceparent: string }).traceparent)
      return found
        ? trace.setSpanContext(from, {
            traceId: found.traceId,
            spanId: found.spanId,
            traceFlags: found.flags,
            isRemote: true,
          })
        : from
    },
  })
  return spans
}
