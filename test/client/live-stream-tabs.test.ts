import { expect } from '@open-wc/testing'
import { createLiveStream, type LiveStream, type PackageRef } from '../../src/client/live-stream.ts'
import { waitUntil } from '../wait-until.ts'

const p42 = { formId: 6025, packageId: 42 }
const p43 = { formId: 6025, packageId: 43 }
const hello = 'retry: 1000\n: hello\nid: 7-1\n\n'
const heartbeat = ': \n\n'

// What the tabs of a browser post to each other. The tests play one of the tabs, or several tabs in one page.

describe('the tabs of a live stream', () => {
  let site: ReturnType<typeof createSite>
  beforeEach(() => (site = createSite()))
  afterEach(() => site.close())

  it('are not live while the stream of their leader pauses, and after it has ended', async () => {
    const tabs = [site.tab([p42]), site.tab([p42])]
    const areLive = (...expected: boolean[]) =>
      waitUntil(() => tabs.every(({ live }) => live.join() === expected.join()), expected.join())
    await site.stream(0)
    site.send(hello)
    await areLive(true)
    site.send('event: pause\ndata: {}\n\n')
    await areLive(true, false)
    site.send(heartbeat)
    await areLive(true, false, true)
    site.end()
    await areLive(true, false, true, false)
  })

  it('ignore messages of a leader if a part of them is not valid', async () => {
    const leader = await site.leader()
    const tab = site.tab([p42])
    for (const message of [
      { carries: ['6025-42'], id: 5 },
      { carries: ['6025-42'] },
      { carries: ['6025-42', '6025-43&x=y'], id: '7-1' },
      { carries: ['6025-42', 'x=y&package=6025-43'], id: '7-1' },
      { carries: ['6025-42', 6025], id: '7-1' },
    ])
      leader.post(message)
    // Messages arrive in their order.
    leader.post({ carries: ['6025-44'], id: '7-1', hint: '6025-42' })
    await waitUntil(() => tab.hints.length > 0, 'no hint')
    expect(tab.live).to.deep.equal([])

    leader.post({ carries: ['6025-42'], id: '7-1' })
    await waitUntil(() => tab.live.length > 0, 'control: not live')
  })

  it('tell their leader what they follow after a heartbeat, but not after an event', async () => {
    const leader = await site.leader()
    const tab = site.tab([p42])
    const announced = (key: string) => site.messages.filter(({ follows }) => String(follows) === key).length
    // Once when the tab enters the group, and once when its packages have settled.
    await waitUntil(() => announced('6025-42') === 2, 'the tab has not entered the group')
    leader.post({ carries: ['6025-42'], id: '7-1', hint: '6025-42' })
    leader.post({ carries: ['6025-42'], id: '7-1' })
    leader.post({ carries: ['6025-42'], id: '7-2', hint: '6025-42' })
    await waitUntil(() => tab.hints.length === 2, 'no hints')
    tab.setPackages([p43])
    await waitUntil(() => announced('6025-43') > 0, 'the tab has not announced its new package')
    expect(announced('6025-42')).to.equal(3)
    const carried = site.messages.filter((message) => 'carries' in message)
    expect(carried, 'only a leader tells what its stream carries').to.have.length(3)
  })

  it('get a message of their leader if they are new, but not if they repeat what they follow', async () => {
    const tab = site.tab([p42])
    await site.stream(0)
    site.send(hello)
    const carried = (key: string) => site.messages.filter(({ carries }) => String(carries) === key).length
    await waitUntil(() => carried('6025-42') === 1, 'no message after the first event')
    site.send(heartbeat)
    await waitUntil(() => carried('6025-42') === 2, 'no message after the heartbeat')

    for (const follows of [['6025-42'], ['6025-42'], ['6025-42'], ['6025-43']])
      site.post({ from: 1, follows })
    await site.stream(1)
    site.send(hello)
    await waitUntil(() => carried('6025-42,6025-43') > 0, 'the leader does not follow the other tab')
    expect(carried('6025-42'), 'one for the new tab, and one for its other package').to.equal(4)
    expect(tab.live).to.deep.equal([true, false, true])
  })

  it('load again without the id of an event when another tab starts again', async () => {
    const tab = site.tab([p42])
    await site.stream(0)
    site.post({ restart: true })
    await site.stream(1)
    expect(tab.hints).to.deep.equal([[null, '']])
  })
})

interface Message {
  readonly follows?: unknown
  readonly carries?: unknown
}

/** One tab, and what its listeners received. */
interface Tab extends LiveStream {
  readonly hints: (readonly [hint: PackageRef | null, id: string])[]
  readonly live: boolean[]
}

/** A site of its own, whose proxy the test plays. */
function createSite() {
  const root = `/${crypto.randomUUID()}/wf`
  const name = `routeslip ${new URL(root, document.baseURI).href}`
  const streams: ReadableStreamDefaultController<Uint8Array>[] = []
  const tabs: Tab[] = []
  const channel = new BroadcastChannel(name)
  const recorder = new BroadcastChannel(name)
  const messages: Message[] = []
  recorder.onmessage = ({ data }: MessageEvent<Message>) => messages.push(data)
  let release = () => {}

  return {
    /** What was posted, in its order. */
    messages,
    post: (message: unknown) => channel.postMessage(message),
    tab(packages: readonly PackageRef[]): Tab {
      const hints: [PackageRef | null, string][] = []
      const live: boolean[] = []
      const stream = createLiveStream({
        root,
        fetch: (_, init) => {
          const body = new ReadableStream<Uint8Array>({
            start(controller) {
              streams.push(controller)
              init?.signal?.addEventListener('abort', () => {
                try {
                  controller.error(init.signal?.reason)
                } catch {
                  // It has ended already.
                }
              })
            },
          })
          return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
        },
        onHint: (hint, id) => hints.push([hint, id]),
        onLive: (isLive) => live.push(isLive),
      })
      const tab = { ...stream, hints, live }
      tabs.push(tab)
      tab.setPackages(packages)
      return tab
    },
    async stream(index: number): Promise<void> {
      await waitUntil(() => streams.length > index, `stream ${index}`)
    },
    /** Writes to the latest stream. */
    send: (text: string) => streams.at(-1)?.enqueue(new TextEncoder().encode(text)),
    /** Ends the latest stream. */
    end: () => streams.at(-1)?.close(),
    /** Takes the lead before all tabs, so that the test can play their leader. */
    async leader() {
      await new Promise<void>((resolve) => {
        void navigator.locks.request(name, () => {
          resolve()
          return new Promise<void>((end) => (release = end))
        })
      })
      return { post: (message: unknown) => channel.postMessage(message) }
    },
    close(): void {
      for (const tab of tabs) tab.setPackages([])
      release()
      channel.close()
      recorder.close()
    },
  }
}
