import type { Log } from '../observe/log.ts'
import { ServicePausedError } from '../upstream/send.ts'

/** When the circuit breaker of a service opens and closes. */
export interface BreakerOptions {
  /** Minimum number of calls within the window. With fewer, the breaker stays closed. Default 10. */
  readonly calls?: number
  /** Share of failed calls at which the breaker opens, from 0 to 1. Default 0.5. */
  readonly failures?: number
  /** Length of the window, in milliseconds. Default 10,000. */
  readonly window?: number
  /** Time after which one call probes the service, in milliseconds. Default 5000. */
  readonly resetTimeout?: number
  /** Returns the time in milliseconds, from any origin. Default `performance.now`. */
  readonly now?: () => number
}

/** The outcome of a call. `neither`: it does not count, for example because the client disconnected. */
export type CallOutcome = 'fine' | 'failed' | 'neither'

interface Breaker {
  /**
   * Lets a call begin, and returns a function that takes its outcome, once. Throws `ServicePausedError` while the breaker is
   * open, and while a probe is running. `mayProbe`: whether this call may be the probe.
   */
  readonly enter: (mayProbe: boolean) => (outcome: CallOutcome) => void
  /** Whether calls are refused, except for a probe. */
  readonly isOpen: () => boolean
}

/**
 * Creates the circuit breaker of a service. It opens when too many calls of the window fail. After `resetTimeout` one call
 * probes the service: the breaker closes if the probe succeeds, and opens again if it fails.
 *
 * It is our own because libraries such as opossum and cockatiel wrap a function call. Here the outcome is known only later,
 * some calls have none, and only some may be the probe; opossum had to be fed with settled promises. It needs no timers.
 */
export function createBreaker(
  service: string,
  {
    calls = 10,
    failures = 0.5,
    window = 10_000,
    resetTimeout = 5000,
    now = () => performance.now(),
  }: BreakerOptions,
  log: Log,
): Breaker {
  const slice = window / slicesPerWindow
  let slices: Slice[] = []
  /** When the next probe may begin; `undefined` while the breaker is closed. */
  let probeAt: number | undefined
  let isProbing = false

  function open(): void {
    slices = []
    probeAt = now() + resetTimeout
    log('warn', 'A service fails. Requests to it are paused', { service, seconds: resetTimeout / 1000 })
  }

  function close(): void {
    probeAt = undefined
    log('info', 'A service responds again', { service })
  }

  function record(isFailed: boolean): void {
    const time = now()
    while (slices[0] && slices[0].start <= time - window) slices.shift()
    let last = slices.at(-1)
    if (!last || time >= last.start + slice) slices.push((last = { start: time, total: 0, failed: 0 }))
    last.total += 1
    if (isFailed) last.failed += 1
    let total = 0
    let failed = 0
    for (const each of slices) {
      total += each.total
      failed += each.failed
    }
    if (total >= calls && failed >= total * failures) open()
  }

  return {
    isOpen: () => probeAt !== undefined,
    enter(mayProbe) {
      const isProbe = probeAt !== undefined
      if (probeAt !== undefined) {
        const wait = probeAt - now()
        if (wait > 0 || isProbing || !mayProbe) {
          throw new ServicePausedError(Math.max(1, Math.ceil(wait / 1000)))
        }
        isProbing = true
      }

      return (outcome) => {
        if (isProbe) {
          isProbing = false
          if (outcome === 'fine') close()
          else if (outcome === 'failed') open()
        } else if (outcome !== 'neither' && probeAt === undefined) {
          // Calls that began before the breaker opened do not count.
          record(outcome === 'failed')
        }
      }
    },
  }
}

/** Outcomes within a part of the window. Keeping each outcome would take memory that grows with the number of calls. */
interface Slice {
  readonly start: number
  total: number
  failed: number
}

const slicesPerWindow = 10
