// Measures the index of requests: its size, the first part of a list for people with 10 and with 10,000 requests, and the sweep of
// what is routing. The service responds from memory, after a fixed time. Linux only.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { freePort } from '../../test/free-port.mjs'
import type { PackageStatus12 } from '../../src/contract/schemas/workflow.ts'
import type { IndexedPackage, PackageIndex } from '../../src/proxy/desk/package-index.ts'
import { digestOf } from '../../src/proxy/desk/sweep.ts'
import { createProxy } from '../../src/proxy/mount/proxy.ts'
import { fetchRuntime } from '../../src/proxy/mount/runtime.ts'
import { createRedis, openStorage } from '../../src/proxy/node/index.ts'
import { cpuSeconds, megabytes } from './load.ts'
import { endLater } from './processes.ts'
import { exponentOf, median, type Options, type Report, spread } from './report.ts'

const sizes = { SQLite: [10_000, 100_000, 1_000_000], Redis: [10_000, 100_000] } as const
type Kind = keyof typeof sizes
const kinds = Object.keys(sizes) as readonly Kind[]
const forms = Array.from({ length: 10 }, (_, place) => 6001 + place)
/** Of 25 packages, one is routing. */
const routingShare = 25
/** Three people, each with as many own packages, and as many to sign, in the first form. A part of a list has 100 rows. */
const crowds = {
  few: { person: '90000010', count: 10 },
  part: { person: '90000100', count: 100 },
  many: { person: '90010000', count: 10_000 },
} as const
type Who = keyof typeof crowds
const whos = Object.keys(crowds) as readonly Who[]
type Times = Readonly<Record<Who, number[]>>
const day = 24 * 60 * 60_000
/** Time in ms that the service takes for a call. */
const latency = 50
/** Time in seconds for which calls of the sweep are counted. */
const counted = 20

export async function measure({ rounds, isSlowed = false }: Options): Promise<Report> {
  const rows: Report['rows'][number][] = []
  const budgets: Report['budgets'][number][] = []
  for (const kind of kinds) {
    const bytes = new Map<number, readonly number[]>()
    for (const size of sizes[kind]) {
      const found = await measureSize(kind, size, rounds, isSlowed)
      bytes.set(size, [found.bytes])
      rows.push(found.row)
      for (const what of ['mine', 'waiting'] as const) {
        const [few, part, many] = whos.map((who) => median(found.lists[what][who])) as [
          number,
          number,
          number,
        ]
        const name = `${kind} with ${size} packages, ${what}: time with 10,000 against`
        budgets.push({ what: `${name} 100`, found: many / part, wanted: 1.2, unit: 'times' })
        // Ten times the rows to check and to write.
        budgets.push({ what: `${name} 10`, found: many / few, wanted: 1.2, admitted: 1.6, unit: 'times' })
      }
      if (found.sweep)
        budgets.push({
          what: 'calls a second of the sweep',
          found: found.sweep.calls,
          wanted: 2.1,
          unit: 'of 2',
        })
    }
    // Rounded, because a file grows by whole pages.
    const exponent = Number(exponentOf(bytes).toFixed(2))
    budgets.push({ what: `exponent of the size in ${kind}`, found: exponent, wanted: 1, unit: '' })
  }
  return { title: `The index of requests, with a service that takes ${latency} ms`, rows, budgets }
}

async function measureSize(kind: Kind, size: number, rounds: number, isSlowed: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-desk-'))
  const before = await megabytes(process.pid, 'VmRSS')
  const { index, bytes, close } = await open(kind, folder)
  try {
    const empty = await bytes()
    const seconds = (await timeOf(() => fill(index, 0, size, spreadOut))) / 1000
    const used = (await bytes()) - empty
    const memory = (await megabytes(process.pid, 'VmRSS')) - before
    for (const [place, { person, count }] of Object.values(crowds).entries())
      await fill(index, 5_000_000 * (place + 1), count, ofPerson(person))
    const lists = await measureLists(isSlowed ? slowed(index) : index, rounds)
    const checks: number[] = []
    for (let round = -1; round < rounds; round++) {
      const time = await timeOf(async () => {
        const due = await index.take(Date.now(), 100)
        await index.record(due.map((pkg) => ({ pkg: { ...pkg, dueAt: pkg.dueAt + 1 } })))
      })
      if (round >= 0) checks.push(time)
    }
    const sweep = size === 1_000_000 ? await measureSweep(index) : undefined
    return {
      bytes: used,
      sweep,
      lists,
      row: {
        store: kind,
        packages: size,
        MB: (used / 1e6).toFixed(1),
        'bytes each': Math.round(used / size),
        'filled, s': seconds.toFixed(0),
        'process, MB more': memory.toFixed(0),
        ...Object.fromEntries(
          Object.entries(lists).flatMap(([what, times]) =>
            whos.map((who) => [`${what}, ms, of ${crowds[who].count}`, spread(times[who], 1)]),
          ),
        ),
        '100 checks, ms': spread(checks, 1),
        'calls a second': sweep ? sweep.calls.toFixed(2) : '',
        'calls a second, unlimited': sweep ? sweep.most.toFixed(0) : '',
        'CPU of a call, ms': sweep ? sweep.cpu.toFixed(1) : '',
      },
    }
  } finally {
    await close()
    rmSync(folder, { recursive: true })
  }
}

interface Opened {
  readonly index: PackageIndex
  /** Size on the disk, or in the memory of Redis. */
  readonly bytes: () => Promise<number>
  readonly close: () => Promise<void>
}

async function open(kind: Kind, folder: string): Promise<Opened> {
  if (kind === 'SQLite') {
    const { packageIndex: index, close } = await openStorage(folder)
    return { index, bytes: () => Promise.resolve(statSync(join(folder, 'routeslip.db')).size), close }
  }
  const port = await freePort()
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = endLater(spawn(process.env['REDIS_SERVER'] ?? 'redis-server', args, { stdio: 'ignore' }))
  const url = `redis://127.0.0.1:${port}`
  const client = createClient({ url })
  // Until the server listens.
  client.on('error', () => {})
  await client.connect()
  const redis = await createRedis(url, { env: 'test', log: () => {}, timeout: 60_000 })
  return {
    index: redis.packageIndex,
    bytes: async () => Number(/^used_memory:(\d+)/m.exec(await client.info('memory'))?.[1]),
    async close() {
      client.destroy()
      await redis.close()
      await end(server)
    },
  }
}

async function end(server: ChildProcess): Promise<void> {
  const exit = once(server, 'exit')
  server.kill()
  await exit
}

type Facts = Pick<IndexedPackage, 'formId' | 'packageId' | 'initiator'> & { readonly holder: string | null }

/** A package of one of many people. Each has started about 40; of 25 packages, one is in somebody's inbox. */
function spreadOut(packageId: number, place: number): Facts {
  const formId = forms[place % forms.length]!
  const holder = place % routingShare === 0 ? String(70_000_000 + (place % 997)) : null
  return {
    formId,
    packageId,
    initiator: String(10_000_000 + ((place * 7919) % Math.ceil(place / 40 + 100))),
    holder,
  }
}

/** A package that a person has started, or one that waits for the person. */
const ofPerson =
  (person: string) =>
  (packageId: number, place: number): Facts => ({
    formId: forms[0]!,
    packageId,
    ...(place % 2 === 0
      ? { initiator: person, holder: '70000001' }
      : { initiator: initiatorOf(packageId), holder: person }),
  })

/** One of five people who have started what waits for others. */
const initiatorOf = (packageId: number) => `8000000${packageId % 5}`

/** Adds packages, the last of which has changed last. Those in an inbox are due, the others after a day. */
async function fill(
  index: PackageIndex,
  first: number,
  count: number,
  factsOf: (packageId: number, place: number) => Facts,
): Promise<void> {
  const number = first === 0 ? count : 2 * count
  const now = Date.now()
  const digest = await digestOf(statusOf(1))
  for (let start = 0; start < number; start += batch) {
    const all = Array.from({ length: Math.min(batch, number - start) }, (_, at) =>
      factsOf(1 + first + start + at, start + at),
    )
    await index.add(all, now)
    await index.record(
      all.map(({ holder, ...facts }, at) => {
        const changedAt = now - day + start + at
        const [state, dueAt] = holder === null ? ['COMPLETE', now + day] : ['ROUTING', now - day]
        const times = { learntAt: changedAt, changedAt, absentSince: null, dueAt, requests: 0 }
        const received = '2026-11-16T10:00:00'
        const place = { received, stop: 2, stopName: 'Department approval', office: '05-0100' }
        return {
          pkg: { ...facts, ...times, state, digest, started: received },
          holders: holder === null ? [] : [{ person: holder, ...place }],
        }
      }),
    )
  }
}

/** Measures how long the first part of a list takes, in the index alone and for the person who asks. */
async function measureLists(index: PackageIndex, rounds: number) {
  const times = (): Times => ({ few: [], part: [], many: [] })
  const found = { candidates: times(), mine: times(), waiting: times() }
  // The sweep rests, because the service seems to fail.
  const proxy = createMount(index, 1, () => ['workflow'])
  try {
    for (let round = -1; round < rounds; round++) {
      for (const who of whos) {
        const { person } = crowds[who]
        const question = { view: 'mine', person, forms, limit: crowds.few.count } as const
        const list = async () => {
          for (let time = 0; time < repeats; time++)
            if ((await index.list(question)).candidates.length < question.limit)
              throw new Error('Some are missing')
        }
        const ofIndex = (await timeOf(list)) / repeats
        const mine = await timeOf(() => readList(proxy, 'mine', person))
        const waiting = await timeOf(() => readList(proxy, 'waiting', person))
        // The first one learns the names of initiators.
        if (round < 0) continue
        found.candidates[who].push(ofIndex)
        found.mine[who].push(mine)
        found.waiting[who].push(waiting)
      }
    }
  } finally {
    await proxy.close()
  }
  return found
}

async function readList(proxy: ReturnType<typeof createMount>, view: string, person: string): Promise<void> {
  const headers = { 'x-person': person, 'x-routeslip': '1', 'sec-fetch-site': 'same-origin' }
  const response = await proxy(
    new Request(`https://bench.test/api/wf/list?view=${view}&form=${forms[0]}`, { headers }),
  )
  const { rows } = (await response.json()) as { readonly rows: readonly unknown[] }
  if (rows.length < crowds.few.count) throw new Error(`${response.status}: ${rows.length} rows`)
}

/** Counts the calls of the sweep of all packages that are routing: as many as allowed, and as many as possible. */
async function measureSweep(index: PackageIndex) {
  calls = 0
  const limited = createMount(index, 2)
  await pause(counted * 1000)
  await limited.close()
  const perSecond = calls / counted
  calls = 0
  const cpu = await cpuSeconds(process.pid)
  const begin = performance.now()
  const unlimited = createMount(index, 100_000)
  while ((await index.due(Date.now(), 1)).length > 0) await pause(100)
  const seconds = (performance.now() - begin) / 1000
  await unlimited.close()
  const used = (await cpuSeconds(process.pid)) - cpu
  return { calls: perSecond, most: calls / seconds, cpu: (used * 1000) / calls }
}

/** A mount that keeps lists in an index. Everybody may view and sign each package. */
function createMount(
  packageIndex: PackageIndex,
  callsPerSecond: number,
  pausedServices: () => readonly 'workflow'[] = () => [],
) {
  const credentials = { baseUrl: 'http://service.test', clientId: 'demo-app', clientSecret: 'demo-secret' }
  return createProxy({
    env: 'test',
    forms,
    services: { workflow: credentials, storage: { ...credentials, objectOrigins: [] } },
    identity: { identify: (request) => ({ univid: request.headers.get('x-person') ?? '' }) },
    runtime: { ...fetchRuntime(reply), pausedServices },
    storage: { packageIndex },
    lists: { callsPerSecond, interval: day },
  })
}

let calls = 0

/** The routing service. */
async function reply(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const { pathname, searchParams } = new URL(new Request(input, init).url)
  calls += 1
  await pause(latency)
  const ids = searchParams.getAll('id').map(Number)
  if (pathname.endsWith('/status')) return Response.json(ids.map(statusOf))
  if (pathname.endsWith('/actions')) return Response.json(ids.map(actionsOf))
  const id = Number(pathname.split('/').at(-1))
  return Response.json({
    id,
    state: 'ROUTING',
    initiator: { univid: initiatorOf(id), displayName: 'Amara Okafor' },
  })
}

function statusOf(id: number): PackageStatus12 {
  const responsibleOffice = { id: 301, name: 'Travel Office', naturalKey: '05-0100' }
  const inbox = {
    id: 9001,
    approver: 'Daniel Reyes',
    state: 'RECEIVED',
    permission: 'SIGNATURE_REQUIRED',
    responsibleOffice,
  }
  return { id, state: 'ROUTING', inboxSignatures: [inbox] }
}

function actionsOf(packageId: number) {
  const may = { canView: true, canEdit: false, canSign: true, canVoid: false }
  return {
    ...may,
    canInitiatorVoid: false,
    canAddApprover: false,
    canVoidAfter: false,
    packageId,
    signatureId: 9001,
  }
}

/** Reads all candidates of a list for each part. The budgets must detect it. */
function slowed(index: PackageIndex): PackageIndex {
  return {
    ...index,
    async list(question) {
      const found = await index.list({ ...question, limit: crowds.many.count })
      return { ...found, candidates: found.candidates.slice(0, question.limit) }
    },
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

/** Number of packages that are added together. */
const batch = 500
/** Number of times that a list is read from the index for one figure. */
const repeats = 20
