import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { UnavailableError } from '../../../src/client/index.ts'
import { createOneUpload, type OneUploadOptions, type Summary } from './one-upload.ts'

describe('the state of a transfer', () => {
  it('is `waiting` before it starts', (t) => {
    const { transfer, sends } = setUp(t)
    assert.deepEqual(transfer.state, { kind: 'waiting' })
    assert.equal(sends.length, 0)
  })

  it('has no speed at first, with the clock that a transfer uses by default', (t) => {
    const { transfer, sends } = setUp(t)
    transfer.start()
    sends[0]!.progress(0, 100)
    assert.deepEqual(transfer.state, sending({ sent: 0, total: 100 }))
  })

  it('is `sending` if the size of the content is not known yet', (t) => {
    const { transfer, sends } = setUp(t)
    transfer.start()
    sends[0]!.progress(0, 0)
    assert.deepEqual(transfer.state, sending({ sent: 0, total: 0 }))
    sends[0]!.progress(100, 100)
    assert.deepEqual(transfer.state, { kind: 'finishing', isStalled: false }, 'control')
  })

  it('is no longer stalled as soon as a byte is sent, even right after the last report', (t) => {
    let now = 0
    const { transfer, sends } = setUp(t, { stall: 100, now: () => now })
    transfer.start()
    sends[0]!.progress(0, 100)
    now = 100
    t.mock.timers.tick(100)
    assert.deepEqual(transfer.state, sending({ sent: 0, total: 100, isStalled: true }))
    sends[0]!.progress(10, 100)
    assert.deepEqual(transfer.state, sending({ sent: 10, total: 100 }))
  })

  it('is reported once if it is cancelled twice', (t) => {
    const { transfer, states } = setUp(t)
    transfer.cancel()
    transfer.cancel()
    assert.deepEqual(states, [{ kind: 'cancelled' }])
  })
})

describe('a transfer', () => {
  it('does not check again after an attempt that never left the queue, if it was checked before', async (t) => {
    let checks = 0
    const { transfer, sends } = setUp(t, {
      lag: 1,
      find: () => {
        checks++
        return Promise.resolve(undefined)
      },
    })
    /** Lets both requests of a check end. */
    const passCheck = async () => {
      await settle()
      t.mock.timers.tick(1)
      await settle()
    }
    transfer.start()
    sends[0]!.progress(100, 100)
    sends[0]!.fail()
    await passCheck()
    assert.deepEqual([transfer.state.kind, checks], ['failed', 2])

    transfer.start()
    await passCheck()
    assert.deepEqual([transfer.state.kind, checks], ['waiting', 4], 'control: the first attempt was checked')
    sends[1]!.fail()
    await passCheck()
    assert.deepEqual([transfer.state.kind, checks], ['failed', 4])
  })

  it('needs no window that fires events', async (t) => {
    const { transfer, sends } = setUp(t, { window: {} })
    transfer.start()
    sends[0]!.progress(100, 100)
    sends[0]!.respond('a')
    await settle()
    assert.deepEqual(transfer.state, { kind: 'stored', value: 'a' })
  })
})

/** Creates a transfer whose sends end when the test calls a function. */
function setUp(t: TestContext, options: Partial<OneUploadOptions> = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const states: Summary[] = []
  const sends: {
    readonly progress: (sent: number, total: number) => void
    readonly respond: (value: string) => void
    readonly fail: () => void
  }[] = []
  const transfer = createOneUpload({
    send: ({ onProgress: progress }) =>
      new Promise((respond, reject) => {
        const fail = () => reject(new UnavailableError('uploadFile', 'got no valid response'))
        sends.push({ progress, respond, fail })
      }),
    onChange: (state) => states.push(state),
    window: new EventTarget(),
    ...options,
  })
  return { transfer, sends, states }
}

function sending(facts: Partial<Summary>): object {
  return { kind: 'sending', speed: null, secondsLeft: null, isStalled: false, ...facts }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
}
