/** When to ask again, in milliseconds. */
export interface RevalidationOptions {
  /** Between two looks while all goes well. Default 10 000. */
  readonly interval?: number
  /** Longest wait after failures. Default 30 000. */
  readonly longestBackoff?: number
}

type Listener = (why: 'written' | 'due') => void

/** Tells those who show something when to ask for it again. */
export interface Revalidation {
  /**
   * Calls `listener` when what `scope` names may have changed: `written` after a write to it through this client; `due`
   * each interval while the page is visible, and when the page comes back into view or online. Returns how to stop.
   */
  watch(scope: string, listener: Listener): () => void
  /** Something in `scope` was written: its watchers ask again at once. */
  changed(scope: string): void
  /** How a request went: after a failure the next look comes sooner, and ever later as failures go on. */
  report(ok: boolean): void
}

/** Creates the one clock that all elements of a page with the same client share. */
export function createRevalidation({
  interval = 10_000,
  longestBackoff = 30_000,
}: RevalidationOptions = {}): Revalidation {
  const watchers = new Map<Listener, string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastLook = 0
  /** Looks in a row of which at least one request failed. */
  let failures = 0
  let hasFailed = false

  function plan(delay: number): void {
    clearTimeout(timer)
    timer = watchers.size > 0 && isVisible() ? setTimeout(look, delay) : undefined
  }

  function look(): void {
    if (!hasFailed) failures = 0
    hasFailed = false
    lastLook = Date.now()
    plan(interval)
    for (const listener of [...watchers.keys()]) tell(listener, 'due')
  }

  function onReturn(): void {
    if (!isVisible()) clearTimeout(timer)
    // Coming back fires several events at once: visibility, focus, sometimes online.
    else if (Date.now() - lastLook > 1000) look()
  }

  function listen(on: 'addEventListener' | 'removeEventListener'): void {
    if (typeof document === 'undefined') return
    document[on]('visibilitychange', onReturn)
    window[on]('focus', onReturn)
    window[on]('online', onReturn)
  }

  return {
    watch(scope, listener) {
      // A listener of its own for each call, so that the same function may watch twice.
      const key: Listener = (why) => listener(why)
      watchers.set(key, scope)
      if (watchers.size === 1) {
        lastLook = Date.now()
        hasFailed = false
        listen('addEventListener')
        plan(interval)
      }
      return () => {
        if (watchers.delete(key) && watchers.size === 0) {
          listen('removeEventListener')
          clearTimeout(timer)
        }
      }
    },

    changed(scope) {
      for (const [listener, watched] of [...watchers]) if (watched === scope) tell(listener, 'written')
    },

    report(ok) {
      // One failure makes a look a failed one, whatever else of it went well.
      if (ok || hasFailed) return
      hasFailed = true
      failures++
      plan(backoff(failures, longestBackoff))
    },
  }
}

/** Equal jitter: half of a doubling wait is fixed, half is chance, so that pages do not return all at once. */
export function backoff(failures: number, longest: number, random: () => number = Math.random): number {
  const wait = Math.min(longest, 1000 * 2 ** Math.min(failures, 20))
  return wait / 2 + (wait / 2) * random()
}

/** One watcher that throws keeps neither the others nor the caller from going on; the page hears of it. */
function tell(listener: Listener, why: 'written' | 'due'): void {
  try {
    listener(why)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

function isVisible(): boolean {
  return typeof document === 'undefined' || document.visibilityState === 'visible'
}
