import { type Hint, packageKey } from '../live/bus.ts'
import { groupByForm } from '../group-by-form.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'

export interface ReconcilerOptions {
  /** The packages that anybody follows now. */
  readonly watched: () => readonly Hint[]
  /**
   * Asks the service, as the application, for packages of one form, 100 at most: a text for each that is another one
   * when the package has changed. Packages that are not there are left out.
   */
  readonly readStates: (formId: number, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>
  /** Tells that a package has changed. */
  readonly publish: (hint: Hint) => void
  readonly log: Log
  readonly metrics?: Pick<Metrics, 'count'>
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** Milliseconds between two comparisons of all packages. Default 60 seconds. */
  readonly interval?: number
  /** Most milliseconds until a package that is newly followed is looked at for the first time. Default 2 seconds. */
  readonly firstCheckDelay?: number
}

/** Finds changes that no callback has told. */
export interface Reconciler {
  /** Compares all packages that are followed, as soon as a comparison that is under way is done. */
  readonly compare: () => Promise<void>
  /**
   * Follows a rumour about a package: tells of it unless there is no such package, or it stands as it stood when it was
   * last looked at. Never rejects; where the service cannot be asked, the rumour is told on.
   */
  readonly verify: (hint: Hint) => Promise<void>
  readonly close: () => void
}

/**
 * Compares from time to time how the packages that are followed stand with how they stood before, and tells of each
 * that has changed. Callbacks may get lost for ever (the service need not repeat them); this finds what they meant.
 * What a callback has told is found here once more in other processes; telling it twice does no harm.
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
  /** How packages stood; the empty text for those that were not there. */
  const known = new Map<string, string>()
  let running: Promise<void> | undefined
  let comparedAt = now()
  let isFailing = false
  let isClosed = false
  const timer: unknown = setInterval(
    () => void start(now() - comparedAt >= interval),
    Math.min(interval, firstCheckDelay),
  )
  // Where there is nothing else to do, this is no reason for a process to go on.
  if (isUnreferable(timer)) timer.unref()

  /** Never two at once. */
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
        for (const packageId of ids) note({ formId, packageId }, found.get(packageId) ?? '')
      } catch (error) {
        hasFailed = true
        if (!isFailing) log('warn', 'Changes cannot be looked for', { formId, error: String(error) })
        isFailing = true
      }
    }
    if (isDue) isFailing = hasFailed
  }

  function note(hint: Hint, state: string): void {
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
        // One that was told before, or of the other environment, where a package has the same number.
        if (state === undefined || known.get(key) === state) return
        // Whoever is told now asks later than this, and so sees no less.
        if (known.has(key)) known.set(key, state)
      } catch (error) {
        log('warn', 'A package that may have changed cannot be looked at', {
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
