interface BatchOptions {
  /** Maximum number of keys in one call. */
  readonly size: number
  /** Whether an error may be due to a single key. If so, the keys are sent again in halves. */
  readonly isPartial: (error: unknown) => boolean
}

/** Loads the value of one key, together with others. Returns `undefined` if the response has no value for it. */
export type BatchedLoad<K, V> = (key: K, signal: AbortSignal) => Promise<V | undefined>

/** Maximum number of calls after one refusal: enough to find a bad key or two among a hundred. */
const maxCalls = 20

/** Turns single loads into calls for many keys: loads of the same tick go together. A full call is sent at once. */
export function createBatch<K, V>(
  load: (keys: readonly K[], signal: AbortSignal) => Promise<ReadonlyMap<K, V>>,
  { size, isPartial }: BatchOptions,
): BatchedLoad<K, V> {
  let queue: PendingLoad<K, V>[] = []

  function send(): void {
    const all = queue
    queue = []
    void loadAll(all, { calls: maxCalls })
  }

  async function loadAll(loads: readonly PendingLoad<K, V>[], budget: Budget): Promise<void> {
    const pending = loads.filter(({ signal }) => !signal.aborted)
    if (pending.length === 0) return
    const abort = new AbortController()
    // The call continues as long as somebody waits for part of it.
    const onAbort = () => {
      if (pending.every(({ signal }) => signal.aborted)) abort.abort(pending[0]?.signal.reason)
    }
    for (const one of pending) one.onAbort = onAbort
    try {
      if (budget.calls-- <= 0) throw budget.error
      const values = await load([...new Set(pending.map(({ key }) => key))], abort.signal)
      for (const { key, resolve } of pending) resolve(values.get(key))
    } catch (error) {
      budget.error = error
      const half = Math.ceil(pending.length / 2)
      if (pending.length > 1 && isPartial(error) && budget.calls > 0) {
        await loadAll(pending.slice(0, half), budget)
        await loadAll(pending.slice(half), budget)
      } else {
        for (const { reject } of pending) reject(error)
      }
    }
  }

  return (key, signal) =>
    new Promise((resolve, reject) => {
      // A microtask would be too early: each element of a page updates in a microtask of its own.
      if (queue.length === 0) setTimeout(send)
      const one: PendingLoad<K, V> = { key, signal, resolve, reject }
      // While the response comes, the page can render the elements that asked for it.
      if (queue.push(one) === size) send()
      const onAbort = () => {
        reject(signal.reason as Error)
        one.onAbort?.()
      }
      signal.addEventListener('abort', onAbort, { once: true })
    })
}

/** Calls that are left, and the error of the last one. */
interface Budget {
  calls: number
  error?: unknown
}

interface PendingLoad<K, V> {
  readonly key: K
  readonly signal: AbortSignal
  readonly resolve: (value: V | undefined) => void
  readonly reject: (error: unknown) => void
  /** Called if the signal aborts during the call. */
  onAbort?: () => void
}
