import { createRecords } from './records.ts'

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
  const held = createRecords({ create: () => ({ count: 0 }), isIdle: ({ count }) => count === 0, now })
  const counted = createRecords<Counted>({
    create: () => ({ times: [], window: 0 }),
    isIdle: ({ times, window }) => (times.at(-1) ?? 0) <= now() - window,
    now,
  })

  return {
    hold(limit, person, max) {
      const places = held.of(`${limit} ${person}`)
      if (places.count >= max) return Promise.resolve(undefined)
      places.count += 1
      let isHeld = true
      return Promise.resolve(() => {
        if (!isHeld) return
        isHeld = false
        places.count -= 1
      })
    },
    count(limit, person, max, window) {
      const time = now()
      const record = counted.of(`${limit} ${person}`)
      record.times = record.times.filter((earlier) => earlier > time - window)
      record.window = window
      const { times } = record
      if (times.length >= max) return Promise.resolve(secondsUntil((times[0] ?? time) + window - time))
      times.push(time)
      return Promise.resolve(0)
    },
  }
}

/** The times that count, oldest first. */
interface Counted {
  times: number[]
  window: number
}

/** Returns whole seconds, at least 1. */
export function secondsUntil(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000))
}
