import { expect } from '@open-wc/testing'
import fc from 'fast-check'
import {
  createLiveStream,
  type PackageRef,
  type LiveStream,
  type LiveStreamOptions,
} from '../../src/client/live-stream.ts'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { createProxy } from '../../src/proxy/proxy.ts'
import { fetchRuntime } from '../../src/proxy/runtime.ts'
import { waitUntil as until } from '../wait-until.ts'

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
    it('is requested once with the header of the client, and is live after its first bytes', async () => {
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

    it('reconnects from the last event after it ends, and is not live in between', async () => {
      const peer = page.peer([p42])
      ;(await page.stream(0)).send(`${hello}id: 8-1\n${change(42)}`)
      await until(() => peer.hints.length === 1)
      page.streams[0]?.end()

      const second = await page.stream(1)
      expect(peer.live).to.deep.equal([true, false])
      expect(second.headers.get('last-event-id')).to.equal('8-1')
      second.send(hello)
      await until(() => peer.live.length === 3)
    })

    it('is replaced after a silence, and is not live meanwhile (F53)', async () => {
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
        peer.setPackages([p42])
        await settled()
        expect(page.streams, 'the same again makes no difference').to.have.length(1)

        peer.setPackages([p42, p43])
        await page.stream(1)
        peer.restart()
        ;(await page.stream(2)).send(hello)
        await until(() => peer.live.length === 1)
        expect(peer.live).to.deep.equal([true])
      })
    }
  })

  describe('setPackages()', () => {
    it('opens one stream for several changes, and none for changes that do not matter', async () => {
      const peer = page.peer([p42])
      peer.setPackages([p43])
      peer.setPackages([])
      peer.setPackages(range(1, 30))
      const stream = await page.stream(0)
      stream.send(hello)
      await until(() => peer.live.includes(true))
      peer.setPackages(range(1, 30).toReversed())
      await settled()
      peer.setPackages(range(3, 28))
      await settled()
      expect(page.streams).to.have.length(1)
      expect(peer.live).to.deep.equal([true])
    })

    it('reconnects for a new package, from the last event, and for far fewer packages', async () => {
      const peer = page.peer(range(1, 30))
      const first = await page.stream(0)
      first.send(hello)
      await until(() => peer.live.includes(true))
      peer.setPackages(range(1, 31))
      expect(peer.live, 'at once: what is new is not carried yet').to.deep.equal([true, false])
      const second = await page.stream(1)
      expect(first.isOpen).to.equal(false)
      expect(second.headers.get('last-event-id')).to.equal('7-1')
      peer.setPackages([p42])
      const third = await page.stream(2)
      expect(third.url).to.equal(`${page.root}/events?package=6025-42`)
    })

    it('closes the stream and gives up the lock without packages, and opens it again with some', async () => {
      const peer = page.peer([p42])
      const stream = await page.stream(0)
      stream.send(hello)
      await until(() => peer.live.includes(true))
      peer.setPackages([])
      await until(() => !stream.isOpen)
      expect(peer.live).to.deep.equal([true, false])
      await until(async () => (await page.locks()).length === 0, 'the lock is still held')

      peer.setPackages([p43])
      await page.stream(1)
    })
  })

  describe('pages of one browser', () => {
    it('share one stream, and each gets the events of its packages (F54)', async () => {
      const peers = [p42, p43, p42].map((each) => page.peer([each]))
      const stream = await page.stream(0)
      expect(stream.url).to.equal(`${page.root}/events?package=6025-42&package=6025-43`)
      stream.send(hello)
      await until(() => peers.every(({ live }) => live.join() === 'true'))

      stream.send(change(42) + change(43) + 'event: resync\ndata: {}\n\n')
      await until(() => peers.every(({ hints }) => hints.length === 2))
      expect(peers.map(({ hints }) => hints)).to.deep.equal([
        [p42, null],
        [p43, null],
        [p42, null],
      ])
      expect(page.streams).to.have.length(1)
    })

    it('use a stream that is open already', async () => {
      const first = page.peer(range(42, 10))
      ;(await page.stream(0)).send(hello)
      await until(() => first.live.join() === 'true')
      const late = page.peer([p43])
      await until(() => late.live.join() === 'true')
      expect(page.streams).to.have.length(1)
    })

    it('announce new packages to the leader', async () => {
      page.peer([p42])
      const peer = page.peer([p43])
      ;(await page.stream(0)).send(hello)
      await until(() => peer.live.join() === 'true')
      peer.setPackages([{ formId: 6025, packageId: 44 }])
      const second = await page.stream(1)
      expect(second.url).to.equal(`${page.root}/events?package=6025-42&package=6025-44`)
      second.send(hello)
      await until(() => peer.live.join() === 'true,false,true')
    })

    it('are not live if the stream has no room for their packages', async () => {
      const first = page.peer(range(1, 150))
      ;(await page.stream(0)).send(hello)
      await until(() => first.live.join() === 'true')
      const second = page.peer(range(1001, 51))
      const stream = await page.stream(1)
      expect(new URL(stream.url, location.href).searchParams.size).to.equal(200)
      stream.send(hello)
      await until(() => first.live.join() === 'true,false,true')
      expect(second.live).to.deep.equal([])

      second.setPackages(range(1001, 50))
      await until(() => second.live.join() === 'true')
    })

    for (const [name, go] of [
      ['is closed', (frame: HTMLIFrameElement) => frame.remove()],
      ['is frozen', (frame: HTMLIFrameElement) => frame.contentDocument?.dispatchEvent(new Event('freeze'))],
      [
        'enters the back/forward cache',
        (frame: HTMLIFrameElement) => frame.contentWindow?.dispatchEvent(new Event('pagehide')),
      ],
    ] as const) {
      it(`get a new leader that continues from the last event when the leader ${name} (F54)`, async () => {
        const frame = await page.frame()
        await page.peerIn(frame, [p42])
        const stream = await page.stream(0)
        stream.send(hello)
        const peers = [page.peer([p43]), page.peer([p42])]
        const second = await page.stream(1)
        second.send('id: 9-9\n\n')
        await until(() => peers.every(({ live }) => live.at(-1)))
        go(frame)

        // On a busy machine, a leader may open a stream before it knows the packages of the other tab.
        const isComplete = ({ url }: { readonly url: string }) =>
          [42, 43].every((id) => url.includes(`-${id}`))
        await until(() => page.streams.slice(2).some(isComplete))
        const third = page.streams.slice(2).find(isComplete)!
        expect(third.headers.get('last-event-id')).to.equal('9-9')
        third.send(hello + change(42))
        await until(
          () => peers[1]?.hints.length === 1 && peers.every(({ live }) => live.at(-1)),
          'both peers follow the new leader',
        )
        expect(peers.map(({ hints }) => hints)).to.deep.equal([[], [p42]])
      })
    }

    it('join again when they come back (F40)', async () => {
      for (const [away, back] of [
        ['pagehide', 'pageshow'],
        ['freeze', 'resume'],
      ] as const) {
        const each = createPage()
        const frame = await each.frame()
        const target = away === 'freeze' ? frame.contentDocument : frame.contentWindow
        const peer = await each.peerIn(frame, [p42])
        const stream = await each.stream(0)
        stream.send(hello)
        await until(() => peer.live.includes(true))
        target?.dispatchEvent(new Event(away))
        await until(() => !stream.isOpen)
        expect(peer.live).to.deep.equal([true, false])

        target?.dispatchEvent(new Event(back))
        ;(await each.stream(1)).send(hello)
        await until(() => peer.live.length === 3)
        each.close()
      }
    })

    it('do not lead while they are in the back/forward cache', async () => {
      const first = page.peer([p42])
      const stream = await page.stream(0)
      const frame = await page.frame()
      await page.peerIn(frame, [p42])
      await until(
        async () => (await page.locks()).join() === 'held,pending',
        'the other tab waits for the lead',
      )
      frame.contentWindow?.dispatchEvent(new Event('pagehide'))
      await until(
        async () => (await page.locks()).join() === 'held',
        'the other tab still waits for the lead',
      )
      first.setPackages([])
      await until(() => !stream.isOpen)
      await until(async () => (await page.locks()).join() === '', 'somebody leads')
      expect(page.streams).to.have.length(1)
    })

    it('are forgotten two heartbeats after they vanish', async () => {
      const first = page.peer([p42])
      await page.stream(0)
      const messages = page.messages()
      const frame = await page.frame()
      await page.peerIn(frame, range(1, 30))
      const stream = await page.stream(1)
      const count = (name: 'carries' | 'follows') => messages.filter((message) => name in message).length
      const announcements = count('follows')
      stream.send(hello)
      // The other tab replies. If that arrived after the first heartbeat, it would count for one more.
      await until(() => count('follows') > announcements)
      frame.remove()
      const carried = count('carries')
      stream.send(heartbeat)
      await until(() => count('carries') > carried)
      first.setPackages([p42, p43])
      const second = await page.stream(2)
      expect(new URL(second.url, location.href).searchParams.size, 'one heartbeat later').to.equal(32)
      second.send(hello + heartbeat)
      expect((await page.stream(3)).url).to.equal(`${page.root}/events?package=6025-42&package=6025-43`)
    })

    it('all start again when another user signs in', async () => {
      const peers = [page.peer([p42]), page.peer([p42])]
      const stream = await page.stream(0)
      stream.send(hello)
      await until(() => peers.every(({ live }) => live.join() === 'true'))
      peers[1]?.restart()

      const second = await page.stream(1)
      expect(stream.isOpen).to.equal(false)
      expect(second.headers.has('last-event-id')).to.equal(false)
      expect(peers.map(({ live }) => live)).to.deep.equal([
        [true, false],
        [true, false],
      ])
      expect(peers[0]?.hints, 'what it shows may be for another').to.deep.equal([null])
    })

    it('are not live if the leader is silent', async () => {
      const leader = await page.leader()
      const peer = page.peer([p42], { silence: 200 })
      leader.postMessage({ carries: ['6025-42'], id: '7-1' })
      await until(() => peer.live.join() === 'true,false')
    })

    it('ignore messages of other versions', async () => {
      const leader = await page.leader()
      const peer = page.peer([p42])
      const key = fc.constantFrom('from', 'follows', 'carries', 'id', 'hint')
      const value = fc.oneof(fc.jsonValue(), fc.constantFrom('6025-42', ['6025-42'], [null]))
      // Text cannot be made of it.
      const noText = { toString: 1 }
      const messages = [
        { carries: [noText], id: '7-1' },
        { carries: ['6025-42'], id: noText },
        { from: noText, follows: [noText] },
        ...fc.sample(fc.oneof(fc.jsonValue(), fc.dictionary(key, value)), 500),
      ]
      for (const message of messages) leader.postMessage(message)
      leader.postMessage({ carries: ['6025-42', '1-1', '6025-43&x=y'], id: '7-1', hint: '6025-42' })
      leader.postMessage({ carries: ['6025-42', '1-1'], id: '7-1', hint: '1-1' })
      await until(() => peer.live.at(-1))
      expect(peer.hints.filter((hint) => hint && hint.packageId !== 42)).to.deep.equal([])
      leader.release()

      const stream = await page.stream(0)
      for (const message of messages) leader.postMessage(message)
      leader.postMessage({ from: 1, follows: ['6025-43&x=y'] })
      leader.postMessage({ from: 2, follows: ['6025-43'] })
      await page.stream(1)
      expect(page.streams[1]?.url).to.match(/\?package=\d+-\d+(&package=\d+-\d+)+$/)
      expect(stream.isOpen).to.equal(false)
    })

    it('do not share a stream if they are not shared', async () => {
      page.peer([p42], { isShared: false })
      page.peer([p43], { isShared: false })
      await page.stream(1)
      expect(page.streams.map(({ url }) => url.slice(-2))).to.deep.equal(['42', '43'])
    })

    for (const [name, code] of [
      ['there are no locks', "Object.defineProperty(navigator, 'locks', { value: undefined })"],
      [
        'locks are refused',
        "navigator.locks.request = () => Promise.reject(new DOMException('', 'SecurityError'))",
      ],
      ['locks throw', "navigator.locks.request = () => { throw new DOMException('', 'InvalidStateError') }"],
      ['there are no channels', 'delete window.BroadcastChannel'],
      [
        'channels throw',
        "window.BroadcastChannel = class { constructor() { throw new DOMException('', 'SecurityError') } }",
      ],
    ] as const) {
      it(`have streams of their own if ${name}`, async () => {
        const leader = await page.leader()
        const frame = await page.frame()
        page.run(frame, code)
        const peer = await page.peerIn(frame, [p42])
        const stream = await page.stream(0)
        stream.send(hello + change(42))
        await until(() => peer.hints.length === 1)
        expect(peer.live).to.deep.equal([true])
        leader.release()
      })
    }
  })

  it('gets events through the proxy about packages that the user may view', async () => {
    const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
    let person = '10000001'
    const emulator = createEmulator({
      control: true,
      fetch: (input, init) => proxy(new Request(input, init)),
    })
    const proxy = createProxy({
      env: 'test',
      forms: [6025],
      workflow: { baseUrl: 'http://emulator.test/wf', ...credentials },
      storage: {
        baseUrl: 'http://emulator.test/fs/test',
        objectOrigins: ['http://emulator.test'],
        ...credentials,
      },
      identify: () => ({ univid: person }),
      site: () => 'same-origin',
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
  readonly hints: (PackageRef | null)[]
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
    const hints: (PackageRef | null)[] = []
    const live: boolean[] = []
    const onHint = (hint: PackageRef | null) => hints.push(hint)
    const onLive = (isLive: boolean) => live.push(isLive)
    const peer = { hints, live, ...create({ root, fetch, onHint, onLive, ...options }) }
    peers.push({ peer, frame })
    peer.setPackages(packages)
    return peer
  }

  const lockName = () => `routeslip ${new URL(root, document.baseURI).href}`

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
      const url = new URL('../../src/client/live-stream.ts', import.meta.url).href
      const module = (await this.run(frame, `import(${JSON.stringify(url)})`)) as {
        createLiveStream: typeof createLiveStream
      }
      return peerOf(module.createLiveStream, packages, {}, frame)
    },
    /** What the tabs of this site post to each other from now on. */
    messages(): readonly object[] {
      const posted: object[] = []
      const channel = new BroadcastChannel(lockName())
      channel.onmessage = ({ data }: MessageEvent<object>) => posted.push(data)
      cleanups.push(() => channel.close())
      return posted
    },
    /** The state of each tab's lock. */
    async locks(): Promise<string[]> {
      const { held = [], pending = [] } = await navigator.locks.query()
      const own = (locks: readonly LockInfo[]) => locks.filter(({ name }) => name === lockName())
      return [...own(held).map(() => 'held'), ...own(pending).map(() => 'pending')]
    },
    /** Takes the lead, so that the test can play the leader of all others. */
    async leader() {
      const name = lockName()
      const channel = new BroadcastChannel(name)
      let release = () => {}
      await new Promise<void>((resolve) => {
        void navigator.locks.request(name, () => {
          resolve()
          return new Promise<void>((end) => (release = end))
        })
      })
      cleanups.push(
        () => release(),
        () => channel.close(),
      )
      return { postMessage: (message: unknown) => channel.postMessage(message), release: () => release() }
    },
    close(): void {
      // A removed frame cannot post any more; some browsers throw.
      for (const { peer, frame } of peers) if (frame?.isConnected !== false) peer.setPackages([])
      for (const cleanup of cleanups) cleanup()
    },
  }
}

type Page = ReturnType<typeof createPage>

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
