/** Counts what the proxy does. All values of a label come from the contract's table, never from a request. */
export interface Metrics {
  /** A request has been answered. `operation` is a name of the contract, or `unknown`. */
  readonly request: (operation: string, status: number, seconds: number) => void
  /** A service has answered, or has not (`none`). */
  readonly call: (service: string, operation: string, status: number | 'none', seconds: number) => void
  /** Something else has happened, such as `callback_verified`. */
  readonly count: (event: MetricEvent) => void
  /** How many streams of live events are open. */
  readonly streams: (open: number) => void
  /** The figures as text, and its media type. */
  readonly read: () => Promise<{ readonly type: string; readonly text: string }>
}

export type MetricEvent =
  | 'callback_verified'
  | 'callback_refused'
  | 'callback_repeated'
  | 'callback_pending'
  | 'difference_found'
  | 'event_delivered'
  | 'upload_refused'
  | 'right_denied'
