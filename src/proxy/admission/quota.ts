interface QuotaOptions {
  /** Maximum number of places that one key holds at a time. */
  readonly perKey: number
  /** Maximum number of places in total. Default: no limit. */
  readonly total?: number
}

/** Limits how many things run at a time, per key (such as a person) and in total. */
interface Quota {
  /**
   * Takes a place for `key` and returns a function that gives it back; calling that function again has no effect. Returns
   * `undefined` if no place is free.
   */
  readonly acquire: (key: string) => (() => void) | undefined
}

/** Creates a quota. It forgets keys that hold no place. */
export function createQuota({ perKey, total = Infinity }: QuotaOptions): Quota {
  const held = new Map<string, number>()
  let sum = 0

  return {
    acquire(key) {
      const count = held.get(key) ?? 0
      if (count >= perKey || sum >= total) return undefined
      held.set(key, count + 1)
      sum += 1
      let isHeld = true

      return () => {
        if (!isHeld) return
        isHeld = false
        sum -= 1
        const left = (held.get(key) ?? 0) - 1
        if (left > 0) held.set(key, left)
        else held.delete(key)
      }
    },
  }
}
