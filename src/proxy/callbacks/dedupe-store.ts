/** Remembers keys, so that that each has one effect. */
interface DedupeStore {
  /** Resolves to whether the key is new, and remembers it for a number of seconds. Both are one atomic step. */
  readonly isFirst: (key: string, seconds: number) => Promise<boolean>
  /** Forgets a key, so that it is new again. */
  readonly forget: (key: string) => Promise<void>
}

interface DedupeStoreOptions {
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** Maximum number of keys. If there are more, the oldest is forgotten early. Default 100,000, about 20 MB. */
  readonly max?: number
}

/** Creates a store in memory, for one process and until it ends. Several processes need a shared implementation. */
export function createDedupeStore({ now = Date.now, max = 100_000 }: DedupeStoreOptions = {}): DedupeStore {
  /** The time at which each key expires, oldest key first. */
  const expiries = new Map<string, number>()

  function dropOld(): void {
    for (const [key, expiry] of expiries) {
      if (expiry > now() && expiries.size <= max) return
      expiries.delete(key)
    }
  }

  return {
    isFirst(key, seconds) {
      if ((expiries.get(key) ?? -Infinity) > now()) return Promise.resolve(false)
      // Deleted first, so that the key moves to the end of the order.
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
