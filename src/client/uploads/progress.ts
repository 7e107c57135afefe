import type { UploadProgress } from './upload-state.ts'

/** Minimum time between two reports of progress, in ms. */
const pace = 200

interface ProgressOptions {
  /** Time in ms without progress after which an upload is stalled. */
  readonly stall: number
  readonly now: () => number
  readonly onProgress: (progress: UploadProgress) => void
  readonly onStall: (sent: number) => void
}

/** Turns the browser's reports of one attempt into five per second, with a smoothed speed, and notices a stall. */
interface ProgressMeter {
  report(sent: number, total: number): void
  /** Call this when the attempt has ended. */
  stop(): void
}

export function createProgressMeter({ stall, now, onProgress, onStall }: ProgressOptions): ProgressMeter {
  let stallTimer: ReturnType<typeof setTimeout> | undefined
  let reportTimer: ReturnType<typeof setTimeout> | undefined
  let sent = -1
  let total = 0
  let reported = 0
  let lastReport = -Infinity
  let speed: number | null = null
  let isStalled = false
  let isStopped = false
  // A service worker takes the whole body at once, so nothing is known of what has been sent.
  const { serviceWorker } = (globalThis.navigator as Partial<Navigator> | undefined) ?? {}
  const isKnown = !serviceWorker?.controller

  /** Restarts the timer that marks an upload as stalled. */
  function watch(): void {
    clearTimeout(stallTimer)
    // A browser that reports no progress does not show a stall either.
    if (total === 0) return
    stallTimer = setTimeout(() => {
      isStalled = true
      clearTimeout(reportTimer)
      onStall(sent)
    }, stall)
  }

  function show(): void {
    clearTimeout(reportTimer)
    const isComplete = total > 0 && sent >= total
    const elapsed = now() - lastReport
    const latest = ((sent - reported) / elapsed) * 1000
    // There is no useful speed after a stall.
    speed = isComplete || isStalled || elapsed === Infinity ? null : (speed ?? latest) * 0.7 + latest * 0.3
    lastReport = now()
    reported = sent
    isStalled = false
    onProgress({ sent, total, speed, secondsLeft: speed ? (total - sent) / speed : null })
  }

  return {
    report(nowSent, nowTotal) {
      if (isStopped || nowSent <= sent || (!isKnown && sent === 0)) return
      sent = isKnown ? nowSent : 0
      total = isKnown ? nowTotal : 0
      watch()
      const untilReport = lastReport + pace - now()
      if (untilReport <= 0 || isStalled || (total > 0 && sent >= total)) show()
      else {
        // Even if nothing more is sent, people see how much was.
        clearTimeout(reportTimer)
        reportTimer = setTimeout(show, untilReport)
      }
    },
    stop() {
      isStopped = true
      clearTimeout(stallTimer)
      clearTimeout(reportTimer)
    },
  }
}
