import { type Hint, packageKey } from '../changes/bus.ts'

/** Somebody who has a package in the inbox. Contains no name. */
export interface Holder {
  /** University id without leading zeros. Null if the inbox belongs to no single person that is known. */
  readonly person: string | null
  /** Local date-time of the receipt, as the service writes it. */
  readonly received: string | null
  /** Number of the stop of the route at which it was received. Null if that is not known. */
  readonly stop: number | null
  /** Name of that stop. Null if it is not known. */
  readonly stopName: string | null
  /** Natural key of the office that the package is routed through, or else of the one that owns the form. Null if that is not known. */
  readonly office: string | null
}

/** What the index knows of a package. Times are in ms since 1970 unless a comment says otherwise. */
export interface IndexedPackage extends Hint {
  /** State at the last check. Null before the service has confirmed that the package exists. */
  readonly state: string | null
  /** University id of the initiator, without leading zeros. */
  readonly initiator: string | null
  /** Local date-time at which routing began, as the service writes it. Null if it is not known to have begun, and in PRE_ROUTING unless the initiator has withdrawn it. */
  readonly started: string | null
  /** Text that differs if the state or an inbox differs. Null before the first complete check. */
  readonly digest: string | null
  /** When the proxy learnt of the package. */
  readonly learntAt: number
  /** When a check found the last difference. Before that, and if it was learnt of much later, when the service had changed it. */
  readonly changedAt: number
  /** Since when the service no longer returns the package. Null if it does. */
  readonly absentSince: number | null
  /** When the next check is due. New packages come first, then those that have changed; see `urgency`. */
  readonly dueAt: number
  /** Number of requests to check it. A check that began before the last request does not settle it. */
  readonly requests: number
}

/** A reminder that the service was asked to email. */
export interface SentReminder {
  /** In ms since 1970. */
  readonly at: number
  /** University id of the person who asked for it, without leading zeros. */
  readonly person: string
  /** Text that differs if other people hold the package. */
  readonly holders: string
  /** False before the service has replied, and for ever if that reply was lost. */
  readonly isConfirmed: boolean
}

/** How often people may be reminded. Times are in ms. */
export interface ReminderLimits {
  /** Minimum time between two reminders of a package. */
  readonly wait: number
  /** Maximum number of reminders of a package for the same holders. */
  readonly perHolders: number
  /** Maximum number of reminders that a person sends in 24 hours. */
  readonly perDay: number
}

/** Everything that the index knows of a package. */
export interface KnownPackage {
  readonly pkg: IndexedPackage
  readonly holders: readonly Holder[]
  /** The latest first. */
  readonly reminders: readonly SentReminder[]
}

/** Values of `dueAt` that come before every time. */
export const urgency = { isNew: 0, hasChanged: 1 } as const

/** The packages that a person started, those that are in the inbox of the person or of nobody who is known, or those of a form. */
export type ListView = 'mine' | 'waiting' | 'form'

/** Which packages of a form a list contains: those that meet all of these conditions. */
export interface FormFilter {
  readonly state?: string | undefined
  /** The packages that have not changed since this time, in ms since 1970. */
  readonly unchangedSince?: number | undefined
  /** Number of the stop at which somebody holds it. If an office is given too, the same holder has both. */
  readonly stop?: number | undefined
  /** Natural key of the office of a holder. */
  readonly office?: string | undefined
}

/** A place in a list, which is sorted by these fields in descending order. */
export interface ListPosition extends Hint {
  /** When the package changed, in ms since 1970. */
  readonly changedAt: number
}

/** A package that may belong into a list. The service decides whether it does. */
export interface ListCandidate
  extends ListPosition, Pick<IndexedPackage, 'digest' | 'initiator' | 'started'> {
  /** Whether the person is one of the holders. */
  readonly isHolder: boolean
  /** Local date-time since when the person holds it, or somebody who is not known. In the list of a form, of the latest receipt. */
  readonly received: string | null
  /** The stops at which it is. Empty except in the list of a form. */
  readonly stops: readonly Pick<Holder, 'stop' | 'stopName'>[]
}

export interface FoundCandidates {
  readonly candidates: readonly ListCandidate[]
  /** Whether a form has more packages without a known holder than are considered. */
  readonly isCut: boolean
}

/** Which packages may belong in a list. */
export interface ListQuestion {
  /** Which list it is. */
  readonly view: ListView
  /** University id without leading zeros. */
  readonly person: string
  /** Ids of the forms that the list covers. */
  readonly forms: readonly number[]
  /** Only for the list of a form. Default: every package that the service has confirmed to exist. */
  readonly filter?: FormFilter | undefined
  /** The list continues after this place. Default: it begins. */
  readonly after?: ListPosition | undefined
  /** Maximum number of packages to return. */
  readonly limit: number
}

/**
 * Keeps which packages exist, who started them and who holds them. It only proposes what lists may contain: before anyone sees
 * a row, the service confirms it for that person. All methods resolve when what they did is safe.
 */
export interface PackageIndex {
  /** Adds the packages that it does not know, to be checked first. */
  readonly add: (packages: readonly Hint[], at: number) => Promise<void>
  /** The same, and requests a check of those that it knows. */
  readonly request: (packages: readonly Hint[], at: number) => Promise<void>
  /** Returns packages of one form whose check is due, the most urgent first. */
  readonly due: (at: number, limit: number) => Promise<readonly IndexedPackage[]>
  /** Returns the same to check them. Other processes do not get them for a minute, or until the check is recorded. */
  readonly take: PackageIndex['due']
  /** Records checks. `dueAt` has no effect if another check was requested meanwhile. Without holders, these stay. */
  readonly record: (
    checks: readonly { readonly pkg: IndexedPackage; readonly holders?: readonly Holder[] }[],
  ) => Promise<void>
  /** Removes packages that do not exist any more. */
  readonly remove: (packages: readonly Hint[]) => Promise<void>
  /** Removes what a person started or holds from lists. */
  readonly forget: (person: string) => Promise<void>
  /** Returns everything that is known of a package. */
  readonly find: (hint: Hint) => Promise<KnownPackage | undefined>
  /** Returns the reminders of each package, the latest first. */
  readonly reminders: (packages: readonly Hint[]) => Promise<readonly (readonly SentReminder[])[]>
  /** Returns when a person has sent reminders since a time, the earliest first. */
  readonly reminderTimes: (person: string, since: number) => Promise<readonly number[]>
  /** Adds a reminder before it is sent, unless that exceeds a limit. Resolves to whether it did. */
  readonly claimReminder: (hint: Hint, reminder: SentReminder, limits: ReminderLimits) => Promise<boolean>
  /** Records that a reminder was sent, or removes it because it was not. */
  readonly settleReminder: (hint: Hint, at: number, isSent: boolean) => Promise<void>
  /** Returns the packages that may belong in a list, the latest change first. */
  readonly list: (question: ListQuestion) => Promise<FoundCandidates>
  /** Returns the number of packages. */
  readonly count: () => Promise<number>
  /** Returns a note of an earlier process. */
  readonly readNote: (name: string) => Promise<string | undefined>
  /** Writes a note that later processes can read. */
  readonly writeNote: (name: string, text: string) => Promise<void>
  /** Changes a note that has this text, or that does not exist. Resolves to whether it did. */
  readonly replaceNote: (name: string, before: string | undefined, text: string) => Promise<boolean>
  /** Removes a note. */
  readonly removeNote: (name: string) => Promise<void>
  /** The state that all processes with this index share. Default: there is one process. */
  readonly sharing?: IndexSharing
}

export interface IndexSharing {
  readonly changes: IndexChanges
  /** Takes the turn of the next call of the service. Resolves to the time in ms until then. `interval`: time between two calls. */
  readonly nextCall: (interval: number) => Promise<number>
}

/** Carries changes to all processes. */
export interface IndexChanges {
  readonly publish: (change: ListChange) => void
  /** Calls the listener after each change. Returns a function that removes the listener. */
  readonly subscribe: (listener: (change: ListChange) => void) => () => void
}

/** A change of a package in the index. */
export interface ListChange {
  readonly hint: Hint
  /** University ids, without leading zeros, of everyone whose lists may differ: the initiator, and who held or holds the package. */
  readonly people: readonly string[]
}

/** In ms. */
export const day = 24 * 60 * 60_000

/** Maximum number of packages per form without a known holder that a list considers, the newest. */
export const maxUnknown = 200

/** Compares two places: negative if the first one comes first. */
function comparePositions(one: ListPosition, other: ListPosition): number {
  return other.changedAt - one.changedAt || other.formId - one.formId || other.packageId - one.packageId
}

/** Returns the packages of a sorted list that follow a place, each once: a person may hold one twice. */
export function continueList(
  found: readonly ListCandidate[],
  { after, limit }: Pick<ListQuestion, 'after' | 'limit'>,
): readonly ListCandidate[] {
  const byKey = new Map<string, ListCandidate>()
  for (const one of [...found].sort(comparePositions)) {
    const known = byKey.get(packageKey(one))
    if (!known || (one.isHolder && !known.isHolder)) byKey.set(packageKey(one), one)
  }
  const rest = after
    ? [...byKey.values()].filter((one) => comparePositions(after, one) < 0)
    : [...byKey.values()]
  return rest.slice(0, limit)
}

/** Returns a package as a list of a person's own proposes it, with the holder because of whom it does, if there is one. */
export function proposeTo(
  person: string,
  { formId, packageId, changedAt, digest, initiator, started }: IndexedPackage,
  holder?: Pick<Holder, 'person' | 'received'>,
): ListCandidate {
  return {
    formId,
    packageId,
    changedAt,
    digest,
    initiator,
    started,
    isHolder: holder?.person === person,
    received: holder?.received ?? null,
    stops: [],
  }
}

/** Returns a package as the list of a form proposes it. */
export function proposeOfForm(
  pkg: IndexedPackage,
  holders: readonly Holder[],
  person: string,
): ListCandidate {
  const stops = holders
    .filter(({ stop, stopName }) => stop !== null || stopName !== null)
    .map(({ stop, stopName }) => ({ stop, stopName }))
  const byText = new Map(stops.map((stop) => [JSON.stringify(stop), stop]))
  const received = holders.flatMap((holder) => holder.received ?? []).sort()
  return {
    ...proposeTo(person, pkg),
    isHolder: holders.some((holder) => holder.person === person),
    received: received.at(-1) ?? null,
    stops: [...byText.values()].sort((a, b) => (a.stop ?? 0) - (b.stop ?? 0)),
  }
}

/** What is known of a package before its first check. */
function unchecked({ formId, packageId }: Hint, at: number): IndexedPackage {
  return {
    formId,
    packageId,
    state: null,
    initiator: null,
    started: null,
    digest: null,
    learntAt: at,
    changedAt: at,
    absentSince: null,
    dueAt: urgency.isNew,
    requests: 0,
  }
}

/** Creates an index in memory, which the end of the process loses. */
export function createMemoryIndex(): PackageIndex {
  const packages = new Map<string, IndexedPackage & { readonly holders: readonly Holder[] }>()
  /** By package, the latest first. */
  const reminders = new Map<string, readonly SentReminder[]>()
  const notes = new Map<string, string>()

  function add(hints: readonly Hint[], at: number, isRequested: boolean): Promise<void> {
    for (const hint of hints) {
      const key = packageKey(hint)
      const known = packages.get(key)
      if (!known) packages.set(key, { ...unchecked(hint, at), holders: [] })
      else if (isRequested) {
        const dueAt = Math.min(known.dueAt, urgency.hasChanged)
        packages.set(key, { ...known, dueAt, requests: known.requests + 1 })
      }
    }
    return Promise.resolve()
  }

  return {
    add: (hints, at) => add(hints, at, false),
    request: (hints, at) => add(hints, at, true),
    due(at, limit) {
      const all = [...packages.values()].filter(({ dueAt }) => dueAt <= at).sort((a, b) => a.dueAt - b.dueAt)
      return Promise.resolve(all.filter(({ formId }) => formId === all[0]?.formId).slice(0, limit))
    },
    take(at, limit) {
      return this.due(at, limit)
    },
    record(checks) {
      for (const { pkg, holders } of checks) {
        const known = packages.get(packageKey(pkg))
        if (!known) continue
        const isSettled = known.requests === pkg.requests
        packages.set(packageKey(pkg), {
          ...pkg,
          holders: holders ?? known.holders,
          dueAt: isSettled ? pkg.dueAt : known.dueAt,
          requests: known.requests,
        })
      }
      return Promise.resolve()
    },
    remove(hints) {
      for (const key of hints.map(packageKey)) {
        packages.delete(key)
        reminders.delete(key)
      }
      return Promise.resolve()
    },
    forget(person) {
      for (const [key, known] of packages) {
        packages.set(key, {
          ...known,
          initiator: known.initiator === person ? null : known.initiator,
          holders: known.holders.filter((holder) => holder.person !== person),
        })
      }
      for (const [key, sent] of reminders)
        reminders.set(
          key,
          sent.map((one) => (one.person === person ? { ...one, person: '' } : one)),
        )
      return Promise.resolve()
    },
    find(hint) {
      const key = packageKey(hint)
      const { holders, ...pkg } = packages.get(key) ?? { holders: [] }
      const isKnown = 'formId' in pkg
      return Promise.resolve(isKnown ? { pkg, holders, reminders: reminders.get(key) ?? [] } : undefined)
    },
    reminders: (hints) => Promise.resolve(hints.map((hint) => reminders.get(packageKey(hint)) ?? [])),
    reminderTimes(person, since) {
      const own = [...reminders.values()].flat().filter((one) => one.person === person && one.at > since)
      return Promise.resolve(own.map(({ at }) => at).sort((a, b) => a - b))
    },
    async claimReminder(hint, reminder, { wait, perHolders, perDay }) {
      const { at, person, holders } = reminder
      const key = packageKey(hint)
      const today = await this.reminderTimes(person, at - day)
      const sent = reminders.get(key) ?? []
      const isAllowed =
        packages.has(key) &&
        sent.every((one) => one.at <= at - wait) &&
        sent.filter((one) => one.holders === holders).length < perHolders &&
        today.length < perDay
      if (isAllowed) reminders.set(key, [reminder, ...sent])
      return isAllowed
    },
    settleReminder(hint, at, isSent) {
      const sent = reminders.get(packageKey(hint)) ?? []
      reminders.set(
        packageKey(hint),
        sent.flatMap((one) => (one.at === at ? (isSent ? [{ ...one, isConfirmed: true }] : []) : [one])),
      )
      return Promise.resolve()
    },
    list(question) {
      const { view, person, forms, filter = {} } = question
      const rows = [...packages.values()].filter(({ formId }) => forms.includes(formId))
      if (view === 'mine') {
        const found = rows
          .filter(({ initiator }) => initiator === person)
          .map((row) => proposeTo(person, row))
        return Promise.resolve({ candidates: continueList(found, question), isCut: false })
      }
      if (view === 'form') {
        const found = rows
          .filter((row) => meetsFilter(row, filter))
          .map((row) => proposeOfForm(row, row.holders, person))
        return Promise.resolve({ candidates: continueList(found, question), isCut: false })
      }
      const held = rows.flatMap((row) =>
        row.holders.map((holder) => ({ holder: holder.person, candidate: proposeTo(person, row, holder) })),
      )
      let isCut = false
      const found = forms.flatMap((form) => {
        const heldBy = (wanted: string | null) =>
          held.flatMap(({ holder, candidate }) =>
            candidate.formId === form && holder === wanted ? [candidate] : [],
          )
        const unknown = heldBy(null).sort(comparePositions)
        isCut ||= unknown.length > maxUnknown
        return [...heldBy(person), ...unknown.slice(0, maxUnknown)]
      })
      return Promise.resolve({ candidates: continueList(found, question), isCut })
    },
    count: () => Promise.resolve(packages.size),
    readNote: (name) => Promise.resolve(notes.get(name)),
    writeNote: (name, text) => Promise.resolve(void notes.set(name, text)),
    replaceNote(name, before, text) {
      const isAsBefore = notes.get(name) === before
      if (isAsBefore) notes.set(name, text)
      return Promise.resolve(isAsBefore)
    },
    removeNote: (name) => Promise.resolve(void notes.delete(name)),
  }
}

function meetsFilter(
  { state, changedAt, holders }: IndexedPackage & { readonly holders: readonly Holder[] },
  filter: FormFilter,
): boolean {
  const { state: wanted, unchangedSince = Infinity, stop, office } = filter
  return (
    state !== null &&
    (wanted === undefined || state === wanted) &&
    changedAt <= unchangedSince &&
    ((stop === undefined && office === undefined) ||
      holders.some(
        (holder) =>
          (stop === undefined || holder.stop === stop) && (office === undefined || holder.office === office),
      ))
  )
}
