import { html, nothing, type TemplateResult } from 'lit'
import { parseTimestamp, type WallClock } from '../contract/timestamp.ts'

/** The language of dates and numbers, and the institution's time zone if it is known. */
export interface Formatting {
  readonly language: string | undefined
  readonly timeZone?: string | undefined
}

/** Formats a local date-time of the services, without converting it to another zone. Returns invalid text unchanged. */
export function formatTimestamp(timestamp: string, language: string | undefined): string {
  const clock = parseTimestamp(timestamp)
  if (!clock) return timestamp
  if (!format || format.language !== language) {
    const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
    format = { language, of: new Intl.DateTimeFormat(language, options) }
  }
  return format.of.format(asUtc(clock))
}

/** The latest format. Creating one takes much longer than using it, and a list has only one language. */
let format: { readonly language: string | undefined; readonly of: Intl.DateTimeFormat } | undefined

/**
 * Formats the age of a local date-time, such as "2 hours ago". Returns an empty string if the time zone is not known, or
 * if the time is in the future: then the visitor's clock is wrong.
 */
export function formatAge(timestamp: string, style: Formatting, now?: number): string {
  const [count, unit] = ageOf(timestamp, style, now) ?? []
  return unit ? new Intl.RelativeTimeFormat(style.language, { numeric: 'auto' }).format(-count!, unit) : ''
}

/** Formats how long ago a local date-time was, such as "6 days". Returns an empty string if the age is not known. */
export function formatElapsed(timestamp: string, style: Formatting, now?: number): string {
  const [count, unit] = ageOf(timestamp, style, now) ?? []
  return unit ? numberFormat(style.language, { style: 'unit', unit, unitDisplay: 'long' }).format(count!) : ''
}

/** Returns the age of a local date-time in its largest unit; `undefined` if it is not known. */
function ageOf(
  timestamp: string,
  { timeZone }: Formatting,
  now: number = Date.now(),
): readonly [count: number, unit: AgeUnit] | undefined {
  const clock = timeZone && parseTimestamp(timestamp)
  const instant = clock && timeZone ? instantOf(clock, timeZone) : undefined
  if (instant === undefined || instant > now) return undefined
  const seconds = (now - instant) / 1000
  const [size, unit] = units.find(([size]) => seconds >= size) ?? [60, 'minute']
  return [Math.floor(seconds / size), unit]
}

type AgeUnit = 'year' | 'month' | 'day' | 'hour' | 'minute'

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
export function renderTime(timestamp: string, style: Formatting): TemplateResult {
  return html`<time datetime=${timestamp} lang=${style.language ?? nothing}
    >${describeTime(timestamp, style)}</time
  >`
}

function asUtc({ year, month, day, hour, minute, second }: WallClock): number {
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** Returns a local date-time of a zone, in milliseconds since 1970; `undefined` if the zone does not exist. */
function instantOf(clock: WallClock, timeZone: string): number | undefined {
  const wanted = asUtc(clock)
  let instant = wanted
  try {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    // Two rounds, because the first guess may be on the other side of a change to or from daylight saving time.
    for (let round = 0; round < 2; round++) {
      const shown = parseTimestamp(format.format(instant).replace(' ', 'T'))
      if (shown) instant += wanted - asUtc(shown)
    }
    return instant
  } catch {
    return undefined
  }
}

/** Formats the day of a local date-time. */
export function formatDay(timestamp: string, language: string | undefined): string {
  const clock = parseTimestamp(timestamp)
  if (!clock) return timestamp
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(asUtc(clock))
}

/** Formats the end of a period: its day, with the time if the period is shorter than two days or its start is not known. */
export function formatExpiry(end: string, start: string | null, language: string | undefined): string {
  const [to, from] = [end, start ?? ''].map(parseTimestamp)
  const isLong = to && from && asUtc(to) - asUtc(from) >= 2 * 86_400_000
  return isLong ? formatDay(end, language) : formatTimestamp(end, language)
}

/** Formats a number of bytes in a suitable unit. As in file managers, 1 kB is 1024 bytes. */
export function formatSize(bytes: number, language: string | undefined): string {
  return inBestUnit(bytes, '', language)
}

/** Formats a number of bytes without rounding. */
export function formatBytes(bytes: number, language: string | undefined): string {
  return numberFormat(language, { style: 'unit', unit: 'byte', unitDisplay: 'long' }).format(bytes)
}

/** Formats a number of bytes per second in a suitable unit. */
export function formatSpeed(bytes: number, language: string | undefined): string {
  return inBestUnit(bytes, '-per-second', language)
}

function inBestUnit(bytes: number, per: '' | '-per-second', language: string | undefined): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  let power = 0
  // Rounds first, so that 1 048 575 bytes are 1 MB, not 1024 kB.
  while (power < units.length - 1 && Math.round(bytes / 1024 ** power) >= 1024) power++
  return numberFormat(language, {
    style: 'unit',
    unit: (units[power] ?? 'byte') + per,
    unitDisplay: power === 0 && !per ? 'long' : 'short',
    maximumFractionDigits: power > 1 ? 1 : 0,
  }).format(bytes / 1024 ** power)
}

/** Formats a number of seconds in one unit, rounded up, at least 1. */
export function formatDuration(seconds: number, language: string | undefined): string {
  const [unit, size] =
    seconds <= 90
      ? (['second', 1] as const)
      : seconds <= 90 * 60
        ? (['minute', 60] as const)
        : (['hour', 3600] as const)
  return numberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.max(1, Math.ceil(seconds / size)),
  )
}

/** Formats a fraction of 1 as a percentage without decimals. Rounds down, so that 100 % means complete. */
export function formatPercent(fraction: number, language: string | undefined): string {
  return numberFormat(language, { style: 'percent' }).format(Math.floor(fraction * 100) / 100)
}

/** Returns a cached format. Otherwise, a list of files would create hundreds on each update. */
function numberFormat(language: string | undefined, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify([language, options])
  let found = numberFormats.get(key)
  if (!found) numberFormats.set(key, (found = new Intl.NumberFormat(language, options)))
  return found
}

const numberFormats = new Map<string, Intl.NumberFormat>()
