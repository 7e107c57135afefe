import { expect } from '@open-wc/testing'
import { RefusedError, SignedOutError, UnavailableError } from '../../../src/client/index.ts'
import { xhrUpload } from '../../../src/client/uploads/xhr-upload.ts'
import { nextTurn } from '../../next-turn.ts'
import { waitUntil } from '../../wait-until.ts'
import { holdSends } from '../held-sends.ts'
import { createOneUpload, type OneUploadOptions, type Summary } from './one-upload.ts'

const lost = () => new UnavailableError('uploadFile', 'got no usable response')

describe('createUploads()', () => {
  afterEach(() => window.dispatchEvent(new Event('online')))

  it('sends once after start() and ends with the stored value', async () => {
    const { transfer, sends, kinds } = setUp()
    await nextTurn()
    expect(sends).to.have.length(0)
    transfer.start()
    sends[0]!.progress(0, 100)
    sends[0]!.progress(100, 100)
    expect(transfer.state).to.deep.equal({ kind: 'finishing', isStalled: false })
    sends[0]!.respond('a')
    await waitUntil(() => transfer.state.kind === 'stored')

    expect(transfer.state).to.deep.equal({ kind: 'stored', value: 'a' })
    expect(kinds()).to.deep.equal(['waiting', 'sending', 'finishing', 'stored'])
  })

  it('sends nothing twice if it is started repeatedly (F37)', async () => {
    const { transfer, sends } = setUp()
    for (let click = 0; click < 10; click++) transfer.start()
    sends[0]!.progress(5, 10)
    transfer.start()
    sends[0]!.progress(10, 10)
    transfer.start()
    sends[0]!.respond('a')
    await waitUntil(() => transfer.state.kind === 'stored')
    transfer.start()
    transfer.cancel()

    expect(sends).to.have.length(1)
    expect(transfer.state.kind).to.equal('stored')
  })

  it('stalls if no byte is sent, and continues by itself when one is (F02)', async () => {
    const { transfer, sends } = setUp({ stall: 20 })
    transfer.start()
    sends[0]!.progress(0, 100)
    expect(transfer.state).to.include({ kind: 'sending', isStalled: false })
    await waitUntil(() => isStalled(transfer.state))
    sends[0]!.progress(10, 100)
    expect(transfer.state).to.include({ kind: 'sending', sent: 10, isStalled: false })
    sends[0]!.respond('a')
    await waitUntil(() => transfer.state.kind === 'stored')
    expect(sends).to.have.length(1)
  })

  it('stalls while it waits for the response, and checks first if it is started again (F33)', async () => {
    const { transfer, sends, checks } = setUp({ stall: 20 })
    transfer.start()
    sends[0]!.progress(100, 100)
    await waitUntil(() => isStalled(transfer.state))
    expect(transfer.state).to.deep.equal({ kind: 'finishing', isStalled: true })
    transfer.start()
    expect(transfer.state.kind).to.equal('checking')
    expect(sends[0]!.signal.aborted).to.equal(true)
    await checks.respondToAll(undefined)
    await waitUntil(() => sends.length === 2)
    sends[1]!.respond('b')
    await waitUntil(() => transfer.state.kind === 'stored')
  })

  it('checks the server after a lost response and finds the stored content (F06, F09)', async () => {
    const { transfer, sends, checks, kinds } = setUp()
    transfer.start()
    sends[0]!.progress(100, 100)
    sends[0]!.fail(lost())
    await waitUntil(() => transfer.state.kind === 'checking')
    await checks.respondToAll('a')
    await waitUntil(() => transfer.state.kind === 'stored')

    expect(kinds()).to.deep.equal(['waiting', 'finishing', 'checking', 'stored'])
    expect(sends).to.have.length(1)
  })

  it('checks a second time, because lists lag behind (F28)', async () => {
    const { transfer, sends, checks } = setUp()
    transfer.start()
    sends[0]!.progress(100, 100)
    sends[0]!.fail(lost())
    await waitUntil(() => checks.pending.length === 1)
    checks.respond(undefined)
    await waitUntil(() => checks.pending.length === 1)
    checks.respond('a')
    await waitUntil(() => transfer.state.kind === 'stored')
    expect(sends).to.have.length(1)
  })

  it('pauses when the session ends, and sends again after start() (F15)', async () => {
    const { transfer, sends } = setUp()
    transfer.start()
    sends[0]!.progress(100, 100)
    sends[0]!.fail(new SignedOutError('uploadFile', 'needs someone to sign in'))
    await waitUntil(() => transfer.state.kind === 'paused')
    expect(transfer.state).to.deep.equal({ kind: 'paused', why: 'signed-out' })
    window.dispatchEvent(new Event('online'))
    await nextTurn()
    expect(sends, 'not by itself').to.have.length(1)

    transfer.start()
    expect(sends).to.have.length(2)
    expect(transfer.state, 'from zero').to.deep.equal({ kind: 'waiting' })
  })

  it('pauses when the connection is lost; when it is back, checks and sends from the start (F12)', async () => {
    const { transfer, sends, checks } = setUp()
    transfer.start()
    sends[0]!.progress(40, 100)
    window.dispatchEvent(new Event('offline'))
    expect(sends[0]!.signal.aborted).to.equal(true)
    expect(transfer.state).to.deep.equal({ kind: 'paused', why: 'offline' })

    window.dispatchEvent(new Event('online'))
    expect(transfer.state.kind).to.equal('checking')
    await checks.respondToAll(undefined)
    await waitUntil(() => sends.length === 2)
    sends[1]!.progress(0, 100)
    expect(transfer.state).to.include({ kind: 'sending', sent: 0 })
  })

  it('stops restarting after five lost connections, and counts again after each start() (F13)', async () => {
    const { transfer, sends } = setUp({ find: undefined })
    transfer.start()
    for (let flap = 0; flap < 30; flap++) {
      sends.at(-1)!.progress(40, 100)
      window.dispatchEvent(new Event('offline'))
      window.dispatchEvent(new Event('online'))
    }
    expect(sends).to.have.length(6)
    expect(transfer.state.kind).to.equal('paused')
    transfer.start()
    expect(sends).to.have.length(7)
    for (let flap = 0; flap < 30; flap++) {
      sends.at(-1)!.progress(40, 100)
      window.dispatchEvent(new Event('offline'))
      window.dispatchEvent(new Event('online'))
    }
    expect(sends, 'five more restarts').to.have.length(12)
    transfer.start()
    expect(sends.filter(({ signal }) => !signal.aborted)).to.have.length(1)
  })

  it('listens to the connection only while it is active or paused', async () => {
    const page = countListeners()
    const { transfer, sends } = setUp({ window: page.window, find: undefined })
    expect(page.count()).to.equal(0)
    transfer.start()
    expect(page.count()).to.equal(2)
    sends[0]!.progress(40, 100)
    expect(page.count(), 'added once').to.equal(2)
    page.window.dispatchEvent(new Event('offline'))
    expect(transfer.state.kind).to.equal('paused')
    expect(page.count()).to.equal(2)
    transfer.abandon()
    expect(page.count()).to.equal(0)
    transfer.start()
    expect(page.count()).to.equal(2)
    sends.at(-1)!.respond('a')
    await waitUntil(() => transfer.state.kind === 'stored', 'not stored')
    expect(page.count()).to.equal(0)
  })

  it('sends again with the same key until the proxy reports the outcome', async () => {
    const { transfer, sends } = setUp({ find: async () => undefined })
    const failures = [
      new UnavailableError('uploadFile', 'got no valid response', { cause: new TypeError('reset') }),
      new UnavailableError('uploadFile', 'failed with status 503', { retryAfter: 5000 }),
      new UnavailableError('uploadFile', 'got a response that is not from the proxy'),
      new RefusedError('uploadFile', 413),
      new UnavailableError('uploadFile', 'failed with status 502', { outcome: 'unknown' }),
      new RefusedError('uploadFile', 409, { outcome: 'none' }),
    ]
    for (const [index, failure] of failures.entries()) {
      transfer.start()
      await waitUntil(() => sends.length === index + 1)
      sends[index]!.fail(failure)
      await waitUntil(() => transfer.state.kind === 'failed')
    }
    transfer.start()
    await waitUntil(() => sends.length === 7)
    const [first, second, third, fourth, fifth, afterUnknown, afterRefusal] = sends.map(({ key }) => key)
    expect([second, third, fourth, fifth]).to.deep.equal([first, first, first, first])
    expect(new Set([first, afterUnknown, afterRefusal])).to.have.length(3)
  })
})

describe('xhrUpload @engines', () => {
  for (const status of [204, 205, 304]) {
    it(`resolves with a response that has no body: ${status}`, async () => {
      const { send } = XMLHttpRequest.prototype
      const sent: XMLHttpRequest[] = []
      XMLHttpRequest.prototype.send = function () {
        sent.push(this)
        Object.defineProperties(this, { status: { value: status }, responseText: { value: '' } })
        queueMicrotask(() => this.dispatchEvent(new ProgressEvent('load')))
      }
      try {
        const respond = await xhrUpload({ url: location.href, headers: {}, body: new FormData() })
        expect(respond.status).to.equal(status)
        expect(sent[0]?.withCredentials, 'the session goes along').to.equal(true)
      } finally {
        XMLHttpRequest.prototype.send = send
      }
    })
  }

  for (const status of [2, 20]) {
    it(`takes a connection that ended within the status line for an empty response: ${status}`, async () => {
      const { send } = XMLHttpRequest.prototype
      XMLHttpRequest.prototype.send = function () {
        Object.defineProperties(this, { status: { value: status }, responseText: { value: '' } })
        queueMicrotask(() => this.dispatchEvent(new ProgressEvent('load')))
      }
      try {
        const response = await xhrUpload({ url: location.href, headers: {}, body: new FormData() })
        expect(await response.text()).to.equal('')
        expect(response.headers.has('x-routeslip')).to.equal(false)
      } finally {
        XMLHttpRequest.prototype.send = send
      }
    })
  }

  it('reports 0 bytes first and all bytes last', async () => {
    const progress: (readonly [number, number])[] = []
    const body = new FormData()
    body.append('file', new File(['x'.repeat(2000)], 'a.txt'))
    const respond = await xhrUpload({
      url: location.href,
      headers: {},
      body,
      onProgress: (sent, total) => progress.push([sent, total]),
    })
    expect(respond.status).to.be.greaterThan(0)
    const [, total] = progress[0]!
    expect(total).to.be.greaterThan(2000)
    expect(progress[0]).to.deep.equal([0, total])
    expect(progress.at(-1)).to.deep.equal([total, total])
  })
})

function isStalled(state: Summary): boolean {
  return 'isStalled' in state && state.isStalled
}

/** Creates a transfer whose sends and checks continue only when the test calls a function. */
function setUp(options: Partial<OneUploadOptions> = {}) {
  const { sends, send } = holdSends()
  const pending: { resolve: (value: string | undefined) => void; reject: (error: Error) => void }[] = []
  const states: Summary[] = []

  const transfer = createOneUpload({
    send,
    find: () => new Promise((resolve, reject) => pending.push({ resolve, reject })),
    onChange: (state) => states.push(state),
    lag: 1,
    ...options,
  })

  const checks = {
    pending,
    respond: (value: string | undefined) => pending.shift()!.resolve(value),
    fail: (error: Error) => pending.shift()!.reject(error),
    /** Resolves every request of one check. */
    respondToAll: async (value: string | undefined) => {
      await waitUntil(() => pending.length > 0)
      checks.respond(value)
      if (value !== undefined) return
      await waitUntil(() => pending.length > 0)
      checks.respond(value)
    },
  }
  return { transfer, sends, checks, states, kinds: () => states.map(({ kind }) => kind) }
}

/** A window that counts its listeners. */
function countListeners() {
  const listeners = new Set<string>()
  const target = new EventTarget()
  const window = {
    addEventListener(...args: Parameters<EventTarget['addEventListener']>) {
      listeners.add(args[0])
      target.addEventListener(...args)
    },
    removeEventListener(...args: Parameters<EventTarget['removeEventListener']>) {
      listeners.delete(args[0])
      target.removeEventListener(...args)
    },
    dispatchEvent: (event: Event) => target.dispatchEvent(event),
  }
  return { window, count: () => listeners.size }
}
