import type { RefusalCause } from '../http/finding.ts'

/** Counts what the proxy does. All label values come from the contract, never from a request. */
export interface Metrics {
  /** Records the response to a request. `operation` is a name from the contract, or `unknown`. */
  readonly request: (operation: string, status: number, seconds: number) => void
  /** Records the response of a service; `none` if it did not respond. */
  readonly call: (service: string, operation: string, status: number | 'none', seconds: number) => void
  /** Counts another event, such as `callback_verified`. */
  readonly count: (event: MetricEvent) => void
  /** Counts a request that was refused before rights were decided. */
  readonly refused: (cause: RefusalCause) => void
  /** Sets the number of open live event streams. */
  readonly streams: (open: number) => void
  /** Sets the number of open locks, and of those that are older than the age at which they raise an alarm. */
  readonly locks: (open: number, overdue: number) => void
  /** Sets what is true at the moment. */
  readonly health: (facts: HealthGauges) => void
  /** Returns all metrics as text, and the media type of that text. */
  readonly read: () => Promise<{ readonly type: string; readonly text: string }>
}

/** The state of a mount. */
interface HealthGauges {
  /** Absent if the mount does not use Redis. */
  readonly isRedisUp: boolean | undefined
  /** Services to which requests are paused. */
  readonly pausedServices: readonly ('workflow' | 'storage')[]
  /** Age of the oldest callback that has not taken effect, in seconds; 0 if all have. */
  readonly oldestCallbackSeconds: number
  /** Number of callbacks that are not tried again. */
  readonly deadLetters: number
}

/** Names of the events that are counted. */
export type MetricEvent =
  | 'callback_verified'
  | 'callback_refused'
  | 'callback_repeated'
  | 'callback_pending'
  | 'callback_failed'
  | 'callback_dead'
  | 'difference_found'
  | 'event_delivered'
  | 'upload_refused'
  | 'right_denied'
