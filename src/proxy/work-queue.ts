/** Runs work that keeps the processor busy, one piece at a time and in turns between people. */
export interface WorkQueue {
  /** Runs a piece of work for a person. Resolves or rejects as the work does. */
  readonly run: <T>(univid: string, work: () => T | Promise<T>) => Promise<T>
}

/** Maximum time that the queue rests after a piece of work, in ms. */
const maxRest = 1000

/**
 * Creates a queue. While others wait, the queue rests for as long as its work took, so that at least half of the time is left
 * for requests that cost little. It rests once a millisecond has come together: a timer takes no less, and would make a
 * hundred short pieces take a hundred times as long. It does not rest after a piece that returns a promise, which leaves this
 * thread free.
 */
export function createWorkQueue(): WorkQueue {
  /** Work by person. The person at the front is next. Each piece returns a promise if it has not ended yet. */
  const waiting = new Map<string, (() => Promise<unknown> | undefined)[]>()
  let isBusy = false
  /** Time in ms that the queue has worked since it rested. */
  let worked = 0

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
    else rest(performance.now() - start)
  }

  function rest(time: number): void {
    worked += time
    if (worked < 1) return queueMicrotask(runNext)
    setTimeout(runNext, Math.min(maxRest, worked))
    worked = 0
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
