/** A local date-time of the services, as the numbers it states. */
export interface WallClock {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/**
 * Reads `yyyy-MM-ddTHH:mm:ss`, with or without fractional seconds. The services state no zone, so the result is what a
 * clock on their wall showed and not an instant; it never goes through `new Date(string)`. `undefined` where the text
 * is no such date-time or names a day that does not exist.
 */
export function parseTimestamp(text: string): WallClock | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?$/.exec(text)
  if (!found) return undefined

  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1).map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  // Date.UTC carries over what is out of range, so a day that reads back as written was in range.
  const isDay =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isDay && hour < 24 && minute < 60 && second < 60
    ? { year, month, day, hour, minute, second }
    : undefined
}
