/** Equal jitter: half of a doubling wait is fixed, half is chance, so that pages do not return all at once. */
export function backoff(
  failures: number,
  longest: number,
  random: () => number = Math.random,
  first = 1000,
): number {
  const wait = Math.min(longest, first * 2 ** Math.min(failures, 20))
  return wait / 2 + (wait / 2) * random()
}

/**
 * Reads a `Retry-After` header (RFC 9110, 10.2.3), a number of seconds or a date, as milliseconds: a minute at most.
 * `undefined` where it says nothing.
 */
export function parseRetryAfter(value: string | null, now: number = Date.now()): number | undefined {
  const text = value?.trim() ?? ''
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return wait >= 0 ? Math.min(wait, 60_000) : undefined
}

/** Lets at most every tenth request be a second attempt, besides a few at the start: retries must not feed an overload. */
export function createRetryBudget(): { readonly earn: () => void; readonly spend: () => boolean } {
  let tokens = 5
  return {
    earn: () => (tokens = Math.min(5, tokens + 0.1)),
    spend: () => tokens >= 1 && tokens-- >= 1,
  }
}
