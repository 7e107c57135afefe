/** Remembers what has been seen, so that it has one effect. */
export interface DedupeStore {
  /** Whether this is the first time for this key within so many seconds; from now on it is not. */
  readonly isFirst: (key: string, seconds: number) => Promise<boolean>
  /** Takes that back: it has had no effect. */
  readonly forget: (key: string) => Promise<void>
}

export interface DedupeStoreOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** How many keys are remembered. Beyond, the oldest is forgotten before its time. Default 100,000, some 20 MB. */
  readonly max?: number
}

/**
 * Remembers in memory: for this process only, and until it ends. Several processes that are to share what they have
 * seen need another implementation.
 */
export function createDedupeStore({ now = Date.now, max = 100_000 }: DedupeStoreOptions = {}): DedupeStore {
  /** When each key is forgotten. The order is that in which they came. */
  const expiries = new Map<string, number>()

  function dropOld(): void {
    for (const [key, expiry] of expiries) {
      if (expiry > now() && expiries.size <= max) return
      expiries.delete(key)
    }
  }

  return {
    // Asks and remembers in one step: of several that ask at once, one is the first.
    isFirst(key, seconds) {
      if ((expiries.get(key) ?? -Infinity) > now()) return Promise.resolve(false)
      // Anew at the end, where the youngest are.
      expiries.delete(key)
      expiries.set(key, now() + seconds * 1000)
      dropOld()
      return Promise.resolve(true)
    },
    forget(key) {
      expiries.delete(key)
      return Promise.resolve()
    },
  }
}
