import { browserOperations, type OperationForBrowsers } from '../contract/browser-operations.ts'
import { isRecord } from '../contract/record.ts'
import type { Rights } from '../contract/rights.ts'
import { type BrowserOperation, routes } from '../contract/routes.ts'
import { type TransitionName, transitions } from '../contract/transitions.ts'
import { type ConformanceSuite, listOf, mutationsOf, pause, type ObservedResponse } from './suite.ts'
import { check, type Check, formId, people, personOf, type Role, roles } from './target.ts'
import { fileOwner, inputFor, type Sample, type Situation, situations, type Fixture } from './fixture.ts'

/**
 * What has to come of one call:
 *
 * - `allowed`: it is done, by one request to the service where it changes something;
 * - `denied`: the proxy says no, and nothing that could change anything has left it;
 * - `refused`: the service says no, or the state of the package, and nothing has changed;
 * - `signed out`: nobody asks, and no service hears of it.
 */
type Outcome = 'allowed' | 'denied' | 'refused' | 'signed out'

/** One cell of the matrix. */
export interface Cell {
  readonly name: BrowserOperation
  readonly role: Role
  /** Null where the operation is about no package. */
  readonly situation: Situation | null
}

/** Every operation, asked by everyone, in every situation of a package. */
export function cells(): Cell[] {
  return (Object.keys(routes) as BrowserOperation[]).flatMap((name) =>
    (isAboutPackages(name) ? situations : [null]).flatMap((situation) =>
      roles.map((role) => ({ name, role, situation })),
    ),
  )
}

function isAboutPackages(name: BrowserOperation): boolean {
  return routes[name].path.startsWith('/forms/')
}

/** Checks every cell of the matrix against the table of rights. `administratorMay`: what the host's policy adds. */
export function* checkRights(
  bench: ConformanceSuite,
  world: Fixture,
  administratorMay: readonly Rights[],
): Generator<Check> {
  for (const cell of cells()) {
    const { name, role, situation } = cell
    const title = `rights: ${name} as ${role}${situation === null ? '' : `, ${situation}`}`
    yield check(title, async () => {
      let detail = 'it could not be tried'
      try {
        detail = await checkCell(bench, world, administratorMay, cell)
      } finally {
        if (detail !== '') world.spoil()
      }
      return detail
    })
  }
}

async function checkCell(
  bench: ConformanceSuite,
  world: Fixture,
  administratorMay: readonly Rights[],
  { name, role, situation }: Cell,
): Promise<string> {
  const expected = await expectation(bench, world, administratorMay, { name, role, situation })
  const sample = await world.sample(name, situation)
  const input = inputFor(name, sample)
  const seen = await bench.call(name, personOf(role), input)
  if (mutationsOf(seen.received).length > 0) world.spoil()

  const { rights }: OperationForBrowsers = browserOperations[name]
  const mayBeAway = isOptional(name) && !administratorMay.includes(rights)
  // What a site does not serve is not there, also for those who are not signed in.
  if (expected === 'signed out' && mayBeAway && seen.status === 404) return wrongWith('denied', name, seen)
  const wrong = wrongWith(expected, name, seen)
  if (wrong !== '' || rights !== 'canView' || expected !== 'allowed') return wrong
  const { canView } = await flagsOf(bench, sample, people[role as keyof typeof people])
  return rowsWrong(seen, canView === true ? [sample.packageId] : [])
}

/** Whether a site may leave an operation out. */
export function isOptional(name: BrowserOperation): boolean {
  const { rights }: OperationForBrowsers = browserOperations[name]
  return rights === 'policy' || rights === 'sharing'
}

/** What is wrong with an answer; empty where nothing is. */
export function wrongWith(
  expected: Outcome,
  name: BrowserOperation,
  { status, received }: ObservedResponse,
): string {
  const mutations = mutationsOf(received)
  const got = `got ${status}; sent: ${listOf(received)}`
  switch (expected) {
    case 'signed out':
      return status === 401 && received.length === 0 ? '' : `expected 401 and no call of a service, ${got}`

    case 'denied':
      return (status === 403 || status === 404) && mutations.length === 0
        ? ''
        : `expected 403 or 404 and nothing changed, ${got}`

    case 'refused': {
      const isRefused = status >= 400 && status < 500 && status !== 401
      return isRefused && mutations.every((each) => (each.status ?? 500) >= 400)
        ? ''
        : `expected a refusal and nothing changed, ${got}`
    }

    case 'allowed': {
      const isDone = (status >= 200 && status < 300) || status === 303
      const isRead = routes[name].method === 'GET'
      const [only, ...others] = mutations
      const isOnce = others.length === 0 && only?.operation === name
      return isDone && (isRead ? mutations.length === 0 : isOnce)
        ? ''
        : `expected it to be done, once, ${got}`
    }
  }
}

/** What the table says, told from what the service itself answers and not from anything the proxy says. */
async function expectation(
  bench: ConformanceSuite,
  world: Fixture,
  administratorMay: readonly Rights[],
  { name, role, situation }: Cell,
): Promise<Outcome> {
  if (role === 'nobody') return 'signed out'
  const { rights }: OperationForBrowsers = browserOperations[name]
  const univid = people[role]
  const isHosts = role === 'administrator' && administratorMay.includes(rights)
  const sample = await world.sample(name, situation)

  switch (rights) {
    case 'signed-in':
    case 'canView':
      return 'allowed'

    case 'service': {
      const response = await bench.service(name, univid, inputFor(name, sample))
      await response.body?.cancel()
      if (routes[name].method !== 'GET') world.spoil()
      return response.ok ? 'allowed' : 'refused'
    }

    case 'canEdit':
      return (await flagsOf(bench, sample, univid)).canEdit === true ? 'allowed' : 'denied'

    case 'void': {
      const { canVoid, canInitiatorVoid, canVoidAfter } = await flagsOf(bench, sample, univid)
      const isRouting = situation === 'ROUTING'
      const mayNow = isRouting && (canVoid === true || (canInitiatorVoid === true && role === 'initiator'))
      return mayNow || (situation === 'COMPLETE' && canVoidAfter === true) ? 'allowed' : 'denied'
    }

    case 'tool': {
      const from: readonly string[] = transitions[name as TransitionName].from
      if (!isHosts) return 'denied'
      return situation !== null && from.includes(situation) ? 'allowed' : 'refused'
    }

    case 'policy':
      if (!isHosts) return 'denied'
      return name !== 'deleteLock' || situation === 'ROUTING' ? 'allowed' : 'refused'

    case 'owner':
      return univid === fileOwner ? 'allowed' : 'denied'

    case 'sharing':
      return isHosts ? 'allowed' : 'denied'
  }
}

/** The flags of a person for a package, as the service answers them to itself. */
async function flagsOf(
  bench: ConformanceSuite,
  { packageId }: Sample,
  univid: string,
): Promise<Readonly<Record<string, unknown>>> {
  const rows = await bench.prepare('getActions', univid, {
    params: { formId },
    query: { id: `${packageId}` },
  })
  const [only, ...others] = Array.isArray(rows) ? (rows as readonly unknown[]) : []
  if (others.length > 0 || !isRecord(only) || only['packageId'] !== packageId) {
    throw new Error('getActions: the emulator does not answer with the one package')
  }
  return only
}

function rowsWrong({ json }: ObservedResponse, ids: readonly number[]): string {
  const found = Array.isArray(json) ? json.map((row: unknown) => (isRecord(row) ? row['id'] : null)) : json
  const [got, expected] = [JSON.stringify(found), JSON.stringify(ids)]
  return got === expected ? '' : `expected the packages ${expected}, got ${got}`
}

/** Flags that allow everything, as the service writes them. */
function everything(packageId: number) {
  return {
    canView: true,
    canEdit: true,
    canSign: true,
    canVoid: true,
    canInitiatorVoid: true,
    canAddApprover: true,
    canVoidAfter: true,
    packageId,
    signatureId: null,
  }
}

type Flags = ReturnType<typeof everything>

/** Ways in which allowed actions can be answered that are not exactly one good answer for exactly this package. */
const spoiltAnswers: Readonly<Record<string, (flags: Flags) => unknown>> = {
  'an empty list': () => [],
  'another package': (flags) => [{ ...flags, packageId: flags.packageId + 1 }],
  'two entries': (flags) => [flags, flags],
  'two entries that differ': (flags) => [flags, { ...flags, canVoid: false, canEdit: false, canView: false }],
  'flags as text': (flags) => [mapValues(flags, (value) => (value === true ? 'true' : value))],
  'flags as numbers': (flags) => [mapValues(flags, (value) => (value === true ? 1 : value))],
  'no flags': ({ packageId, signatureId }) => [{ packageId, signatureId }],
  'no package': (flags) => [{ ...flags, packageId: undefined }],
  'the id as text': (flags) => [{ ...flags, packageId: String(flags.packageId) }],
  'the id twice, once as text': (flags) => [flags, { ...flags, packageId: String(flags.packageId) }],
  'one entry too many': (flags) => [flags, { ...flags, packageId: flags.packageId + 1 }],
  'an object in place of the list': (flags) => flags,
  null: () => null,
}

/** The same, as faults of the emulator: errors, and answers that do not come or break off. */
function failures(packageId: number, patience: number): Readonly<Record<string, object>> {
  return {
    'status 500': { status: 500 },
    'status 404': { status: 404 },
    'status 403': { status: 403 },
    'a redirect': { status: 302 },
    'a broken answer': { cut: true },
    'broken JSON': { garbage: '[{"packageId":' },
    'nothing at all': { garbage: '' },
    'a login page': { garbage: true },
    'no answer in time': { delay: patience * 1.5 },
    ...mapValues(spoiltAnswers, (spoil) => ({ garbage: JSON.stringify(spoil(everything(packageId))) })),
  }
}

/** What flags decide, with someone whom they do allow it. */
const decidedByFlags = [
  { name: 'voidPackage', role: 'administrator', situation: 'ROUTING' },
  { name: 'voidPackage', role: 'initiator', situation: 'ROUTING' },
  { name: 'voidPackage', role: 'administrator', situation: 'COMPLETE' },
  { name: 'updateEntry', role: 'firstApprover', situation: 'ROUTING' },
  { name: 'getStatus', role: 'initiator', situation: 'ROUTING' },
] as const

/** Checks that nothing is allowed on the word of a broken answer about what is allowed. */
export function* checkFailures(bench: ConformanceSuite, world: Fixture, patience: number): Generator<Check> {
  for (const { name, role, situation } of decidedByFlags) {
    const title = `rights: ${name} as ${role}, ${situation}`
    const ask = async (): Promise<ObservedResponse> => {
      const seen = await bench.call(name, people[role], inputFor(name, await world.sample(name, situation)))
      if (mutationsOf(seen.received).length > 0) world.spoil()
      return seen
    }

    for (const way of Object.keys(failures(1, patience))) {
      yield check(`${title}, where allowed actions are answered with ${way}`, async () => {
        const { packageId } = await world.sample(name, situation)
        const fault = { operation: 'getActions', times: 10, ...failures(packageId, patience)[way] }
        await recovered(bench, packageId)
        await bench.control('POST', '/faults', fault)
        const seen = await ask()
        await bench.control('DELETE', '/faults')
        return wrongWithout(name, way, seen)
      })
    }

    // That all this was refused says something only if the very same is allowed when the answer is good.
    yield check(`${title}, where allowed actions are answered well again`, async () => {
      const { packageId } = await world.sample(name, situation)
      await recovered(bench, packageId)
      return wrongWith('allowed', name, await ask())
    })
  }
}

/** What is wrong with an answer that was given although allowed actions could not be had. */
function wrongWithout(
  name: BrowserOperation,
  way: string,
  { status, json, received }: ObservedResponse,
): string {
  const isAsked = received.some(({ operation }) => operation === 'getActions')
  const isEmpty = Array.isArray(json) && json.length === 0
  // Where many packages may be asked for, an entry too many takes nothing from the one that was.
  const isHarmless = way === 'one entry too many' || isEmpty
  const isDenied = (status >= 400 && status !== 401) || (name === 'getStatus' && isHarmless)
  return isAsked && isDenied && mutationsOf(received).length === 0
    ? ''
    : `expected a refusal and nothing changed, got ${status}; sent: ${listOf(received)}`
}

/** Waits until the proxy asks the services again: it may spare one that has failed so often. */
async function recovered(bench: ConformanceSuite, packageId: number): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const { status, headers } = await bench.call('getActions', people.initiator, {
      params: { formId },
      query: { id: `${packageId}` },
    })
    if (status !== 503) return
    await pause(1000 * Math.min(5, Number(headers.get('retry-after')) || 1))
  }
}

function mapValues<From, To>(
  object: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
