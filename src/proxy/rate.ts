export interface RateOptions {
  /** Maximum number of times per key within the window. */
  readonly perKey: number
  /** Length of the window in ms. Default: an hour. */
  readonly window?: number
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
}

/** Limits how often something happens within a sliding window, per key (such as a person). */
export interface Rate {
  /** Counts one time for `key`. Returns 0, or if the limit is reached the seconds until the next time is allowed. */
  readonly count: (key: string) => number
}

/** Creates a rate. It forgets keys whose times are older than the window. */
export function createRate({ perKey, window = 3_600_000, now = Date.now }: RateOptions): Rate {
  const times = new Map<string, number[]>()

  function recent(key: string, since: number): number[] {
    return (times.get(key) ?? []).filter((time) => time > since)
  }

  function forgetOld(since: number): void {
    for (const [key, all] of times) if ((all.at(-1) ?? 0) <= since) times.delete(key)
  }

  let forgottenAt = now()
  return {
    count(key) {
      const time = now()
      const since = time - window
      if (forgottenAt <= since) {
        forgetOld(since)
        forgottenAt = time
      }
      const all = recent(key, since)
      times.set(key, all)
      if (all.length < perKey) {
        all.push(time)
        return 0
      }
      return Math.max(1, Math.ceil(((all[0] ?? time) + window - time) / 1000))
    },
  }
}
