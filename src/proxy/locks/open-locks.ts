import type { CallbackBody } from '../../contract/schemas/callbacks.ts'
import { groupByForm } from '../changes/group-by-form.ts'
import { refusals } from '../http/refusals.ts'
import { type Hint, packageKey } from '../changes/bus.ts'
import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { LockStore, StoredLock } from './lock-store.ts'

/** Whether a package waits for nobody. */
export interface Standstill {
  readonly state: string
  /** Whether the package is routing, but nobody has to act. */
  readonly isPaused: boolean
  /** Whether its lock has ended for certain. A package that is VOID keeps its lock: after an unvoid, it is frozen again. */
  readonly isOver: boolean
}

/** A lock whose package waits for nobody now. */
export interface ConfirmedLock extends StoredLock, Standstill {}

export interface OpenLocksOptions {
  readonly store: LockStore
  /**
   * Reads up to 100 packages of one form from the service, as the application. A package is `missing` if the service says that
   * it does not exist. One about which nothing is known is not in the map.
   */
  readonly readStandstills: (
    formId: number,
    ids: readonly number[],
  ) => Promise<ReadonlyMap<number, Standstill | 'missing'>>
  readonly log: Log
  readonly metrics?: Pick<Metrics, 'locks'> | undefined
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** Age in ms at which a lock raises an alarm. Default one day. */
  readonly alarmAge?: number | undefined
  /** Time between two checks of all locks, in ms. Default one minute. */
  readonly interval?: number
}

/** The locks of frozen routes, from the callback that names them until the route continues. */
export interface OpenLocks {
  /** Remembers the lock that a verified callback names. Resolves when it is safe. Rejects if it could not be stored. */
  readonly observe: (callback: CallbackBody, receivedAt: number) => Promise<void>
  /** Forgets the lock of a package soon if the route continues, because something suggests that. Never throws. */
  readonly check: (hint: Hint) => void
  /** Checks all locks now, and raises the alarms that are due. Never rejects. */
  readonly checkAll: () => Promise<void>
  /** Returns the lock of a package after reading its state. Rejects with `ProxyError` if the state is not known. */
  readonly find: (hint: Hint) => Promise<ConfirmedLock | undefined>
  /** Returns the oldest locks of a form after reading their states, and whether there are more. Rejects as `find` does. */
  readonly list: (
    formId: number,
  ) => Promise<{ readonly locks: readonly ConfirmedLock[]; readonly hasMore: boolean }>
  /**
   * Reads the state of a package after its lock was released, and forgets the lock if the route continues. Undefined if the
   * package does not exist, or if its state is not known. Rejects as `find` does.
   */
  readonly verify: (hint: Hint) => Promise<Standstill | undefined>
  /** Whether a callback has named this lock for another package. */
  readonly isOfOther: (lock: Pick<StoredLock, keyof Hint | 'lockId'>) => Promise<boolean>
  /** Forgets a lock, but no later one of its package. */
  readonly forget: (lock: Pick<StoredLock, keyof Hint | 'lockId'>) => Promise<void>
  /** Ends the timer. */
  readonly close: () => void
}

/**
 * Creates the list of open locks. The service lists no locks, so only callbacks reveal them; each route-based callback names
 * one, even if its stop does not freeze the route (spec, Events). The state of the package decides: a route is frozen only
 * while the package is routing and in the inbox of nobody who has to act. Nothing releases a lock but a person.
 */
export function createOpenLocks({
  store,
  readStandstills,
  log,
  metrics,
  now = Date.now,
  alarmAge = 24 * 60 * 60_000,
  interval = 60_000,
}: OpenLocksOptions): OpenLocks {
  /** Packages to check. */
  const due = new Map<string, Hint>()
  /** Time of the last alarm of each lock, by package and lock. */
  const alarms = new Map<string, number>()
  let changing: Promise<unknown> = Promise.resolve()
  let isChecking = false
  let isClosed = false
  const timer: unknown = setInterval(() => void checkAll(), interval)
  // The timer alone does not keep a process running.
  if (typeof timer === 'object') (timer as { readonly unref?: () => void }).unref?.()

  /** Makes changes one after the other, so that none of them is based on an outdated lock. */
  function inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = changing.then(change)
    changing = done.catch(() => {})
    return done
  }

  function forget({ formId, packageId, lockId }: Pick<StoredLock, keyof Hint | 'lockId'>): Promise<void> {
    return inTurn(async () => {
      const hint = { formId, packageId }
      if ((await store.get(hint))?.lockId !== lockId) return
      await store.remove({ ...hint, lockId })
      log('info', 'A lock is no longer open', { ...hint, lockId })
    })
  }

  /** Locks of one form after reading the states of their packages. */
  interface Confirmation {
    /** Those that hold a route up. */
    readonly confirmed: readonly ConfirmedLock[]
    /** Those of packages whose state is not known. */
    readonly unknown: readonly StoredLock[]
  }

  /** Reads the states of locks of one form. Forgets the locks that have ended for certain. */
  async function confirm(formId: number, locks: readonly StoredLock[]): Promise<Confirmation> {
    const confirmed: ConfirmedLock[] = []
    const unknown: StoredLock[] = []
    for (const [, ids] of groupByForm(locks)) {
      const found = await readStandstills(formId, ids)
      for (const lock of locks.filter(({ packageId }) => ids.includes(packageId))) {
        const standstill = found.get(lock.packageId)
        if (standstill === undefined) unknown.push(lock)
        else if (standstill === 'missing' || standstill.isOver) await forget(lock)
        else if (standstill.isPaused) confirmed.push({ ...lock, ...standstill })
      }
    }
    for (const { packageId, lockId } of unknown)
      log('warn', 'A lock is kept, because the state of its package is not known', {
        formId,
        packageId,
        lockId,
      })
    return { confirmed, unknown }
  }

  /** Does the same for the locks of all forms. Locks that cannot be checked count as open. */
  async function confirmAll(locks: readonly StoredLock[]): Promise<readonly StoredLock[]> {
    const open: StoredLock[] = []
    for (const formId of new Set(locks.map((lock) => lock.formId))) {
      const ofForm = locks.filter((lock) => lock.formId === formId)
      try {
        const { confirmed, unknown } = await confirm(formId, ofForm)
        open.push(...confirmed, ...unknown)
      } catch (error) {
        if (!isClosed) log('warn', 'Open locks could not be checked', { formId, error: String(error) })
        open.push(...ofForm)
      }
    }
    return open
  }

  /** Checks packages until none is due. */
  async function checkDue(): Promise<void> {
    if (isChecking) return
    isChecking = true
    try {
      while (due.size > 0 && !isClosed) {
        const hints = [...due.values()]
        due.clear()
        const locks = await Promise.all(hints.map((hint) => store.get(hint)))
        await confirmAll(locks.filter((lock) => lock !== undefined))
      }
    } catch (error) {
      logUnreadable(error)
    } finally {
      isChecking = false
    }
  }

  async function checkAll(): Promise<void> {
    try {
      const open = await confirmAll(await store.list())
      if (!isClosed) raiseAlarms(open)
    } catch (error) {
      logUnreadable(error)
    }
  }

  function raiseAlarms(locks: readonly StoredLock[]): void {
    const overdue = locks.filter(({ receivedAt }) => now() - receivedAt >= alarmAge)
    metrics?.locks(locks.length, overdue.length)
    const names = new Set(overdue.map(nameOf))
    for (const name of alarms.keys()) if (!names.has(name)) alarms.delete(name)
    for (const lock of overdue) {
      if (now() - (alarms.get(nameOf(lock)) ?? -Infinity) < alarmAge) continue
      alarms.set(nameOf(lock), now())
      const { formId, packageId, lockId, stop, receivedAt } = lock
      const hours = Math.floor((now() - receivedAt) / 3_600_000)
      log('warn', 'A route is still frozen', { formId, packageId, lockId, stop, hours })
    }
  }

  function logUnreadable(error: unknown): void {
    if (!isClosed) log('error', 'The open locks could not be read', { error: String(error) })
  }

  return {
    async observe({ formId, packageId, lockId, stop, createdAt }, receivedAt) {
      const hint = { formId, packageId }
      // A state-based callback names a lock too, but freezes nothing.
      if (lockId !== null && stop !== null) {
        await inTurn(async () => {
          const known = await store.get(hint)
          // Callbacks may overtake each other, and one that failed is processed again.
          if (known && `${known.createdAt ?? ''}` > `${createdAt ?? ''}`) return
          await store.put({ ...hint, lockId, stop, createdAt, receivedAt })
        })
      }
      check(hint)
    },
    check,
    checkAll,
    async find(hint) {
      const lock = await store.get(hint)
      if (!lock) return undefined
      const { confirmed, unknown } = await confirm(hint.formId, [lock])
      if (unknown.length > 0) throw refusals.unexpectedResponse()
      return confirmed[0]
    },
    async list(formId) {
      const all = (await store.list())
        .filter((lock) => lock.formId === formId)
        .sort((a, b) => a.receivedAt - b.receivedAt)
      const { confirmed, unknown } = await confirm(formId, all.slice(0, maxListed))
      if (unknown.length > 0) throw refusals.unexpectedResponse()
      return { locks: confirmed, hasMore: all.length > maxListed }
    },
    async verify({ formId, packageId }) {
      const standstill = (await readStandstills(formId, [packageId])).get(packageId)
      if (standstill === undefined || standstill === 'missing') return undefined
      const lock = standstill.isOver && (await store.get({ formId, packageId }))
      if (lock) await forget(lock)
      return standstill
    },
    async isOfOther({ formId, packageId, lockId }) {
      return (await store.list()).some(
        (lock) => lock.lockId === lockId && (lock.packageId !== packageId || lock.formId !== formId),
      )
    },
    forget,
    close() {
      isClosed = true
      clearInterval(timer as number)
    },
  }

  function check(hint: Hint): void {
    due.set(packageKey(hint), hint)
    // Lets callbacks of the same batch share one request to the service.
    setTimeout(() => void checkDue(), 0)
  }
}

/** Maximum number of locks that a form lists. Each of them is a question to the policy of the host. */
const maxListed = 100

function nameOf({ formId, packageId, lockId }: StoredLock): string {
  return [formId, packageId, lockId].join()
}
