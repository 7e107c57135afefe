/** Differences up to this many milliseconds are those of a slow response, which `Date` gives in whole seconds. */
const tolerance = 60_000

/** Milliseconds to add to the clock of the browser. */
let correction = 0

/**
 * Notes when the proxy sent a response, according to its `Date` header: the clock of a browser may be hours fast. Proxies of
 * another origin hide the header, and change nothing.
 */
export function noteServerTime(date: string | null, now: number = Date.now()): void {
  const difference = Date.parse(date ?? '') - now
  if (!Number.isNaN(difference)) correction = Math.abs(difference) > tolerance ? difference : 0
}

/** Returns the time of the proxy as far as it is known, in milliseconds since 1970. */
export function serverNow(): number {
  return Date.now() + correction
}
