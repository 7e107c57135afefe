import { expect } from '@open-wc/testing'
import {
  createLiveStream,
  type PackageRef,
  type LiveStream,
  type LiveStreamOptions,
  type LiveSubject,
} from '../../../src/client/live/live-stream.ts'
import type { PageWindow } from '../../../src/client/reads/page-activity.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { createProxy } from '../../../src/proxy/mount/proxy.ts'
import { fetchRuntime } from '../../../src/proxy/mount/runtime.ts'
import { waitUntil as until } from '../../wait-until.ts'

const p42 = { formId: 6025, packageId: 42 }
const p43 = { formId: 6025, packageId: 43 }
const hello = 'retry: 1000\n: hello\nid: 7-1\n\n'
const heartbeat = ': \n\n'

describe('createLiveStream()', function () {
  this.timeout(30_000)
  let page: Page
  const rejections: unknown[] = []
  const note = (event: PromiseRejectionEvent) => rejections.push(event.reason)

  before(() => window.addEventListener('unhandledrejection', note))
  after(() => window.removeEventListener('unhandledrejection', note))
  beforeEach(() => (page = createPage()))
  afterEach(() => {
    page.close()
    expect(rejections).to.deep.equal([])
  })

  describe('a stream', () => {
    it('is requested once with the header of the client, and is live after its first bytes @engines', async () => {
      const peer = page.peer([p42, p43])
      const stream = await page.stream(0)
      expect(stream.url).to.equal(`${page.root}/events?package=6025-42&package=6025-43`)
      expect(stream.headers.get('x-routeslip')).to.equal('1')
      expect(stream.headers.has('last-event-id')).to.equal(false)
      expect(peer.live).to.deep.equal([])

      stream.send(hello)
      await until(() => peer.live.length > 0)
      expect(peer.live).to.deep.equal([true])
    })

    it('reports packages that may have changed, and nothing else', async () => {
      const peer = page.peer([p42, p43])
      const stream = await page.stream(0)
      stream.send(
        `${hello}${change(43)}event: news\ndata: {"formId":6025,"packageId":42}\n\n${change(99)}${heartbeat}` +
          `event: resync\ndata: {}\n\nevent: change\ndata: <h1>\n\nevent: change\ndata: null\n\n${change(42)}`,
      )
      await until(() => peer.hints.length >= 5)
      expect(peer.hints, 'what cannot be read may be any').to.deep.equal([p43, null, null, null, p42])
    })

    it('reconnects from the last event after it ends, and is not live in between @engines', async () => {
      const peer = page.peer([p42])
      ;(await page.stream(0)).send(`${hello}id: 8-1\n${change(42)}`)
      await until(() => peer.hints.length >= 1)
      page.streams[0]?.end()

      const second = await page.stream(1)
      expect(peer.live).to.deep.equal([true, false])
      expect(second.headers.get('last-event-id')).to.equal('8-1')
      second.send(hello)
      await until(() => peer.live.length >= 3)
    })

    it('is replaced after a silence, and is not live meanwhile (F53) @engines', async () => {
      const peer = page.peer([p42], { silence: 300 })
      let greeted = 0
      await until(() => {
        // On a busy machine, a stream may end before it has sent anything.
        while (greeted < page.streams.length) page.streams[greeted++]?.send(hello)
        return peer.live.length >= 2
      })
      expect(peer.live.slice(0, 2)).to.deep.equal([true, false])
      expect(page.streams[0]?.isOpen).to.equal(false)
    })

    it('is requested again if no response arrives', async () => {
      page.responses.push(() => new Promise(() => {}))
      page.peer([p42], { silence: 200 })
      await page.stream(1)
      expect(page.streams[0]?.isOpen).to.equal(false)
    })

    for (const status of [401, 403, 404]) {
      it(`is not requested again after ${status} until something changes`, async () => {
        const refuse = () => Promise.resolve(new Response(null, { status }))
        page.responses.push(refuse, refuse)
        const peer = page.peer([p42])
        await page.stream(0)
        const control = createPage([() => Promise.resolve(new Response(null, { status: 500 }))])
        control.peer([p42])
        await control.stream(1)
        control.close()
        peer.follow([p42])
        await settled()
        expect(page.streams, 'the same again makes no difference').to.have.length(1)

        peer.follow([p42, p43])
        await page.stream(1)
        peer.restart()
        ;(await page.stream(2)).send(hello)
        await until(() => peer.live.length >= 1)
        expect(peer.live).to.deep.equal([true])
      })
    }
  })

  describe('follow()', () => {
    it('opens one stream for several changes, and none for changes that do not matter', async () => {
      const peer = page.peer([p42])
      peer.follow([p43])
      peer.follow([])
      peer.follow(range(1, 30))
      const stream = await page.stream(0)
      stream.send(hello)
      await until(() => peer.live.includes(true))
      peer.follow(range(1, 30).toReversed())
      await settled()
      peer.follow(range(3, 28))
      await settled()
      expect(page.streams).to.have.length(1)
      expect(peer.live).to.deep.equal([true])
    })

    it('reconnects for a new package, from the last event, and for far fewer packages', async () => {
      const peer = page.peer(range(1, 30))
      const first = await page.stream(0)
      first.send(hello)
      await until(() => peer.live.includes(true))
      peer.follow(range(1, 31))
      expect(peer.live, 'at once: what is new is not carried yet').to.deep.equal([true, false])
      const second = await page.stream(1)
      expect(first.isOpen).to.equal(false)
      expect(second.headers.get('last-event-id')).to.equal('7-1')
      peer.follow([p42])
      const third = await page.stream(2)
      expect(third.url).to.equal(`${page.root}/events?package=6025-42`)
    })

    it('follows 200 packages at most, and is not live with more', async () => {
      const peer = page.peer(range(1, 201))
      const stream = await page.stream(0)
      expect(new URL(stream.url, location.href).searchParams.size).to.equal(200)
      stream.send(hello + change(42))
      await until(() => peer.hints.length >= 1)
      expect(peer.live).to.deep.equal([])
      peer.follow(range(1, 200))
      await until(() => peer.live.join() === 'true')
    })

    it('follows lists whatever the number of packages', async () => {
      const peer = page.peer([])
      peer.follow([...range(1, 201), 'list'])
      const stream = await page.stream(0)
      expect(new URL(stream.url, location.href).searchParams.get('list')).to.equal('1')
      stream.send(`${hello}event: list\ndata: {}\n\n`)
      await until(() => peer.hints.length >= 1)
      expect(peer.hints).to.deep.equal(['list'])
    })

    it('closes the stream without packages, and opens it again with some', async () => {
      const peer = page.peer([p42])
      const stream = await page.stream(0)
      stream.send(hello)
      await until(() => peer.live.includes(true))
      peer.follow([])
      await until(() => !stream.isOpen)
      expect(peer.live).to.deep.equal([true, false])

      peer.follow([p43])
      await page.stream(1)
    })
  })

  describe('a page @engines', () => {
    it('closes its stream when it is hidden, and continues from the last event when it is visible again (F40)', async () => {
      const seen = createWindow()
      const peer = page.peer([p42], { window: seen.window })
      const first = await page.stream(0)
      first.send(hello)
      await until(() => peer.live.join() === 'true')
      seen.setVisibility('hidden')
      expect(first.isOpen).to.equal(false)
      expect(peer.live).to.deep.equal([true, false])

      peer.follow([p42, p43])
      await settled()
      expect(page.streams, 'a hidden page requests nothing').to.have.length(1)

      seen.setVisibility('visible')
      const second = await page.stream(1)
      expect(second.url).to.equal(`${page.root}/events?package=6025-42&package=6025-43`)
      expect(second.headers.get('last-event-id')).to.equal('7-1')
      second.send(hello)
      await until(() => peer.live.join() === 'true,false,true')
    })

    it('opens its stream when it is visible for the first time', async () => {
      const seen = createWindow('hidden')
      page.peer([p42], { window: seen.window })
      await settled()
      expect(page.streams).to.have.length(0)
      seen.setVisibility('visible')
      await page.stream(0)
    })

    it('closes its stream when it enters the back/forward cache, and opens it when it comes back (F40)', async () => {
      const seen = createWindow()
      const peer = page.peer([p42], { window: seen.window })
      const stream = await page.stream(0)
      stream.send(hello)
      await until(() => peer.live.join() === 'true')
      seen.window.dispatchEvent(new Event('pagehide'))
      expect(stream.isOpen).to.equal(false)
      expect(peer.live).to.deep.equal([true, false])
      seen.window.dispatchEvent(new Event('pageshow'))
      ;(await page.stream(1)).send(hello)
      await until(() => peer.live.join() === 'true,false,true')
    })

    it('does not request a refused stream again when it is visible again', async () => {
      const refuse = (status: number) => () => Promise.resolve(new Response(null, { status }))
      const seen = createWindow()
      page.responses.push(refuse(404), refuse(503))
      const peer = page.peer([p42], { window: seen.window })
      await page.stream(0)
      await settled()
      seen.setVisibility('hidden')
      seen.setVisibility('visible')
      await settled()
      expect(page.streams).to.have.length(1)

      peer.follow([p42, p43])
      await page.stream(1)
      seen.setVisibility('hidden')
      seen.setVisibility('visible')
      await page.stream(2)
    })
  })

  describe('pages of one browser @engines', () => {
    it('each have a stream of their own (F54)', async () => {
      const peers = [page.peer([p42]), page.peer([p43])]
      await page.stream(1)
      expect(page.streams.map(({ url }) => url)).to.deep.equal([
        `${page.root}/events?package=6025-42`,
        `${page.root}/events?package=6025-43`,
      ])
      for (const stream of page.streams) stream.send(hello)
      page.streams[0]?.send(change(42))
      page.streams[1]?.send(change(43))
      await until(() => peers.every(({ hints }) => hints.length === 1))
      expect(peers.map(({ hints }) => hints)).to.deep.equal([[p42], [p43]])
      peers[0]?.follow([])
      await until(() => !page.streams[0]?.isOpen)
      expect(page.streams[1]?.isOpen).to.equal(true)
    })

    it('all start again when another user signs in', async () => {
      const peers = [page.peer([p42]), page.peer([p42])]
      await page.stream(1)
      for (const stream of page.streams) stream.send(hello)
      await until(() => peers.every(({ live }) => live.join() === 'true'))
      peers[1]?.restart()

      await page.stream(3)
      expect(page.streams.map(({ isOpen }) => isOpen)).to.deep.equal([false, false, true, true])
      for (const { headers } of page.streams.slice(2)) expect(headers.has('last-event-id')).to.equal(false)
      for (const { live } of peers) expect(live).to.deep.equal([true, false])
      expect(peers[0]?.hints, 'what it shows may be for another').to.deep.equal([null])
      expect(peers[1]?.hints).to.deep.equal([])
    })

    it('ignore other messages, and the users of pages with a `fetch` of their own', async () => {
      const peer = page.peer([p42])
      const own = page.peer([p43], { isShared: false })
      await page.stream(1)
      const channel = page.channel()
      for (const message of [null, 5, ['user'], { restart: true }, { carries: ['6025-42'], id: '7-1' }])
        channel.postMessage(message)
      own.restart()
      await page.stream(2)
      expect(page.streams.map(({ isOpen }) => isOpen)).to.deep.equal([true, false, true])

      // Messages arrive in their order.
      channel.postMessage('user')
      await page.stream(3)
      expect(page.streams.map(({ url }) => url.slice(-2))).to.deep.equal(['42', '43', '43', '42'])
      expect(peer.hints).to.deep.equal([null])
      expect(own.hints).to.deep.equal([])
    })

    it('hear nothing while they are hidden', async () => {
      const seen = createWindow()
      const hidden = page.peer([p42], { window: seen.window })
      const visible = page.peer([p42])
      await page.stream(1)
      seen.setVisibility('hidden')
      page.channel().postMessage('user')
      await until(() => visible.hints.length >= 1)
      expect(hidden.hints).to.deep.equal([])
    })

    for (const [name, code] of [
      ['there are no channels', 'delete window.BroadcastChannel'],
      [
        'channels throw',
        "window.BroadcastChannel = class { constructor() { throw new DOMException('', 'SecurityError') } }",
      ],
    ] as const) {
      it(`have their streams if ${name}`, async () => {
        const frame = await page.frame()
        page.run(frame, code)
        const peer = await page.peerIn(frame, [p42])
        const stream = await page.stream(0)
        stream.send(hello + change(42))
        await until(() => peer.hints.length >= 1)
        expect(peer.live).to.deep.equal([true])
        peer.restart()
        await page.stream(1)
      })
    }
  })

  it('gets events through the proxy about packages that the user may view @engines', async () => {
    const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
    let person = '10000001'
    const emulator = createEmulator({
      control: true,
      fetch: (input, init) => proxy(new Request(input, init)),
    })
    const proxy = createProxy({
      env: 'test',
      forms: [6025],
      services: {
        workflow: { baseUrl: 'http://emulator.test/wf', ...credentials },
        storage: {
          baseUrl: 'http://emulator.test/fs/test',
          objectOrigins: ['http://emulator.test'],
          ...credentials,
        },
      },
      identity: { identify: () => ({ univid: person }), site: () => 'same-origin' },
      runtime: fetchRuntime(emulator.fetch),
    })
    const control = async (method: string, path: string, body: object) => {
      const { status } = await emulator.fetch(`http://emulator.test/_emulator/${path}`, {
        method,
        body: JSON.stringify(body),
      })
      expect(status, path).to.equal(200)
    }
    const url = 'http://site.test/api/wf/callbacks'
    await control('PUT', 'test/forms/6025/stops/2/callback', { url })
    const options = {
      root: 'http://site.test/api/wf',
      isShared: false,
      fetch: (input: RequestInfo | URL, init?: RequestInit) => proxy(new Request(input, init)),
    }
    const initiator = page.peer([p42], options)
    await until(() => initiator.live.join() === 'true')
    person = '10000008'
    const outsider = page.peer([p42], options)
    await until(() => outsider.live.join() === 'true')
    // A stream starts with what its user may not view. It reveals nothing, because it does not depend on the package.
    await until(() => outsider.hints.length > 0, 'the start')
    expect(outsider.hints).to.deep.equal([p42])

    await control('POST', 'test/forms/6025/packages/42/sign', { univid: '10000002' })
    await control('POST', 'clock', { advance: '1m' })
    await until(() => initiator.hints.length > 0, 'a hint', { timeout: 5000 })
    expect(initiator.hints[0]).to.deep.equal(p42)
    expect(outsider.hints).to.deep.equal([p42])
    await proxy.close()
  })
})

/** One instance, and what its listener received. */
interface Peer extends LiveStream {
  readonly hints: (LiveSubject | null)[]
  readonly live: boolean[]
}

/** A stream that was requested. */
interface Stream {
  readonly url: string
  readonly headers: Headers
  readonly isOpen: boolean
  readonly send: (text: string) => void
  readonly end: () => void
}

type Respond = () => Promise<Response>

/** A site of its own with a proxy that the test plays. */
function createPage(responses: Respond[] = []) {
  const root = `/${crypto.randomUUID()}/wf`
  const streams: Stream[] = []
  const peers: { readonly peer: Peer; readonly frame: HTMLIFrameElement | undefined }[] = []
  const cleanups: (() => void)[] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    let body: ReadableStreamDefaultController<Uint8Array> | undefined
    const stream = {
      url: input as string,
      headers: new Headers(init?.headers),
      isOpen: true,
      send: (text: string) => body?.enqueue(new TextEncoder().encode(text)),
      end: () => body?.close(),
    }
    streams.push(stream)
    const aborted = new Promise<never>((_, reject) => {
      init?.signal?.addEventListener('abort', () => {
        stream.isOpen = false
        const reason = new DOMException('', 'AbortError')
        reject(reason)
        try {
          body?.error(reason)
        } catch {
          // It has ended already.
        }
      })
    })
    aborted.catch(() => {})
    const respond = responses.shift()
    if (respond) return Promise.race([respond(), aborted])
    const source = new ReadableStream<Uint8Array>({ start: (controller) => void (body = controller) })
    return Promise.resolve(new Response(source, { headers: { 'content-type': 'text/event-stream' } }))
  }

  function peerOf(
    create: typeof createLiveStream,
    packages: readonly PackageRef[],
    options: Partial<LiveStreamOptions>,
    frame?: HTMLIFrameElement,
  ): Peer {
    const hints: (LiveSubject | null)[] = []
    const live: boolean[] = []
    const onHint = (hint: LiveSubject | null) => hints.push(hint)
    const onLive = (isLive: boolean) => live.push(isLive)
    const peer = { hints, live, ...create({ root, fetch, onHint, onLive, ...options }) }
    peers.push({ peer, frame })
    peer.follow(packages)
    return peer
  }

  return {
    root,
    streams,
    responses,
    peer: (packages: readonly PackageRef[], options: Partial<LiveStreamOptions> = {}) =>
      peerOf(createLiveStream, packages, options),
    async stream(index: number): Promise<Stream> {
      await until(() => streams.length > index, `stream ${index}`, { timeout: 20_000 })
      const found = streams[index]
      if (!found) throw new Error('There is no such stream')
      return found
    },
    /** Another page of the same browser. */
    frame(): Promise<HTMLIFrameElement> {
      const frame = document.createElement('iframe')
      document.body.append(frame)
      cleanups.push(() => frame.remove())
      return Promise.resolve(frame)
    },
    run(frame: HTMLIFrameElement, code: string): unknown {
      const script = frame.contentWindow as unknown as { eval: (code: string) => unknown }
      return script.eval(code)
    },
    async peerIn(frame: HTMLIFrameElement, packages: readonly PackageRef[]): Promise<Peer> {
      const url = new URL('../../../src/client/live/live-stream.ts', import.meta.url).href
      const module = (await this.run(frame, `import(${JSON.stringify(url)})`)) as {
        createLiveStream: typeof createLiveStream
      }
      return peerOf(module.createLiveStream, packages, {}, frame)
    },
    /** The channel of the pages of this site. */
    channel(): BroadcastChannel {
      const channel = new BroadcastChannel(`routeslip ${new URL(root, document.baseURI).href}`)
      cleanups.push(() => channel.close())
      return channel
    },
    close(): void {
      // A removed frame cannot post any more; some browsers throw.
      for (const { peer, frame } of peers) if (frame?.isConnected !== false) peer.follow([])
      for (const cleanup of cleanups) cleanup()
    },
  }
}

type Page = ReturnType<typeof createPage>

/** A window whose visibility the test sets. */
function createWindow(visibilityState: DocumentVisibilityState = 'visible') {
  const document = Object.assign(new EventTarget(), { visibilityState })
  return {
    window: Object.assign(new EventTarget(), { document }) as PageWindow,
    setVisibility(state: DocumentVisibilityState): void {
      document.visibilityState = state
      document.dispatchEvent(new Event('visibilitychange'))
    },
  }
}

function change(packageId: number): string {
  return `event: change\ndata: {"formId":6025,"packageId":${packageId}}\n\n`
}

function range(first: number, count: number): PackageRef[] {
  return Array.from({ length: count }, (_, index) => ({ formId: 6025, packageId: first + index }))
}

/** Waits until every change of packages so far is applied: one that another page makes now is applied after it. */
async function settled(): Promise<void> {
  const control = createPage()
  control.peer([p42], { isShared: false })
  await control.stream(0)
  control.close()
}
