// A value that people enter in several controls, such as day, month and year. `data-part` names the part of each.

/** Returns the kind of the value that has a part of this name. */
export function kindOfPart(part: string): 'currency' | 'date' {
  return part === 'amount' || part === 'cents' ? 'currency' : 'date'
}

/** Returns the value, such as `1990-03-07` or `12.05`. It is empty if all parts are. A part that is missing makes it invalid. */
export function joinParts(parts: ReadonlyMap<string, string>): string {
  const text = (part: string, size = 0) => (parts.get(part) ?? '').trim().padStart(size, '0')
  if (![...parts.keys()].some((part) => text(part))) return ''
  return parts.has('amount')
    ? `${text('amount', 1)}.${text('cents', 2)}`
    : [text('year'), text('month') && text('month', 2), text('day') && text('day', 2)].join('-')
}

/** Returns the parts of a value, without leading zeros; none if it has another form. */
export function splitParts(value: string): ReadonlyMap<string, string> {
  const [, year, month, day] = /^(\d+)-0?(\d+)-0?(\d+)$/.exec(value) ?? []
  const [, amount, cents = ''] = /^(-?\d+)(?:\.(\d\d?))?$/.exec(value) ?? []
  const parts = amount === undefined ? { year, month, day } : { amount, cents: cents.padEnd(2, '0') }
  return new Map(Object.entries(parts).flatMap(([part, text]) => (text === undefined ? [] : [[part, text]])))
}
