export interface BatchOptions {
  /** Most keys in one call. */
  readonly size: number
  /** Whether an error may be the fault of one key only; the others are then asked for without it. */
  readonly isPartial: (error: unknown) => boolean
}

/** Asks for the value of one key. `undefined` where the answer on it and others had none for it. */
export type BatchedLoad<K, V> = (key: K, signal: AbortSignal) => Promise<V | undefined>

/** Most calls that one refusal may cost: enough to find a bad key or two among a hundred. */
const mostCalls = 20

/** Turns calls for one key each into calls for many: those of one tick go together. */
export function createBatch<K, V>(
  load: (keys: readonly K[], signal: AbortSignal) => Promise<ReadonlyMap<K, V>>,
  { size, isPartial }: BatchOptions,
): BatchedLoad<K, V> {
  let waiting: Waiting<K, V>[] = []

  function send(): void {
    const all = waiting
    waiting = []
    for (let start = 0; start < all.length; start += size) {
      void serve(all.slice(start, start + size), { calls: mostCalls })
    }
  }

  async function serve(asked: readonly Waiting<K, V>[], left: { calls: number }): Promise<void> {
    const wanted = asked.filter(({ signal }) => !signal.aborted)
    if (wanted.length === 0) return
    const abort = new AbortController()
    // The call goes on for as long as anybody waits for a part of it.
    const leave = () => {
      if (wanted.every(({ signal }) => signal.aborted)) abort.abort(wanted[0]?.signal.reason)
    }
    for (const one of wanted) one.leave = leave
    left.calls--
    try {
      const values = await load([...new Set(wanted.map(({ key }) => key))], abort.signal)
      for (const { key, resolve } of wanted) resolve(values.get(key))
    } catch (error) {
      const half = Math.ceil(wanted.length / 2)
      if (wanted.length > 1 && isPartial(error) && left.calls > 1) {
        await serve(wanted.slice(0, half), left)
        await serve(wanted.slice(half), left)
      } else {
        for (const { reject } of wanted) reject(error)
      }
    }
  }

  return (key, signal) =>
    new Promise((resolve, reject) => {
      // Elements of one page are updated in microtasks of their own, so a microtask would be too early.
      if (waiting.length === 0) setTimeout(send)
      const one: Waiting<K, V> = { key, signal, resolve, reject }
      waiting.push(one)
      const onAbort = () => {
        reject(signal.reason as Error)
        one.leave?.()
      }
      signal.addEventListener('abort', onAbort, { once: true })
    })
}

interface Waiting<K, V> {
  readonly key: K
  readonly signal: AbortSignal
  readonly resolve: (value: V | undefined) => void
  readonly reject: (error: unknown) => void
  /** Called when whoever waits has left, while the call goes on. */
  leave?: () => void
}
