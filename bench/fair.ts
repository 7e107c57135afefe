// Measures how long another person's small read takes while some people attack the proxy: with costly bodies, with slow
// downloads, and with long histories. The proxy and the service run as processes of their own. Linux only.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { headOf, load, megabytes, resetPeak } from './load.ts'
import type { Budget, Report } from './report.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const secret = 'a secret of the bench, 32 characters at least'
const packages = '/api/wf/forms/6025/packages'
/** Time for which each attack lasts, in seconds. */
const seconds = 15
const children: ChildProcess[] = []

interface Started {
  readonly pid: number
  readonly port: number
}

export async function measure(): Promise<Report> {
  try {
    const service = await start([fileURLToPath(new URL('peers/attacked-service.mjs', import.meta.url))])
    const script = await bundle()
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
    for (const child of children) child.kill()
    children.length = 0
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

async function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Started> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let output = ''
  for (;;) {
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
    output += chunk.toString()
    const port = / on http:[/][/]127[.]0[.]0[.]1:(\d+)[/]/.exec(output)?.[1]
    if (port === undefined) continue
    child.stdout.resume()
    return { pid: child.pid ?? 0, port: Number(port) }
  }
}

async function bundle(): Promise<string> {
  const outDir = join(root, 'node_modules/.cache/routeslip-bench-fair')
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: { ssr: 'src/cli/main.ts', outDir, emptyOutDir: true, target: 'node20', minify: false },
  })
  return join(outDir, 'main.js')
}

function startProxy(script: string, service: Started): Promise<Started> {
  const url = `http://127.0.0.1:${service.port}`
  return start([script, 'proxy'], {
    ROUTESLIP_PORT: '0',
    ROUTESLIP_ENV: 'test',
    ROUTESLIP_FORMS: '6025',
    ROUTESLIP_WORKFLOW_URL: url,
    ROUTESLIP_WORKFLOW_CLIENT_ID: 'demo-app',
    ROUTESLIP_WORKFLOW_CLIENT_SECRET: 'demo-secret',
    ROUTESLIP_STORAGE_URL: url,
    ROUTESLIP_STORAGE_CLIENT_ID: 'demo-app',
    ROUTESLIP_STORAGE_CLIENT_SECRET: 'demo-secret',
    ROUTESLIP_STORAGE_OBJECT_ORIGINS: url,
    ROUTESLIP_IDENTITY_SECRET: secret,
    ROUTESLIP_LOG_LEVEL: 'error',
  })
}
