import CircuitBreaker from 'opossum'
import type { Log } from '../log.ts'
import { ServicePausedError } from '../send.ts'

/** When a service that fails is left alone. */
export interface BreakerOptions {
  /** Fewest calls within the window that say anything. Default 10. */
  readonly calls?: number
  /** Share of them that must have failed, from 0 to 1. Default 0.5. */
  readonly failures?: number
  /** How far back calls count, in milliseconds. Default 10,000. */
  readonly window?: number
  /** Milliseconds after which one call finds out whether the service is back. Default 5000. */
  readonly resetTimeout?: number
}

/** What has come of a call. `neither` is no news of the service: whoever asked has gone away. */
export type Outcome = 'fine' | 'failed' | 'neither'

export interface Breaker {
  /**
   * Lets a call of the service begin, and answers how to say, once, what has come of it. Throws `ServicePausedError`
   * while the service is left alone, and while the one call that finds out is on its way. `mayProbe`: whether this may be
   * that call.
   */
  readonly enter: (mayProbe: boolean) => (outcome: Outcome) => void
  readonly close: () => void
}

/** Leaves a service alone for a while when it has failed again and again. */
export function createBreaker(
  service: string,
  { calls = 10, failures = 0.5, window = 10_000, resetTimeout = 5000 }: BreakerOptions,
  log: Log,
): Breaker {
  // It is told of calls that are over, so that those under way count as neither good nor bad.
  const circuit = new CircuitBreaker(tell, {
    timeout: false,
    volumeThreshold: calls,
    // It opens above the threshold, not at it.
    errorThresholdPercentage: failures * 100 - 0.001,
    rollingCountTimeout: window,
    resetTimeout,
    rollingPercentilesEnabled: false,
    enableSnapshots: false,
  })
  let isProbing = false
  let resumesAt = 0

  circuit.on('open', () => {
    resumesAt = performance.now() + resetTimeout
    log('warn', 'A service fails and is not asked for now', { service, seconds: resetTimeout / 1000 })
  })
  circuit.on('close', () => log('info', 'A service answers again', { service }))

  return {
    enter(mayProbe) {
      if (circuit.opened || (circuit.halfOpen && (isProbing || !mayProbe))) {
        throw new ServicePausedError(Math.max(1, Math.ceil((resumesAt - performance.now()) / 1000)))
      }
      const isProbe = circuit.halfOpen
      isProbing ||= isProbe

      return (outcome) => {
        const end = () => {
          if (isProbe) isProbing = false
        }
        // Calls that began before it opened say nothing any more.
        if (outcome === 'neither' || !(isProbe || circuit.closed)) end()
        else circuit.fire(outcome).then(end, end)
      }
    },
    close: () => circuit.shutdown(),
  }
}

function tell(outcome: Outcome): Promise<void> {
  return outcome === 'fine' ? fine : Promise.reject(failed)
}

const fine = Promise.resolve()
const failed = new Error('The call failed')
