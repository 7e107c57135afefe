import { browserOperations, type OperationForBrowsers } from '../contract/services/browser-operations.ts'
import { isRecord } from '../contract/values/values.ts'
import type { Rights } from '../contract/routes/rights.ts'
import { type BrowserOperation, routes } from '../contract/routes/routes.ts'
import { type TransitionName, transitions } from '../contract/values/transitions.ts'
import { type ConformanceSuite, summaryOf, mutationsOf, pause, type ObservedResponse } from './suite.ts'
import { type CallerRole, check, type Check, formId, people, personOf, roles } from './target.ts'
import { fileOwner, inputFor, type Sample, type Situation, situations, type Fixture } from './fixture.ts'

/**
 * The expected outcome of a call:
 *
 * - `allowed`: the proxy does it. If it changes something, it sends exactly one request that does so.
 * - `denied`: the proxy refuses it and sends no request that could change anything.
 * - `refused`: the service refuses it, or the state of the package does not allow it. Nothing changes.
 * - `signed out`: nobody is signed in, so the proxy sends no request.
 */
type Expectation = 'allowed' | 'denied' | 'refused' | 'signed out'

/** One cell of the matrix. */
interface Cell {
  readonly name: BrowserOperation
  readonly role: CallerRole
  /** Null if the operation does not concern a package. */
  readonly situation: Situation | null
}

/** Returns all combinations of operation, role and situation. */
export function cells(): Cell[] {
  return (Object.keys(routes) as BrowserOperation[]).flatMap((name) =>
    (needsPackage(name) ? situations : [null]).flatMap((situation) =>
      roles.map((role) => ({ name, role, situation })),
    ),
  )
}

function needsPackage(name: BrowserOperation): boolean {
  const { path, rights }: OperationForBrowsers = browserOperations[name]
  return path.startsWith('/forms/') && rights !== 'creation'
}

/** Checks all cells against the table of rights. `administratorRights`: what the host's policy allows to the administrator. */
export function* checkRights(
  suite: ConformanceSuite,
  fixture: Fixture,
  administratorRights: readonly Rights[],
): Generator<Check> {
  for (const cell of cells()) {
    const { name, role, situation } = cell
    const title = `rights: ${name} as ${role}${situation === null ? '' : `, ${situation}`}`
    yield check(title, async () => {
      let detail = 'the check did not run'
      try {
        detail = await checkCell(suite, fixture, administratorRights, cell)
      } finally {
        if (detail !== '') fixture.clear()
      }
      return detail
    })
  }
}

async function checkCell(
  suite: ConformanceSuite,
  fixture: Fixture,
  administratorRights: readonly Rights[],
  { name, role, situation }: Cell,
): Promise<string> {
  if (suite.isOmitted(name)) return await checkOmitted(suite, fixture, { name, role, situation })
  const expected = await expectation(suite, fixture, administratorRights, { name, role, situation })
  const sample = await fixture.sample(name, situation)
  const input = inputFor(name, sample)
  const response = await suite.call(name, personOf(role), input)
  if (mutationsOf(response.received).length > 0) fixture.clear()

  const { rights }: OperationForBrowsers = browserOperations[name]
  const mayBeMissing = isOptional(name) && !administratorRights.includes(rights)
  // If a site does not serve an operation, it returns 404 to everybody, signed in or not.
  if (expected === 'signed out' && mayBeMissing && response.status === 404)
    return wrongWith('denied', name, response)
  const wrong = wrongWith(expected, name, response)
  if (wrong !== '' || rights !== 'canView' || expected !== 'allowed') return wrong
  const { canView } = await flagsOf(suite, sample, people[role as keyof typeof people])
  return rowsWrong(response, canView === true ? [sample.packageId] : [])
}

/** Checks that an operation that the proxy leaves out does nothing. */
async function checkOmitted(
  suite: ConformanceSuite,
  fixture: Fixture,
  { name, role, situation }: Cell,
): Promise<string> {
  const input = inputFor(name, await fixture.sample(name, situation))
  const response = await suite.call(name, personOf(role), { ...input, evenIfOmitted: true })
  const { status, received } = response
  const isRefused = status === 404 || status === 405 || (role === 'nobody' && status === 401)
  return isRefused && received.length === 0
    ? ''
    : `GET /session does not name ${name}, so expected 404 and no request to a service, got ${status}; sent: ${summaryOf(received)}`
}

/** Whether a site can omit an operation. */
export function isOptional(name: BrowserOperation): boolean {
  const { rights }: OperationForBrowsers = browserOperations[name]
  return rights === 'policy' || rights === 'sharing'
}

/** Returns what is wrong with a response, or an empty string. */
export function wrongWith(
  expected: Expectation,
  name: BrowserOperation,
  { status, received }: ObservedResponse,
): string {
  const mutations = mutationsOf(received)
  const got = `got ${status}; sent: ${summaryOf(received)}`
  switch (expected) {
    case 'signed out':
      return status === 401 && received.length === 0 ? '' : `expected 401 and no request to a service, ${got}`

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
        : `expected success with exactly one change, ${got}`
    }
  }
}

/** Derives the expected outcome from the table and from the services themselves, never from the proxy. */
async function expectation(
  suite: ConformanceSuite,
  fixture: Fixture,
  administratorRights: readonly Rights[],
  { name, role, situation }: Cell,
): Promise<Expectation> {
  if (role === 'nobody') return 'signed out'
  const { rights }: OperationForBrowsers = browserOperations[name]
  const univid = people[role]
  const isHostAllowed = role === 'administrator' && administratorRights.includes(rights)
  const sample = await fixture.sample(name, situation)

  switch (rights) {
    case 'signed-in':
    case 'creation':
    case 'canView':
      return 'allowed'

    case 'service':
    case 'service-or-canEdit': {
      const response = await suite.service(name, univid, inputFor(name, sample))
      await response.body?.cancel()
      if (routes[name].method !== 'GET') fixture.clear()
      if (response.ok) return 'allowed'
      const isEditor = rights !== 'service' && (await flagsOf(suite, sample, univid)).canEdit === true
      return isEditor ? 'allowed' : 'refused'
    }

    case 'canEdit':
      return (await flagsOf(suite, sample, univid)).canEdit === true ? 'allowed' : 'denied'

    case 'void': {
      const { canVoid, canInitiatorVoid, canVoidAfter } = await flagsOf(suite, sample, univid)
      const isRouting = situation === 'ROUTING'
      const mayNow = isRouting && (canVoid === true || (canInitiatorVoid === true && role === 'initiator'))
      return mayNow || (situation === 'COMPLETE' && canVoidAfter === true) ? 'allowed' : 'denied'
    }

    case 'tool': {
      const from: readonly string[] = transitions[name as TransitionName].from
      if (!isHostAllowed) return 'denied'
      return situation !== null && from.includes(situation) ? 'allowed' : 'refused'
    }

    case 'policy':
      if (!isHostAllowed) return 'denied'
      return name !== 'deleteLock' || situation === 'ROUTING' ? 'allowed' : 'refused'

    case 'owner':
      return univid === fileOwner ? 'allowed' : 'denied'

    case 'sharing':
      return isHostAllowed ? 'allowed' : 'denied'
  }
}

/** Gets the flags of a user for a package directly from the service. */
async function flagsOf(
  suite: ConformanceSuite,
  { packageId }: Sample,
  univid: string,
): Promise<Readonly<Record<string, unknown>>> {
  const rows = await suite.prepare('getActions', univid, {
    params: { formId },
    query: { id: `${packageId}` },
  })
  const [only, ...others] = Array.isArray(rows) ? (rows as readonly unknown[]) : []
  if (others.length > 0 || !isRecord(only) || only['packageId'] !== packageId) {
    throw new Error('getActions: the emulator does not return exactly this package')
  }
  return only
}

function rowsWrong({ json }: ObservedResponse, ids: readonly number[]): string {
  const found = Array.isArray(json) ? json.map((row: unknown) => (isRecord(row) ? row['id'] : null)) : json
  const [got, expected] = [JSON.stringify(found), JSON.stringify(ids)]
  return got === expected ? '' : `expected the packages ${expected}, got ${got}`
}

/** Flags that allow everything, in the format of the service. */
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

/** Responses to `getActions` that are not exactly one valid row for this package. */
const invalidResponses: Readonly<Record<string, (flags: Flags) => unknown>> = {
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
  'an object instead of a list': (flags) => flags,
  null: () => null,
}

/** Faults of the emulator: errors, invalid responses, truncated responses and timeouts. */
function failures(packageId: number, timeout: number): Readonly<Record<string, object>> {
  return {
    'status 500': { status: 500 },
    'status 404': { status: 404 },
    'status 403': { status: 403 },
    'a redirect': { status: 302 },
    'a truncated response': { cut: true },
    'invalid JSON': { garbage: '[{"packageId":' },
    'an empty body': { garbage: '' },
    'a login page': { garbage: true },
    'no response before the timeout': { delay: timeout * 3 },
    ...mapValues(invalidResponses, (change) => ({ garbage: JSON.stringify(change(everything(packageId))) })),
  }
}

/** Operations that depend on flags, each with a role that has the flag. */
const decidedByFlags = [
  { name: 'voidPackage', role: 'administrator', situation: 'ROUTING' },
  { name: 'voidPackage', role: 'initiator', situation: 'ROUTING' },
  { name: 'voidPackage', role: 'administrator', situation: 'COMPLETE' },
  { name: 'updateEntry', role: 'firstApprover', situation: 'ROUTING' },
  { name: 'getEntry', role: 'administrator', situation: 'ROUTING' },
  { name: 'getStatus', role: 'initiator', situation: 'ROUTING' },
] as const

/** Checks that the proxy allows nothing if `getActions` fails or returns something invalid. */
export function* checkFailures(suite: ConformanceSuite, fixture: Fixture, timeout: number): Generator<Check> {
  for (const { name, role, situation } of decidedByFlags) {
    const title = `rights: ${name} as ${role}, ${situation}`
    const request = async (): Promise<ObservedResponse> => {
      const response = await suite.call(
        name,
        people[role],
        inputFor(name, await fixture.sample(name, situation)),
      )
      if (mutationsOf(response.received).length > 0) fixture.clear()
      return response
    }

    for (const way of Object.keys(failures(1, timeout))) {
      yield check(`${title}, if getActions returns ${way}`, async () => {
        const { packageId } = await fixture.sample(name, situation)
        const fault = { operation: 'getActions', times: 10, ...failures(packageId, timeout)[way] }
        await recovered(suite, packageId)
        await suite.control('POST', '/faults', fault)
        const response = await request()
        await suite.control('DELETE', '/faults')
        return wrongWithout(name, way, response)
      })
    }

    // Control: the refusals above prove something only if the same call succeeds after a valid response.
    yield check(`${title}, if getActions works again`, async () => {
      const { packageId } = await fixture.sample(name, situation)
      await recovered(suite, packageId)
      return wrongWith('allowed', name, await request())
    })
  }
}

/** Returns what is wrong with a response after `getActions` failed, or an empty string. */
function wrongWithout(
  name: BrowserOperation,
  way: string,
  { status, json, received }: ObservedResponse,
): string {
  const isRequested = received.some(({ operation }) => operation === 'getActions')
  const isEmpty = Array.isArray(json) && json.length === 0
  // In a bulk call, an extra row does not invalidate the requested one.
  const isHarmless = way === 'one entry too many' || isEmpty
  const isDenied = (status >= 400 && status !== 401) || (name === 'getStatus' && isHarmless)
  return isRequested && isDenied && mutationsOf(received).length === 0
    ? ''
    : `expected a refusal and nothing changed, got ${status}; sent: ${summaryOf(received)}`
}

/** Waits until the proxy calls the service again. After many failures, it may stop for a while. */
async function recovered(suite: ConformanceSuite, packageId: number): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const { status, headers } = await suite.call('getActions', people.initiator, {
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
