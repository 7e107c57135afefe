import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createLiveConnection } from '../../src/client/live-connection.ts'

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

  it('waits at least as long as the stream has asked for', async (t) => {
    const { delays } = setUp(t, () => Promise.resolve(stream(['retry: 5000\n\n'])))
    await passTime(t, 20_000)
    assert.deepEqual(delays().slice(0, 2), [5000, 10_000])
  })

  it('adds the time of a Retry-After header to its wait', async (t) => {
    const { delays } = setUp(t, () =>
      Promise.resolve(new Response(null, { status: 503, headers: { 'retry-after': '20' } })),
    )
    await passTime(t, 50_000)
    assert.deepEqual(delays().slice(0, 2), [21_000, 22_000])
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
    let send!: (text: string) => void
    const { calls } = setUp(t, () => {
      const { response, controller } = openStream()
      send = (text) => controller.enqueue(new TextEncoder().encode(text))
      return Promise.resolve(response)
    })
    for (let beat = 0; beat < 5; beat++) {
      await passTime(t, 44_900)
      send(':')
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

function setUp(t: TestContext, answer: () => Promise<Response>) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
  const calls: { readonly time: number; readonly signal: AbortSignal }[] = []
  const connection = createLiveConnection({
    root: '/api/wf',
    fetch: (_, init) => {
      const signal = init?.signal as AbortSignal
      calls.push({ time: Date.now(), signal })
      return answer()
    },
    silence: 45_000,
    onEvent: () => {},
    onDisconnect: () => {},
    random: () => 1,
  })
  connection.connect(['6025-42'])
  const delays = () => calls.slice(1).map(({ time }, index) => time - (calls[index]?.time ?? 0))
  return { connection, calls, delays }
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

/** Lets fake time pass in steps, with room for promises between them. */
async function passTime(t: TestContext, milliseconds: number): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  for (let passed = 0; passed < milliseconds; passed += 100) {
    t.mock.timers.tick(Math.min(100, milliseconds - passed))
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  }
}
