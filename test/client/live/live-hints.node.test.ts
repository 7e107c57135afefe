import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createLiveHints } from '../../../src/client/live/live-hints.ts'

describe('createLiveHints()', () => {
  it('follows the scopes of packages, and no others', async (t) => {
    const { urls } = await setUp(t)
    assert.deepEqual(urls, ['https://site.test/api/wf/events?package=6025-42&package=6025-43'])
  })

  it('follows lists too, and polls until their events arrive', async (t) => {
    const { hints, urls, beat, passTime, isLive, sendList, changes } = await setUp(t)
    beat()
    await passTime(100)
    assert.equal(isLive(), true)
    hints.setScopes(['6025/42', '/list'])
    assert.equal(isLive(), false)
    await passTime(100)
    assert.equal(urls[1], 'https://site.test/api/wf/events?list=1&package=6025-42')
    beat()
    await passTime(100)
    assert.equal(isLive(), true)
    sendList()
    sendList()
    await passTime(250)
    assert.deepEqual(changes(), ['/list'])
  })

  it('reports a change of lists although it has the id of an ignored event', async (t) => {
    const { hints, send, sendList, passTime, changes } = await setUp(t)
    hints.setScopes(['6025/42', '/list'])
    await passTime(100)
    send('1', 43)
    await passTime(100)
    hints.ignore('1')
    sendList()
    await passTime(250)
    assert.deepEqual(changes(), ['/list'])
  })

  it('reports several events about a package once, a moment after the first of them', async (t) => {
    const { send, passTime, changes } = await setUp(t)
    send('1', 42)
    send('2', 43)
    await passTime(150)
    send('3', 42)
    assert.deepEqual(changes(), [])
    await passTime(100)
    assert.deepEqual(changes(), ['6025/42', '6025/43'])

    // The moment of a later event begins with that event.
    send('4', 42)
    await passTime(150)
    assert.deepEqual(changes(), ['6025/42', '6025/43'])
    await passTime(50)
    assert.deepEqual(changes(), ['6025/42', '6025/43', '6025/42'])
  })

  it('reports that anything may have changed once, instead of single packages', async (t) => {
    const { send, passTime, changes, resync } = await setUp(t)
    send('1', 42)
    resync()
    await passTime(250)
    assert.deepEqual(changes(), [undefined])
  })

  it('ignores the event of a change of this page, and only once', async (t) => {
    const { hints, send, passTime, changes } = await setUp(t)
    hints.ignore('1')
    send('1', 42)
    await passTime(250)
    assert.deepEqual(changes(), [])
    send('1', 42)
    await passTime(250)
    assert.deepEqual(changes(), ['6025/42'])
  })

  it('does not report a package that is read before the moment ends', async (t) => {
    const { hints, send, passTime, changes } = await setUp(t)
    send('1', 42)
    send('2', 43)
    await passTime(100)
    hints.settle('6025/42')
    await passTime(150)
    assert.deepEqual(changes(), ['6025/43'])
  })
})

/** Follows two packages over a stream that the test writes. */
async function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
  const changes: (string | undefined)[] = []
  const urls: string[] = []
  let live = false
  let stream!: ReadableStreamDefaultController<Uint8Array>
  const hints = createLiveHints({
    root: 'https://site.test/api/wf',
    isShared: false,
    fetch: async (input) => {
      urls.push(input as string)
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) })
      return new Response(body, { headers: { 'content-type': 'text/event-stream', 'x-routeslip': '1' } })
    },
    onChange: (scope) => changes.push(scope),
    onLive: (isLive) => (live = isLive),
  })
  const write = (text: string) => stream.enqueue(new TextEncoder().encode(text))
  /** Lets fake time pass in steps, with room for promises between them. */
  async function passTime(milliseconds: number): Promise<void> {
    for (let passed = 0; passed <= milliseconds; passed += 25) {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
      if (passed < milliseconds) t.mock.timers.tick(25)
    }
  }
  t.after(() => {
    hints.setScopes([])
    t.mock.timers.tick(100)
  })
  hints.setScopes(['6025/42', '6025/43', 'session'])
  await passTime(200)
  return {
    hints,
    urls,
    passTime,
    changes: () => changes,
    isLive: () => live,
    beat: () => write(':\n\n'),
    send: (id: string, packageId: number) =>
      write(`id: ${id}\nevent: change\ndata: {"formId":6025,"packageId":${packageId}}\n\n`),
    sendList: () => write('event: list\ndata: {}\n\n'),
    resync: () => write('event: resync\ndata: {}\n\n'),
  }
}
