interface PackageQueuesOptions<Item> {
  /** Makes one attempt. Resolves to whether the item needs another one, when its `dueAt` has come. Never rejects. */
  readonly run: (item: Item) => Promise<boolean>
  /** Returns the time in ms since 1970. */
  readonly now: () => number
}

/** One queue per package. The first item of a queue has to be finished before the next one runs. */
interface PackageQueues<Item> {
  /** Adds an item. The first attempt starts as soon as the item is due. */
  readonly add: (key: string, item: Item) => void
  /** Makes the next attempt of a queue now, if it waits for a later one. */
  readonly wake: (key: string) => void
  /**
   * Waits until no item runs or is due, at most `timeout` ms, and removes the queues that wait for a later attempt. Resolves
   * to the number of items that are not finished. Items that are added later run as before, but only once.
   */
  readonly close: (timeout: number) => Promise<number>
}

/** Creates an empty set of queues. */
export function createPackageQueues<Item extends { readonly dueAt: number }>({
  run,
  now,
}: PackageQueuesOptions<Item>): PackageQueues<Item> {
  const queues = new Map<string, Item[]>()
  /** Ends the waiting of queues whose first item is not due yet, by key. */
  const wakers = new Map<string, () => void>()
  const idleListeners = new Set<() => void>()
  let isClosed = false

  async function work(key: string, queue: Item[]): Promise<void> {
    for (let item = queue[0]; item; item = queue[0]) {
      await untilDue(key, item)
      if (isClosed && item.dueAt > now()) break
      const needsAnother = await run(item)
      if (!needsAnother) queue.shift()
    }
    queues.delete(key)
    reportIdle()
  }

  async function untilDue(key: string, { dueAt }: Item): Promise<void> {
    // The clock may have been set back while the process was not running.
    const delay = Math.min(dueAt - now(), maxDelay)
    if (delay <= 0 || isClosed) return
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        wakers.delete(key)
        resolve()
      }
      const timer = setTimeout(wake, delay)
      wakers.set(key, wake)
      reportIdle()
    })
  }

  function isIdle(): boolean {
    return queues.size === wakers.size
  }

  function reportIdle(): void {
    if (isIdle()) for (const listener of idleListeners) listener()
  }

  return {
    add(key, item) {
      const queue = queues.get(key)
      if (queue) return void queue.push(item)
      const started = [item]
      queues.set(key, started)
      void work(key, started)
    },

    wake: (key) => wakers.get(key)?.(),

    async close(timeout) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, timeout)
        function done(): void {
          clearTimeout(timer)
          idleListeners.delete(done)
          resolve()
        }
        idleListeners.add(done)
        reportIdle()
      })
      isClosed = true
      const unfinished = [...queues.values()].reduce((sum, queue) => sum + queue.length, 0)
      for (const wake of wakers.values()) wake()
      return unfinished
    },
  }
}

/** Maximum time between two attempts, in ms: 30 hours. */
const maxDelay = 30 * 60 * 60_000
