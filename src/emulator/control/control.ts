import { z } from 'zod'
import { parseDuration } from '../../contract/duration.ts'
import { matchPath } from '../../contract/path.ts'
import { univid as universityId } from '../../contract/parameters.ts'
import type { CallbackQueue } from '../workflow/callbacks.ts'
import { Fault, type Faults } from './faults.ts'
import type { JournalEntry } from './journal.ts'
import { actsAsInitiator } from '../workflow/routing/overrides.ts'
import { findPackage, findForm, toPackage } from '../workflow/packages.ts'
import { requireValid, readJson } from '../http/json.ts'
import { methodNotAllowed, ServiceError } from '../http/service-error.ts'
import type { ScenarioName } from '../scenarios/index.ts'
import type { Routing } from '../workflow/routing/routing.ts'
import type { Signing } from '../workflow/signing.ts'
import type { EmulatorState } from '../state/state.ts'
import { quirkNames, type Quirks } from './quirks.ts'
import { type SpecOptions, specOptionValues as choices } from './spec-options.ts'
import { type PackageRecord, nextId, type EmulatorContext } from '../context.ts'

export interface ControlOptions {
  readonly routing: Routing
  readonly callbacks: CallbackQueue
  readonly signing: Signing
  readonly faults: Faults
  readonly quirks: Quirks
  readonly journal: JournalEntry[]
  /** Seeds by name. */
  readonly scenarios: Readonly<Record<ScenarioName, () => EmulatorState>>
  /** Begins again from a seed. */
  readonly reset: (seed: EmulatorState) => Promise<void>
}

/** Parameters of a path below `/_emulator`. */
interface ControlParams {
  readonly env: 'test' | 'prod'
  readonly formId: number
  readonly packageId: number
  readonly stopNumber: number
  readonly commentId: number
}

/** One request of the control API. */
interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** What it does, for whoever asks `GET /_emulator`. */
  readonly summary: string
  /** What the body must be. Absent: there is none. */
  readonly body?: z.ZodType
  readonly answer: (params: ControlParams, body: never) => unknown
}

/** A duration that is not negative, in either notation; a number is one of seconds. */
const nonNegativeDuration = z
  .union([z.number(), z.string()])
  .refine((value) => (parseDuration(String(value)) ?? -1) >= 0, {
    error: 'expected a duration that is not negative, such as "PT1M" or "1m"',
  })

/** The services write years with four digits. */
const endOfTime = Date.UTC(9999, 0)

/** Text that names a person of the directory. */
const httpUrl = z.url({ protocol: /^https?$/ })

/**
 * What people do in the real service's own screens, and what tests need. Answers a request below `/_emulator`.
 * Refuses with 404 and 400 as the services do.
 */
export function createControl(
  context: EmulatorContext,
  { routing, callbacks, signing, faults, quirks, journal, scenarios, reset }: ControlOptions,
): (request: Request) => Promise<Response> {
  const { state, clock, specOptions } = context
  const inPackage = '/_emulator/:env/forms/:formId/packages/:packageId'

  function row<Body extends z.ZodType>(
    method: ControlRoute['method'],
    path: string,
    summary: string,
    body: Body,
    answer: (params: ControlParams, body: z.output<Body>) => unknown,
  ): ControlRoute {
    return { method, path, summary, body, answer }
  }
  function plain(
    method: ControlRoute['method'],
    path: string,
    summary: string,
    answer: (params: ControlParams) => unknown,
  ): ControlRoute {
    return { method, path, summary, answer }
  }

  const rows: readonly ControlRoute[] = [
    plain('GET', '/_emulator', 'Lists the requests of this control API.', () =>
      rows.map(({ method, path, summary }) => ({ method, path, summary })),
    ),
    row(
      'POST',
      '/_emulator/reset',
      'Begins again with a scenario: small, campus or large. Clears journal, faults, quirks, specOptions and outbox.',
      z.strictObject({ scenario: z.enum(Object.keys(scenarios) as ScenarioName[]).default('small') }),
      async ({}, { scenario }) => {
        await reset(scenarios[scenario]())
        return { scenario }
      },
    ),
    plain('GET', '/_emulator/clock', 'Tells the time of the emulator.', time),
    row(
      'POST',
      '/_emulator/clock',
      'Puts the clock forward by a duration, and delivers the callbacks that this makes due.',
      z.strictObject({ advance: nonNegativeDuration }),
      async ({}, { advance }) => {
        const milliseconds = Math.round(parseDuration(String(advance)) ?? 0)
        if (!(clock.now() + milliseconds < endOfTime)) {
          throw new ServiceError(400, 'advance: the clock cannot go so far')
        }
        clock.advance(milliseconds)
        await callbacks.tick()
        return time()
      },
    ),
    row(
      'POST',
      `${inPackage}/sign`,
      'Signs as an approver in whose inbox the package is.',
      z.strictObject({ univid: universityId }),
      (params, body) => {
        const record = findPackage(context, params)
        routing.sign(record, body.univid)
        return shown(record, body.univid)
      },
    ),
    row(
      'POST',
      `${inPackage}/submit`,
      'Submits a draft as its initiator: routing begins.',
      z.strictObject({ univid: universityId }),
      (params, body) => {
        const record = findPackage(context, params)
        const { pkg } = record
        if (!actsAsInitiator(pkg, body.univid))
          throw new ServiceError(403, 'Only the initiator may submit a draft')
        if (pkg.state !== 'DRAFT') {
          throw new ServiceError(409, `A package in state ${pkg.state} cannot be submitted; only DRAFT can`)
        }
        routing.start(record, body.univid)
        return shown(record, body.univid)
      },
    ),
    row(
      'POST',
      `${inPackage}/comments`,
      'Adds a comment of a person.',
      z.strictObject({
        univid: universityId,
        comment: z.string().min(1),
        approversOnly: z.boolean().default(false),
      }),
      (params, { univid: author, ...rest }) => {
        const { pkg } = findPackage(context, params)
        if (!state.people.has(author)) throw new ServiceError(400, `univid: there is no person ${author}`)
        const createdAt = clock.localNow()
        const comment = { id: nextId(context), ...rest, createdAt, person: author, state: 'ACTIVE' as const }
        pkg.comments.push(comment)
        return comment
      },
    ),
    plain(
      'DELETE',
      `${inPackage}/comments/:commentId`,
      'Deletes a comment: it stays, as INACTIVE.',
      (params) => {
        const comment = findPackage(context, params).pkg.comments.find(({ id }) => id === params.commentId)
        if (!comment) throw new ServiceError(404, `There is no comment ${params.commentId}`)
        comment.state = 'INACTIVE'
        return comment
      },
    ),
    row(
      'PUT',
      '/_emulator/:env/forms/:formId/callback',
      'Sets the Application Callback URL of a form in one environment; null: none.',
      z.strictObject({ url: httpUrl.nullable() }),
      (params, body) => {
        findForm(context, params).callbackUrl = body.url
        return body
      },
    ),
    row(
      'PUT',
      '/_emulator/:env/forms/:formId/stops/:stopNumber/callback',
      'Sets the route-based callback of a stop, which continues or freezes the route; url null: none.',
      z.strictObject({ url: httpUrl.nullable(), freeze: z.boolean().default(false) }),
      (params, body) => {
        const form = findForm(context, params)
        const others = Object.entries(form.stopCallbacks).filter(
          ([stopNumber]) => Number(stopNumber) !== params.stopNumber,
        )
        const { url: address, freeze } = body
        const mine = address === null ? [] : [[params.stopNumber, { url: address, freeze }] as const]
        form.stopCallbacks = Object.fromEntries([...others, ...mine])
        return body
      },
    ),
    plain('GET', '/_emulator/callbacks', 'Lists callbacks with what became of them.', () => [
      ...state.callbacks.values(),
    ]),
    plain(
      'POST',
      '/_emulator/callbacks/retry',
      'Queues failed callbacks again, as support does on request.',
      () => ({
        queued: callbacks.retry(),
      }),
    ),
    plain(
      'POST',
      '/_emulator/callbacks/deliver',
      'Delivers the next batch of callbacks now, without waiting for its minute.',
      async () => {
        await callbacks.deliver()
        return [...state.callbacks.values()]
      },
    ),
    plain('POST', '/_emulator/rotate-key', 'Signs with a new key from now on.', async () => {
      await signing.rotate()
      return {}
    }),
    plain('GET', '/_emulator/outbox', 'Lists the mail that would have been sent.', () => [
      ...state.outbox.values(),
    ]),
    plain('GET', '/_emulator/journal', 'Lists the requests that the services have received.', () => journal),
    plain('DELETE', '/_emulator/journal', 'Forgets them.', () => {
      journal.length = 0
      return []
    }),
    plain('GET', '/_emulator/faults', 'Lists the faults that wait for their call.', () => faults.list()),
    row(
      'POST',
      '/_emulator/faults',
      'Adds faults: {operation, times, and one of status, delay, cut, garbage, drift}.',
      z.union([Fault, z.array(Fault)]),
      (_, body) => {
        faults.add(Array.isArray(body) ? body : [body])
        return faults.list()
      },
    ),
    plain('DELETE', '/_emulator/faults', 'Takes all faults away.', () => {
      faults.clear()
      return []
    }),
    plain('GET', '/_emulator/quirks', 'Lists the quirks that are set.', () => [...quirks.active]),
    row('PUT', '/_emulator/quirks', 'Sets exactly these quirks.', z.array(z.enum(quirkNames)), (_, names) => {
      quirks.active.clear()
      for (const name of names) quirks.active.add(name)
      return names
    }),
    plain(
      'GET',
      '/_emulator/spec-options',
      'Tells how open points of the spec are answered.',
      () => specOptions,
    ),
    row(
      'PUT',
      '/_emulator/spec-options',
      'Chooses how open points of the spec are answered; what is left out stays.',
      z.strictObject(mapValues((values) => z.enum(values).optional())),
      (_, chosen) => Object.assign(specOptions, chosen) as SpecOptions,
    ),
  ]

  return async (request) => {
    const { pathname } = new URL(request.url)
    const matching = rows.flatMap((each) => {
      const params = matchPath(each.path, pathname)
      return params ? [{ ...each, params }] : []
    })
    const found = matching.find(({ method }) => method === request.method)
    if (!found) {
      throw matching.length > 0
        ? methodNotAllowed(matching.map(({ method }) => method))
        : new ServiceError(404, 'There is no such request; GET /_emulator lists what there is')
    }
    const body = found.body && requireValid(found.body.safeParse(await readJson(request)))
    const answer: unknown = await found.answer(found.params as unknown as ControlParams, body as never)
    return Response.json(answer)
  }

  function time() {
    return { now: clock.localNow(), instant: clock.now(), ahead: state.clock.offset }
  }

  function shown(record: PackageRecord, user: string) {
    return toPackage(context, record, { user, bypass: false })
  }
}

function mapValues<T>(change: (values: readonly string[]) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(choices).map(([name, values]) => [name, change(values)]))
}
