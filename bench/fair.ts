// Measures how long another person's small read takes while some people attack the proxy: with costly bodies, with slow
// downloads, and with long histories. The proxy and the service run as processes of their own. Linux only.
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { headOf, load, megabytes, resetPeak } from './load.ts'
import { bundleCommands, endAll, proxySettings, start, type Started, startPeer } from './processes.ts'
import type { Budget, Report } from './report.ts'

const secret = 'a secret of the bench, 32 characters at least'
const packages = '/api/wf/forms/6025/packages'
/** Time for which each attack lasts, in seconds. */
const seconds = 15

export async function measure(): Promise<Report> {
  try {
    const service = await startPeer('attacked-service')
    const script = await bundleCommands()
    const rows: Report['rows'][number][] = []
    const budgets: Budget[] = []
    for (const [what, attack] of attacks) {
      const proxy = await startProxy(script, service)
      const before = await readsOfOthers(proxy, 3)
      await resetPeak(proxy.pid)
      const sockets = attack(proxy)
      await setTimeout(500)
      const during = await readsOfOthers(proxy, seconds)
      const peak = await megabytes(proxy.pid, 'VmHWM')
      for (const socket of sockets) socket.destroy()
      rows.push({
        what,
        'p50, p99 ms before': `${before.p50.toFixed(0)}, ${before.p99.toFixed(0)}`,
        'p50, p99 ms during': `${during.p50.toFixed(0)}, ${during.p99.toFixed(0)}`,
        'peak MB': peak.toFixed(0),
      })
      budgets.push(
        { what: `${what}: p99 of another person's read`, found: during.p99, wanted: 1000, unit: 'ms' },
        { what: `${what}: peak memory`, found: peak, wanted: 256, unit: 'MB' },
      )
    }
    return { title: 'Reads of another person, one at a time, during an attack', rows, budgets }
  } finally {
    await endAll()
  }
}

/** The attacks, which return their connections. */
const attacks: readonly (readonly [string, (proxy: Started) => Socket[]])[] = [
  [
    'two people send 50 costly bodies each',
    (proxy) => {
      const html = '<table><form><tr>'.repeat(1170)
      const body = JSON.stringify({
        entry: {},
        emailContent: { packageDetails: `${html}x`, deltaSummary: `${html}x` },
      })
      return repeat(proxy, 2, 50, 'PUT', `${packages}/42/entry`, body)
    },
  ],
  [
    '13 people hold 8 slow downloads each',
    (proxy) => repeat(proxy, 13, 8, 'GET', `${packages}/42/attachments/7`).map((socket) => socket.pause()),
  ],
  [
    'two people read 50 histories of 10,000 events each',
    (proxy) => repeat(proxy, 2, 50, 'GET', `${packages}/42/history`),
  ],
]

/** Opens connections that repeat a request. */
function repeat(
  { port }: Started,
  people: number,
  each: number,
  method: string,
  path: string,
  body = '',
): Socket[] {
  return Array.from({ length: people * each }, (_, index) => {
    const headers = {
      ...signedIn(index % people),
      accept: 'application/vnd.workflow+json;version=1.1',
      ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    }
    const request = headOf(method, { port, path }, headers) + body
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    let text = ''
    socket.on('data', (chunk) => {
      text = (text + chunk.toString('latin1')).slice(-20)
      if (!/[\]}]$/.test(text)) return
      text = ''
      socket.write(request)
    })
    socket.write(request)
    return socket
  })
}

async function readsOfOthers({ port }: Started, duration: number) {
  const target = { port, path: `${packages}/42`, headers: () => signedIn(1000) }
  return await load(target, 1, { requests: Infinity, seconds: duration })
}

function signedIn(index: number): Readonly<Record<string, string>> {
  return {
    'x-routeslip': '1',
    'sec-fetch-site': 'same-origin',
    'x-remote-user': String(20_000_000 + index),
    'x-routeslip-front': secret,
  }
}

function startProxy(script: string, service: Started): Promise<Started> {
  const url = `http://127.0.0.1:${service.port}`
  return start([script, 'proxy'], {
    ...proxySettings(url, url),
    ROUTESLIP_IDENTITY_SECRET: secret,
  })
}
