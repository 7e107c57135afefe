// Kills processes of a proxy while callbacks arrive, and counts the callbacks that have no effect, or whose effect has
// another id.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Key } from '../../test/proxy/callbacks/callback-app.ts'
import { random as createRandom } from '../../test/proxy/oracle.ts'
import { type Proxy, sendCallback, type StoreKind, stores, withProxy } from './kills.ts'

export interface KillOptions {
  readonly store: StoreKind
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

/** Callbacks of a package. They are sent one after the other, so their order is known. */
const perPackage = 4
/** Number of packages whose callbacks are sent at the same time. */
const lanes = 16

/** Sends callbacks until each was accepted, kills processes meanwhile, and waits until nothing is left to do. */
export async function killWhileCallbacksArrive(options: KillOptions): Promise<KillResult> {
  const { store, lease } = options
  let effects = ''
  const env = (folder: string) => {
    effects = join(folder, 'effects')
    writeFileSync(effects, '')
    return { EFFECTS: effects, DELAY: '5', ...(lease !== undefined && { LEASE: String(lease) }) }
  }
  return await withProxy({ store, env, reply }, (proxy) =>
    run(options, proxy, () => readFileSync(effects, 'utf8').split('\n').slice(0, -1)),
  )
}

async function run(
  { callbacks, duplicates, kills }: KillOptions,
  { hosts, key }: Proxy,
  readEffects: () => readonly string[],
): Promise<KillResult> {
  const start = performance.now()
  await Promise.all(hosts.map((host) => host.start()))
  const random = createRandom(20_261_123)
  const all = await Promise.all(Array.from({ length: callbacks }, (_, index) => createCallback(index, key)))
  const packages = Array.from({ length: Math.ceil(callbacks / perPackage) }, (_, index) =>
    all.slice(index * perPackage, (index + 1) * perPackage),
  )
  const again = new Set([...all].sort(() => random() - 0.5).slice(0, Math.round(callbacks * duplicates)))
  let accepted = 0
  let sent = 0

  /** Sends a callback until a process accepts it, as a front server with several of them does. */
  async function deliver(callback: (typeof all)[number]): Promise<void> {
    for (;;) {
      const host = hosts[Math.floor(random() * hosts.length)]
      if (host && (await sendCallback(host, callback)) === 200) {
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

async function createCallback(index: number, key: Key) {
  const sent = await key.callback({
    packageId: Math.floor(index / perPackage) + 1,
    createdAt: new Date(Date.UTC(2026, 10, 16) + index * 1000).toISOString().slice(0, 19),
    lockId: null,
    entry: { purpose: `Trip ${index}` },
  })
  return { ...sent, id: createHash('sha256').update(sent.body).digest('hex') }
}

/** The routing service: its packages are all in routing. */
function reply(_: unknown, { searchParams }: URL): Promise<string> {
  const rows = searchParams
    .getAll('id')
    .map((id) => ({ id: Number(id), state: 'ROUTING', inboxSignatures: [] }))
  return Promise.resolve(JSON.stringify(rows))
}

/** Maximum time in ms for all effects after the last callback. */
const maxWait = 180_000

/** Runs both stores with 10,000 callbacks, 30 percent of them twice, and 20 kills each. */
export async function measure() {
  const rows: Readonly<Record<string, string | number>>[] = []
  let isFine = true
  for (const [name, store] of stores) {
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
