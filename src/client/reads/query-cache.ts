import { UnavailableError } from '../transport/errors.ts'

/** Values that the elements of a page share. */
export interface QueryCache {
  /**
   * Returns the value of a key, which belongs to a scope. A value that is not older than `freshTime` ms, by default 1000, is
   * returned as it is; otherwise all concurrent readers share one `load`, which is aborted when the last of them aborts.
   */
  read(key: string, scope: string, load: Load, signal?: AbortSignal, freshTime?: number): Promise<unknown>
  /** Returns the last value of a key, however old; `undefined` if it is missing. */
  getCached(key: string): unknown
  /** Makes the next read of a scope, or of everything, load again. */
  invalidate(scope?: string): void
  /** Removes everything. */
  clear(): void
}

interface QueryCacheOptions {
  /** Maximum number of values. The least recently read are removed first. Default 1000. */
  readonly size?: number
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
}

type Load = (signal: AbortSignal) => Promise<unknown>

interface CacheEntry {
  readonly scope: string
  value: unknown
  /** Time of the read in ms since 1970; 0 if the value is stale. */
  readAt: number
  flight: Flight | undefined
}

interface Flight {
  readonly abort: AbortController
  readonly result: Promise<unknown>
  readers: number
}

/** Time in ms for which a value is fresh, so that elements that load one after the other share it. */
const shortTime = 1000

export function createQueryCache({
  size = 1000,
  now = () => Date.now(),
}: QueryCacheOptions = {}): QueryCache {
  const entries = new Map<string, CacheEntry>()

  function start(entry: CacheEntry, key: string, load: Load): Flight {
    const abort = new AbortController()
    const result = load(abort.signal).then(
      (value) => {
        // If the entry was invalidated meanwhile, a newer value may exist.
        if (entry.flight === flight) Object.assign(entry, { value, readAt: now() })
        return value
      },
      (error: unknown) => {
        // Without a response, the last value is still the best. After a refusal, it must not be shown.
        const isFinal = !(error instanceof UnavailableError) && !abort.signal.aborted
        if (entry.flight === flight && (isFinal || entry.value === undefined)) entries.delete(key)
        throw error
      },
    )
    const flight: Flight = { abort, result, readers: 0 }
    const land = () => {
      if (entry.flight === flight) entry.flight = undefined
    }
    result.then(land, land)
    return flight
  }

  return {
    read(key, scope, load, signal, freshTime = shortTime) {
      const entry: CacheEntry = entries.get(key) ?? { scope, value: undefined, readAt: 0, flight: undefined }
      // Moves the entry to the end: the first one is the least recently read.
      entries.delete(key)
      entries.set(key, entry)
      const [oldest = key] = entries.keys()
      if (entries.size > size) entries.delete(oldest)

      if (now() - entry.readAt < freshTime) return Promise.resolve(entry.value)
      const flight = (entry.flight ??= start(entry, key, load))
      flight.readers++
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          flight.readers--
          if (flight.readers === 0) {
            if (entry.flight === flight) entry.flight = undefined
            flight.abort.abort(signal?.reason)
          }
          reject(signal?.reason as Error)
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        const done = () => signal?.removeEventListener('abort', onAbort)
        flight.result.then(resolve, reject).then(done, done)
      })
    },

    getCached: (key) => entries.get(key)?.value,

    invalidate(scope) {
      for (const entry of entries.values()) {
        if (scope === undefined || entry.scope === scope) {
          entry.readAt = 0
          entry.flight = undefined
        }
      }
    },

    clear() {
      for (const entry of entries.values()) entry.flight = undefined
      entries.clear()
    },
  }
}
