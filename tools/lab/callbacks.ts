// Kills processes of a proxy while callbacks arrive, and counts the callbacks that have no effect, or whose effect has
// another id.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { bundleProgram } from '../../test/bundled-program.ts'
import { startServer, stopServer } from '../../test/proxy/node/redis/redis-server.ts'
import { freePort } from '../../scripts/free-port.mjs'

export interface KillOptions {
  /** `embedded`: one process with a store on its disk. `redis`: two processes that share one. */
  readonly store: 'embedded' | 'redis'
  /** Number of different callbacks. */
  readonly callbacks: number
  /** Share of them that is sent again, from 0 to 1. */
  readonly duplicates: number
  /** Number of times that a process is killed. */
  readonly kills: number
  /** Time in ms after which the callbacks of a dead process go to the other one. Default: that of the proxy. */
  readonly lease?: number
}

export interface KillResult {
  /** Number of requests that got 200. */
  readonly accepted: number
  readonly duplicates: number
  readonly kills: number
  /** Callbacks with an effect, each counted once, as a receiver that records their ids does. */
  readonly effects: number
  /** Calls of the receiver for a callback that had an effect already. */
  readonly repeated: number
  /** Callbacks that were accepted and have no effect. */
  readonly lost: number
  /** Effects of something that nobody has sent. */
  readonly unknown: number
  /** Callbacks that took effect before an earlier one of their package. */
  readonly disordered: number
  readonly seconds: number
}

interface Callback {
  readonly id: string
  readonly body: Buffer
  readonly signature: string
}

/** Callbacks of a package. They are sent one after the other, so their order is known. */
const perPackage = 4
/** Number of packages whose callbacks are sent at the same time. */
const lanes = 16

/** Sends callbacks until each was accepted, kills processes meanwhile, and waits until nothing is left to do. */
export async function killWhileCallbacksArrive(options: KillOptions): Promise<KillResult> {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-kills-'))
  const effectsFile = join(folder, 'effects')
  writeFileSync(effectsFile, '')
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const service = createService(publicKey)
  await once(service.listen(0, '127.0.0.1'), 'listening')
  const redisPort = options.store === 'redis' ? await freePort() : undefined
  const redis =
    redisPort === undefined ? undefined : await startServer(redisPort, folder, { appendonly: 'yes' })
  const hosts = Array.from({ length: redis ? 2 : 1 }, () =>
    createHost({
      SERVICE: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
      EFFECTS: effectsFile,
      DELAY: '5',
      ...(options.lease !== undefined && { LEASE: String(options.lease) }),
      ...(redisPort === undefined
        ? { DATA: join(folder, 'data') }
        : { REDIS: `redis://127.0.0.1:${redisPort}` }),
    }),
  )
  try {
    return await run(options, hosts, privateKey, () =>
      readFileSync(effectsFile, 'utf8').split('\n').slice(0, -1),
    )
  } finally {
    for (const host of hosts) await host.kill()
    if (redis) await stopServer(redis)
    service.close()
    service.closeAllConnections()
    rmSync(folder, { recursive: true })
  }
}

async function run(
  { callbacks, duplicates, kills }: KillOptions,
  hosts: readonly Host[],
  privateKey: KeyObject,
  readEffects: () => readonly string[],
): Promise<KillResult> {
  const start = performance.now()
  await Promise.all(hosts.map((host) => host.start()))
  const random = createRandom(20_261_123)
  const all = Array.from({ length: callbacks }, (_, index) => createCallback(index, privateKey))
  const packages = Array.from({ length: Math.ceil(callbacks / perPackage) }, (_, index) =>
    all.slice(index * perPackage, (index + 1) * perPackage),
  )
  const again = new Set([...all].sort(() => random() - 0.5).slice(0, Math.round(callbacks * duplicates)))
  let accepted = 0
  let sent = 0

  /** Sends a callback until a process accepts it, as a front server with several of them does. */
  async function deliver({ body, signature }: Callback): Promise<void> {
    for (;;) {
      const host = hosts[Math.floor(random() * hosts.length)]
      if (host && (await post(host, body, signature)) === 200) {
        accepted += 1
        return
      }
      await pause(20)
    }
  }

  async function sendPackages(): Promise<void> {
    for (let next = packages.shift(); next; next = packages.shift()) {
      for (const callback of next) {
        await deliver(callback)
        sent += 1
        // At once, or after the other callbacks of the package.
        if (again.has(callback) && random() < 0.5 && again.delete(callback)) await deliver(callback)
      }
      for (const callback of next) if (again.delete(callback)) await deliver(callback)
    }
  }

  const repeated = again.size
  const sending = Promise.all(Array.from({ length: lanes }, sendPackages))
  for (let kill = 1; kill <= kills; kill++) {
    const target = (callbacks * kill) / (kills + 1)
    while (sent < target) await pause(1)
    const host = hosts[kill % hosts.length]
    assert.ok(host, 'there is a process')
    await pause(random() * 20)
    await host.kill()
    await host.start()
  }
  await sending

  const ids = new Map(all.map(({ id }, index) => [id, index]))
  const missing = () => {
    const done = new Set(readEffects())
    return all.filter(({ id }) => !done.has(id)).length
  }
  // A process that has just been started may still wait for the callbacks of its predecessor.
  for (let waited = 0; missing() > 0 && waited < maxWait; waited += 100) await pause(100)
  const calls = readEffects()
  const order = [...new Set(calls)].flatMap((id) => ids.get(id) ?? [])
  const newest = new Map<number, number>()
  let disordered = 0
  for (const index of order) {
    const key = Math.floor(index / perPackage)
    if (index < (newest.get(key) ?? -1)) disordered += 1
    newest.set(key, Math.max(index, newest.get(key) ?? -1))
  }
  return {
    accepted,
    duplicates: repeated,
    kills,
    effects: order.length,
    repeated: calls.length - new Set(calls).size,
    lost: missing(),
    unknown: calls.filter((id) => !ids.has(id)).length,
    disordered,
    seconds: Math.round((performance.now() - start) / 1000),
  }
}

interface Host {
  readonly url: () => string | undefined
  /** Starts a process, and waits until it responds. */
  readonly start: () => Promise<void>
  /** Kills the process without notice. */
  readonly kill: () => Promise<void>
}

const hostApp = await bundleProgram('test/proxy/callbacks/host-app.ts')

function createHost(env: Readonly<Record<string, string>>): Host {
  let child: ChildProcess | undefined
  let url: string | undefined
  return {
    url: () => url,
    async start() {
      const started = spawn(process.execPath, [hostApp], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { PATH: process.env['PATH'], ...env },
      })
      child = started
      const [line] = (await once(started.stdout, 'data')) as [Buffer]
      url = line.toString().trim()
    },
    async kill() {
      url = undefined
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Resolves to the status of the response; undefined if there is none. */
async function post(host: Host, body: Buffer, signature: string): Promise<number | undefined> {
  const url = host.url()
  if (url === undefined) return undefined
  try {
    const headers = { 'content-type': 'application/json', 'x-workflow-verification': signature }
    const response = await fetch(`${url}/api/wf/callbacks`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}

function createCallback(index: number, privateKey: KeyObject): Callback {
  const values = { formId: 6025, packageId: Math.floor(index / perPackage) + 1, state: 'ROUTING' }
  const createdAt = new Date(Date.UTC(2026, 10, 16) + index * 1000).toISOString().slice(0, 19)
  const rest = { createdAt, stop: null, lockId: null, entry: { purpose: `Trip ${index}` } }
  const body = Buffer.from(JSON.stringify({ '@class': 'developer', ...values, ...rest }))
  const id = createHash('sha256').update(body).digest('hex')
  return { id, body, signature: sign(null, body, privateKey).toString('base64') }
}

/** The routing service: its public key, and packages that are all in routing. */
function createService(publicKey: KeyObject) {
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service.test')
    if (pathname.endsWith('/public-key')) return void response.end(raw)
    const rows = searchParams
      .getAll('id')
      .map((id) => ({ id: Number(id), state: 'ROUTING', inboxSignatures: [] }))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(rows))
  })
}

/** Returns a generator of numbers from 0 to 1 that repeats its sequence (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Maximum time in ms for all effects after the last callback. */
const maxWait = 180_000

/** Runs both stores with 10,000 callbacks, 30 percent of them twice, and 20 kills each. */
export async function measure() {
  const rows: Readonly<Record<string, string | number>>[] = []
  let isFine = true
  for (const [name, store] of [
    ['one process with a store on its disk', 'embedded'],
    ['two processes with Redis', 'redis'],
  ] as const) {
    const result = await killWhileCallbacksArrive({ store, callbacks: 10_000, duplicates: 0.3, kills: 20 })
    isFine &&= isExact(result, 10_000)
    rows.push({ store: name, callbacks: 10_000, ...result })
  }
  return {
    isFine,
    run: '10,000 callbacks, of which 3,000 were sent twice, while a process was killed 20 times with SIGKILL.',
    rows,
    findings: [
      'An effect counts once for each id: a receiver that records the id together with the effect has exactly these effects. `repeated` is the number of calls that such a receiver ignores.',
    ],
  }
}

/** Whether each callback has had its effect exactly once for a receiver that records ids, and in order. */
export function isExact({ effects, lost, unknown, disordered }: KillResult, callbacks: number): boolean {
  return effects === callbacks && lost === 0 && unknown === 0 && disordered === 0
}
