/** Limits of the number of things at a time, per person. */
export type HeldLimit = 'files' | 'streams'
/** Limits of the number of times in a window, per person. */
export type CountedLimit = 'packages' | 'requests'

/** Counts what each person uses. Several processes may share a limiter. */
export interface Limiter {
  /**
   * Takes one of `max` places of a person, and resolves to a function that gives it back; calling that function again has no
   * effect. Resolves to `undefined` if no place is free. Never rejects.
   */
  readonly hold: (limit: HeldLimit, person: string, max: number) => Promise<(() => void) | undefined>
  /**
   * Counts one time of `max` within a sliding window in ms. Resolves to 0, or if the limit is reached to the seconds until the
   * next time is allowed; refused times do not count. Never rejects.
   */
  readonly count: (limit: CountedLimit, person: string, max: number, window: number) => Promise<number>
}

interface LocalLimiterOptions {
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
}

/** Creates a limiter for one process. It forgets people who hold no place and whose times are older than the window. */
export function createLocalLimiter({ now = Date.now }: LocalLimiterOptions = {}): Limiter {
  const held = new Map<string, number>()
  const counted = new Map<string, { readonly times: number[]; readonly window: number }>()
  let sweptAt = now()

  function sweep(time: number): void {
    if (Math.abs(time - sweptAt) < sweepInterval) return
    sweptAt = time
    for (const [key, { times, window }] of counted) {
      if ((times.at(-1) ?? 0) <= time - window) counted.delete(key)
    }
  }

  return {
    hold(limit, person, max) {
      const key = `${limit} ${person}`
      const count = held.get(key) ?? 0
      if (count >= max) return Promise.resolve(undefined)
      held.set(key, count + 1)
      let isHeld = true
      return Promise.resolve(() => {
        if (!isHeld) return
        isHeld = false
        const left = (held.get(key) ?? 0) - 1
        if (left > 0) held.set(key, left)
        else held.delete(key)
      })
    },
    count(limit, person, max, window) {
      const time = now()
      sweep(time)
      const key = `${limit} ${person}`
      const times = (counted.get(key)?.times ?? []).filter((earlier) => earlier > time - window)
      counted.set(key, { times, window })
      if (times.length >= max) return Promise.resolve(secondsUntil((times[0] ?? time) + window - time))
      times.push(time)
      return Promise.resolve(0)
    },
  }
}

/** Returns whole seconds, at least 1. */
export function secondsUntil(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000))
}

/** Time in ms between two searches for what can be forgotten. */
const sweepInterval = 60_000
