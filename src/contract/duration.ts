const unitMilliseconds: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

const iso =
  /^([-+]?)P(?!$)(?:([-+]?\d+)D)?(?:T(?=[-+\d])(?:([-+]?\d+)H)?(?:([-+]?\d+)M)?(?:([-+]?\d+(?:[.,]\d{0,9})?)S)?)?$/i

/**
 * Reads a duration of the file storage service (spec, Duration format): ISO 8601 with days, hours, minutes and seconds, or
 * a whole number with a unit. The default unit is seconds. Returns milliseconds, which can be negative, or `undefined` if
 * the text has neither format.
 */
export function parseDuration(text: string): number | undefined {
  const simple = /^([-+]?\d+)(ns|us|ms|s|m|h|d)?$/.exec(text)
  if (simple) return Number(simple[1]) * (unitMilliseconds[simple[2] ?? 's'] ?? NaN)

  const parts = iso.exec(text)
  if (!parts) return undefined
  const [, sign, days = '0', hours = '0', minutes = '0', seconds = '0'] = parts
  const total =
    Number(days) * 86_400_000 +
    Number(hours) * 3_600_000 +
    Number(minutes) * 60_000 +
    Number(seconds.replace(',', '.')) * 1000
  return sign === '-' ? -total : total
}
