import { numberFormat } from './format.ts'

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
