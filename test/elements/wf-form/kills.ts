import '../../../src/define/wf-form.ts'
import { createClient } from '../../../src/client/index.ts'
import type { WfForm } from '../../../src/elements/wf-form/wf-form.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { createOutcomeStore, type OutcomeStore } from '../../../src/proxy/idempotency/outcome-store.ts'
import { createProxy } from '../../../src/proxy/mount/proxy.ts'
import { fetchRuntime } from '../../../src/proxy/mount/runtime.ts'
import { nextTurn } from '../../next-turn.ts'

// One submission during which the connection, the proxy or the service dies at random moments. The seed decides when, so that
// a failure can be repeated.

/** What happened in one submission. `problems` is empty if nothing was lost or doubled, and each screen was true. */
export interface Report {
  readonly seed: number
  readonly kills: readonly string[]
  /** How often the person decided to create another draft. */
  readonly newDrafts: number
  /** Whether the form has reported the submission; otherwise, it never loaded, or the person gave up or waited in vain. */
  readonly hasEnded: boolean
  readonly problems: readonly string[]
}

/** What dies first, by seed. Everything after it depends on the random numbers, and on the order of concurrent reads. */
export const firstKills: readonly string[] = ['the connection', 'the proxy', 'the service'].flatMap((what) =>
  ['before', 'after'].flatMap((moment) => ['POST', 'PUT'].map((method) => `${what} ${moment} ${method}`)),
)

/** Maximum number of times that something dies in one submission. */
const maxKills = 4
/** How long a person waits for one screen, in ms. */
const patience = 60_000

/** Submits one request, and does what the screen offers until it is submitted. */
export async function submitOnce(seed: number): Promise<Report> {
  const person = String(20_000_000 + seed)
  const world = createWorld(person, createRandom(seed), firstKills[seed % firstKills.length] ?? '')
  const element = Object.assign(document.createElement('wf-form'), { client: world.client, formId: 6025 })
  const form = document.createElement('form')
  for (const [name, value] of Object.entries(world.entry)) {
    const input = document.createElement('input')
    input.name = name
    input.value = String(value ?? '')
    input.dataset['kind'] = name === 'cost' ? 'currency' : name === 'nights' ? 'number' : 'text'
    input.lang = 'en'
    form.append(input)
  }
  element.lang = 'en'
  element.append(form)
  document.body.append(element)
  const problems: string[] = []
  let newDrafts = 0
  let hasEnded = false
  try {
    await until(() => element.value !== undefined || labelled(element, 'Try again'))
    for (let checks = 0; !(element.value && !labelled(element, 'Try again')); checks++) {
      if (checks > 20) throw new Error('The form never loads')
      labelled(element, 'Try again')?.click()
      await idle(element)
    }
    world.arm()
    form.querySelector('input')?.dispatchEvent(new Event('input', { bubbles: true }))
    void element.submit()
    await idle(element)
    for (let step = 0; ; step++) {
      problems.push(...lies(textOf(element), world, newDrafts))
      if (/Submitted at/.test(textOf(element))) break
      if (step > 30) throw new Error(`The person gives up at: ${textOf(element)}`)
      const restart = step % 3 === 2 ? labelled(element, 'Save as a new draft') : undefined
      if (restart) newDrafts++
      const next = restart ?? labelled(element, 'Check again') ?? labelled(element, 'Try again')
      if (next) next.click()
      else if (world.routed().length === 0) void element.submit()
      await idle(element)
    }
    hasEnded = true
  } catch (error) {
    problems.push(String(error))
  }
  const routed = world.routed()
  const all = world.packages()
  if (routed.length !== 1) problems.push(`${routed.length} requests are in routing`)
  if (all.length > 1 + newDrafts)
    problems.push(`${all.length} packages, but ${newDrafts} decisions for another`)
  if (routed.some(({ entry }) => JSON.stringify(entry) !== JSON.stringify(world.entry)))
    problems.push('The entry is not what was entered')
  if (Object.keys(localStorage).some((key) => key.includes(` ${person} `)))
    problems.push('The browser still keeps a copy')
  element.remove()
  return { seed, kills: world.kills, newDrafts, hasEnded, problems }
}

/** Submits many requests, some at a time. */
export async function submitMany(seeds: readonly number[], atATime: number): Promise<Report[]> {
  const reports: Report[] = []
  const waiting = [...seeds]
  const work = async () => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift())
      reports.push(await submitOnce(seed))
  }
  await Promise.all(Array.from({ length: atATime }, work))
  return reports
}

type World = ReturnType<typeof createWorld>

/** Returns the statements of a screen that are not true. */
function lies(text: string, world: World, newDrafts: number): string[] {
  const [all, routed] = [world.packages().length, world.routed().length]
  const claims: readonly (readonly [pattern: RegExp, isTrue: boolean])[] = [
    [/Submitted at/, routed === 1],
    [/Saved at/, all > newDrafts],
    [/Saved, but not submitted/, all > newDrafts && routed === 0],
    [/It is saved, but/, all > newDrafts],
    [/Not saved/, all <= newDrafts],
  ]
  return claims.flatMap(([pattern, isTrue]) =>
    pattern.test(text) && !isTrue
      ? [`The screen says "${text}", but there are ${all}, ${routed} in routing`]
      : [],
  )
}

/** Creates the services, a proxy and a page, each of which may die. */
function createWorld(person: string, random: () => number, firstKill: string) {
  const emulator = createEmulator()
  emulator.people.set(person, { ...emulator.people.get('10000001')!, univid: person })
  const entry = { ...emulator.packages.test.get(42)!.entry, purpose: `Submission of ${person}` }
  const outcomes = createDurableStore()
  const kills: string[] = []
  let isArmed = false
  /** Rejects if the proxy that is running dies. */
  let death = createDeath()
  let proxy = start()

  function dies(what: string): boolean {
    if (!isArmed || kills.length >= maxKills) return false
    const isFirst = kills.length === 0
    if (isFirst ? !what.startsWith(firstKill) : random() > (/P(?:OST|UT)/.test(what) ? 0.25 : 0.08))
      return false
    kills.push(what)
    return true
  }

  function killProxy(): void {
    outcomes.die()
    death.reject(new TypeError('The proxy died'))
    proxy = start()
  }

  function start() {
    death = createDeath()
    const { promise: died } = death
    return createProxy({
      env: 'test',
      forms: [6025],
      services: {
        workflow: { baseUrl: 'http://emulator.test/wf', clientId: 'demo-app', clientSecret: 'demo-secret' },
        storage: {
          baseUrl: 'http://emulator.test/fs/test',
          objectOrigins: ['http://emulator.test'],
          clientId: 'demo-app',
          clientSecret: 'demo-secret',
        },
      },
      identity: { identify: () => ({ univid: person }), site: () => 'same-origin' },
      storage: { outcomeStore: outcomes.connect() },
      runtime: fetchRuntime(async (input, init) => {
        const request = new Request(input, init)
        const what = `${request.method} ${new URL(request.url).pathname.split('/').slice(6).join('/')}`
        if (dies(`the service before ${what}`)) throw new TypeError('The service died')
        if (dies(`the proxy before ${what}`)) {
          killProxy()
          return await died
        }
        const response = await emulator.fetch(request)
        if (dies(`the service after ${what}`)) throw new TypeError('The service died')
        if (dies(`the proxy after ${what}`)) {
          killProxy()
          return await died
        }
        return response
      }),
    })
  }

  const client = createClient({
    endpoint: 'https://northfield.test/api/wf',
    live: false,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (dies(`the connection before ${request.method}`)) throw new TypeError('No connection')
      const response = await Promise.race([proxy(request), death.promise])
      if (dies(`the connection after ${request.method}`)) throw new TypeError('No connection')
      return response
    },
  })
  const packages = () => [...emulator.packages.test.values()].filter(({ initiator }) => initiator === person)
  return {
    client,
    entry,
    kills,
    packages,
    routed: () => packages().filter(({ state }) => state === 'ROUTING'),
    arm: () => void (isArmed = true),
  }
}

/** A promise that rejects when a proxy dies. */
function createDeath() {
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<never>((_, onReject) => (reject = onReject))
  promise.catch(() => {})
  return { promise, reject: (error: Error) => reject(error) }
}

/** A store that survives its proxies, as in Redis. What a dead proxy was doing has an unknown outcome. */
function createDurableStore() {
  const store = createOutcomeStore()
  let alive: { readonly running: Map<string, string>; isDead: boolean }

  return {
    connect(): OutcomeStore {
      const own = (alive = { running: new Map<string, string>(), isDead: false })
      const end = async (id: string, finish: () => Promise<void>) => {
        if (own.isDead) return await new Promise<never>(() => {})
        own.running.delete(id)
        await finish()
      }
      return {
        read: (id) => store.read(id),
        async start(id, owner, head) {
          const known = await store.start(id, owner, head)
          if (!known) own.running.set(id, head)
          return known
        },
        finish: (id, outcome) => end(id, () => store.finish(id, outcome)),
        forget: (id) => end(id, () => store.forget(id)),
      }
    },
    die(): void {
      alive.isDead = true
      for (const [id, head] of alive.running) void store.finish(id, { head, state: 'unknown' })
    },
  }
}

/** Returns numbers from 0 to 1 that depend only on the seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function textOf(element: WfForm): string {
  return [...element.shadowRoot!.querySelectorAll<HTMLElement>('.own')]
    .map(({ innerText }) => innerText)
    .join(' ')
}

function labelled(element: WfForm, label: string): HTMLElement | undefined {
  return [...(element.shadowRoot?.querySelectorAll<HTMLElement>('button') ?? [])].find(
    (button) => button.innerText.trim() === label,
  )
}

async function idle(element: WfForm): Promise<void> {
  await element.updateComplete
  await until(() => element.shadowRoot!.querySelector('[part=base]')?.ariaBusy === 'false')
  await element.updateComplete
}

async function until(condition: () => unknown): Promise<void> {
  const end = Date.now() + patience
  while (!condition()) {
    if (Date.now() > end) throw new Error('Nothing happens')
    await nextTurn()
  }
}
