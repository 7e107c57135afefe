import type { EmulatorState } from './state/state.ts'

/** Lengths of time in milliseconds. */
export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** The clock of the services. Tests move it forward. */
export interface Clock {
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number
  /** Formats an instant as the services do: a local date-time without a zone. File records include microseconds. */
  readonly local: (instant: number, precision?: 'seconds' | 'microseconds') => string
  /** Formats the current time as the services do. */
  readonly localNow: () => string
  /** Moves the clock forward by `milliseconds`. */
  readonly advance: (milliseconds: number) => void
}

/** The formats of local times by time zone. Tests create thousands of emulators, and creating a format takes long. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    // The Swedish locale formats dates and times in ISO order.
    format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })
    formats.set(timeZone, format)
  }
  return format
}

/** Creates a clock in `timeZone` that runs ahead of `now` by `state.offset`. */
export function createClock(now: () => number, timeZone: string, state: EmulatorState['clock']): Clock {
  const format = formatOf(timeZone)

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
