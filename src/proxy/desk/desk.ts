import type { ListKnowledge } from '../../contract/schemas/lists.ts'
import { type Hint, packageKey } from '../changes/bus.ts'
import { refusals } from '../http/refusals.ts'
import type { Log } from '../observe/log.ts'
import type { PausedServices } from '../upstream/send.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { createCursors, type Cursors } from './cursor.ts'
import { createKnowledge, timeText } from './knowledge.ts'
import { createMemoryIndex, type IndexChanges, type ListChange, type PackageIndex } from './package-index.ts'
import type { ReminderLanguage } from './reminder-text.ts'
import { createSweep } from './sweep.ts'

/** How people may be reminded. */
export interface ReminderOptions {
  /** Minimum number of hours between two reminders of a package. Default 72. */
  readonly hours?: number
  /** Language of their text, such as `de`. Default `en`. */
  readonly language?: ReminderLanguage
}

/** How the proxy keeps the lists of requests. */
export interface ListOptions {
  /** Maximum number of calls of the routing service per second that keep the index up to date. Default 2. */
  readonly callsPerSecond?: number
  /** Minimum time between two checks of a package without a reason, in ms. Default one minute. */
  readonly interval?: number
  /** Number of days after the last change for which packages are kept that are not routing. Default 400. */
  readonly days?: number
  /** The reminders that people may have the service email, if the policy allows `remind`. */
  readonly reminders?: ReminderOptions
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
}

export interface DeskOptions extends ListOptions {
  /** Keeps which packages exist. Default: in memory, so that the end of the process loses it. */
  readonly index?: PackageIndex | undefined
  readonly upstream: Upstream
  readonly forms: readonly number[]
  readonly pausedServices: PausedServices | undefined
  readonly log: Log
}

/** The packages that the proxy has learnt of, for lists of requests. */
export interface Desk {
  /** Learns of packages that people read. Never rejects. */
  readonly learn: (packages: readonly Hint[]) => Promise<void>
  /** Learns of packages that are new or may have changed. Rejects if they could not be stored. */
  readonly noteChanges: (packages: readonly Hint[]) => Promise<void>
  /** Takes note that a callback was refused, whose package may be new. */
  readonly miss: () => void
  /** Requests a check of a package that a list has found to differ from the index. */
  readonly correct: (hint: Hint) => void
  readonly index: Pick<
    PackageIndex,
    | 'list'
    | 'find'
    | 'reminders'
    | 'reminderTimes'
    | 'claimReminder'
    | 'settleReminder'
    | 'readNote'
    | 'writeNote'
  >
  readonly now: () => number
  readonly cursors: Cursors
  /** Returns the name of an initiator that is in memory, and keeps one. */
  readonly nameOf: (univid: string) => string | undefined
  readonly remember: (univid: string, name: string) => void
  readonly known: () => Promise<Omit<ListKnowledge, 'isLimited'>>
  /** Calls the listener after each change of the index. Returns a function that removes the listener. */
  readonly subscribe: (listener: (change: ListChange) => void) => () => void
  /** Whether changes cannot be found at present, so that pages have to look for them. */
  readonly isBehind: () => boolean
  readonly close: () => Promise<void>
}

/** Creates the desk of a mount. */
export function createDesk({
  index = createMemoryIndex(),
  callsPerSecond = 2,
  interval = 60_000,
  days = 400,
  now = Date.now,
  upstream,
  forms,
  pausedServices = () => [],
  log,
}: DeskOptions): Desk {
  /** Packages that the index has contained recently, so that reads of the same ones do not write. */
  let known = new Set<string>()
  let knownSince = now()
  const knowledge = createKnowledge(index, now)
  const names = new Map<string, string>()
  const changes = index.sharing?.changes ?? createLocalChanges()
  function remember(univid: string, name: string): void {
    names.delete(univid)
    names.set(univid, name)
    const [oldest] = names.keys()
    if (names.size > maxKnown && oldest !== undefined) names.delete(oldest)
  }
  const sweep = createSweep({
    index,
    upstream,
    forms,
    isPaused: () => pausedServices().includes('workflow'),
    callsPerSecond,
    interval,
    keepTime: days * 24 * 60 * 60_000,
    onPerson: remember,
    onChange: changes.publish,
    log,
    now,
    onLook: knowledge.beat,
  })

  async function store(packages: readonly Hint[], write: PackageIndex['add']): Promise<void> {
    if (packages.length === 0) return
    await write(packages, now())
    if (known.size > maxKnown || now() - knownSince > maxKnownTime) {
      known = new Set()
      knownSince = now()
    }
    for (const hint of packages) known.add(packageKey(hint))
    sweep.wake()
  }

  const forRequests = withRefusals(index)

  return {
    async learn(packages) {
      const unknown = packages.filter((hint) => !known.has(packageKey(hint)))
      await store(unknown, index.add).catch((error: unknown) => {
        log('error', 'Requests could not be added to the lists', { error: String(error) })
      })
    },
    noteChanges: (packages) => store(packages, index.request),
    correct({ formId, packageId }) {
      store([{ formId, packageId }], index.request).catch((error: unknown) => {
        log('error', 'A list could not be corrected', { formId, packageId, error: String(error) })
      })
    },
    miss: knowledge.miss,
    index: forRequests,
    now,
    cursors: createCursors(forRequests, now),
    nameOf: (univid) => names.get(univid),
    remember,
    async known() {
      const at = sweep.checkedAt()
      const noted = await knowledge.read().catch(refuse)
      return { ...noted, checkedAt: at === undefined ? null : timeText(at) }
    },
    subscribe: changes.subscribe,
    isBehind: sweep.isBehind,
    close: sweep.close,
  }
}

function refuse(cause: unknown): never {
  throw refusals.listsUnavailable(cause)
}

/** Returns an index for requests of people, who are told if its store does not respond. */
function withRefusals(index: PackageIndex): PackageIndex {
  return {
    ...index,
    list: (question) => index.list(question).catch(refuse),
    find: (hint) => index.find(hint).catch(refuse),
    reminders: (hints) => index.reminders(hints).catch(refuse),
    reminderTimes: (person, since) => index.reminderTimes(person, since).catch(refuse),
    claimReminder: (...claim) => index.claimReminder(...claim).catch(refuse),
    readNote: (name) => index.readNote(name).catch(refuse),
    replaceNote: (...note) => index.replaceNote(...note).catch(refuse),
  }
}

/** Carries changes in one process. */
function createLocalChanges(): IndexChanges {
  const listeners = new Set<(change: ListChange) => void>()
  return {
    publish(change) {
      for (const listener of listeners) listener(change)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Maximum number of packages that are remembered as known, and of names. */
const maxKnown = 10_000
/** Time in ms after which they are written again: the index may have dropped them meanwhile. */
const maxKnownTime = 60 * 60_000
