// Holds live streams of many people, and sends each of them an event every ten seconds, by callbacks of the service.
import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { megabytes } from '../bench/load.ts'
import { bundleCommands, endAll, proxySettings, start } from '../bench/processes.ts'
import type { Measured, Sizes } from './results.ts'

const secret = 'a secret of the laboratory, 32 characters at least'
const echo = fileURLToPath(new URL('echo-service.mjs', import.meta.url))
/** Packages that the people follow, each an equal share of them. */
const packages = 200
/** Time between two events of a stream, in ms. */
const interval = 10_000

/** A live stream of one person. */
interface Stream {
  readonly socket: Socket
  /** The number of events that have arrived. */
  events: number
  /** When the last one arrived. */
  last: number
  isOpen: boolean
}

export async function measure({ count, seconds }: Sizes): Promise<Measured> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x: PUBLIC_KEY = '' } = publicKey.export({ format: 'jwk' })
  try {
    const service = await start([echo], { PUBLIC_KEY })
    const url = `http://127.0.0.1:${service.port}`
    const proxy = await start([await bundleCommands(), 'proxy'], {
      ...proxySettings(url, url),
      ROUTESLIP_IDENTITY: 'header',
      ROUTESLIP_IDENTITY_SECRET: secret,
      ROUTESLIP_STREAMS: String(count),
    })
    const streams: Stream[] = []
    for (let index = 0; index < count; index += 50) {
      const some = Array.from({ length: Math.min(50, count - index) }, (_, at) =>
        open(proxy.port, index + at),
      )
      streams.push(...(await Promise.all(some)))
    }
    const before = await megabytes(proxy.pid, 'VmRSS')
    const rounds = Math.max(1, Math.floor((seconds * 1000) / interval))
    const delays: number[] = []
    let missed = 0
    for (let round = 1; round <= rounds; round++) {
      const begin = performance.now()
      const expected = streams.map(({ events }) => events + 1)
      for (let packageId = 1; packageId <= packages; packageId++) await announce(proxy.port, packageId, round)
      while (performance.now() - begin < interval) await pause(50)
      for (const [index, { events, last }] of streams.entries()) {
        if (events < (expected[index] ?? 0)) missed += 1
        else delays.push(last - begin)
      }
    }
    const after = await megabytes(proxy.pid, 'VmRSS')
    const ended = streams.filter(({ isOpen }) => !isOpen).length
    for (const { socket } of streams) socket.destroy()
    delays.sort((a, b) => a - b)
    return {
      run: `${count} people with a stream each, who follow ${packages} packages. Every 10 seconds, for ${rounds * 10} seconds, a signed callback for each package announced a change to all who follow it. The delay runs from the first callback of a round to the last event of a person.`,
      rows: [
        {
          streams: count,
          rounds,
          'events expected': count * rounds,
          missed,
          'ended streams': ended,
          'p50 in ms': Math.round(delays[Math.floor(delays.length / 2)] ?? NaN),
          'p99 in ms': Math.round(delays[Math.floor(delays.length * 0.99)] ?? NaN),
          'MB before and after': `${Math.round(before)}, ${Math.round(after)}`,
        },
      ],
      findings: [],
      isFine: missed + ended === 0,
    }
  } finally {
    await endAll()
  }

  async function announce(port: number, packageId: number, round: number): Promise<void> {
    const body = JSON.stringify({
      '@class': 'developer',
      formId: 6025,
      packageId,
      state: 'ROUTING',
      createdAt: new Date(Date.UTC(2026, 0, 1) + round * 60_000).toISOString().slice(0, 19),
      stop: null,
      lockId: null,
      entry: {},
    })
    const response = await fetch(`http://127.0.0.1:${port}/api/wf/callbacks`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-workflow-verification': sign(null, Buffer.from(body), privateKey).toString('base64'),
      },
      body,
    })
    if (!response.ok && response.status !== 202) throw new Error(`A callback was refused: ${response.status}`)
    await response.arrayBuffer()
  }
}

async function open(port: number, index: number): Promise<Stream> {
  const socket = connect(port, '127.0.0.1')
  const stream: Stream = { socket, events: 0, last: 0, isOpen: true }
  let hasBegun = () => {}
  const begun = new Promise<void>((resolve) => (hasBegun = resolve))
  socket.on('data', (chunk: Buffer) => {
    hasBegun()
    const found = chunk.toString('latin1').split('event: change').length - 1
    if (found === 0) return
    stream.events += found
    stream.last = performance.now()
  })
  socket.on('error', () => {})
  socket.on('close', () => (stream.isOpen = false))
  await once(socket, 'connect')
  const head = [
    `GET /api/wf/events?package=6025-${(index % packages) + 1} HTTP/1.1`,
    'Host: site',
    `x-remote-user: ${10_000_000 + index}`,
    `x-routeslip-front: ${secret}`,
    'x-routeslip: 1',
    'sec-fetch-site: same-origin',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await begun
  return stream
}
