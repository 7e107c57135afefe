import { groupByForm } from './group-by-form.ts'
import { type Hint, packageKey } from './bus.ts'
import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import { ProxyError } from '../http/problem.ts'

export interface ReconcilerOptions {
  /** Returns the packages that are followed now. */
  readonly watched: () => readonly Hint[]
  /**
   * Reads the state of up to 100 packages of one form from the service, as the application. The result maps each package to
   * a text that changes if the package changes. A package about which nothing is known is missing.
   */
  readonly readStates: (formId: number, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>
  /** Reads what `readStates` does not cover, for one package: the numbers of its comments and attachments, as one text. */
  readonly readCounts: (hint: Hint) => Promise<string>
  /** Announces a change of a package. It has to call `announced()`. */
  readonly publish: (hint: Hint) => void
  /** Called when the service stops to respond to reads of a form, and when it responds again. */
  readonly onReachable: (formId: number, isReachable: boolean) => void
  readonly log: Log
  readonly metrics?: Pick<Metrics, 'count'>
  /** Time between two comparisons of all packages, in ms. Default 15 seconds. */
  readonly interval?: number
  /**
   * Maximum number of packages per interval whose counts are read. If more are followed, they take turns, those first whose
   * change was announced in the last ten minutes. Default 2000, if the service responds so fast that half of the interval is
   * enough.
   */
  readonly maxCounts?: number
  /** Returns the time in ms of a clock that never goes back. Default `performance.now()`. */
  readonly now?: () => number
}

/** Detects changes that nothing has announced: lost callbacks, and comments and attachments, which have no callback. */
export interface Reconciler {
  /** Compares all followed packages, after the comparison that is running. */
  readonly compare: () => Promise<void>
  /** Looks at packages that are followed from now on, so that later changes of them are found. Never throws. */
  readonly follow: (hints: readonly Hint[]) => void
  /**
   * Records that a change of a package has been announced. Everyone reads the package after that, so the state that it has
   * now is known to all, whatever it was before.
   */
  readonly announced: (hint: Hint) => void
  /** Compares one package now, because something suggests that it has changed. */
  readonly check: (hint: Hint) => void
  /** Stops all comparisons. */
  readonly close: () => void
}

/** Number of packages whose counts are read at a time. */
const maxParallel = 4
/** Time in ms for which a package counts as changed recently: people talk about it. */
const recentTime = 10 * 60_000

/**
 * Creates a reconciler, which periodically compares each followed package with its previous state and announces the changes.
 * The service sends no callback for a comment or an attachment, and it need not repeat a callback that was lost. With several
 * processes, each of them may announce a change, which does no harm.
 *
 * The previous state is the one that viewers have read. It is read anew after each announcement, so that a change to a state
 * from before the announcement is found too.
 */
export function createReconciler({
  watched,
  readStates,
  readCounts,
  publish,
  onReachable,
  log,
  metrics,
  interval = 15_000,
  maxCounts = 2000,
  now = () => performance.now(),
}: ReconcilerOptions): Reconciler {
  const states = createKnownTexts()
  const counts = createKnownTexts()
  /** Packages to look at now, and whether a difference is to be announced. */
  const due = new Map<string, { readonly hint: Hint; readonly isSuspect: boolean }>()
  /** Forms whose states could not be read the last time, and whether the service did not respond at all. */
  const failures = new Map<number, { readonly isOutage: boolean }>()
  let comparing: Promise<void> | undefined
  let isLooking = false
  let countsLeft = maxCounts
  /** When changes of the followed packages were announced, by package. */
  const announcedAt = new Map<string, number>()
  let turn = 0
  let isClosed = false
  const timer: unknown = setInterval(() => void compare(), interval)
  // The timer alone does not keep a process running.
  if (isUnreferable(timer)) timer.unref()

  /** Runs one comparison at a time. */
  function compare(): Promise<void> {
    comparing ??= compareAll().finally(() => {
      comparing = undefined
    })
    return comparing
  }

  async function compareAll(): Promise<void> {
    const followed = watched()
    const keys = new Set(followed.map(packageKey))
    for (const known of [states, counts]) known.keep(keys)
    for (const [key, at] of announcedAt)
      if (at < now() - recentTime || !keys.has(key)) announcedAt.delete(key)
    countsLeft = maxCounts
    await compareStates(followed, true)
    const recent = followed.filter((hint) => announcedAt.has(packageKey(hint)))
    // Half of the places, so that the others have their turn whatever happens.
    const first = new Set(recent.slice(0, maxCounts / 2))
    const others = followed.filter((hint) => !first.has(hint))
    const start = turn % (others.length || 1)
    const order = [...first, ...others.slice(start), ...others.slice(0, start)]
    const read = await compareCounts(order, true, now() + interval / 2)
    turn = start + Math.max(0, read - first.size)
  }

  /** Checks packages until none is due. */
  async function lookAtDue(): Promise<void> {
    if (isLooking) return
    isLooking = true
    while (due.size > 0 && !isClosed) {
      const batch = [...due.values()]
      due.clear()
      for (const isSuspect of [false, true]) {
        const hints = batch.filter((item) => item.isSuspect === isSuspect).map(({ hint }) => hint)
        await compareStates(hints, isSuspect)
        await compareCounts(hints, isSuspect)
      }
    }
    isLooking = false
  }

  async function compareStates(hints: readonly Hint[], isAnnounced: boolean): Promise<void> {
    for (const [formId, ids] of groupByForm(hints)) {
      if (isClosed) return
      const record = states.startReading()
      try {
        const found = await readStates(formId, ids)
        setFailure(formId, undefined)
        for (const packageId of ids) {
          const hint = { formId, packageId }
          const text = found.get(packageId)
          if (text !== undefined && record(hint, text) && isAnnounced) announce(hint)
        }
      } catch (error) {
        if (!failures.has(formId))
          log('warn', 'The search for missed changes failed', { formId, error: String(error) })
        setFailure(formId, { isOutage: !(error instanceof ProxyError) || error.status >= 500 })
      }
    }
  }

  /** Returns the number of packages that it has read until `end`: a slow service is asked for fewer. */
  async function compareCounts(
    hints: readonly Hint[],
    isAnnounced: boolean,
    end = Infinity,
  ): Promise<number> {
    const rest = hints.values()
    let read = 0
    const lane = async () => {
      for (const hint of rest) {
        // While the service does not respond, further requests would only be a burden to it.
        if (isClosed || countsLeft <= 0 || now() >= end || failures.has(hint.formId)) return
        countsLeft--
        read++
        const record = counts.startReading()
        // A package that this application cannot read has no counts to compare. `compareStates` reports an outage.
        const text = await readCounts(hint).catch(() => undefined)
        if (text !== undefined && record(hint, text) && isAnnounced) announce(hint)
      }
    }
    await Promise.all(Array.from({ length: maxParallel }, lane))
    return read
  }

  function announce(hint: Hint): void {
    if (isClosed) return
    metrics?.count('difference_found')
    publish(hint)
  }

  function setFailure(formId: number, failure: { readonly isOutage: boolean } | undefined): void {
    const wasOutage = failures.get(formId)?.isOutage ?? false
    if (failure) failures.set(formId, failure)
    else failures.delete(formId)
    const isOutage = failure?.isOutage ?? false
    if (isOutage !== wasOutage && !isClosed) onReachable(formId, !isOutage)
  }

  function lookAt(hint: Hint, isSuspect: boolean): void {
    if (isClosed) return
    const key = packageKey(hint)
    due.set(key, { hint, isSuspect: isSuspect && due.get(key)?.isSuspect !== false })
    void lookAtDue()
  }

  return {
    async compare() {
      await comparing
      await compare()
    },
    follow(hints) {
      for (const hint of hints) {
        if (states.has(hint)) continue
        for (const known of [states, counts]) known.add(hint)
        lookAt(hint, false)
      }
    },
    announced(hint) {
      if (!states.has(hint)) return
      announcedAt.set(packageKey(hint), now())
      for (const known of [states, counts]) known.outdate(hint)
      lookAt(hint, false)
    },
    check: (hint) => lookAt(hint, true),
    close() {
      isClosed = true
      clearInterval(timer as number)
    },
  }
}

/** Whether a timer is one of Node's. */
export function isUnreferable(timer: unknown): timer is { readonly unref: () => void } {
  return typeof timer === 'object' && timer !== null && 'unref' in timer
}

/** Records what a read has found about a package. Returns whether that differs from what was known. */
type RecordText = (hint: Hint, text: string) => boolean

/** The last known facts about packages, as one text each. */
interface KnownTexts {
  /** Adds a package about which nothing is known yet. */
  readonly add: (hint: Hint) => void
  readonly has: (hint: Hint) => boolean
  /** Makes all reads that have started until now too old to be recorded. */
  readonly outdate: (hint: Hint) => void
  /** Call this when a read starts. */
  readonly startReading: () => RecordText
  /** Forgets all packages whose keys are not in this set. */
  readonly keep: (keys: ReadonlySet<string>) => void
}

interface Known {
  text: string | undefined
  /** Number of the read from which on reads are recorded. */
  from: number
}

/** Creates an empty memory. */
function createKnownTexts(): KnownTexts {
  const entries = new Map<string, Known>()
  let reads = 0

  function entryOf(hint: Hint): Known {
    const key = packageKey(hint)
    const entry = entries.get(key) ?? { text: undefined, from: 0 }
    entries.set(key, entry)
    return entry
  }

  return {
    add: (hint) => void entryOf(hint),
    has: (hint) => entries.has(packageKey(hint)),
    outdate: (hint) => void (entryOf(hint).from = reads + 1),
    startReading() {
      const read = ++reads
      return (hint, text) => {
        const entry = entryOf(hint)
        if (read < entry.from) return false
        const before = entry.text
        entry.text = text
        return before !== undefined && before !== text
      }
    },
    keep(keys) {
      for (const key of entries.keys()) if (!keys.has(key)) entries.delete(key)
    },
  }
}
