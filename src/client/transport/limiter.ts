/** Runs tasks, a limited number of them at a time. */
type ConcurrencyLimiter = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/**
 * Creates a limiter that runs at most `size` tasks at once and the others in the order of their calls. A call whose
 * signal aborts while it waits rejects with the signal's reason, and its task never runs.
 */
export function createLimiter(size: number): ConcurrencyLimiter {
  const queue: (() => void)[] = []
  let running = 0

  return async (task, signal) => {
    signal?.throwIfAborted()
    if (running >= size) {
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => {
          queue.splice(queue.indexOf(start), 1)
          reject(signal?.reason as Error)
        }
        const start = () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        }
        queue.push(start)
        signal?.addEventListener('abort', onAbort, { once: true })
      })
    } else {
      running++
    }

    // A task that ends passes its place on, so `running` decreases only if the queue is empty.
    try {
      return await task()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}
