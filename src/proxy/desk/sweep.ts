import { encodeBytes } from '../../contract/values/byte-text.ts'
import { isBeforeRouting } from '../../contract/values/package-states.ts'
import { personKey } from '../../contract/values/patterns.ts'
import { maxIds } from '../../contract/values/values.ts'
import type { HistoryEvent } from '../../contract/schemas/history.ts'
import type { InboxSignature, Package, PackageStatus12 } from '../../contract/schemas/workflow.ts'
import { isUnreferable } from '../changes/reconciler.ts'
import { Disconnect } from '../http/disconnect.ts'
import { ProxyError } from '../http/problem.ts'
import type { Hint } from '../changes/bus.ts'
import type { Log } from '../observe/log.ts'
import { readStatuses, statusText } from '../upstream/package-statuses.ts'
import type { Upstream } from '../upstream/upstream.ts'
import {
  type Holder,
  type IndexedPackage,
  type ListChange,
  type PackageIndex,
  urgency,
} from './package-index.ts'

export interface SweepOptions {
  readonly index: PackageIndex
  readonly upstream: Pick<Upstream, 'call'>
  /** Ids of the forms that the mount serves. */
  readonly forms: readonly number[]
  /** Whether calls of the routing service are paused because it fails. */
  readonly isPaused: () => boolean
  /** Maximum number of calls of the service per second. */
  readonly callsPerSecond: number
  /** Minimum time between two checks of a package that nothing suggests has changed, in ms. */
  readonly interval: number
  /** Time in ms after its last change for which a package that is not routing is kept. */
  readonly keepTime: number
  /** Called with the initiator of a package, whose name is kept only in memory. */
  readonly onPerson: (univid: string, name: string) => void
  /** Called after a change of a package was recorded. */
  readonly onChange: (change: ListChange) => void
  readonly log: Log
  /** Returns the time in ms since 1970. */
  readonly now: () => number
  /** Called before each look for due checks. */
  readonly onLook: () => Promise<void>
}

/** Keeps the index up to date: a hop from one approver to the next causes no callback. */
export interface Sweep {
  /** Looks for due checks now. */
  readonly wake: () => void
  /** Since when everything has been checked that is routing, in ms since 1970; undefined if that is not known. */
  readonly checkedAt: () => number | undefined
  /** Whether changes cannot be found at present. */
  readonly isBehind: () => boolean
  /** Ends the sweep. Resolves when nothing of it runs any more. */
  readonly close: () => Promise<void>
}

/** The result of a check, for `PackageIndex.record`. */
interface Check {
  readonly pkg: IndexedPackage
  readonly holders?: readonly Holder[]
}

/**
 * Creates a sweep. It checks the packages whose check is due, those of one form together, with a limited number of calls per
 * second. Only a package that has changed costs a call of its own, which reads who holds it or who has removed it.
 */
export function createSweep({
  index,
  upstream,
  forms,
  isPaused,
  callsPerSecond,
  interval,
  keepTime,
  onPerson,
  onChange,
  log,
  now,
  onLook,
}: SweepOptions): Sweep {
  const closing = new Disconnect()
  /** Ends the rest that the sweep is in, if any. */
  let endRest = () => {}
  let isWakeable = false
  let isWoken = false
  let checkedAt: number | undefined
  /** When the next call may begin, by a clock that never goes back. */
  let nextCall = 0
  let isFailing = false
  /** Whether the service did not respond the last time. */
  let isUnreachable = false

  /** Waits for a time in ms, until `close()`, or until `wake()` if that may end it. */
  function rest(ms: number, mayWake: boolean): Promise<void> {
    if (closing.aborted || (mayWake && isWoken)) return Promise.resolve()
    isWakeable = mayWake
    return new Promise((resolve) => {
      const timer: unknown = setTimeout(resolve, ms)
      // The timer alone does not keep a process running.
      if (isUnreferable(timer)) timer.unref()
      endRest = () => {
        clearTimeout(timer as number)
        resolve()
      }
    })
  }

  function stopIfClosed(): void {
    if (closing.aborted) throw closing.reason
  }

  /** Returns the time in ms until another call is allowed. */
  function ownTurn(callInterval: number): number {
    const start = performance.now()
    const at = Math.max(start, nextCall)
    nextCall = at + callInterval
    return at - start
  }

  /** Waits until another call is allowed, and returns what every call has in common. */
  async function turn() {
    const wait = await (index.sharing?.nextCall ?? ownTurn)(1000 / callsPerSecond)
    if (wait > 0) await rest(wait, false)
    stopIfClosed()
    return { as: 'application' as const, requestId: crypto.randomUUID(), signal: closing }
  }

  async function run(): Promise<void> {
    while (!closing.aborted) {
      isWoken = false
      const hasMore = await checkNext().catch((error: unknown) => {
        if (!isFailing && !closing.aborted)
          log('error', 'The lists of requests cannot be updated', { error: String(error) })
        isFailing = true
        return false
      })
      if (!hasMore) await rest(Math.min(idleTime, interval), true)
    }
  }

  /** Checks up to 100 packages of a form. Resolves to whether more may be due. */
  async function checkNext(): Promise<boolean> {
    await onLook()
    if (isPaused()) return false
    // Including those that another process checks now.
    const [oldest] = await index.due(now(), 1)
    // While the service does not respond, checks are only put off.
    if (!isUnreachable) {
      if (!oldest) checkedAt = now()
      else if (oldest.dueAt > urgency.hasChanged)
        checkedAt = Math.max(checkedAt ?? 0, oldest.dueAt - interval)
    }
    const due = await index.take(now(), maxIds)
    const [first] = due
    if (!first) {
      isFailing = false
      return false
    }
    if (!forms.includes(first.formId)) {
      await index.record(due.map((pkg) => ({ pkg: { ...pkg, dueAt: now() + day } })))
      return true
    }
    await checkAll(first.formId, due)
    isFailing = false
    return true
  }

  async function checkAll(formId: number, due: readonly IndexedPackage[]): Promise<void> {
    const ids = due.map(({ packageId }) => packageId)
    let found
    try {
      found = await readStatuses(upstream, formId, ids, await turn())
      isUnreachable = false
    } catch (error) {
      stopIfClosed()
      const isRefused = isRefusal(error)
      if (isRefused && due.length > 1) {
        // One package can be the reason.
        const half = Math.ceil(due.length / 2)
        await checkAll(formId, due.slice(0, half))
        return await checkAll(formId, due.slice(half))
      }
      if (isRefused) return await settle(due, (pkg) => missing(pkg))
      isUnreachable = true
      log('warn', 'The states of requests could not be read', { formId, error: String(error) })
      return await settle(due, (pkg) => ({ ...pkg, dueAt: now() + interval }))
    }
    const { rows, isWhole } = found
    const unchanged: Check[] = []
    for (const pkg of due) {
      const row = rows.get(pkg.packageId)
      if (!row) {
        if (isWhole || pkg.state === null) await settle([pkg], missing)
        else unchanged.push({ pkg: { ...pkg, dueAt: now() + interval } })
        continue
      }
      const digest = await digestOf(row)
      // A request that was started and withdrawn since the last check looks as before. Of one in routing, the stop may be missing.
      const isRequested = pkg.dueAt === urgency.hasChanged
      const mayDiffer = isRequested && (row.state === 'PRE_ROUTING' || row.state === 'ROUTING')
      if (digest === pkg.digest && pkg.absentSince === null && !mayDiffer) {
        if (row.state !== 'ROUTING' && now() - pkg.changedAt >= keepTime) await index.remove([pkg])
        else unchanged.push({ pkg: { ...pkg, dueAt: nextCheck(pkg, row.state) } })
      } else {
        const before = (await index.find(pkg))?.holders ?? []
        const { isSame, ...check } = await readChange(pkg, row, digest)
        await index.record([check])
        if (check.holders && !isSame) onChange(changeOf(check.pkg, [...before, ...check.holders]))
      }
    }
    await index.record(unchanged)
  }

  /**
   * Reads what the status of a changed package does not contain: at first who started it, when that begins again since when,
   * whether the initiator has withdrawn it, and always who holds it.
   */
  async function readChange(
    pkg: IndexedPackage,
    row: PackageStatus12,
    digest: string,
  ): Promise<Check & { readonly isSame: boolean }> {
    const { formId, packageId } = pkg
    const params = { formId, packageId }
    try {
      let { initiator, started } = pkg
      let changedAt = now()
      const isStarted = pkg.state !== null && isBeforeRouting(pkg.state) && !isBeforeRouting(row.state)
      const removal = row.state === 'PRE_ROUTING' ? await readRemoval(params) : undefined
      if (pkg.digest === null || isStarted || removal) {
        const call = { ...(await turn()), params, bypassAuthorization: true }
        const read = (await upstream.call('getPackage', call)) as Package
        const univid = read.initiator?.univid
        initiator = univid == null ? null : personKey(univid)
        started = read.routingDate
        if (pkg.state === null) changedAt = lastChange(read.actionDate, changedAt)
        if (initiator !== null && read.initiator?.displayName != null)
          onPerson(initiator, read.initiator.displayName)
      }
      // The service has a date for a package that was only saved, too.
      if (row.state === 'PRE_ROUTING' && !isBy(removal, initiator)) started = null
      const holders =
        row.state === 'ROUTING' ? holdersIn(await readHistory(params), row.inboxSignatures ?? [null]) : []
      const isSame = digest === pkg.digest && started === pkg.started && pkg.absentSince === null
      const changed = {
        ...pkg,
        state: row.state,
        initiator,
        started,
        digest,
        changedAt: isSame ? pkg.changedAt : changedAt,
        absentSince: null,
      }
      const checked = { ...changed, dueAt: nextCheck(changed, row.state) }
      return { pkg: checked, holders, isSame }
    } catch (error) {
      stopIfClosed()
      log('warn', 'A request could not be read for the lists', { ...params, error: String(error) })
      // Of one that may be withdrawn, the next check is to read it even if the status still looks as before.
      const known = digest === pkg.digest && row.state === 'PRE_ROUTING' ? null : pkg.digest
      return { pkg: { ...pkg, digest: known, dueAt: now() + interval }, isSame: true }
    }
  }

  /** Reads by which event a package was removed from routing. The service may refuse to show the history of such a package. */
  async function readRemoval(params: Hint): Promise<HistoryEvent | undefined> {
    try {
      return removalIn(await readHistory(params))
    } catch (error) {
      if (isRefusal(error)) return undefined
      throw error
    }
  }

  async function readHistory(params: Hint): Promise<readonly (HistoryEvent | null)[]> {
    const call = { ...(await turn()), params: { ...params }, bypassAuthorization: true }
    return (await upstream.call('getHistory', call)) as readonly (HistoryEvent | null)[]
  }

  async function settle(
    due: readonly IndexedPackage[],
    check: (pkg: IndexedPackage) => IndexedPackage | undefined,
  ): Promise<void> {
    for (const pkg of due) {
      const checked = check(pkg)
      if (checked) await index.record([{ pkg: checked }])
      else await index.remove([pkg])
    }
  }

  /** The service does not return the package, which may be new to it, or removed. Undefined: it is no longer kept. */
  function missing(pkg: IndexedPackage): IndexedPackage | undefined {
    const since = pkg.absentSince ?? now()
    const age = now() - (pkg.state === null ? pkg.learntAt : since)
    if (age >= (pkg.state === null ? newTime : absentTime)) {
      const { formId, packageId } = pkg
      log('warn', 'A request is no longer in the lists, because the service does not return it', {
        formId,
        packageId,
      })
      return undefined
    }
    return { ...pkg, absentSince: since, dueAt: now() + Math.max(interval, age / 4) }
  }

  /** When a package is checked again without a reason. What has ended long ago is only checked to remove it. */
  function nextCheck({ changedAt }: IndexedPackage, state: string): number {
    if (state === 'ROUTING') return now() + interval
    const isOld = endedStates.includes(state) && now() - changedAt > endedTime
    return isOld ? changedAt + keepTime : now() + day
  }

  const running = run()
  return {
    wake() {
      isWoken = true
      if (isWakeable) endRest()
    },
    checkedAt: () => checkedAt,
    isBehind: () => isFailing || isUnreachable || isPaused(),
    close() {
      closing.abort(new DOMException('The proxy is closed', 'AbortError'))
      endRest()
      return running
    },
  }
}

function changeOf({ formId, packageId, initiator }: IndexedPackage, holders: readonly Holder[]): ListChange {
  const people = [initiator, ...holders.map(({ person }) => person)].filter((person) => person !== null)
  return { hint: { formId, packageId }, people: [...new Set(people)] }
}

/** The text of a status without the names in it. */
export async function digestOf(row: PackageStatus12): Promise<string> {
  const bytes = new TextEncoder().encode(statusText(row))
  return encodeBytes(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).slice(0, 12), 'base64url')
}

/** The holders in a history. There are at least as many as inboxes; those without a readable event are not known. */
function holdersIn(
  history: readonly (HistoryEvent | null)[],
  inboxes: readonly (InboxSignature | null)[],
): readonly Holder[] {
  const events = history.filter((event) => event?.isInInbox === true)
  const destinations: readonly (string | null | undefined)[] = events.map(
    (event) => event?.office?.naturalKey,
  )
  const offices = inboxes.map((inbox) => inbox?.responsibleOffice?.naturalKey)
  const other = offices.find((key) => key != null && !destinations.includes(key)) ?? offices[0] ?? null
  const holders: Holder[] = events.map((event) => {
    const univid = event?.person?.univid ?? event?.resolution?.univid
    const name = event?.person?.displayName ?? event?.resolution?.displayName
    const inbox = inboxes.find((one) => name != null && one?.approver === name)
    return {
      person: univid == null ? null : personKey(univid),
      received: event?.actionDate ?? null,
      stop: event?.stop?.stopNumber ?? null,
      stopName: event?.stop?.name ?? null,
      office: event?.office?.naturalKey ?? inbox?.responsibleOffice?.naturalKey ?? other,
    }
  })
  const unknown = { person: null, received: null, stop: null, stopName: null, office: other }
  return holders.length < inboxes.length ? [...holders, unknown] : holders
}

/** The event that removed a package from routing, unless routing has begun since, or may have. */
function removalIn(history: readonly (HistoryEvent | null)[]): HistoryEvent | undefined {
  const last = history.findLast(
    (event) => event === null || /^(?:remove|initiation|re_initiate)$/.test(event['@class']),
  )
  return last?.['@class'] === 'remove' ? last : undefined
}

function isBy(event: HistoryEvent | undefined, univid: string | null): boolean {
  const person = event?.person?.univid
  return person != null && personKey(person) === univid
}

/**
 * When a package has last changed that was learnt of only now. The time zone of the service is not known, so its date counts only if it
 * is older than any zone could explain.
 */
function lastChange(actionDate: string | null, learntAt: number): number {
  const at = Date.parse(`${actionDate?.slice(0, 19)}Z`)
  return at < learntAt - day ? at : learntAt
}

/** Whether the service refused a call, so that repeating it is useless. */
function isRefusal(error: unknown): boolean {
  return error instanceof ProxyError && [400, 403, 404, 422].includes(error.status)
}

const day = 24 * 60 * 60_000
/** Maximum time between two looks for due checks, in ms. A shorter interval between two checks shortens it. */
const idleTime = 1000
/** Time in ms for which a package that the service has never returned is looked for. */
const newTime = day
/** Time in ms for which a package that the service no longer returns is kept. */
const absentTime = 30 * day
const endedStates = ['COMPLETE', 'VOID']
/** Time in ms for which packages that have ended are checked daily. */
const endedTime = 30 * day
