/** Runs work that keeps the processor busy, one piece at a time and in turns between people. */
export interface WorkQueue {
  /** Runs a piece of work for a person. Resolves or rejects as the work does. */
  readonly run: <T>(univid: string, work: () => T | Promise<T>) => Promise<T>
}

/** Maximum time that the queue rests after a piece of work, in ms. */
const maxRest = 1000

/**
 * Creates a queue. While others wait, the queue rests after each piece of work for as long as the work took, so that at least
 * half of the time is left for requests that cost little. It does not rest after a piece that returns a promise, which leaves
 * this thread free.
 */
export function createWorkQueue(): WorkQueue {
  /** Work by person. The person at the front is next. Each piece returns a promise if it has not ended yet. */
  const waiting = new Map<string, (() => Promise<unknown> | undefined)[]>()
  let isBusy = false

  function takeNext(): (() => Promise<unknown> | undefined) | undefined {
    for (const [univid, pieces] of waiting) {
      const next = pieces.shift()
      // Deleted first, so that the person moves to the end of the order.
      waiting.delete(univid)
      if (pieces.length > 0) waiting.set(univid, pieces)
      return next
    }
    return undefined
  }

  function runNext(): void {
    const next = takeNext()
    isBusy = next !== undefined
    if (!next) return
    const start = performance.now()
    const running = next()
    if (running) running.then(runNext, runNext)
    else setTimeout(runNext, Math.min(maxRest, performance.now() - start))
  }

  return {
    run: (univid, work) =>
      new Promise((resolve, reject) => {
        const piece = () => {
          try {
            const result = work()
            resolve(result)
            return result instanceof Promise ? result : undefined
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)))
            return undefined
          }
        }
        const pieces = waiting.get(univid)
        if (pieces) pieces.push(piece)
        else waiting.set(univid, [piece])
        if (!isBusy) runNext()
      }),
  }
}
