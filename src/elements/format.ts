import { parseTimestamp } from '../contract/timestamp.ts'

/** Language of an element: the `lang` of its nearest ancestor across shadow roots, else of the browser. */
export function languageOf(element: Element): string | undefined {
  for (
    let node: Node | null = element;
    node;
    node = node instanceof ShadowRoot ? node.host : node.parentNode
  ) {
    const lang = node instanceof Element ? node.getAttribute('lang') : null
    if (lang) return isLanguage(lang) ? lang : undefined
  }
  return undefined
}

/** A local date-time of the services in words, with the hours it states. Text that is none is shown as it is. */
export function formatTimestamp(timestamp: string, language: string | undefined): string {
  const clock = parseTimestamp(timestamp)
  if (!clock) return timestamp
  const { year, month, day, hour, minute, second } = clock
  return new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(Date.UTC(year, month - 1, day, hour, minute, second))
}

/** The day of a local date-time in words. */
export function formatDay(timestamp: string, language: string | undefined): string {
  const clock = parseTimestamp(timestamp)
  if (!clock) return timestamp
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(
    Date.UTC(clock.year, clock.month - 1, clock.day),
  )
}

/** A number of bytes in the unit that reads best, as file managers count: 1 kB is 1024 bytes. */
export function formatSize(bytes: number, language: string | undefined): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  let power = 0
  // Rounded first: 1 048 575 bytes are 1 MB and not 1024 kB.
  while (power < units.length - 1 && Math.round(bytes / 1024 ** power) >= 1024) power++
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power > 1 ? 1 : 0,
  }).format(bytes / 1024 ** power)
}

/** A fraction of 1 as a percentage without decimals; never 100 % before all is done. */
export function formatPercent(fraction: number, language: string | undefined): string {
  return new Intl.NumberFormat(language, { style: 'percent' }).format(Math.floor(fraction * 100) / 100)
}

/** Whether `Intl` takes it: pages carry tags like `en_US` that are none. */
function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}
