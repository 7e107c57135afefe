import { isPageVisible, observePageActivity, type PageWindow } from './page-activity.ts'
import { backoff } from '../transport/retry.ts'

/** Times of polls, in ms. */
export interface PollerOptions {
  /** Time in ms between two polls while requests succeed and there are no live events. Default 10,000. */
  readonly interval?: number
  /**
   * Time in ms between two polls while live events arrive, which find a change that no event has reported. Default 300,000.
   */
  readonly liveInterval?: number
  /** Maximum wait after failures, in ms. Default 30,000. */
  readonly maxBackoff?: number
  readonly onPoll: () => void
  /** Page whose visibility counts. Default: the global one. */
  readonly window?: PageWindow
  /** Returns the random part of a wait, from 0 to 1. Default `Math.random`. */
  readonly random?: () => number
}

/** The one timer of a page that decides when to poll. */
interface Poller {
  /**
   * Polls at intervals while the page is visible, and when it becomes visible, gets the focus or is online again. Does
   * nothing if it has started already.
   */
  start(): void
  stop(): void
  /** Sets whether live events arrive. */
  setLive(isLive: boolean): void
  /**
   * Records the outcome of a request. After a failure, the next poll comes after a backoff that grows with each poll that
   * fails, and not before `retryAfter` ms.
   */
  report(isSuccess: boolean, retryAfter?: number): void
}

/** Activity within this time after a poll, in ms, causes no other one: one return fires several events. */
const activityPause = 1000
/** The same while live events arrive. A person may return from signing elsewhere, which no event reports at once. */
const liveActivityPause = 5000
/** The same for the start of live events. */
const livePause = 5000

export function createPoller({
  interval = 10_000,
  liveInterval = 300_000,
  maxBackoff = 30_000,
  onPoll,
  window = globalThis,
  random = Math.random,
}: PollerOptions): Poller {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopObserving: (() => void) | undefined
  let lastPoll = 0
  /** Number of consecutive polls with at least one failed request. */
  let failures = 0
  let hasFailed = false
  let isLive = false

  function schedule(delay: number): void {
    clearTimeout(timer)
    timer = stopObserving && isPageVisible(window) ? setTimeout(poll, delay) : undefined
  }

  function scheduleNext(): void {
    schedule(isLive ? liveInterval : interval)
  }

  function poll(): void {
    if (!hasFailed) failures = 0
    hasFailed = false
    lastPoll = Date.now()
    scheduleNext()
    onPoll()
  }

  function onActivity(): void {
    if (!isPageVisible(window)) clearTimeout(timer)
    else if (Date.now() - lastPoll > (isLive ? liveActivityPause : activityPause)) poll()
    // Without a poll, its timer starts again: the page may have been hidden.
    else scheduleNext()
  }

  return {
    start() {
      if (stopObserving) return
      stopObserving = observePageActivity(window, onActivity)
      lastPoll = Date.now()
      hasFailed = false
      schedule(interval)
    },

    stop() {
      stopObserving?.()
      stopObserving = undefined
      clearTimeout(timer)
    },

    setLive(now) {
      if (now === isLive) return
      isLive = now
      // Something may have changed before the first event could report it. Right after a poll that succeeded, the next one is
      // enough.
      if (isLive && (hasFailed || Date.now() - lastPoll > livePause)) poll()
      else scheduleNext()
    },

    report(isSuccess, retryAfter = 0) {
      // One failed request makes the whole poll a failed one.
      if (isSuccess || hasFailed) return
      hasFailed = true
      failures++
      schedule(Math.max(retryAfter, backoff(failures, maxBackoff, random)))
    },
  }
}
