interface KeyedQueueOptions<Key> {
  /** Processes a key. Resolves to whether the key has to be processed again. Never rejects. */
  readonly run: (key: Key) => Promise<boolean>
  /** Time for which keys are collected before they are processed, in ms. */
  readonly delay: number
  /** Maximum number of keys that are processed at a time. */
  readonly maxParallel: number
}

/** Processes keys in the order in which they were added, never the same key twice at a time. */
interface KeyedQueue<Key> {
  /** Adds a key that is processed after the delay. */
  readonly add: (key: Key) => void
  /** Adds keys that are processed at once. */
  readonly addNow: (keys: Iterable<Key>) => void
  /** Removes a key, unless it is being processed. */
  readonly delete: (key: Key) => void
  /** Removes all keys and clears the timer. */
  readonly close: () => void
}

/** Creates an empty queue. */
export function createKeyedQueue<Key>({ run, delay, maxParallel }: KeyedQueueOptions<Key>): KeyedQueue<Key> {
  const due = new Set<Key>()
  const running = new Set<Key>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function start(): void {
    for (const key of due) {
      if (running.size >= maxParallel) return
      if (running.has(key)) continue
      due.delete(key)
      running.add(key)
      void run(key).then((isDue) => {
        running.delete(key)
        if (isDue) due.add(key)
        start()
      })
    }
  }

  return {
    add(key) {
      due.add(key)
      timer ??= setTimeout(() => {
        timer = undefined
        start()
      }, delay)
    },
    addNow(keys) {
      for (const key of keys) due.add(key)
      start()
    },
    delete: (key) => void due.delete(key),
    close() {
      due.clear()
      clearTimeout(timer)
    },
  }
}
