import type { Operation } from '../../contract/services/operation.ts'
import type { Bus } from '../changes/bus.ts'
import type { LiveUpdates } from '../live/live-updates.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { PausedServices } from '../upstream/send.ts'

/** A dependency that a mount lacks. Contains no address and no secret. */
type Lack = 'redis' | Operation['service'] | 'callbackStore' | 'callbackKey' | 'stopping'

/** The state of a mount, for probes and metrics. */
export interface Health {
  /** Returns what the mount lacks; an empty list if it is ready. Checks again after five seconds at the earliest. */
  readonly lacks: () => Promise<readonly Lack[]>
  /** Sets the gauges that depend on the current state. */
  readonly measure: () => Promise<void>
  /** From now on, the mount is not ready: requests should go elsewhere. */
  readonly stop: () => void
}

export interface HealthOptions {
  readonly bus: Pick<Bus, 'isConnected'> | undefined
  readonly pausedServices: PausedServices | undefined
  readonly live: Pick<LiveUpdates, 'callbacks'>
  readonly metrics: Pick<Metrics, 'health'> | undefined
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
}

/** Time in ms for which the result of a look counts: anyone may ask, and a look writes to the disk. */
const maxAge = 5000

export function createHealth({
  bus,
  pausedServices = () => [],
  live,
  metrics,
  now = Date.now,
}: HealthOptions): Health {
  let isStopping = false
  let last: { readonly at: number; readonly lacks: Promise<readonly Lack[]> } | undefined

  async function look(): Promise<readonly Lack[]> {
    const [canStore, hasKey] = await Promise.all([live.callbacks.canStore(), live.callbacks.hasKey()])
    return [
      ...(bus?.isConnected?.() === false ? (['redis'] as const) : []),
      ...pausedServices(),
      ...(canStore ? [] : (['callbackStore'] as const)),
      ...(hasKey ? [] : (['callbackKey'] as const)),
    ]
  }

  return {
    async lacks() {
      if (isStopping) return ['stopping']
      if (!last || now() - last.at >= maxAge || now() < last.at) last = { at: now(), lacks: look() }
      return await last.lacks
    },
    async measure() {
      if (!metrics) return
      const { oldest, dead } = await live.callbacks.waiting()
      metrics.health({
        isRedisUp: bus?.isConnected?.(),
        pausedServices: pausedServices(),
        oldestCallbackSeconds: oldest === undefined ? 0 : Math.max(0, (now() - oldest) / 1000),
        deadLetters: dead,
      })
    },
    stop() {
      isStopping = true
    },
  }
}
