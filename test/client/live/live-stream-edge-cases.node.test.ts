import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createLiveStream, type LiveSubject } from '../../../src/client/live/live-stream.ts'

const hello = 'retry: 1000\n: hello\nid: 7-1\n\n'
const heartbeat = ': \n\n'

describe('createLiveStream()', () => {
  it('is not live while the proxy cannot find changes, until the next heartbeat or event', async (t) => {
    const { live, hints, send } = await setUp(t)
    await send(hello)
    assert.deepEqual(live, [true])
    await send('event: pause\ndata: {}\n\n')
    assert.deepEqual(live, [true, false])
    await send(heartbeat)
    assert.deepEqual(live, [true, false, true])
    await send('event: pause\ndata: {}\n\n')
    await send('event: change\ndata: {"formId":6025,"packageId":42}\n\n')
    assert.deepEqual(live, [true, false, true, false, true])
    assert.deepEqual(hints, [{ formId: 6025, packageId: 42 }])
  })

  it('stays live after an event of a type that it does not know (control)', async (t) => {
    const { live, hints, send } = await setUp(t)
    await send(hello)
    await send('event: news\ndata: {}\n\n')
    assert.deepEqual(live, [true])
    assert.deepEqual(hints, [])
  })
})

/** Follows one package over a stream that the test writes. */
async function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const live: boolean[] = []
  const hints: (LiveSubject | null)[] = []
  let controller!: ReadableStreamDefaultController<Uint8Array>
  const stream = createLiveStream({
    root: 'https://site.test/api/wf',
    isShared: false,
    fetch: async () => {
      const body = new ReadableStream<Uint8Array>({ start: (value) => void (controller = value) })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
    onHint: (hint) => hints.push(hint),
    onLive: (isLive) => live.push(isLive),
  })
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  }
  t.after(() => {
    stream.follow([])
    t.mock.timers.tick(100)
  })
  stream.follow([{ formId: 6025, packageId: 42 }])
  t.mock.timers.tick(100)
  await settle()
  return {
    live,
    hints,
    async send(text: string): Promise<void> {
      controller.enqueue(new TextEncoder().encode(text))
      await settle()
    },
  }
}
