import { parseTimestamp } from '../../contract/values/timestamp.ts'

// Days are texts such as `2026-03-01`, as date fields have them. They sort like the days that they name.

/** The test environment deletes files after this many days. */
const testDays = 30

const dayLength = 86_400_000

/** Returns the day of a local date-time; an empty string if the value is null or not valid. */
export function dayOf(timestamp: string | null): string {
  return timestamp !== null && parseTimestamp(timestamp) ? timestamp.slice(0, 10) : ''
}

/** Returns the local date-time of an instant, without a time zone, in a zone; by default, that of the browser. */
export function localTime(instant: number, timeZone: string | undefined): string {
  const parts = { dateStyle: 'short', timeStyle: 'medium', timeZone } as const
  return new Intl.DateTimeFormat('sv-SE', parts).format(instant).replace(' ', 'T')
}

/** Whether a local date-time of the institution is past. Without its zone, only if it is past in every zone. */
export function isPast(timestamp: string | null, instant: number, timeZone: string | undefined): boolean {
  // The clocks of this zone are behind all others.
  return dayOf(timestamp) !== '' && String(timestamp) <= localTime(instant, timeZone ?? 'Etc/GMT+12')
}

/** The first day until which a file can be kept: tomorrow, because the service would end today's in the past. */
export function firstDay(instant: number, timeZone: string | undefined): string {
  return dayAfter(dayOf(localTime(instant, timeZone)), 1)
}

/** The last day until which the test environment keeps a file; an empty string if the upload date is not known. */
export function lastTestDay(uploadDate: string | null): string {
  return dayAfter(dayOf(uploadDate), testDays)
}

/**
 * Returns `expiresIn` that keeps a file until the evening of a day, an hour before midnight: a change to or from daylight
 * saving time in between cannot move it to another day. The service counts from the upload date. Returns `undefined` if the
 * upload date is not known, or is not before that day.
 */
export function expiresIn(day: string, uploadDate: string | null): string | undefined {
  const from = millisecondsOf(uploadDate)
  const to = millisecondsOf(`${day}T22:59:00`)
  return from === undefined || to === undefined || to <= from
    ? undefined
    : `${Math.floor((to - from) / 1000)}s`
}

function dayAfter(day: string, days: number): string {
  const from = millisecondsOf(`${day}T00:00:00`)
  return from === undefined ? '' : new Date(from + days * dayLength).toISOString().slice(0, 10)
}

/** A local date-time as if it were in UTC. Use it for differences only. */
function millisecondsOf(timestamp: string | null): number | undefined {
  const clock = parseTimestamp(timestamp ?? '')
  return clock && Date.UTC(clock.year, clock.month - 1, clock.day, clock.hour, clock.minute, clock.second)
}
