// Kills processes of a proxy that keeps lists while callbacks arrive and people are reminded, and counts the packages of accepted
// callbacks that its index lacks afterwards, and the packages whose approvers were emailed twice.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { PackageStatus12 } from '../../src/contract/schemas/workflow.ts'
import { acceptVersion } from '../../src/contract/values/headers.ts'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { digestOf } from '../../src/proxy/desk/sweep.ts'
import { createRedis, openStorage, type Redis } from '../../src/proxy/node/index.ts'
import { freePort } from '../../scripts/free-port.mjs'
import { bundleProgram } from '../../test/bundled-program.ts'
import { people } from '../../test/proxy/mount.ts'
import { startServer, stopServer } from '../../test/proxy/node/redis/redis-server.ts'
import type { Measured, Sizes } from './results.ts'

export interface DeskKillOptions {
  /** `embedded`: one process with a store on its disk. `redis`: two processes that share one. */
  readonly store: 'embedded' | 'redis'
  /** Number of times that processes are killed: in turn all, or one of them. */
  readonly rounds: number
  /** Whether the processes say that something is stored 200 ms before it is. Default false. */
  readonly isLate?: boolean
}

export interface DeskKillResult {
  readonly rounds: number
  /** Callbacks that got 200, each about a package of its own. */
  readonly callbacks: number
  /** Packages of these that are neither in the index nor in a stored callback. */
  readonly lost: number
  /** Packages whose approvers somebody has reminded, or tried to. */
  readonly reminded: number
  /** Those of these whose first request had no response, because the process was killed. */
  readonly interrupted: number
  /** E-mails that the service was asked for. */
  readonly emails: number
  /** Packages whose approvers were emailed more than once. */
  readonly twice: number
  readonly seconds: number
}

/** What is sent in a round at most. */
const perRound = { callbacks: 20, reminders: 5 }
/** Number of callbacks, and of reminders, that are sent at the same time. */
const lanes = 4
const day = 24 * 60 * 60_000
const formId = 6025
/** Id of the first package that only callbacks name. */
const firstOfCallbacks = 1_000_000

const hostApp = await bundleProgram('test/proxy/callbacks/host-app.ts')

export async function killWhileListsAreKept(options: DeskKillOptions): Promise<DeskKillResult> {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-desk-'))
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const service = await createService(publicKey)
  await once(service.server.listen(0, '127.0.0.1'), 'listening')
  const port = options.store === 'redis' ? await freePort() : undefined
  const redis = port === undefined ? undefined : await startServer(port, folder, { appendonly: 'yes' })
  const data = join(folder, 'data')
  const url = `redis://127.0.0.1:${port}`
  const env = {
    SERVICE: `http://127.0.0.1:${(service.server.address() as AddressInfo).port}`,
    LISTS: options.isLate === true ? 'late' : 'true',
    LEASE: '1000',
    ...(redis ? { REDIS: url } : { DATA: data }),
  }
  const open = (): Promise<Stores> =>
    redis ? createRedis(url, { env: 'test', log: () => {}, timeout: 30_000 }) : openStorage(data)
  const hosts = Array.from({ length: redis ? 2 : 1 }, () => createHost(env))
  try {
    return await run(options, hosts, privateKey, service, open)
  } finally {
    for (const host of hosts) await host.kill()
    if (redis) await stopServer(redis)
    service.server.close()
    service.server.closeAllConnections()
    rmSync(folder, { recursive: true })
  }
}

type Stores = Pick<Redis, 'packageIndex' | 'callbackStore' | 'close'>

async function run(
  { rounds }: DeskKillOptions,
  hosts: readonly Host[],
  privateKey: KeyObject,
  { emails, digest }: Awaited<ReturnType<typeof createService>>,
  open: () => Promise<Stores>,
): Promise<DeskKillResult> {
  const begin = performance.now()
  await withStores(open, (stores) => fill(stores, rounds * perRound.reminders + 1, digest))
  await Promise.all(hosts.map((host) => host.start()))
  const accepted: number[] = []
  let lastCallback = firstOfCallbacks
  let lastReminded = 0
  let interrupted = 0

  async function sendCallback(host: Host): Promise<void> {
    const packageId = ++lastCallback
    if ((await post(host, '/callbacks', callback(packageId, privateKey))) === 200) accepted.push(packageId)
  }

  /** Asks for a reminder until there is a response. The response to a repeated request may be a refusal. */
  async function remind(host: Host): Promise<void> {
    const packageId = ++lastReminded
    const ask = (to: Host) =>
      post(to, `/forms/${formId}/packages/${packageId}/reminder`, { person: packageId, body: '{}' })
    if ((await ask(host)) !== undefined) return
    interrupted += 1
    do await pause(5)
    while ((await ask(hosts.find(({ url }) => url() !== undefined) ?? host)) === undefined)
  }

  // The first callback fetches the key, which may take longer than a response waits.
  for (const host of hosts)
    while ((await post(host, '/callbacks', callback(999_999, privateKey))) !== 200) await pause(20)

  for (let round = 0; round < rounds; round++) {
    const host = hosts[round % hosts.length]
    assert.ok(host, 'there is a process')
    let isOver = false
    const repeat = async (times: number, send: (to: Host) => Promise<void>) => {
      for (let time = 0; time < times && !isOver; time++) await send(host)
    }
    const sending = Promise.all(
      Array.from({ length: lanes }, (_, lane) => [
        repeat(perRound.callbacks / lanes, sendCallback),
        repeat(Math.floor((perRound.reminders + lane) / lanes), remind),
      ]).flat(),
    )
    await pause(Math.random() * longestLife)
    // All of them, or one whose callbacks another takes over.
    const killed = round % 2 === 0 ? hosts : [host]
    await Promise.all(killed.map(({ kill }) => kill()))
    isOver = true
    await Promise.all(killed.map(({ start }) => start()))
    await sending
  }

  // Those that had a response, and those that had none.
  for (let packageId = 1; packageId <= lastReminded; packageId++) {
    const [host] = hosts
    assert.ok(host, 'there is a process')
    await post(host, `/forms/${formId}/packages/${packageId}/reminder`, { person: packageId, body: '{}' })
  }
  for (const host of hosts) await host.kill()
  const lost = await withStores(open, async ({ packageIndex, callbackStore }) => {
    const stored = new Set((await callbackStore.list()).map(({ packageId }) => packageId))
    const missing: number[] = []
    for (const packageId of accepted) {
      const isKnown = stored.has(packageId) || (await packageIndex.find({ formId, packageId })) !== undefined
      if (!isKnown) missing.push(packageId)
    }
    return missing.length
  })
  const counts = [...emails.values()]
  return {
    rounds,
    callbacks: accepted.length,
    lost,
    reminded: lastReminded,
    interrupted,
    emails: counts.reduce((sum, count) => sum + count, 0),
    twice: counts.filter((count) => count > 1).length,
    seconds: Math.round((performance.now() - begin) / 1000),
  }
}

async function withStores<T>(open: () => Promise<Stores>, use: (stores: Stores) => Promise<T>): Promise<T> {
  const stores = await open()
  try {
    return await use(stores)
  } finally {
    await stores.close()
  }
}

/** Fills the index with packages that have waited for four days, so that people may be reminded. */
async function fill({ packageIndex: index }: Stores, count: number, digest: string): Promise<void> {
  const since = Date.now() - 4 * day
  const hints = Array.from({ length: count }, (_, place) => ({ formId, packageId: place + 1 }))
  for (let start = 0; start < count; start += 500) await index.add(hints.slice(start, start + 500), since)
  const holder = { person: people.firstApprover, received: null, stop: null, stopName: null, office: null }
  const checked = { state: 'ROUTING', digest, changedAt: since, dueAt: Date.now() + day }
  for (;;) {
    const due = await index.due(since, 500)
    if (due.length === 0) return
    await index.record(due.map((pkg) => ({ pkg: { ...pkg, ...checked }, holders: [holder] })))
  }
}

interface Host {
  /** Undefined while the process does not run. */
  readonly url: () => string | undefined
  readonly start: () => Promise<void>
  /** Kills the process without notice. */
  readonly kill: () => Promise<void>
}

function createHost(env: Readonly<Record<string, string>>): Host {
  let child: ChildProcess | undefined
  let url: string | undefined
  return {
    url: () => url,
    async start() {
      child = spawn(process.execPath, [hostApp], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { PATH: process.env['PATH'], ...env },
      })
      const [line] = (await once(child.stdout!, 'data')) as [Buffer]
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

interface Sent {
  readonly body?: string
  readonly signature?: string
  /** Number of the person who asks: each has asked for few reminders. */
  readonly person?: number
}

function callback(packageId: number, privateKey: KeyObject): Sent {
  const facts = { formId, packageId, state: 'ROUTING', createdAt: '2026-11-16T10:00:00' }
  const body = JSON.stringify({ '@class': 'developer', ...facts, stop: null, lockId: null, entry: {} })
  return { body, signature: sign(null, Buffer.from(body), privateKey).toString('base64') }
}

/** Resolves to the status of the response; undefined if there is none. */
async function post(
  host: Host,
  path: string,
  { body = '', signature = '', person = 0 }: Sent,
): Promise<number | undefined> {
  const url = host.url()
  if (url === undefined) return undefined
  const headers = {
    'x-workflow-verification': signature,
    'content-type': 'application/json',
    'x-person': String(20_000_000 + person),
    'x-routeslip': '1',
    'sec-fetch-site': 'same-origin',
  }
  try {
    const response = await fetch(`${url}/api/wf${path}`, {
      method: 'POST',
      headers,
      ...(body !== '' && { body }),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}

/** The routing service. Its packages with small ids are, for everybody, like package 42 of the emulator; others do not exist. */
async function createService(publicKey: KeyObject) {
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const emulator = createEmulator()
  const emails = new Map<number, number>()

  /** Sends a call about package 42 in the name of its initiator. */
  async function ask(path: string, headers: Readonly<Record<string, string>>): Promise<Response> {
    const person = { 'x-workflow-request-user': people.initiator }
    return await emulator.fetch(`http://emulator.test/wf${path}`, { headers: { ...headers, ...person } })
  }

  async function reply(request: IncomingMessage): Promise<string | Buffer | undefined> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service.test')
    if (pathname.endsWith('/public-key')) return raw
    const [, one] = /\/packages\/(\d+)/.exec(pathname) ?? []
    const ids = (one === undefined ? searchParams.getAll('id') : [one]).map(Number)
    const known = ids.filter((id) => id < firstOfCallbacks)
    if (request.method === 'PUT') {
      for (const id of known) emails.set(id, (emails.get(id) ?? 0) + 1)
      return JSON.stringify({ ...(JSON.parse(await text(request)) as object), emailContent: null })
    }
    if (known.length === 0) return one === undefined ? '[]' : undefined
    const { authorization = '', accept = '*/*' } = request.headers
    const headers = { authorization, accept, 'x-workflow-bypass-authorization': 'true' }
    const path = pathname.replace(/\/packages\/\d+/, '/packages/42') + (one === undefined ? '?id=42' : '')
    const found = await (await ask(path, headers)).text()
    const about = (id: number) => found.replaceAll(/"(id|packageId)":42\b/g, `"$1":${id}`)
    if (one !== undefined) return about(Number(one))
    return `[${known.map((id) => about(id).trim().slice(1, -1)).join()}]`
  }

  const server = createServer((request, response) => {
    reply(request)
      .then((body) =>
        response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(body),
      )
      .catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  const authorization = `Basic ${btoa('demo-app:demo-secret')}`
  const accept = acceptVersion('1.2')
  const status = await ask('/workflow/test/api/developer/forms/6025/packages/status?id=42', {
    authorization,
    accept,
  })
  const [row] = (await status.json()) as readonly PackageStatus12[]
  assert.ok(row, 'the emulator has package 42')
  return { server, emails, digest: await digestOf(row) }
}

/** Runs both stores, and each with a store that is late. */
export async function measure({ runs }: Pick<Sizes, 'runs'>): Promise<Measured> {
  const rows: Readonly<Record<string, string | number>>[] = []
  let isFine = true
  for (const [name, store] of [
    ['one process with a store on its disk', 'embedded'],
    ['two processes with Redis', 'redis'],
  ] as const) {
    for (const isLate of [false, true]) {
      const result = await killWhileListsAreKept({
        store,
        rounds: isLate ? Math.min(runs, 50) : runs,
        isLate,
      })
      isFine &&= isLate ? result.lost > 0 && result.twice > 0 : result.lost === 0 && result.twice === 0
      rows.push({ store: isLate ? `${name}, which stores late (control)` : name, ...result })
    }
  }
  return {
    isFine,
    run: `${runs} kills with SIGKILL of a proxy that keeps lists, while callbacks arrive and people are reminded.`,
    rows,
    findings: [
      '`lost` counts packages of accepted callbacks that the index lacks after the kills, `twice` those whose approvers were emailed more than once. The control says that something is stored 200 ms before it is.',
    ],
  }
}

/** Maximum time in ms between the first request of a round and the kill. */
const longestLife = 300
