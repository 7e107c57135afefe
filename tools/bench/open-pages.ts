// Measures what open pages cost one process: 10, 100 and 1,000 people follow the same package, each with a live stream, while
// the proxy looks for changes as often as in ten minutes, and finds one. Counts the calls of the service too. Linux only.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { seed } from './builds.ts'
import { cpuSeconds, megabytes } from './load.ts'
import { bundleCommands, endAll, proxySettings, start } from './processes.ts'
import type { Options, Report } from './report.ts'

const crowds = [10, 100, 1000] as const
/** Searches for changes of ten minutes at the default interval of 15 seconds. Here, one comes each second. */
const searches = 40
const secret = 'a secret of the bench, 32 characters at least'

/** Searches for changes once for each person instead of once for all, and does something for each pair of people. */
const slowDown = [
  seed(
    'proxy/live/follower-index.ts',
    'packages: () => [...entries.values()].map(({ hint }) => hint),',
    'packages: () => [...entries.values()].flatMap(({ hint, followers }) => [...followers].map(() => hint)),',
  ),
  seed(
    'proxy/live/follower-index.ts',
    'entry.followers.add(follower)\n',
    `entry.followers.add(follower)
        for (const each of entry.followers) {
          const kept: number[] = Array.from({ length: 128 }, () => 0.5)
          for (let step = 0; step < 200_000; step++) kept[step % 128]! += step
          ;((globalThis as { kept?: unknown[] }).kept ??= []).push([each, kept])
        }\n`,
  ),
]

interface Found {
  readonly people: number
  readonly cpuSeconds: number
  readonly megabytes: number
  /** Calls of the service that find changes, and calls that ask for the rights of a person. */
  readonly searches: number
  readonly rights: number
}

export async function measure({ isSlowed = false }: Options): Promise<Report> {
  const proxy = await bundleCommands(isSlowed ? slowDown : [])
  const found: Found[] = []
  for (const people of crowds) found.push(await follow(proxy, people))
  const [few, , many] = found
  if (!few || !many) throw new Error('Nothing was measured')
  return {
    title: `People who follow one package during ${searches} searches for changes, which are ten minutes by default, and one change`,
    rows: found.map((one) => ({
      people: one.people,
      'CPU s': one.cpuSeconds.toFixed(2),
      'CPU ms each': ((one.cpuSeconds * 1000) / one.people).toFixed(1),
      'MB more': one.megabytes.toFixed(1),
      'calls that search': one.searches,
      'calls for rights': one.rights,
    })),
    budgets: [
      {
        what: `calls that search for changes: ${many.people} people ÷ ${few.people}`,
        found: many.searches / few.searches,
        // A search more or less may fit into the time.
        wanted: 1.1,
        unit: '×',
      },
      {
        what: 'processor time by number of people: exponent',
        found: slope(found.map((one) => [one.people, one.cpuSeconds])),
        wanted: 1,
        unit: '',
      },
      {
        what: 'memory by number of people: exponent',
        found: slope(found.map((one) => [one.people, one.megabytes])),
        wanted: 1,
        unit: '',
      },
    ],
  }
}

async function follow(proxy: string, people: number): Promise<Found> {
  const service = await startService()
  try {
    const { pid, port } = await start([proxy, 'proxy'], {
      ...proxySettings(service.url, service.url),
      ROUTESLIP_IDENTITY: 'header',
      ROUTESLIP_IDENTITY_SECRET: secret,
      ROUTESLIP_STREAMS: String(people),
      ROUTESLIP_WATCH_SECONDS: '1',
    })
    // The first streams load code that does not count.
    const first = await Promise.all([open(port, 1), open(port, 2)])
    await setTimeout(3000)
    for (const { socket } of first) socket.destroy()
    const before = {
      cpu: await cpuSeconds(pid),
      memory: await megabytes(pid, 'VmRSS'),
      rights: service.counts().rights,
    }
    const streams: Stream[] = []
    while (streams.length < people) {
      const some = Math.min(50, people - streams.length)
      streams.push(
        ...(await Promise.all(Array.from({ length: some }, (_, at) => open(port, streams.length + at)))),
      )
    }
    const opened = service.counts()
    await setTimeout((searches / 2) * 1000)
    service.change()
    await setTimeout((searches / 2) * 1000)
    // Ends when everyone knows of the change.
    const deadline = performance.now() + 60_000
    while (streams.some(({ events }) => events === 0)) {
      if (performance.now() > deadline) throw new Error('The change did not reach everyone')
      await setTimeout(50)
    }
    const after = service.counts()
    const result = {
      people,
      cpuSeconds: (await cpuSeconds(pid)) - before.cpu,
      // Less than that is noise of the garbage collector.
      megabytes: Math.max(1, (await megabytes(pid, 'VmRSS')) - before.memory),
      searches: after.searches - opened.searches,
      rights: after.rights - before.rights,
    }
    for (const { socket } of streams) socket.destroy()
    return result
  } finally {
    await endAll()
    service.close()
  }
}

/** Starts a service with one package, whose state changes once. Counts its calls. */
async function startService() {
  let state = 'ROUTING'
  let searching = 0
  let rights = 0
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://service.test')
    request.resume()
    const flags = [
      'canView',
      'canEdit',
      'canSign',
      'canVoid',
      'canInitiatorVoid',
      'canAddApprover',
      'canVoidAfter',
    ]
    const actions = {
      ...Object.fromEntries(flags.map((flag) => [flag, true])),
      packageId: 42,
      signatureId: 7,
    }
    let value: unknown
    if (pathname.endsWith('/status')) {
      searching += 1
      value = [{ id: 42, state, inboxSignatures: [] }]
    } else if (pathname.endsWith('/42')) {
      searching += 1
      value = {
        id: 42,
        state,
        subType: null,
        emailContent: null,
        actions,
        routingDate: '2026-01-12T09:30:00',
        actionDate: '2026-01-14T16:05:00',
        initiator: null,
        voidReason: null,
        commentCount: 3,
        attachmentCount: 2,
      }
    } else {
      rights += 1
      value = [actions]
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: () => ({ searches: searching, rights }),
    change: () => (state = 'COMPLETE'),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Stream {
  readonly socket: Socket
  events: number
}

/** Opens the live stream of a person. Resolves when it has begun. */
async function open(port: number, index: number): Promise<Stream> {
  const socket = connect(port, '127.0.0.1')
  const stream: Stream = { socket, events: 0 }
  const head = [
    'GET /api/wf/events?package=6025-42 HTTP/1.1',
    'Host: site',
    `x-remote-user: ${10_000_000 + index}`,
    `x-routeslip-front: ${secret}`,
    'x-routeslip: 1',
    'sec-fetch-site: same-origin',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      if (/^HTTP\/1.1 (?!200)/.test(text)) reject(new Error(text))
      stream.events += text.split('event: change').length - 1
      resolve()
    })
  })
  return stream
}

/** Returns the slope of a line through points, with logarithmic axes. */
function slope(points: readonly (readonly [number, number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x0, y0] = [mean(logs.map(([x]) => x)), mean(logs.map(([, y]) => y))]
  return mean(logs.map(([x, y]) => (x - x0) * (y - y0))) / mean(logs.map(([x]) => (x - x0) ** 2))
}
