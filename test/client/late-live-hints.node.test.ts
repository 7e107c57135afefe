import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createLateLiveHints } from '../../src/client/late-live-hints.ts'
import { loadLiveHints } from '../../src/client/late.ts'

const root = 'https://site.test/api/wf'

describe('createLateLiveHints()', () => {
  it('creates the hints once, for the latest scopes', async (t) => {
    const { hints, created, urls, passTime } = setUp(t)
    hints.setScopes(['session', '6025/42'])
    hints.setScopes(['session', '6025/43'])
    await waitUntil(() => created() > 0)
    hints.setScopes(['session', '6025/43', '6025/44'])
    await passTime(100)
    assert.equal(created(), 1)
    assert.deepEqual(urls, [`${root}/events?package=6025-43&package=6025-44`])
  })

  it('creates no hints for scopes that have no events', async (t) => {
    const { hints, created, passTime } = setUp(t)
    hints.setScopes(['session'])
    hints.setScopes([])
    await loadLiveHints()
    await passTime(100)
    assert.equal(created(), 0)
    hints.setScopes(['6025/42'])
    await waitUntil(() => created() > 0)
  })

  it('tries again at the next change of scopes if the hints could not be created', async (t) => {
    const { hints, created, urls, passTime } = setUp(t, 1)
    hints.setScopes(['6025/42'])
    await waitUntil(() => created() === 1)
    await passTime(100)
    assert.deepEqual(urls, [])
    hints.setScopes(['6025/42', '6025/43'])
    await waitUntil(() => created() === 2)
    await passTime(100)
    assert.deepEqual(urls, [`${root}/events?package=6025-42&package=6025-43`])
  })

  it('may be called before the hints exist', async (t) => {
    const { hints, created } = setUp(t)
    hints.ignore('7-1')
    hints.settle('6025/42')
    hints.restart()
    assert.equal(created(), 0)
    hints.setScopes(['6025/42'])
    await waitUntil(() => created() === 1)
  })

  it('passes everything on to the hints', async (t) => {
    const { hints, created, urls, send, passTime, changes } = setUp(t)
    hints.setScopes(['6025/42', '6025/43'])
    await waitUntil(() => created() === 1)
    await passTime(100)
    hints.ignore('7-1')
    send('7-1', 42)
    send('7-2', 43)
    await passTime(100)
    hints.settle('6025/43')
    await passTime(200)
    assert.deepEqual(changes, [])
    send('7-3', 42)
    await passTime(250)
    assert.deepEqual(changes, ['6025/42'], 'control')

    hints.restart()
    await passTime(100)
    assert.equal(urls.length, 2)
  })
})

/**
 * Late hints over a stream that the test writes. The first `failures` attempts to create the hints fail: a test cannot make
 * the file with their code unavailable, but options that throw have the same effect.
 */
function setUp(t: TestContext, failures = 0) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
  const urls: string[] = []
  const changes: (string | undefined)[] = []
  let attempts = 0
  let stream!: ReadableStreamDefaultController<Uint8Array>
  const hints = createLateLiveHints({
    get root() {
      if (++attempts <= failures) throw new Error('not loaded')
      return root
    },
    isShared: false,
    fetch: async (input) => {
      urls.push(input as string)
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
    onChange: (scope) => changes.push(scope),
    onLive: () => {},
  })
  /** Lets fake time pass in steps, with room for promises between them. */
  async function passTime(milliseconds: number): Promise<void> {
    for (let passed = 0; passed <= milliseconds; passed += 25) {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
      if (passed < milliseconds) t.mock.timers.tick(25)
    }
  }
  return {
    hints,
    urls,
    changes,
    passTime,
    /** Number of attempts to create the hints. */
    created: () => attempts,
    send: (id: string, packageId: number) =>
      stream.enqueue(
        new TextEncoder().encode(
          `id: ${id}\nevent: change\ndata: {"formId":6025,"packageId":${packageId}}\n\n`,
        ),
      ),
  }
}

/** Waits until code has loaded, without passing fake time. */
async function waitUntil(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000
  while (!isTrue()) {
    assert.ok(performance.now() < deadline, 'The deadline has passed')
    await new Promise(setImmediate)
  }
}
