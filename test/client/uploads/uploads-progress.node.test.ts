import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { UnavailableError } from '../../../src/client/index.ts'
import { createOneUpload, type Summary } from './one-upload.ts'

// A transfer on a fake clock. `transfer.test.ts` covers the rest in a browser.

describe('the progress of a transfer', () => {
  it('has a speed in which new values count 30 percent', (t) => {
    const { sends, pass, state } = setUp(t)
    sends[0]!.progress(0, 10_000)
    pass(500)
    sends[0]!.progress(500, 10_000)
    assert.deepEqual(state(), sending({ sent: 500, speed: 1000, secondsLeft: 9.5 }))
    pass(500)
    sends[0]!.progress(1500, 10_000)
    assert.deepEqual(state(), sending({ sent: 1500, speed: 1300, secondsLeft: 8500 / 1300 }))
  })

  it('is reported after 200 ms, and not earlier, except for the last byte', (t) => {
    const { sends, pass, states } = setUp(t)
    sends[0]!.progress(0, 100)
    const { length } = states
    pass(199)
    sends[0]!.progress(10, 100)
    assert.equal(states.length, length)
    pass(1)
    sends[0]!.progress(20, 100)
    assert.equal(states.length, length + 1)
    sends[0]!.progress(100, 100)
    assert.deepEqual(states.at(-1), { kind: 'finishing', isStalled: false })
  })

  it('is reported although no more bytes follow, once', (t) => {
    const { sends, pass, states, state } = setUp(t)
    sends[0]!.progress(0, 10_000)
    const { length } = states
    sends[0]!.progress(100, 10_000)
    pass(100)
    sends[0]!.progress(500, 10_000)
    pass(99)
    assert.equal(states.length, length)
    pass(1)
    assert.deepEqual(state(), sending({ sent: 500, speed: 2500, secondsLeft: 3.8 }))
    pass(1000)
    assert.equal(states.length, length + 1)
  })

  it('is not reported after the transfer was cancelled', (t) => {
    const { sends, pass, states, transfer } = setUp(t)
    sends[0]!.progress(0, 100)
    sends[0]!.progress(10, 100)
    transfer.cancel()
    const { length } = states
    pass(200)
    assert.equal(states.length, length)
    assert.deepEqual(states.at(-1), { kind: 'cancelled' })
  })

  it('never goes back, and is not reported twice', (t) => {
    const { sends, pass, states, state } = setUp(t)
    sends[0]!.progress(50, 100)
    const { length } = states
    for (const sent of [50, 40, 0]) {
      pass(300)
      sends[0]!.progress(sent, 100)
    }
    assert.equal(states.length, length)
    assert.deepEqual(state(), sending({ sent: 50, total: 100 }))
  })

  it('has no speed after a stall, and then one of its own', (t) => {
    const { sends, pass, state } = setUp(t)
    sends[0]!.progress(0, 10_000)
    pass(500)
    sends[0]!.progress(500, 10_000)
    // Too soon for a report, but part of the next state.
    pass(100)
    sends[0]!.progress(550, 10_000)
    pass(30_000)
    assert.deepEqual(state(), sending({ sent: 550, isStalled: true }))
    sends[0]!.progress(600, 10_000)
    assert.deepEqual(state(), sending({ sent: 600 }), 'at once')
    pass(1000)
    sends[0]!.progress(800, 10_000)
    assert.deepEqual(state(), sending({ sent: 800, speed: 200, secondsLeft: 46 }))
  })

  it('postpones the stall with each byte, reported or not (F04)', (t) => {
    const { sends, pass, state } = setUp(t)
    sends[0]!.progress(0, 100)
    pass(29_900)
    sends[0]!.progress(1, 100)
    pass(100)
    sends[0]!.progress(2, 100)
    pass(100)
    const speed = (1 / 29_900) * 1000 * 0.7 + (1 / 200) * 1000 * 0.3
    assert.deepEqual(state(), sending({ sent: 2, total: 100, speed, secondsLeft: 98 / speed }))
    pass(29_899)
    assert.deepEqual(state(), sending({ sent: 2, total: 100, speed, secondsLeft: 98 / speed }), 'not yet')
    pass(1)
    assert.deepEqual(state(), sending({ sent: 2, total: 100, isStalled: true }))
  })
})

describe('an upload whose progress the browser does not report', () => {
  it('is sending without numbers, and never stalled', (t) => {
    const { sends, pass, state } = setUp(t)
    sends[0]!.progress(0, 0)
    pass(60_000)
    assert.deepEqual(state(), sending({ sent: 0, total: 0 }))
    sends[0]!.progress(0, 0)
    assert.deepEqual(state(), sending({ sent: 0, total: 0 }))
  })
})

describe('an upload behind a service worker', () => {
  it('is sending without numbers, because they are about the copy of the worker', (t) => {
    Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: { controller: {} } })
    try {
      const { sends, pass, state, states } = setUp(t)
      for (const sent of [0, 5000, 10_000]) {
        sends[0]!.progress(sent, 10_000)
        pass(500)
      }
      pass(60_000)
      assert.deepEqual(state(), sending({ sent: 0, total: 0 }))
      assert.equal(states.filter(({ kind }) => kind === 'sending').length, 1)
    } finally {
      Reflect.deleteProperty(navigator, 'serviceWorker')
    }
  })
})

describe('the pause of a transfer', () => {
  it('follows if it fails after the connection was lost while it waited in the queue', async (t) => {
    const { window, sends, state } = setUp(t)
    window.dispatchEvent(new Event('offline'))
    assert.deepEqual(state(), { kind: 'waiting' })
    assert.equal(sends[0]?.signal.aborted, false)
    await sends[0].fail()
    assert.deepEqual(state(), { kind: 'paused', why: 'offline' })
    window.dispatchEvent(new Event('online'))
    assert.equal(sends.length, 2)
  })

  it('does not follow a failure after the connection is back', async (t) => {
    const { window, sends, state } = setUp(t)
    window.dispatchEvent(new Event('offline'))
    window.dispatchEvent(new Event('online'))
    assert.equal(sends.length, 1)
    await sends[0]!.fail()
    assert.equal(state().kind, 'failed')
    window.dispatchEvent(new Event('offline'))
    window.dispatchEvent(new Event('online'))
    assert.equal(sends.length, 1, 'only people start it again')
  })
})

/** Creates a transfer that has started. Its sends continue only when the test calls a function. */
function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const window = new EventTarget()
  const states: Summary[] = []
  const sends: {
    readonly signal: AbortSignal
    readonly progress: (sent: number, total: number) => void
    readonly fail: () => Promise<void>
  }[] = []
  const transfer = createOneUpload({
    send: ({ signal, onProgress: progress }) =>
      new Promise((_, reject) => {
        const fail = () => {
          reject(new UnavailableError('uploadFile', 'got no valid response'))
          return new Promise<void>((resolve) => setImmediate(resolve))
        }
        sends.push({ signal, progress, fail })
      }),
    onChange: (state) => states.push(state),
    now: Date.now,
    window,
  })
  transfer.start()
  const pass = (milliseconds: number) => t.mock.timers.tick(milliseconds)
  return { window, sends, states, pass, transfer, state: () => transfer.state }
}

function sending(facts: Partial<Summary>): object {
  const unknown = { speed: null, secondsLeft: null, isStalled: false }
  return { kind: 'sending', total: 10_000, ...unknown, ...facts }
}
