import { type Hint, packageKey } from './bus.ts'

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
export function createKnownTexts(): KnownTexts {
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
