import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createLocalBus } from '../../../src/proxy/changes/bus.ts'
import { createEventStreams, type EventStreamsOptions } from '../../../src/proxy/live/event-streams.ts'
import { parseFollowed } from '../../../src/proxy/live/followed-packages.ts'
import { ProxyError } from '../../../src/proxy/http/problem.ts'
import { until } from '../until.ts'
import { readEvents } from './event-reader.ts'

const hint = { formId: 6025, packageId: 42 }
const { signal } = new AbortController()

/** The status, the text for people and the delay of an error. */
function refusalOf(act: () => unknown): readonly unknown[] {
  try {
    act()
  } catch (error) {
    assert.ok(error instanceof ProxyError)
    return [error.status, error.message, error.retryAfter]
  }
  return []
}

/** Streams with everything that they log and measure. */
function setUp(t: TestContext, options: Partial<EventStreamsOptions> = {}) {
  const bus = createLocalBus()
  const logged: unknown[] = []
  const measured: unknown[] = []
  const events = createEventStreams({
    bus,
    mayView: (_univid, _formId, ids) => Promise.resolve(new Set(ids)),
    log: (...entry) => logged.push(entry),
    metrics: { streams: (count) => measured.push(count), count: (name) => measured.push(name) },
    batchDelay: 1,
    ...options,
  })
  t.after(() => events.close())
  const open = (packages = [hint], univid = '1') =>
    readEvents(events.open({ univid, packages, lastEventId: null, signal }))
  return { bus, events, open, logged, measured }
}

describe('createEventStreams() reports', () => {
  it('open streams and delivered events, and nothing about events that nobody may see', async (t) => {
    const { bus, open, logged, measured } = setUp(t, {
      mayView: (univid, _formId, ids) => Promise.resolve(new Set(univid === '1' ? ids : [])),
    })
    const [one, other] = [open(), open([hint], '2')]
    await other.next()
    await bus.publish(hint)
    await one.next()
    await bus.publish(hint)
    await one.next()
    await one.cancel()
    await other.cancel()
    assert.deepEqual(measured, [1, 2, 'event_delivered', 'event_delivered', 1, 0])
    assert.deepEqual(logged, [])
  })

  it('rights that cannot be read, once until they can', async (t) => {
    let isDown = true
    const { bus, open, logged } = setUp(t, {
      heartbeat: 5,
      now: () => 0,
      mayView: (_univid, _formId, ids) =>
        isDown ? Promise.reject(new Error('503')) : Promise.resolve(new Set(ids)),
    })
    const [one, other] = [open(), open([{ ...hint, formId: 7 }], '2')]
    await one.untilText(': \n', 3)
    await other.untilText(': \n', 3)
    const message = 'Live events are delayed: rights could not be read'
    assert.deepEqual(logged, [['warn', message, { formId: 6025, error: 'Error: 503' }]])
    isDown = false
    await bus.publish(hint)
    await one.next()
    await other.untilText(`id: ${bus.last()}\n`)
    isDown = true
    await bus.publish(hint)
    await until(() => logged.length >= 2)
    assert.deepEqual(logged[1], logged[0])
  })
})

describe('a stream that is refused', () => {
  it('has a reason that people can act on', (t) => {
    const { events, open } = setUp(t, { maxStreams: 1, maxPackages: 1 })
    assert.deepEqual(
      refusalOf(() => open([hint, { ...hint, packageId: 43 }])),
      [400, 'A stream can follow up to 1 packages. Name fewer packages.', undefined],
    )
    open()
    const full = [503, 'Live updates are at capacity. Try again later.', 30]
    assert.deepEqual(
      refusalOf(() => open()),
      full,
    )
    events.close()
    assert.deepEqual(
      refusalOf(() => open()),
      full,
    )
    const parse = (query: string, max?: number) =>
      refusalOf(() => parseFollowed(new URLSearchParams(query), max))
    const how = 'Write each package as package=FORM-PACKAGE.'
    assert.deepEqual(parse(''), [400, `The query names nothing to follow. ${how}`, undefined])
    assert.deepEqual(parse('package=1-2&a=b'), [
      400,
      `The query may only contain packages and list=1. ${how}`,
      undefined,
    ])
    assert.deepEqual(parse('package=1-2&package=1-3', 1), [
      400,
      'A stream can follow up to 1 packages. Name fewer packages.',
      undefined,
    ])
  })
})
