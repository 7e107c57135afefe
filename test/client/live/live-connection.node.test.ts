import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createLiveConnection } from '../../../src/client/live/live-connection.ts'

const hello = 'retry: 1000\n: hello\nid: 7-1\n\n'
const heartbeat = ': \n\n'

describe('createLiveConnection()', () => {
  it('waits longer before each reconnect, 30 seconds at most (F53)', async (t) => {
    const { delays } = setUp(t, () => Promise.reject(new TypeError('down')))
    await passTime(t, 130_000)
    assert.deepEqual(delays().slice(0, 8), [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  })

  it('does not count a stream that only opens as a success', async (t) => {
    const { delays } = setUp(t, () => Promise.resolve(stream([hello])))
    await passTime(t, 20_000)
    assert.deepEqual(delays().slice(0, 4), [1000, 2000, 4000, 8000])
  })

  it('starts the waits again after a heartbeat on a stream that has sent something before', async (t) => {
    let attempt = 0
    const { delays } = setUp(t, () =>
      ++attempt === 4 ? Promise.resolve(stream([hello, heartbeat])) : Promise.reject(new TypeError('down')),
    )
    await passTime(t, 20_000)
    assert.deepEqual(delays().slice(0, 6), [1000, 2000, 4000, 1000, 2000, 4000])
  })

  it('waits at least as long as the stream requests', async (t) => {
    const { delays } = setUp(t, () => Promise.resolve(stream(['retry: 5000\n\n'])))
    await passTime(t, 20_000)
    assert.deepEqual(delays().slice(0, 2), [5000, 10_000])
  })

  it('waits at least a second, whatever the stream requests', async (t) => {
    const { delays } = setUp(t, () => Promise.resolve(stream(['retry: 10\n\n'])))
    await passTime(t, 5000)
    assert.deepEqual(delays().slice(0, 2), [1000, 2000])
  })

  for (const status of [429, 503]) {
    it(`adds the time of a Retry-After header with status ${status} to its wait (F53)`, async (t) => {
      const { delays } = setUp(t, () =>
        Promise.resolve(new Response(null, { status, headers: { 'retry-after': '20' } })),
      )
      await passTime(t, 50_000)
      assert.deepEqual(delays().slice(0, 2), [21_000, 22_000])
    })
  }

  for (const [name, respond] of [
    ['an error', () => Promise.resolve(new Response(null, { status: 502 }))],
    ['a failed connection', () => Promise.reject(new TypeError('down'))],
    [
      'a login page',
      () => Promise.resolve(new Response('id: 1\n\n', { headers: { 'content-type': 'text/html' } })),
    ],
    ['nothing', () => Promise.resolve(new Response(null, { status: 204 }))],
    [
      'a `fetch` that throws',
      () => {
        throw new Error('a bug of the page')
      },
    ],
  ] as const) {
    it(`requests a stream again after ${name}, and reports no event (F53)`, async (t) => {
      const { delays, events } = setUp(t, respond)
      await passTime(t, 1500)
      assert.deepEqual(delays(), [1000])
      assert.deepEqual(events, [])
    })
  }

  it('continues from the last event with an id, and from the start after a reset', async (t) => {
    const { connection, calls } = setUp(t, () => Promise.resolve(stream([hello, 'event: change\n\n'])))
    await passTime(t, 1500)
    connection.reset()
    connection.connect(['6025-42'])
    await passTime(t, 0)
    assert.deepEqual(
      calls.map(({ headers }) => headers.get('last-event-id')),
      [null, '7-1', null],
    )
  })

  it('never sends an id that a header cannot carry (F55)', async (t) => {
    const ids = ['8-1', 'a b', '\u2028', 'é', '8-2'].values()
    const { calls } = setUp(t, () => Promise.resolve(stream([`id: ${ids.next().value ?? ''}\n\n`])))
    await passTime(t, 40_000)
    assert.deepEqual(
      calls.slice(0, 6).map(({ headers }) => headers.get('last-event-id')),
      [null, '8-1', null, null, null, '8-2'],
    )
  })

  it('aborts the request when it is closed, or connected anew', async (t) => {
    const { connection, calls, disconnects } = setUp(t, () => Promise.resolve(openStream().response))
    await passTime(t, 0)
    connection.connect(['6025-43'])
    await passTime(t, 0)
    assert.deepEqual(
      calls.map(({ url, signal }) => [url.slice(-7), signal.aborted]),
      [
        ['6025-42', true],
        ['6025-43', false],
      ],
    )
    assert.deepEqual(connection.keys, ['6025-43'])
    const before = disconnects()
    connection.disconnect()
    assert.equal(calls[1]?.signal.aborted, true)
    assert.deepEqual(connection.keys, [])
    assert.equal(disconnects(), before + 1)
  })

  it('ignores a stream that another one has replaced, whatever it sends and however it ends', async (t) => {
    const streams: ReturnType<typeof openStream>[] = []
    const { connection, calls, events } = setUp(t, () => {
      const opened = openStream()
      streams.push(opened)
      return Promise.resolve(opened.response)
    })
    await passTime(t, 0)
    send(streams[0], 'id: 1-1\n\n')
    await passTime(t, 0)
    connection.connect(['6025-43'])
    send(streams[0], 'id: 1-2\n\n')
    await passTime(t, 0)
    streams[0]?.controller.close()
    send(streams[1], 'id: 2-1\n\n')
    await passTime(t, 10_000)
    assert.deepEqual(events, ['1-1', '2-1'])
    assert.deepEqual(
      calls.map(({ signal }) => signal.aborted),
      [true, false],
    )
  })

  it('aborts the request whose response it does not read', async (t) => {
    const { calls } = setUp(t, () => Promise.resolve(new Response('x', { status: 502 })))
    await passTime(t, 0)
    assert.equal(calls[0]?.signal.aborted, true)
  })

  it('forgets its failures when it is reset', async (t) => {
    const { connection, calls, delays } = setUp(t, () => Promise.reject(new TypeError('down')))
    await passTime(t, 3500)
    assert.equal(calls.length, 3)
    connection.reset()
    await passTime(t, 60_000)
    assert.equal(calls.length, 3, 'nothing reconnects by itself')
    connection.connect(['6025-42'])
    await passTime(t, 1500)
    assert.equal(delays().at(-1), 1000)
  })

  it('ends a stream that is silent for too long, and only then', async (t) => {
    const opened = openStream()
    const { calls } = setUp(t, () => Promise.resolve(opened.response))
    for (let beat = 0; beat < 5; beat++) {
      await passTime(t, 44_900)
      send(opened, ':')
      await passTime(t, 0)
    }
    assert.equal(calls[0]?.signal.aborted, false)
    await passTime(t, 45_000)
    assert.equal(calls[0]?.signal.aborted, true)
  })

  it('keeps no timer after it is closed', async (t) => {
    const { connection, calls } = setUp(t, () => Promise.reject(new TypeError('down')))
    await passTime(t, 100)
    connection.disconnect()
    await passTime(t, 60_000)
    assert.equal(calls.length, 1)
  })
})

function setUp(t: TestContext, respond: () => Promise<Response>) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
  const calls: {
    readonly time: number
    readonly url: string
    readonly headers: Headers
    readonly signal: AbortSignal
  }[] = []
  /** Ids of the events. */
  const events: (string | undefined)[] = []
  let disconnects = 0
  const connection = createLiveConnection({
    root: '/api/wf',
    fetch: (input, init) => {
      const signal = init?.signal as AbortSignal
      calls.push({ time: Date.now(), url: input as string, headers: new Headers(init?.headers), signal })
      return respond()
    },
    silence: 45_000,
    onEvent: (event) => events.push(event.get('id')),
    onDisconnect: () => disconnects++,
    random: () => 1,
  })
  connection.connect(['6025-42'])
  const delays = () => calls.slice(1).map(({ time }, index) => time - (calls[index]?.time ?? 0))
  return { connection, calls, delays, events, disconnects: () => disconnects }
}

/** A stream that ends after these texts. */
function stream(texts: readonly string[]): Response {
  const { response, controller } = openStream()
  for (const text of texts) controller.enqueue(new TextEncoder().encode(text))
  controller.close()
  return response
}

function openStream() {
  let controller!: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({ start: (value) => void (controller = value) })
  return { response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }), controller }
}

function send(opened: ReturnType<typeof openStream> | undefined, text: string): void {
  opened?.controller.enqueue(new TextEncoder().encode(text))
}

/** Lets fake time pass in steps, with room for promises between them. */
async function passTime(t: TestContext, milliseconds: number): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  for (let passed = 0; passed < milliseconds; passed += 100) {
    t.mock.timers.tick(Math.min(100, milliseconds - passed))
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  }
}
