/** What is known about each of many holders, such as people, by name. */
interface Records<T> {
  /** Returns the record of a holder, which is created if there is none. Use it at once: it may be forgotten while it is idle. */
  readonly of: (holder: string) => T
  /** Returns all records. */
  readonly all: () => Iterable<T>
}

interface RecordsOptions<T> {
  readonly create: () => T
  /** Whether a record contains nothing that has to be kept. */
  readonly isIdle: (record: T) => boolean
  /** Returns the time in ms, from any origin. Default `performance.now`. */
  readonly now?: () => number
}

/**
 * Creates records. Idle ones are forgotten once a minute and not when they become idle: a map whose entries come and go with
 * requests is rebuilt again and again, and V8 keeps what the old tables refer to until a full collection.
 */
export function createRecords<T>({
  create,
  isIdle,
  now = () => performance.now(),
}: RecordsOptions<T>): Records<T> {
  const records = new Map<string, T>()
  let sweptAt = now()

  function sweep(): void {
    const time = now()
    // The clock may be set back.
    if (Math.abs(time - sweptAt) < sweepInterval) return
    sweptAt = time
    for (const [holder, record] of records) if (isIdle(record)) records.delete(holder)
  }

  return {
    of(holder) {
      sweep()
      let record = records.get(holder)
      if (record === undefined) {
        record = create()
        records.set(holder, record)
      }
      return record
    },
    all: () => records.values(),
  }
}

/** Time between two searches for idle records, in ms. */
const sweepInterval = 60_000
