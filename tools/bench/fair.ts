// Measures how long another person's small read takes while some people attack the proxy: with costly bodies, with slow
// downloads, and with long histories. The proxy and the service run as processes of their own. Linux only.
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { seed } from './builds.ts'
import { fairLimits, largestHistoryP99 } from './limits.ts'
import { createResponseReader, headOf, type Load, load, megabytes, resetPeak } from './load.ts'
import { bundleCommands, endAll, proxySettings, start, type Started, startPeer } from './processes.ts'
import type { Budget, Options, Report } from './report.ts'

const secret = 'a secret of the bench, 32 characters at least'
const packages = '/api/wf/forms/6025/packages'
/** Time for which each attack lasts, in seconds. */
const seconds = 15
/** University id of the first person for whom the service reports no rights. */
const withoutRights = 9_000_000

/** Changes to the proxy that the budgets must detect, with the settings below. */
const slowDown = [
  // Bodies are read before the rights, kept for a second in a buffer of three times the maximum size, parsed before their
  // values are counted, and written 20 times.
  seed(
    'proxy/mount/steps.ts',
    'at.authorization = await rights',
    'await at.readBody()\n    at.authorization = await rights',
  ),
  seed(
    'proxy/operation/body.ts',
    'holding.untilReply(buffered.release)',
    'const buffer = new Uint8Array(3 * maxSize).fill(1)\n    setTimeout(() => (buffer[0] = 0), 1000)',
  ),
  seed(
    'proxy/validation/valid-body.ts',
    'return { json: JSON.stringify(clean),',
    'for (let time = 1; time < 20; time++) JSON.stringify(clean)\n  return { json: JSON.stringify(clean),',
  ),
  seed('proxy/http/parse-body.ts', '  checkShape(text)\n', ''),
  seed(
    'proxy/http/parse-body.ts',
    '  if (hasPrototypeField(value)) throw',
    '  checkShape(text)\n  if (hasPrototypeField(value)) throw',
  ),
  // All work is done in the thread of the proxy. Equal reads are not shared.
  seed(
    'proxy/node/thread/threaded-work.ts',
    'let isAvailable = module !== undefined',
    'let isAvailable = false',
  ),
  seed('proxy/admission/shared-reads.ts', 'maxAge = 500', 'maxAge = 0'),
  // Uploads are copied and kept until they are whole.
  seed(
    'proxy/node/upload.ts',
    'async function* bytesOf(stream: Readable): AsyncGenerator<Uint8Array, void, undefined> {',
    'async function* bytesOf(stream: Readable): AsyncGenerator<Uint8Array, void, undefined> { let kept: Uint8Array[] = []',
  ),
  seed(
    'proxy/node/upload.ts',
    'yield chunk\n        }\n        await whole\n',
    'for (let time = 0; time < 50; time++) kept[0] = new Uint8Array(chunk)\n          kept.push(new Uint8Array(chunk))\n        }\n        await whole\n        yield* kept.slice(1)\n',
  ),
  // A download is read ahead, and copies what it holds again and again while it waits for its reader.
  seed(
    'proxy/files/download.ts',
    '    body: response.stream(),',
    `    body: response.stream().pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>(
        {
          start() {
            const held = new Uint8Array(4_000_000)
            const timer = setInterval(() => held.slice().reverse(), 10)
            signal.addEventListener('abort', { handleEvent: () => clearInterval(timer) })
          },
          transform: (chunk, to) => to.enqueue(chunk),
        },
        new ByteLengthQueuingStrategy({ highWaterMark: 2_000_000 }),
        new ByteLengthQueuingStrategy({ highWaterMark: 2_000_000 }),
      ),
    ),`,
  ),
]

/** With these, no person has a limit that matters. */
const withoutLimits = {
  ROUTESLIP_REQUESTS_PER_PERSON: '1000',
  ROUTESLIP_BODIES_PER_PERSON: '40',
  ROUTESLIP_BUFFER_SIZE: '4000MB',
  ROUTESLIP_FILES: '1000',
  ROUTESLIP_FILES_PER_PERSON: '1000',
  ROUTESLIP_CALLS: '1000',
  ROUTESLIP_CALLS_PER_PERSON: '1000',
  ROUTESLIP_LARGE_READS: '16',
  ROUTESLIP_LARGE_READS_PER_PERSON: '8',
}

export async function measure({ isSlowed = false }: Options): Promise<Report> {
  try {
    const service = await startPeer('attacked-service')
    // Another such service, which responds to the same reads beside the proxy: shows how much of their time the machine takes.
    const floor = await startPeer('attacked-service')
    const script = await bundleCommands(isSlowed ? slowDown : [])
    const settings = isSlowed ? withoutLimits : {}
    const rows: Report['rows'][number][] = []
    const budgets: Budget[] = []
    for (const [what, attack] of Object.entries(attacks)) {
      const proxy = await startProxy(script, service, settings)
      const before = await readsOfOthers(proxy, 3)
      await resetPeak(proxy.pid)
      const end = begin(proxy, attack)
      // If the attack keeps the proxy from reading at all, the reads still end.
      const timer = global.setTimeout(end, 2 * seconds * 1000)
      await setTimeout(500)
      const [during, beside] = await Promise.all([
        readsOfOthers(proxy, seconds),
        readsOfOthers(floor, seconds),
      ])
      const peak = await megabytes(proxy.pid, 'VmHWM')
      global.clearTimeout(timer)
      const replies = end()
      rows.push({
        what,
        'p50, p99 ms before': both(before),
        'p50, p99 ms during': both(during),
        'p50, p99 ms of the floor': both(beside),
        'peak MB': peak.toFixed(0),
        'replies to the attack': replies,
      })
      budgets.push({
        what: `${what}: p99 of another person's read`,
        found: during.p99,
        wanted: attack.p99 ?? fairLimits.p99,
        unit: 'ms',
      })
      // Its peak is that of one response of 16 MB, whatever the proxy does.
      if (attack.p99 === undefined)
        budgets.push({ what: `${what}: peak memory`, found: peak, wanted: fairLimits.peak, unit: 'MB' })
    }
    return { title: 'Reads of another person, one at a time, during an attack', rows, budgets }
  } finally {
    await endAll()
  }
}

function both({ p50, p99 }: Load): string {
  return `${p50.toFixed(1)}, ${p99.toFixed(0)}`
}

/** Requests that several people repeat over many connections. */
interface Attack {
  readonly people: number
  /** Connections per person. */
  readonly each: number
  /** University id of the first person. Default: a person with all rights. */
  readonly first?: number
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly body?: string
  /** Whether nobody reads the responses. */
  readonly isSlow?: boolean
  /** Limit of its own for the reads of others, in ms; the peak has none then. Default: `fairLimits`. */
  readonly p99?: number
}

const json = 'application/json'
const costlyHtml = '<table><form><tr>'.repeat(1170)
/** An entry of 2 MB that the proxy refuses after it has read it: nothing takes more memory than many short fields. */
const manyFields = entryOf(150_000, '')
/** A valid entry of 2 MB, with almost as many fields as the proxy accepts. */
const longFields = entryOf(9900, 'x'.repeat(200))
/** A file of 2 MB, all of it almost the end of a part. */
const almostParts = [
  '--bench\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\ntext',
  ...Array<string>(250_000).fill('\r\n--benc'),
  '\r\n--bench--\r\n',
].join('')

const attacks: Readonly<Record<string, Attack>> = {
  'one person without rights sends 50 bodies of 2 MB': {
    ...{ people: 1, each: 50, first: withoutRights },
    ...{ method: 'PUT', path: `${packages}/42/entry`, type: json, body: manyFields },
  },
  'one person with rights sends 50 bodies of 2 MB': {
    ...{ people: 1, each: 50 },
    ...{ method: 'PUT', path: `${packages}/42/entry`, type: json, body: longFields },
  },
  'one person with rights sends 50 bodies of 2 MB with too many fields': {
    ...{ people: 1, each: 50 },
    ...{ method: 'PUT', path: `${packages}/42/entry`, type: json, body: manyFields },
  },
  'two people send 50 bodies with costly HTML each': {
    ...{ people: 2, each: 50 },
    ...{ method: 'PUT', path: `${packages}/42/entry`, type: json },
    body: JSON.stringify({
      entry: {},
      emailContent: { packageDetails: `${costlyHtml}x`, deltaSummary: `${costlyHtml}x` },
    }),
  },
  'two people send 50 costly uploads of 2 MB each': {
    ...{ people: 2, each: 50 },
    ...{
      method: 'POST',
      path: '/api/wf/files',
      type: 'multipart/form-data; boundary=bench',
      body: almostParts,
    },
  },
  '13 people hold 8 slow downloads each': {
    ...{ people: 13, each: 8, isSlow: true },
    ...{ method: 'GET', path: `${packages}/42/attachments/7` },
  },
  'two people read 50 histories of 10,000 events each': {
    ...{ people: 2, each: 50 },
    ...{ method: 'GET', path: `${packages}/42/history` },
  },
  'two people read 50 different histories of 10,000 events each': {
    ...{ people: 2, each: 50 },
    ...{ method: 'GET', path: `${packages}/#/history` },
  },
  'one person reads the largest history, again and again': {
    ...{ people: 1, each: 1, p99: largestHistoryP99 },
    ...{ method: 'GET', path: `${packages}/1/history` },
  },
}

function entryOf(fields: number, value: string): string {
  const named = Array.from({ length: fields }, (_, index) => [`f${index}`, value] as const)
  return JSON.stringify({ entry: Object.fromEntries(named) })
}

/** Begins an attack. Returns a function that ends it and returns how many replies there were, by status. */
function begin({ port }: Started, attack: Attack): () => string {
  const { people, each, first = 20_000_000, method, path, type, body = '', isSlow = false } = attack
  const replies = new Map<number, number>()
  const sockets = new Set<Socket>()
  let hasEnded = false

  function open(index: number): void {
    const headers = {
      ...signedIn(first + (index % people)),
      accept: 'application/vnd.workflow+json;version=1.1',
      ...(type !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    }
    const request = headOf(method, { port, path: path.replace('#', String(100 + index)) }, headers) + body
    const socket = connect(port, '127.0.0.1')
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      if (!hasEnded) global.setTimeout(() => hasEnded || open(index), 100)
    })
    const statusAfter = createResponseReader()
    socket.on('data', (chunk: Buffer) => {
      const status = statusAfter(chunk)
      if (status === undefined) return
      replies.set(status, (replies.get(status) ?? 0) + 1)
      socket.write(request)
    })
    socket.write(request)
    if (isSlow) socket.pause()
  }

  for (let index = 0; index < people * each; index++) open(index)
  return () => {
    hasEnded = true
    for (const socket of sockets) socket.destroy()
    return [...replies].map(([status, count]) => `${count} × ${status}`).join(', ')
  }
}

async function readsOfOthers({ port }: Started, duration: number): Promise<Load> {
  const target = { port, path: `${packages}/42`, headers: () => signedIn(10_001_000) }
  return await load(target, 1, { requests: Infinity, seconds: duration })
}

function signedIn(univid: number): Readonly<Record<string, string>> {
  return {
    'x-routeslip': '1',
    'sec-fetch-site': 'same-origin',
    'x-remote-user': String(univid),
    'x-routeslip-front': secret,
  }
}

function startProxy(
  script: string,
  service: Started,
  settings: Readonly<Record<string, string>>,
): Promise<Started> {
  const url = `http://127.0.0.1:${service.port}`
  return start([script, 'proxy'], {
    ...proxySettings(url, url),
    ROUTESLIP_IDENTITY_SECRET: secret,
    // Larger than the default, so that the bodies are read.
    ROUTESLIP_MAX_BODY_SIZE: '3MB',
    ...settings,
  })
}
