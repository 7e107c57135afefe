/** The values of a form, by natural key of their field (spec, Entry). */
export type EntryValues = Readonly<Record<string, unknown>>

/** A field that two people have changed to different values. */
export interface EntryConflict {
  /** The natural key. */
  readonly name: string
  readonly mine: unknown
  readonly theirs: unknown
}

export interface EntryMerge {
  /** All fields. A field in conflict keeps their value, so that nothing is overwritten before someone has decided. */
  readonly entry: Record<string, unknown>
  /** In the order of `mine`. */
  readonly conflicts: readonly EntryConflict[]
}

/**
 * Merges the changes of this page into the entry that the service has now. `base` is the entry that the page loaded, and
 * `mine` contains the fields that the page shows. All other fields remain theirs.
 */
export function mergeEntries(base: EntryValues, mine: EntryValues, theirs: EntryValues): EntryMerge {
  const merged = new Map(Object.entries(theirs))
  const conflicts: EntryConflict[] = []
  for (const [name, value] of Object.entries(mine)) {
    const before = valueOf(base, name)
    const now = valueOf(theirs, name)
    if (isSame(value, before) && Object.hasOwn(theirs, name)) continue
    if (isSame(now, before) || isSame(now, value)) merged.set(name, value)
    else conflicts.push({ name, mine: value, theirs: now })
  }
  return { entry: Object.fromEntries(merged), conflicts }
}

/** A field that an entry lacks is empty. */
function valueOf(entry: EntryValues, name: string): unknown {
  return Object.hasOwn(entry, name) ? (entry[name] ?? null) : null
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}
