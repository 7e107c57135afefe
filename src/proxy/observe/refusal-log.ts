import type { Finding, RefusalCause } from '../http/finding.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

interface RefusalLogOptions {
  readonly log: Log
  /** Default: nothing is counted. */
  readonly metrics?: Pick<Metrics, 'refused'> | undefined
  /** Minimum time between two log lines about one cause, in ms. Default one minute. */
  readonly interval?: number
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
}

/** Causes that are usual where pages are public. They leave a line, but no warning. */
const usual: readonly RefusalCause[] = ['user_missing', 'token_missing']

/** Creates a function that counts every refused request, and logs one per cause and interval: anyone can send thousands. */
export function createRefusalLog({
  log,
  metrics,
  interval = 60_000,
  now = Date.now,
}: RefusalLogOptions): (finding: Finding) => void {
  // Bounded by the number of causes.
  const lines = new Map<RefusalCause, { readonly at: number; suppressed: number }>()

  return ({ cause, text }) => {
    metrics?.refused(cause)
    const last = lines.get(cause)
    const elapsed = last ? now() - last.at : Infinity
    if (last && elapsed >= 0 && elapsed < interval) {
      last.suppressed += 1
      return
    }
    const message = cause === 'callback' ? 'A callback was refused' : 'A request was refused'
    const facts = { reason: text, cause, suppressedBefore: last?.suppressed ?? 0 }
    log(usual.includes(cause) ? 'info' : 'warn', message, facts)
    lines.set(cause, { at: now(), suppressed: 0 })
  }
}
