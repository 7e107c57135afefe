// Kills processes of a proxy that keeps lists while callbacks arrive and people are reminded, and counts the packages of accepted
// callbacks that its index lacks afterwards, and the packages whose approvers were emailed twice.
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { PackageStatus12 } from '../../src/contract/schemas/workflow.ts'
import { acceptVersion } from '../../src/contract/values/headers.ts'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { digestOf } from '../../src/proxy/desk/sweep.ts'
import { people } from '../../test/proxy/mount.ts'
import { type Host, type Proxy, sendCallback, type StoreKind, stores, withProxy } from './kills.ts'
import type { Measured, Sizes } from './results.ts'

export interface DeskKillOptions {
  readonly store: StoreKind
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

export async function killWhileListsAreKept(options: DeskKillOptions): Promise<DeskKillResult> {
  const service = await createService()
  const env = { LISTS: options.isLate === true ? 'late' : 'true', LEASE: '1000' }
  const { store } = options
  return await withProxy({ store, env: () => env, reply: service.reply }, (proxy) =>
    run(options, proxy, service),
  )
}

async function run(
  { rounds }: DeskKillOptions,
  { hosts, key, open }: Proxy,
  { emails, nextEmail, digest }: Awaited<ReturnType<typeof createService>>,
): Promise<DeskKillResult> {
  const begin = performance.now()
  await withStores(open, (stores) => fill(stores, rounds * perRound.reminders + 1, digest))
  await Promise.all(hosts.map((host) => host.start()))
  const accepted: number[] = []
  let lastCallback = firstOfCallbacks
  let lastReminded = 0
  let interrupted = 0

  async function sendNext(host: Host): Promise<void> {
    const packageId = ++lastCallback
    if ((await sendCallback(host, await key.callback({ packageId }))) === 200) accepted.push(packageId)
  }

  /** Asks for a reminder until there is a response. The response to a repeated request may be a refusal. */
  async function remind(host: Host): Promise<void> {
    const packageId = ++lastReminded
    if ((await askForReminder(host, packageId)) !== undefined) return
    interrupted += 1
    const running = () => hosts.find(({ url }) => url() !== undefined) ?? host
    do await pause(5)
    while ((await askForReminder(running(), packageId)) === undefined)
  }

  // The first callback fetches the key, which may take longer than a response waits.
  for (const host of hosts)
    while ((await sendCallback(host, await key.callback({ packageId: 999_999 }))) !== 200) await pause(20)

  for (let round = 0; round < rounds; round++) {
    const host = hosts[round % hosts.length]
    assert.ok(host, 'there is a process')
    let isOver = false
    const repeat = async (times: number, send: (to: Host) => Promise<void>) => {
      for (let time = 0; time < times && !isOver; time++) await send(host)
    }
    const emailed = nextEmail()
    const sending = Promise.all(
      Array.from({ length: lanes }, (_, lane) => [
        repeat(perRound.callbacks / lanes, sendNext),
        repeat(Math.floor((perRound.reminders + lane) / lanes), remind),
      ]).flat(),
    )
    // In every second round while a reminder is being sent: on some machines, a random moment misses all of them.
    await (round % 2 === 0 ? Promise.race([emailed, sending]) : pause(Math.random() * longestLife))
    // All of them, or one whose callbacks another takes over.
    const killed = round % 2 === 0 ? hosts : [host]
    await Promise.all(killed.map(({ kill }) => kill()))
    isOver = true
    await Promise.all(killed.map(({ start }) => start()))
    await sending
  }

  // Those that had a response, and those that had none.
  for (let packageId = 1; packageId <= lastReminded; packageId++) await askForReminder(hosts[0], packageId)
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

type Stores = Awaited<ReturnType<Proxy['open']>>

async function withStores<T>(open: Proxy['open'], use: (stores: Stores) => Promise<T>): Promise<T> {
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

/** Asks for a reminder, as somebody who has asked for no other one. */
async function askForReminder(host: Host, packageId: number): Promise<number | undefined> {
  return await host.post(`/forms/${formId}/packages/${packageId}/reminder`, '{}', {
    'content-type': 'application/json',
    'x-person': String(20_000_000 + packageId),
    'x-routeslip': '1',
    'sec-fetch-site': 'same-origin',
  })
}

/** The routing service. Its packages with small ids are, for everybody, like package 42 of the emulator; others do not exist. */
async function createService() {
  const emulator = createEmulator()
  const emails = new Map<number, number>()
  let onEmail = () => {}
  const nextEmail = () => new Promise<void>((resolve) => (onEmail = resolve))

  /** Sends a call about package 42 in the name of its initiator. */
  async function ask(path: string, headers: Readonly<Record<string, string>>): Promise<Response> {
    const person = { 'x-workflow-request-user': people.initiator }
    return await emulator.fetch(`http://emulator.test/wf${path}`, { headers: { ...headers, ...person } })
  }

  async function reply(
    request: IncomingMessage,
    { pathname, searchParams }: URL,
  ): Promise<string | undefined> {
    const [, one] = /\/packages\/(\d+)/.exec(pathname) ?? []
    const ids = (one === undefined ? searchParams.getAll('id') : [one]).map(Number)
    const known = ids.filter((id) => id < firstOfCallbacks)
    if (request.method === 'PUT') {
      for (const id of known) emails.set(id, (emails.get(id) ?? 0) + 1)
      onEmail()
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

  const authorization = `Basic ${btoa('demo-app:demo-secret')}`
  const accept = acceptVersion('1.2')
  const status = await ask('/workflow/test/api/developer/forms/6025/packages/status?id=42', {
    authorization,
    accept,
  })
  const [row] = (await status.json()) as readonly PackageStatus12[]
  assert.ok(row, 'the emulator has package 42')
  return { reply, emails, nextEmail, digest: await digestOf(row) }
}

/** Runs both stores, and each with a store that is late. */
export async function measure({ runs }: Pick<Sizes, 'runs'>): Promise<Measured> {
  const rows: Readonly<Record<string, string | number>>[] = []
  let isFine = true
  for (const [name, store] of stores) {
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
