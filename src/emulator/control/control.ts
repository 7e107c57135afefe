import { z } from 'zod'
import { parseDuration } from '../../contract/values/duration.ts'
import { matchPath } from '../../contract/values/path.ts'
import { univid as universityId } from '../../contract/schemas/field-schemas.ts'
import type { CallbackSender } from '../workflow/callback-sender.ts'
import { retryCallbacks } from '../workflow/callbacks.ts'
import { Fault, type Faults } from './faults.ts'
import type { JournalEntry } from './journal.ts'
import { actsAsInitiator } from '../workflow/routing/overrides.ts'
import { findPackage, findForm, toPackage } from '../workflow/packages.ts'
import { requireValid, readJson } from '../http/json.ts'
import { methodNotAllowed, ServiceError } from '../http/service-error.ts'
import { type ScenarioName, scenarios } from '../scenarios/index.ts'
import { signPackage, startRouting } from '../workflow/routing/routing.ts'
import type { EmulatorState } from '../state/state.ts'
import { quirkNames, type Quirks } from './quirks.ts'
import { type SpecOptions, specOptionValues } from './spec-options.ts'
import { type PackageRecord, nextId, type EmulatorContext } from '../context.ts'

/** The parts that the control API controls. */
interface ControlContext extends EmulatorContext {
  readonly callbacks: CallbackSender
  readonly faults: Faults
  readonly quirks: Quirks
  readonly journal: JournalEntry[]
  /** Replaces the state with a seed and clears everything else. */
  readonly reset: (seed: EmulatorState) => Promise<void>
}

/** Path parameters of the control API. Each route has some of them. */
interface ControlParams {
  readonly env: 'test' | 'prod'
  readonly formId: number
  readonly packageId: number
  readonly stopNumber: number
  readonly commentId: number
}

/** One route of the control API. */
interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** One sentence for the list that `GET /_emulator` returns. */
  readonly summary: string
  /** Schema of the JSON body. Absent if the route takes no body. */
  readonly body?: z.ZodType
  readonly handle: (context: ControlContext, params: ControlParams, body: never) => unknown
}

/** A duration in either notation, zero or more. A number counts seconds. */
const nonNegativeDuration = z
  .union([z.number(), z.string()])
  .refine((value) => (parseDuration(String(value)) ?? -1) >= 0, {
    error: 'must be a duration of zero or more, such as "PT1M" or "1m"',
  })

/** Timestamps of the services have years of four digits. */
const endOfTime = Date.UTC(9999, 0)

/** Leaves enough larger ids that are safe integers. */
const maxFirstId = 2 ** 52

const httpUrl = z.url({ protocol: /^https?$/ })

const inPackage = '/_emulator/:env/forms/:formId/packages/:packageId'

/** The routes of the control API, each with its handler. */
const routes: readonly ControlRoute[] = [
  withoutBody('GET', '/_emulator', 'Lists the routes of the control API.', () =>
    routes.map(({ method, path, summary }) => ({ method, path, summary })),
  ),
  withBody(
    'POST',
    '/_emulator/reset',
    'Loads a scenario: small, demo, campus or large. Clears the journal, faults, quirks, spec options and outbox. Packages that are created later get ids from nextPackageId on.',
    z.strictObject({
      scenario: z.enum(Object.keys(scenarios) as ScenarioName[]).default('small'),
      nextPackageId: z.int().positive().max(maxFirstId).optional(),
    }),
    async ({ reset }, _, { scenario, nextPackageId = 0 }) => {
      const fresh = scenarios[scenario]()
      // Never an id of the scenario.
      fresh.next.packageId = Math.max(fresh.next.packageId, nextPackageId)
      await reset(fresh)
      return { scenario }
    },
  ),
  withoutBody('GET', '/_emulator/clock', 'Returns the current time of the emulator.', timeOf),
  withBody(
    'POST',
    '/_emulator/clock',
    'Moves the clock forward by a duration and delivers the callbacks that become due.',
    z.strictObject({ advance: nonNegativeDuration }),
    async (context, _, { advance }) => {
      const { clock, callbacks } = context
      const milliseconds = Math.round(parseDuration(String(advance)) ?? 0)
      if (!(clock.now() + milliseconds < endOfTime)) {
        throw new ServiceError(400, 'advance: the clock cannot reach the year 9999')
      }
      clock.advance(milliseconds)
      await callbacks.tick()
      return timeOf(context)
    },
  ),
  withoutBody(
    'GET',
    '/_emulator/:env/forms/:formId/packages',
    'Lists the packages of a form: id and state.',
    (context, params) => {
      const { id: formId } = findForm(context, params)
      return [...context.state.packages[params.env].values()]
        .filter((each) => each.formId === formId)
        .map((each) => ({ id: each.id, state: each.state }))
    },
  ),
  withBody(
    'POST',
    `${inPackage}/sign`,
    'Signs the package as an approver who has it in the inbox.',
    z.strictObject({ univid: universityId }),
    (context, params, body) => {
      const record = findPackage(context, params)
      signPackage(context, record, body.univid)
      return toPackageFor(context, record, body.univid)
    },
  ),
  withBody(
    'POST',
    `${inPackage}/submit`,
    'Submits a draft as its initiator and starts routing.',
    z.strictObject({ univid: universityId }),
    (context, params, body) => {
      const record = findPackage(context, params)
      const { pkg } = record
      if (!actsAsInitiator(pkg, body.univid))
        throw new ServiceError(403, 'Only the initiator may submit a draft')
      if (pkg.state !== 'DRAFT') {
        throw new ServiceError(409, `A package in state ${pkg.state} cannot be submitted. Only a DRAFT can.`)
      }
      startRouting(context, record, body.univid)
      return toPackageFor(context, record, body.univid)
    },
  ),
  withBody(
    'POST',
    `${inPackage}/comments`,
    'Adds a comment written by a person.',
    z.strictObject({
      univid: universityId,
      comment: z.string().min(1),
      approversOnly: z.boolean().default(false),
    }),
    (context, params, { univid: author, ...rest }) => {
      const { pkg } = findPackage(context, params)
      if (!context.state.people.has(author))
        throw new ServiceError(400, `univid: person ${author} does not exist`)
      const createdAt = context.clock.localNow()
      const comment = { id: nextId(context), ...rest, createdAt, person: author, state: 'ACTIVE' as const }
      pkg.comments.push(comment)
      return comment
    },
  ),
  withoutBody(
    'DELETE',
    `${inPackage}/comments/:commentId`,
    'Marks a comment as deleted (INACTIVE).',
    (context, params) => {
      const comment = findPackage(context, params).pkg.comments.find(({ id }) => id === params.commentId)
      if (!comment) throw new ServiceError(404, `Comment ${params.commentId} does not exist`)
      comment.state = 'INACTIVE'
      return comment
    },
  ),
  withBody(
    'PUT',
    '/_emulator/:env/forms/:formId/callback',
    'Sets the Application Callback URL of a form in one environment, or removes it (null).',
    z.strictObject({ url: httpUrl.nullable() }),
    (context, params, body) => {
      findForm(context, params).callbackUrl = body.url
      return body
    },
  ),
  withBody(
    'PUT',
    '/_emulator/:env/forms/:formId/stops/:stopNumber/callback',
    'Sets the route-based callback of a stop and whether it freezes the route, or removes it (url null).',
    z.strictObject({ url: httpUrl.nullable(), freeze: z.boolean().default(false) }),
    (context, params, body) => {
      const form = findForm(context, params)
      const others = Object.entries(form.stopCallbacks).filter(
        ([stopNumber]) => Number(stopNumber) !== params.stopNumber,
      )
      const { url, freeze } = body
      const changed = url === null ? [] : [[params.stopNumber, { url, freeze }] as const]
      form.stopCallbacks = Object.fromEntries([...others, ...changed])
      return body
    },
  ),
  withoutBody(
    'GET',
    '/_emulator/callbacks',
    'Lists the callbacks and whether they were delivered.',
    ({ state }) => [...state.callbacks.values()],
  ),
  withoutBody(
    'POST',
    '/_emulator/callbacks/retry',
    'Queues failed callbacks again, as the support team of the service does on request.',
    (context) => ({ queued: retryCallbacks(context) }),
  ),
  withoutBody(
    'POST',
    '/_emulator/callbacks/deliver',
    'Delivers the next batch of callbacks immediately.',
    async ({ callbacks, state }) => {
      await callbacks.deliver()
      return [...state.callbacks.values()]
    },
  ),
  withoutBody(
    'POST',
    '/_emulator/rotate-key',
    'Replaces the key that signs callbacks.',
    async ({ signing }) => {
      await signing.rotate()
      return {}
    },
  ),
  withoutBody(
    'GET',
    '/_emulator/outbox',
    'Lists the mail that the real service would have sent.',
    ({ state }) => [...state.outbox.values()],
  ),
  withoutBody(
    'GET',
    '/_emulator/journal',
    'Lists the requests that the services received.',
    ({ journal }) => journal,
  ),
  withoutBody('DELETE', '/_emulator/journal', 'Clears the journal.', ({ journal }) => {
    journal.length = 0
    return []
  }),
  withoutBody('GET', '/_emulator/faults', 'Lists the pending faults.', ({ faults }) => faults.list()),
  withBody(
    'POST',
    '/_emulator/faults',
    'Adds faults: {operation, times, and one of status, delay, cut, garbage, drift}.',
    z.union([Fault, z.array(Fault)]),
    ({ faults }, _, body) => {
      faults.add(Array.isArray(body) ? body : [body])
      return faults.list()
    },
  ),
  withoutBody('DELETE', '/_emulator/faults', 'Removes all faults.', ({ faults }) => {
    faults.clear()
    return []
  }),
  withoutBody('GET', '/_emulator/quirks', 'Lists the active quirks.', ({ quirks }) => [...quirks.active]),
  withBody(
    'PUT',
    '/_emulator/quirks',
    'Replaces the active quirks.',
    z.array(z.enum(quirkNames)),
    ({ quirks }, _, names) => {
      quirks.active.clear()
      for (const name of names) quirks.active.add(name)
      return names
    },
  ),
  withoutBody(
    'GET',
    '/_emulator/spec-options',
    'Returns the chosen value of each spec option.',
    ({ specOptions }) => specOptions,
  ),
  withBody(
    'PUT',
    '/_emulator/spec-options',
    'Changes spec options. Options that are left out keep their value.',
    z.strictObject(optionalChoices()),
    ({ specOptions }, _, chosen) => Object.assign(specOptions, chosen) as SpecOptions,
  ),
]

function withBody<Body extends z.ZodType>(
  method: ControlRoute['method'],
  path: string,
  summary: string,
  body: Body,
  handle: (context: ControlContext, params: ControlParams, body: z.output<Body>) => unknown,
): ControlRoute {
  return { method, path, summary, body, handle }
}

function withoutBody(
  method: ControlRoute['method'],
  path: string,
  summary: string,
  handle: (context: ControlContext, params: ControlParams) => unknown,
): ControlRoute {
  return { method, path, summary, handle }
}

/**
 * Creates the control API below `/_emulator`: what people do in the screens of the real service, and what tests need.
 * Throws `ServiceError` 400, 404 and 405 as the services do.
 */
export function createControl(context: ControlContext): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url)
    const matching = routes.flatMap((each) => {
      const params = matchPath(each.path, pathname)
      return params ? [{ ...each, params }] : []
    })
    const found = matching.find(({ method }) => method === request.method)
    if (!found) {
      throw matching.length > 0
        ? methodNotAllowed(matching.map(({ method }) => method))
        : new ServiceError(404, 'This route does not exist. GET /_emulator lists all routes.')
    }
    const body = found.body && requireValid(found.body.safeParse(await readJson(request)))
    const result: unknown = await found.handle(
      context,
      found.params as unknown as ControlParams,
      body as never,
    )
    return Response.json(result)
  }
}

function timeOf({ clock, state }: EmulatorContext) {
  return { now: clock.localNow(), instant: clock.now(), ahead: state.clock.offset }
}

function toPackageFor(context: EmulatorContext, record: PackageRecord, user: string) {
  return toPackage(context, record, { user, bypass: false })
}

function optionalChoices() {
  return Object.fromEntries(
    Object.entries(specOptionValues).map(([name, values]) => [name, z.enum(values).optional()]),
  )
}
