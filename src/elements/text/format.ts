import { html, nothing, type TemplateResult } from 'lit'
import { serverNow } from '../../client/index.ts'
import { parseTimestamp, type WallClock } from '../../contract/values/timestamp.ts'

/** The language of dates and numbers, and the institution's time zone if it is known. */
export interface Formatting {
  readonly language: string | undefined
  readonly timeZone?: string | undefined
}

/** Formats a local date-time of the services, without converting it to another zone. Returns invalid text unchanged. */
export function formatTimestamp(timestamp: string, language: string | undefined): string {
  return formatClock(timestamp, language, { dateStyle: 'medium', timeStyle: 'short' })
}

/** Formats the time of day of a local date-time. */
export function formatTimeOfDay(timestamp: string, language: string | undefined): string {
  return formatClock(timestamp, language, { timeStyle: 'short' })
}

/** Formats the time of day of a moment, in ms since 1970. */
export function formatMoment(time: number, { language, timeZone }: Formatting): string {
  return cached(Intl.DateTimeFormat, language, { timeStyle: 'short', timeZone }).format(time)
}

/** Formats the day of a local date-time. */
export function formatDay(timestamp: string, language: string | undefined): string {
  return formatClock(timestamp, language, { dateStyle: 'medium' })
}

function formatClock(
  timestamp: string,
  language: string | undefined,
  options: Intl.DateTimeFormatOptions,
): string {
  const clock = parseTimestamp(timestamp)
  return clock
    ? cached(Intl.DateTimeFormat, language, { ...options, timeZone: 'UTC' }).format(asUtc(clock))
    : timestamp
}

/**
 * Formats the age of a local date-time, such as "2 hours ago", or "now" if it is under a minute. Returns an empty string if
 * the time zone is not known, or if the time is in the future.
 */
export function formatAge(timestamp: string, style: Formatting, now?: number): string {
  const [count, unit] = ageOf(timestamp, style, now) ?? []
  if (!unit) return ''
  const format = cached(Intl.RelativeTimeFormat, style.language, { numeric: 'auto' })
  return format.format(-count!, count ? unit : 'second')
}

/** Formats how long ago a local date-time was, such as "6 days". Returns an empty string if it is not known or under a minute. */
export function formatElapsed(timestamp: string, style: Formatting, now?: number): string {
  return formatSpan(ageOf(timestamp, style, now), style.language)
}

/**
 * Formats the time between two local date-times, such as "6 days", across a change to or from daylight saving time if the time
 * zone is known. Returns an empty string if it is under a minute.
 */
export function formatBetween(start: string, end: string, { language, timeZone }: Formatting): string {
  const [from, to] = [start, end].map((time) => {
    const clock = parseTimestamp(time)
    return clock && ((timeZone && instantOf(clock, timeZone)) || asUtc(clock))
  })
  const seconds = from && to ? (to - from) / 1000 : 0
  return seconds < 60 ? '' : formatSpan(inLargestUnit(seconds), language)
}

/** Formats an instant in the institution's time zone, or in that of the browser if it is not known. */
export function formatInstant(
  instant: Date | number,
  { language, timeZone }: Formatting,
  options: Intl.DateTimeFormatOptions,
): string {
  try {
    return cached(Intl.DateTimeFormat, language, { ...options, timeZone }).format(instant)
  } catch {
    // The zone does not exist.
    return cached(Intl.DateTimeFormat, language, options).format(instant)
  }
}

function formatSpan([count = 0, unit]: Span | readonly [] = [], language: string | undefined): string {
  return count ? numberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count) : ''
}

/** Returns the age of a local date-time in its largest unit; `undefined` if it is not known. */
function ageOf(timestamp: string, { timeZone }: Formatting, now: number = serverNow()): Span | undefined {
  const clock = timeZone && parseTimestamp(timestamp)
  const instant = clock && timeZone ? instantOf(clock, timeZone) : undefined
  if (instant === undefined || instant > now) return undefined
  return inLargestUnit((now - instant) / 1000)
}

/** Returns a duration in its largest unit. */
export function inLargestUnit(seconds: number): Span {
  const [size, unit] = units.find(([size]) => seconds >= size) ?? [60, 'minute']
  return [Math.floor(seconds / size), unit]
}

export type AgeUnit = 'year' | 'month' | 'day' | 'hour' | 'minute'
/** A duration in one unit. */
export type Span = readonly [count: number, unit: AgeUnit]

const units: readonly (readonly [number, AgeUnit])[] = [
  [31_557_600, 'year'],
  [2_629_800, 'month'],
  [86_400, 'day'],
  [3600, 'hour'],
]

/** Formats a local date-time, with its age if that is known. */
export function describeTime(timestamp: string, style: Formatting): string {
  const age = formatAge(timestamp, style)
  // Non-breaking spaces keep the age on one line.
  return formatTimestamp(timestamp, style.language) + (age && ` (${age.replaceAll(' ', '\u00a0')})`)
}

/** Renders a local date-time as a `<time>` element, with its age if that is known. */
export function renderTime(
  timestamp: string,
  style: Formatting,
  text: string = describeTime(timestamp, style),
): TemplateResult {
  return html`<time datetime=${timestamp} lang=${style.language ?? nothing}>${text}</time>`
}

function asUtc({ year, month, day, hour, minute, second }: WallClock): number {
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** Returns a local date-time of a zone, in milliseconds since 1970; `undefined` if the zone does not exist. */
function instantOf(clock: WallClock, timeZone: string): number | undefined {
  const wanted = asUtc(clock)
  let instant = wanted
  try {
    const format = cached(Intl.DateTimeFormat, 'sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    // Two rounds, because the first guess may be on the other side of a change to or from daylight saving time.
    const shownAt = (time: number) => {
      const shown = parseTimestamp(format.format(time).replace(' ', 'T'))
      return shown ? asUtc(shown) : wanted
    }
    for (let round = 0; round < 2; round++) instant += wanted - shownAt(instant)
    // An hour repeats when daylight saving time ends. The earlier one is not in the future.
    return shownAt(instant - 3_600_000) === wanted ? instant - 3_600_000 : instant
  } catch {
    return undefined
  }
}

/** Formats the end of a period: its day, with the time if the period is shorter than two days or its start is not known. */
export function formatExpiry(end: string, start: string | null, language: string | undefined): string {
  const [to, from] = [end, start ?? ''].map(parseTimestamp)
  const isLong = to && from && asUtc(to) - asUtc(from) >= 2 * 86_400_000
  return isLong ? formatDay(end, language) : formatTimestamp(end, language)
}

/** Returns a format of numbers, which is created once. */
export function numberFormat(
  language: string | undefined,
  options: Intl.NumberFormatOptions,
): Intl.NumberFormat {
  return cached(Intl.NumberFormat, language, options)
}

/** Returns a format. Each is created once: that takes much longer than using it, and a long list would create hundreds. */
export function cached<Options, Format>(
  Kind: new (language: string | undefined, options: Options) => Format,
  language: string | undefined,
  options: Options,
): Format {
  const key = JSON.stringify([Kind.name, language, options])
  let format = formats.get(key) as Format | undefined
  if (!format) formats.set(key, (format = new Kind(language, options)))
  return format
}

const formats = new Map<string, unknown>()

/** Whether the page has a format. Creating the first one takes longer than rendering a whole element. */
export function hasFormats(): boolean {
  return formats.size > 0
}

/** Creates the formats that most content needs. */
export function createFormats(language: string | undefined): void {
  describeTime('2026-01-01T00:00:00', { language, timeZone: 'UTC' })
}
