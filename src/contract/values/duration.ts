const unitMilliseconds: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Milliseconds of weeks, days, hours, minutes and seconds, in the order of ISO 8601. */
const isoMilliseconds = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000]

const iso = new RegExp(
  '^([-+]?)P(?!$)(?:#W)?(?:#D)?(?:T(?=[-+\\d])(?:#H)?(?:#M)?(?:#S)?)?$'.replaceAll(
    '#',
    '([-+]?\\d+(?:[.,]\\d{0,9})?)',
  ),
  'i',
)

/**
 * Reads a duration of the file storage service (spec, Duration format): ISO 8601 with weeks, days, hours, minutes and
 * seconds, the last of which can have a fraction, or a number with a unit. The default unit is seconds. Returns
 * milliseconds, which can be negative, or `undefined` if the text has neither format.
 */
export function parseDuration(text: string): number | undefined {
  const simple = /^([-+]?\d+(?:\.\d+)?)(ns|us|ms|s|m|h|d)?$/.exec(text)
  if (simple) return Number(simple[1]) * (unitMilliseconds[simple[2] ?? 's'] ?? NaN)

  const parts = iso.exec(text)
  if (!parts || /[.,]\d*[A-Z]./i.test(text)) return undefined
  const [, sign, ...numbers] = parts
  const total = isoMilliseconds.reduce(
    (sum, unit, index) => sum + unit * Number((numbers[index] ?? '0').replace(',', '.')),
    0,
  )
  return sign === '-' ? -total : total
}
