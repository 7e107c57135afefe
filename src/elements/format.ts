import { html, nothing, type TemplateResult } from 'lit'
import { parseTimestamp, type WallClock } from '../contract/timestamp.ts'

/** Language to write in, and the institution's time zone where it is known. */
export interface Formatting {
  readonly language: string | undefined
  readonly timeZone?: string | undefined
}

/** A local date-time of the services in words, with the hours it states. Text that is none is shown as it is. */
export function formatTimestamp(timestamp: string, language: string | undefined): string {
  const clock = parseTimestamp(timestamp)
  if (!clock) return timestamp
  if (!format || format.language !== language) {
    const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
    format = { language, of: new Intl.DateTimeFormat(language, options) }
  }
  return format.of.format(asUtc(clock))
}

/** The latest one: to create it takes far longer than to use it, and lists are in one language. */
let format: { readonly language: string | undefined; readonly of: Intl.DateTimeFormat } | undefined

/**
 * How long ago a local date-time was, such as "2 hours ago". Empty where the time zone is not known, and for what lies
 * in the future: then the visitor's clock is wrong.
 */
export function formatAge(
  timestamp: string,
  { language, timeZone }: Formatting,
  now: number = Date.now(),
): string {
  const clock = timeZone && parseTimestamp(timestamp)
  const instant = clock && timeZone ? instantOf(clock, timeZone) : undefined
  if (instant === undefined || instant > now) return ''
  const seconds = (now - instant) / 1000
  const [size, unit] = units.find(([size]) => seconds >= size) ?? [60, 'minute']
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-Math.floor(seconds / size), unit)
}

const units: readonly (readonly [number, Intl.RelativeTimeFormatUnit])[] = [
  [31_557_600, 'year'],
  [2_629_800, 'month'],
  [86_400, 'day'],
  [3600, 'hour'],
]

/** A local date-time in words, with its age where that can be told. */
export function describeTime(timestamp: string, style: Formatting): string {
  const age = formatAge(timestamp, style)
  // An age is read at once, so it stays in one line.
  return formatTimestamp(timestamp, style.language) + (age && ` (${age.replaceAll(' ', '\u00a0')})`)
}

/** A local date-time for people and for machines, with its age where that can be told. */
export function renderTime(timestamp: string, style: Formatting): TemplateResult {
  return html`<time datetime=${timestamp} lang=${style.language ?? nothing}
    >${describeTime(timestamp, style)}</time
  >`
}

function asUtc({ year, month, day, hour, minute, second }: WallClock): number {
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** The instant at which a clock on a wall in that zone shows this. `undefined` where there is no such zone. */
function instantOf(clock: WallClock, timeZone: string): number | undefined {
  const wanted = asUtc(clock)
  let instant = wanted
  try {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    // Twice: the first guess may lie on the other side of a change to or from summer time.
    for (let round = 0; round < 2; round++) {
      const shown = parseTimestamp(format.format(instant).replace(' ', 'T'))
      if (shown) instant += wanted - asUtc(shown)
    }
    return instant
  } catch {
    return undefined
  }
}

/** The day of a local date-time in words. */
export function formatDay(timestamp: string, language: string | undefined): string {
  const clock = parseTimestamp(timestamp)
  if (!clock) return timestamp
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(asUtc(clock))
}

/** A number of bytes in the unit that reads best, as file managers count: 1 kB is 1024 bytes. */
export function formatSize(bytes: number, language: string | undefined): string {
  return inBestUnit(bytes, '', language)
}

/** Bytes a second, in the unit that reads best. */
export function formatSpeed(bytes: number, language: string | undefined): string {
  return inBestUnit(bytes, '-per-second', language)
}

function inBestUnit(bytes: number, per: '' | '-per-second', language: string | undefined): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  let power = 0
  // Rounded first: 1 048 575 bytes are 1 MB and not 1024 kB.
  while (power < units.length - 1 && Math.round(bytes / 1024 ** power) >= 1024) power++
  return numberFormat(language, {
    style: 'unit',
    unit: (units[power] ?? 'byte') + per,
    unitDisplay: power === 0 && !per ? 'long' : 'short',
    maximumFractionDigits: power > 1 ? 1 : 0,
  }).format(bytes / 1024 ** power)
}

/** Seconds in words, in the one unit that is exact enough for a guess: always rounded up, never nothing. */
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

/** A fraction of 1 as a percentage without decimals; never 100 % before all is done. */
export function formatPercent(fraction: number, language: string | undefined): string {
  return numberFormat(language, { style: 'percent' }).format(Math.floor(fraction * 100) / 100)
}

/** Made once for each use: lists of files would make hundreds, again and again. */
function numberFormat(language: string | undefined, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify([language, options])
  let found = numberFormats.get(key)
  if (!found) numberFormats.set(key, (found = new Intl.NumberFormat(language, options)))
  return found
}

const numberFormats = new Map<string, Intl.NumberFormat>()
