import { UnavailableError } from './errors.ts'

/** Answers that the elements of a page share. */
export interface QueryCache {
  /**
   * The value of a key, which belongs to a scope: as known where it was read within the last second, else from `load`,
   * which everyone shares who asks meanwhile. `load` is aborted when the last of them has aborted.
   */
  read(key: string, scope: string, load: Load, signal?: AbortSignal): Promise<unknown>
  /** The last value of a key, however old; `undefined` where there is none. */
  getCached(key: string): unknown
  /** What is known of a scope, or of all, may be old: whoever reads next asks again. */
  invalidate(scope?: string): void
  /** Forgets everything. */
  clear(): void
}

type Load = (signal: AbortSignal) => Promise<unknown>

interface Entry {
  readonly scope: string
  value: unknown
  /** When the value was read, in milliseconds since 1970; 0: it is old. */
  readAt: number
  flight: Flight | undefined
}

interface Flight {
  readonly abort: AbortController
  readonly answer: Promise<unknown>
  readers: number
}

/** Milliseconds for which a value counts as new: elements of one page that ask one after the other share it. */
const fresh = 1000

/** Most values that are kept; those that were asked for longest ago go first. */
const most = 1000

export function createQueryCache(): QueryCache {
  const entries = new Map<string, Entry>()

  function start(entry: Entry, key: string, load: Load): Flight {
    const abort = new AbortController()
    const answer = load(abort.signal).then(
      (value) => {
        // What has expired meanwhile is not kept: there may be a newer one.
        if (entry.flight === flight) {
          Object.assign(entry, { value, readAt: Date.now() })
        }
        return value
      },
      (error: unknown) => {
        // Without an answer, what was known is still the best there is; after a refusal it is nobody's any more.
        const isLasting = !(error instanceof UnavailableError) && !abort.signal.aborted
        if (entry.flight === flight && (isLasting || entry.value === undefined)) entries.delete(key)
        throw error
      },
    )
    const flight: Flight = { abort, answer, readers: 0 }
    const land = () => {
      if (entry.flight === flight) entry.flight = undefined
    }
    answer.then(land, land)
    return flight
  }

  return {
    read(key, scope, load, signal) {
      const entry: Entry = entries.get(key) ?? { scope, value: undefined, readAt: 0, flight: undefined }
      // Put last, so that the first one is what was asked for longest ago.
      entries.delete(key)
      entries.set(key, entry)
      const [oldest = key] = entries.keys()
      if (entries.size > most) entries.delete(oldest)

      if (Date.now() - entry.readAt < fresh) return Promise.resolve(entry.value)
      const flight = (entry.flight ??= start(entry, key, load))
      flight.readers++
      return new Promise((resolve, reject) => {
        const leave = () => {
          flight.readers--
          if (flight.readers === 0) {
            if (entry.flight === flight) entry.flight = undefined
            flight.abort.abort(signal?.reason)
          }
          reject(signal?.reason as Error)
        }
        signal?.addEventListener('abort', leave, { once: true })
        const done = () => signal?.removeEventListener('abort', leave)
        flight.answer.then(resolve, reject).then(done, done)
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
