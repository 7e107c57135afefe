import { UnavailableError } from './errors.ts'

/** Longest wait before a retry, in ms. If the proxy requests more, the read fails at once. */
const maxWait = 2000

/** Returns a wait that doubles with each failure, in ms: half is fixed, half is random, so that clients spread out. */
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
 * Parses a `Retry-After` header (RFC 9110, 10.2.3), a number of seconds or a date. Returns milliseconds, at most `longest`,
 * or `undefined` if the value is missing, invalid or in the past.
 */
export function parseRetryAfter(
  value: string | null,
  longest = 60_000,
  now: number = Date.now(),
): number | undefined {
  const text = value?.trim() ?? ''
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return wait >= 0 ? Math.min(wait, longest) : undefined
}

/** Limits retries to about one in ten requests, after five at the start: retries must not feed an overload. */
export function createRetryBudget(): { readonly earn: () => void; readonly spend: () => boolean } {
  let tokens = 5
  return {
    earn: () => (tokens = Math.min(5, tokens + 0.1)),
    spend: () => tokens >= 1 && tokens-- >= 1,
  }
}

/** Runs a call, and runs it again after a transient failure. */
export type Retry = (call: () => Promise<unknown>, signal: AbortSignal) => Promise<unknown>

interface RetryOptions {
  /** Maximum number of retries of one call. */
  readonly retries: number
  /** Called with the outcome of each call; without an error if it succeeded. Aborted calls have none. */
  readonly onResult: (error?: UnavailableError) => void
}

export function createRetry({ retries, onResult }: RetryOptions): Retry {
  const budget = createRetryBudget()

  return async (call, signal) => {
    for (let attempt = 0; ; attempt++) {
      try {
        const value = await call()
        budget.earn()
        onResult()
        return value
      } catch (error) {
        if (!(error instanceof UnavailableError) || signal.aborted) throw error
        const wait = Math.max(backoff(attempt, maxWait, Math.random, 300), error.retryAfter ?? 0)
        if (!error.isTransient || wait > maxWait || attempt >= retries || !budget.spend()) {
          onResult(error)
          throw error
        }
        await delay(wait, signal)
      }
    }
  }
}

function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', onAbort)
  })
}
