/** The minimum rate of a transfer. */
export interface MinimumRate {
  /** Time over which the rate is measured, in seconds of waiting for the browser. Default 30. */
  readonly stallSeconds?: number
  /** Minimum rate, in bytes per second. Default 1000. */
  readonly minRate?: number
}

export interface RateWatch {
  /** Counts bytes that have been transferred. */
  readonly count: (bytes: number) => void
  readonly stop: () => void
}

/**
 * Measures the rate of a transfer while the proxy waits for the browser, and calls `stalled` if it is below the minimum. Time
 * in which `isWaiting` returns false does not count, because then the service is slow.
 */
export function watchRate(
  isWaiting: () => boolean,
  { stallSeconds = 30, minRate = 1000 }: MinimumRate,
  stalled: () => void,
): RateWatch {
  const slots: number[] = []
  let bytes = 0
  const timer = setInterval(
    () => {
      if (!isWaiting()) return
      slots.push(bytes)
      bytes = 0
      if (slots.length > slotsOfWindow) slots.shift()
      const sum = slots.reduce((total, slot) => total + slot, 0)
      if (slots.length === slotsOfWindow && sum < minRate * stallSeconds) stalled()
    },
    (stallSeconds * 1000) / slotsOfWindow,
  )
  timer.unref()
  return {
    count: (size) => {
      bytes += size
    },
    stop: () => clearInterval(timer),
  }
}

const slotsOfWindow = 30
