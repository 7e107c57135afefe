/** Time as the services see it. */
export interface Clock {
  /** Now, in milliseconds since 1970. */
  readonly now: () => number
  /** An instant as the services write it: a local date-time without zone. With microseconds on file records. */
  readonly local: (instant: number, precision?: 'seconds' | 'microseconds') => string
}

/** Creates a clock that hangs in `timeZone`. */
export function createClock(now: () => number, timeZone: string): Clock {
  // Swedish writes dates and times in ISO order.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })

  return {
    now,
    local(instant, precision = 'seconds') {
      const seconds = format.format(instant).replace(' ', 'T')
      return precision === 'seconds' ? seconds : `${seconds}.${String(instant % 1000).padStart(3, '0')}000`
    },
  }
}
