import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'

interface RefusalLogOptions {
  readonly log: Log
  readonly metrics: Pick<Metrics, 'count'> | undefined
  /** Minimum time between two log lines, in ms. */
  readonly interval: number
  /** Returns the time in ms since 1970. */
  readonly now: () => number
}

/** Creates a function that counts every refused callback and logs one per interval: anyone can send thousands. */
export function createRefusalLog({
  log,
  metrics,
  interval,
  now,
}: RefusalLogOptions): (reason: string) => void {
  let lastLine = -Infinity
  let suppressed = 0

  return (reason) => {
    metrics?.count('callback_refused')
    const elapsed = now() - lastLine
    if (elapsed >= 0 && elapsed < interval) {
      suppressed += 1
      return
    }
    log('warn', 'A callback was refused', { reason, suppressedBefore: suppressed })
    lastLine = now()
    suppressed = 0
  }
}
