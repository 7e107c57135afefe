/** The parts of a local date-time. */
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
 * Reads `yyyy-MM-ddTHH:mm:ss`, with or without fractional seconds. The services send no time zone, so the result is a
 * wall-clock time, not an instant; it must never pass through `new Date(string)`. Returns `undefined` if the text has
 * another format or names a day that does not exist.
 */
export function parseTimestamp(text: string): WallClock | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?$/.exec(text)
  if (!found) return undefined

  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1).map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  // A month or a day out of range carries over into another month.
  const isDay = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1
  return isDay && hour < 24 && minute < 60 && second < 60
    ? { year, month, day, hour, minute, second }
    : undefined
}
