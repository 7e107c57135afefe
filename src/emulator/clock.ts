import type { EmulatorState } from './state/state.ts'

/** Time as the services see it. */
export interface Clock {
  /** Now, in milliseconds since 1970. */
  readonly now: () => number
  /** An instant as the services write it: a local date-time without zone. With microseconds on file records. */
  readonly local: (instant: number, precision?: 'seconds' | 'microseconds') => string
  /** Now, as the services write it. */
  readonly localNow: () => string
  /** Puts the clock forward by so many milliseconds. */
  readonly advance: (milliseconds: number) => void
}

/** Creates a clock that hangs in `timeZone`, ahead of `now` by as much as `state` says. */
export function createClock(now: () => number, timeZone: string, state: EmulatorState['clock']): Clock {
  // Swedish writes dates and times in ISO order.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })

  function local(instant: number, precision: 'seconds' | 'microseconds' = 'seconds'): string {
    const seconds = format.format(instant).replace(' ', 'T')
    const milliseconds = ((instant % 1000) + 1000) % 1000
    return precision === 'seconds' ? seconds : `${seconds}.${String(milliseconds).padStart(3, '0')}000`
  }

  const clock: Clock = {
    now: () => Math.floor(now()) + state.offset,
    local,
    localNow: () => local(clock.now()),
    advance: (milliseconds) => {
      state.offset += milliseconds
    },
  }
  return clock
}
