import type { ListOperation } from '../../contract/routes/list-routes.ts'
import type {
  FormListQuery,
  FormListRow,
  ListQuery,
  ListRow,
  RequestList,
} from '../../contract/schemas/lists.ts'
import type { StopReference } from '../../contract/schemas/history.ts'
import type { Package, PackageActions, PackageStatus12 } from '../../contract/schemas/workflow.ts'
import { personKey } from '../../contract/values/patterns.ts'
import { maxIds } from '../../contract/values/values.ts'
import { groupByForm } from '../changes/group-by-form.ts'
import type { OwnServiceHandler } from '../rights/operation-handler.ts'
import { ProxyError } from '../http/problem.ts'
import { refusals } from '../http/refusals.ts'
import { jsonReply } from '../http/reply.ts'
import { packageKey } from '../changes/bus.ts'
import type { OperationRequest } from '../operation/operation-request.ts'
import type { Authorizer } from '../rights/authorizer.ts'
import { readStatuses } from '../upstream/package-statuses.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Desk } from './desk.ts'
import { summaryOf } from './reminder-limits.ts'
import { day, type ListCandidate, type ListView, type SentReminder } from './package-index.ts'
import { digestOf } from './sweep.ts'

interface ListHandlersOptions {
  readonly desk: Desk
  readonly upstream: Upstream
  readonly authorizer: Authorizer
  readonly forms: readonly number[]
}

/** What the service says of a package to the person who asks. */
interface Confirmed {
  readonly actions: PackageActions
  readonly status: PackageStatus12
}

/** Which packages a request asks for. */
interface WantedList {
  readonly view: ListView
  readonly forms: readonly number[]
  readonly conditions: Conditions
  readonly after: string | undefined
}

/** The conditions that the packages in the list of a form meet. */
type Conditions = Omit<FormListQuery, 'after'>

/** A row, and the text that differs if other people hold the package. */
interface FoundRow {
  readonly row: ListRow | FormListRow
  readonly candidate: ListCandidate
  readonly holders: string
}

/** The calls that a request may spend on finding the packages for which a bulk call is refused, and whether that was too few. */
interface Budget {
  calls: number
  isExceeded: boolean
}

/**
 * Creates the handlers of lists. The index only proposes packages. A row is sent if the service says in the same request that
 * this person may view the package, so a wrong entry of the index can waste a call, but show nothing.
 */
export function createListHandlers({
  desk,
  upstream,
  authorizer,
  forms: served,
}: ListHandlersOptions): Readonly<Record<ListOperation, OwnServiceHandler>> {
  /** Reads in bulk. If the service refuses a call, asks for each half, because a single package can be the reason. */
  async function readAll<Row>(
    ids: readonly number[],
    budget: Budget,
    read: (ids: readonly number[]) => Promise<ReadonlyMap<number, Row>>,
  ): Promise<ReadonlyMap<number, Row>> {
    if (ids.length === 0) return new Map()
    try {
      return await read(ids)
    } catch (error) {
      const isRefused = error instanceof ProxyError && [400, 403, 404, 422].includes(error.status)
      if (!isRefused) throw error
      if (ids.length === 1) return new Map()
      if ((budget.calls -= 2) < 0) {
        budget.isExceeded = true
        return new Map()
      }
      const half = Math.ceil(ids.length / 2)
      const parts = [ids.slice(0, half), ids.slice(half)].map((part) => readAll(part, budget, read))
      return new Map((await Promise.all(parts)).flatMap((part) => [...part]))
    }
  }

  /** Reads what the service says of packages to this person. Those that the person may not view are missing. */
  async function confirm(
    request: OperationRequest,
    candidates: readonly ListCandidate[],
    budget: Budget,
  ): Promise<ReadonlyMap<string, Confirmed>> {
    const { person, requestId, signal } = request
    const parts = groupByForm(candidates).map(async ([formId, ids]) => {
      const actions = await readAll(ids, budget, (some) => authorizer.actions(request, formId, some))
      const viewed = ids.filter((id) => actions.get(id)?.canView)
      const statuses = await readAll(viewed, budget, async (some) => {
        return (await readStatuses(upstream, formId, some, { as: person, requestId, signal })).rows
      })
      return viewed.flatMap((packageId) => {
        const [flags, status] = [actions.get(packageId), statuses.get(packageId)]
        return flags && status
          ? [[packageKey({ formId, packageId }), { actions: flags, status }] as const]
          : []
      })
    })
    return new Map((await Promise.all(parts)).flat())
  }

  async function readName({ person, requestId, signal }: OperationRequest, { formId, packageId }: ListRow) {
    const call = { as: person, requestId, signal, params: { formId, packageId } }
    const { initiator } = (await upstream.call('getPackage', call)) as Package
    if (initiator?.univid != null && initiator.displayName !== null)
      desk.remember(personKey(initiator.univid), initiator.displayName)
    return initiator?.displayName ?? null
  }

  /** Returns the packages in a list whose approvers the policy lets the user remind. */
  async function remindable(
    request: OperationRequest,
    found: readonly FoundRow[],
  ): Promise<ReadonlyMap<string, readonly SentReminder[]>> {
    const routing = found.filter(({ row }) => row.state === 'ROUTING')
    /** A policy decides by person, form, state and role: whether the person has started the package, and may sign it. */
    const offers = new Map<string, Promise<boolean>>()
    const univid = personKey(request.person.univid)
    const decided = routing.map(({ row, candidate }) => {
      const key = `${row.formId} ${row.actions.canSign} ${candidate.initiator === univid}`
      const offer = offers.get(key) ?? authorizer.mayRemind(request, row)
      offers.set(key, offer)
      return offer.then((isOffered) => (isOffered ? [row] : []))
    })
    const hints = (await Promise.all(decided)).flat()
    const sent = await desk.index.reminders(hints)
    return new Map(hints.map((hint, at) => [packageKey(hint), sent[at] ?? []]))
  }

  async function list(
    request: OperationRequest,
    { view, forms, conditions, after }: WantedList,
  ): Promise<RequestList> {
    const univid = personKey(request.person.univid)
    const { state, days, stop, office } = conditions
    const asked = [univid, view, forms, ...(view === 'form' ? [[state, days, stop, office]] : [])]
    const unchangedSince = days === undefined ? undefined : desk.now() - days * day
    let position = after === undefined ? undefined : await desk.cursors.open(after, asked)
    const budget = { calls: maxHalvedCalls, isExceeded: false }
    const found: FoundRow[] = []
    let isLimited = false
    let hasMore = true
    for (let round = 0; round < maxRounds && hasMore && found.length < maxRows; round++) {
      const filter = { state, unchangedSince, stop, office }
      const question = { view, person: univid, forms, filter, after: position, limit: maxIds }
      const { candidates, isCut } = await desk.index.list(question)
      isLimited ||= isCut
      hasMore = candidates.length === maxIds
      const confirmed = await confirm(request, candidates, budget)
      for (const candidate of candidates) {
        if (found.length === maxRows) {
          hasMore = true
          break
        }
        position = candidate
        const one = confirmed.get(packageKey(candidate))
        if (!one) continue
        const holders = await digestOf(one.status)
        const isCurrent = holders === candidate.digest
        if (!isCurrent) desk.correct(candidate)
        if (view === 'waiting' && !isWaiting(one, candidate, isCurrent)) continue
        if (view === 'form' && !meetsConditions(one, conditions, isCurrent)) continue
        found.push({ row: rowOf(candidate, one, view, isCurrent), candidate, holders })
      }
    }
    let reads = 0
    const reminders = view === 'waiting' ? undefined : await remindable(request, found)
    const rows = await Promise.all(
      found.map(async ({ row, candidate: { initiator }, holders }) => {
        const sent = reminders?.get(packageKey(row))
        const reminder = sent ? summaryOf(sent, holders) : null
        if (view === 'mine') return { ...row, reminder }
        const name = initiator === null ? undefined : desk.nameOf(initiator)
        if (name !== undefined) return { ...row, reminder, initiator: name }
        if (++reads > maxNames) return { ...row, reminder }
        return { ...row, reminder, initiator: await readName(request, row).catch(() => null) }
      }),
    )
    const next = hasMore && position ? await desk.cursors.seal(position, asked) : null
    const known = { ...(await desk.known()), isLimited }
    return { rows, next, isPartial: budget.isExceeded, known }
  }

  return {
    getList: {
      // Everyone gets only the requests that they may view.
      authorize: ({ query }) => Promise.resolve({ query }),
      async handle({ operationRequest }) {
        const { view, form, after } = operationRequest.query as ListQuery
        const forms = form ? [...new Set(form)].sort((a, b) => a - b) : served
        if (forms.some((id) => !served.includes(id))) throw refusals.unknownForm()
        const result = await list(operationRequest, { view, forms, conditions: {}, after })
        return jsonReply(result, operationRequest.person.univid)
      },
    },
    getFormList: {
      // The policy opens the list. The service decides about each row, as in other lists.
      async authorize(request) {
        if (!(await authorizer.mayList(request, Number(request.params['formId']))))
          throw refusals.listNotAllowed()
        return { query: request.query }
      },
      async handle({ operationRequest }) {
        const { after, ...conditions } = operationRequest.query as FormListQuery
        const forms = [Number(operationRequest.params['formId'])]
        const result = await list(operationRequest, { view: 'form', forms, conditions, after })
        return jsonReply(result, operationRequest.person.univid)
      },
    },
  }
}

/** Whether a package waits for a person: to be signed, or to be read or edited by one of the people whose inbox holds it. */
function isWaiting({ actions, status }: Confirmed, { isHolder }: ListCandidate, isCurrent: boolean): boolean {
  return status.state === 'ROUTING' && (actions.canSign || (isHolder && isCurrent))
}

/** Whether a package still meets the conditions. Its stop, office and age are known only if nothing has changed since the last check. */
function meetsConditions(
  { status }: Confirmed,
  { state, days, stop, office }: Conditions,
  isCurrent: boolean,
): boolean {
  const isKnown = isCurrent || (days === undefined && stop === undefined && office === undefined)
  return isKnown && (state === undefined || status.state === state)
}

function rowOf(
  { formId, packageId, started, received, isHolder, stops }: ListCandidate,
  { actions, status }: Confirmed,
  view: ListView,
  isCurrent: boolean,
): ListRow | FormListRow {
  return {
    formId,
    packageId,
    state: status.state,
    // Who has removed it is known after the next check.
    started: status.state === 'PRE_ROUTING' && !isCurrent ? null : started,
    received: (view === 'waiting' && isHolder) || (view === 'form' && isCurrent) ? received : null,
    initiator: null,
    reminder: null,
    inboxSignatures: status.inboxSignatures,
    actions,
    ...(view === 'form' && { stops: isCurrent ? stops.map(stopOf) : null }),
  }
}

function stopOf({ stop, stopName }: ListCandidate['stops'][number]): StopReference {
  return { name: stopName, stopNumber: stop }
}

/** Maximum number of rows of a part. */
const maxRows = 100
/** Number of times that a part asks the index for candidates. */
const maxRounds = 3
/** Maximum number of calls that a part spends on halves of refused calls. */
const maxHalvedCalls = 20
/** Maximum number of initiators whose names a part reads, because they are not in memory. */
const maxNames = 25
