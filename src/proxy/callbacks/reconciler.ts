import { groupByForm } from '../group-by-form.ts'
import { type Hint, packageKey } from '../live/bus.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'

export interface ReconcilerOptions {
  /** Returns the packages that are followed now. */
  readonly watched: () => readonly Hint[]
  /**
   * Reads the state of up to 100 packages of one form from the service, as the application. The result maps each package to
   * a text that changes if the package changes. Packages that do not exist are missing.
   */
  readonly readStates: (formId: number, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>
  /** Announces a change of a package. */
  readonly publish: (hint: Hint) => void
  readonly log: Log
  readonly metrics?: Pick<Metrics, 'count'>
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** Time between two comparisons of all packages, in ms. Default 60 seconds. */
  readonly interval?: number
  /** Maximum time until the first check of a newly followed package, in ms. Default 2 seconds. */
  readonly firstCheckDelay?: number
}

/** Detects changes that no callback has announced. */
export interface Reconciler {
  /** Compares all followed packages, after the comparison that is running. */
  readonly compare: () => Promise<void>
  /**
   * Verifies a hint and publishes it, unless the package does not exist or has not changed since it was last checked. If the
   * service cannot be reached, publishes the hint unverified. Never rejects.
   */
  readonly verify: (hint: Hint) => Promise<void>
  /** Stops all comparisons. */
  readonly close: () => void
}

/**
 * Creates a reconciler, which periodically compares the state of each followed package with its previous state and announces
 * the changes. Callbacks can be lost (the service need not repeat them). With several processes, a change may be announced
 * both by a callback and by the reconciler of another process, which does no harm.
 */
export function createReconciler({
  watched,
  readStates,
  publish,
  log,
  metrics,
  now = Date.now,
  interval = 60_000,
  firstCheckDelay = 2_000,
}: ReconcilerOptions): Reconciler {
  /** The last known state by package; `''` if the package did not exist. */
  const known = new Map<string, string>()
  let running: Promise<void> | undefined
  let comparedAt = now()
  let isFailing = false
  let isClosed = false
  const timer: unknown = setInterval(
    () => void start(now() - comparedAt >= interval),
    Math.min(interval, firstCheckDelay),
  )
  // The timer alone does not keep a process running.
  if (isUnreferable(timer)) timer.unref()

  /** Runs one comparison at a time. */
  function start(isDue: boolean): Promise<void> {
    running ??= run(isDue).finally(() => {
      running = undefined
    })
    return running
  }

  async function run(isDue: boolean): Promise<void> {
    if (isDue) comparedAt = now()
    const followed = new Map(watched().map((hint) => [packageKey(hint), hint]))
    for (const key of known.keys()) if (!followed.has(key)) known.delete(key)
    if (!isDue) for (const key of known.keys()) followed.delete(key)

    let hasFailed = false
    for (const [formId, ids] of groupByForm(followed.values())) {
      if (isClosed) return
      try {
        const found = await readStates(formId, ids)
        for (const packageId of ids) record({ formId, packageId }, found.get(packageId) ?? '')
      } catch (error) {
        hasFailed = true
        if (!isFailing) log('warn', 'The search for missed changes failed', { formId, error: String(error) })
        isFailing = true
      }
    }
    if (isDue) isFailing = hasFailed
  }

  function record(hint: Hint, state: string): void {
    const key = packageKey(hint)
    const before = known.get(key)
    known.set(key, state)
    if (before === undefined || before === state || isClosed) return
    metrics?.count('difference_found')
    publish(hint)
  }

  return {
    async compare() {
      await running
      await start(true)
    },
    async verify(hint) {
      const { formId, packageId } = hint
      try {
        const state = (await readStates(formId, [packageId])).get(packageId)
        const key = packageKey(hint)
        // Announced before, or of the other environment, which has packages with the same ids.
        if (state === undefined || known.get(key) === state) return
        // Browsers read the package after this announcement, so they see this state or a later one.
        if (known.has(key)) known.set(key, state)
      } catch (error) {
        log('warn', 'A change of a package could not be verified', {
          formId,
          packageId,
          error: String(error),
        })
      }
      publish(hint)
    },
    close() {
      isClosed = true
      clearInterval(timer as number)
    },
  }
}

/** Whether a timer is one of Node's. */
function isUnreferable(timer: unknown): timer is { readonly unref: () => void } {
  return typeof timer === 'object' && timer !== null && 'unref' in timer
}
