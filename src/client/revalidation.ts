import { backoff } from './retry.ts'

/** When to ask again, in milliseconds. */
export interface RevalidationOptions {
  /** Between two looks while all goes well and nobody tells of changes. Default 10 000. */
  readonly interval?: number
  /**
   * Between two looks while live events tell of changes. Default 60 000: nothing tells of comments and attachments that
   * are added in the service's own screens.
   */
  readonly liveInterval?: number
  /** Longest wait after failures. Default 30 000. */
  readonly maxBackoff?: number
  /** Called before the watchers are, when what is known of a scope, or of all, may be old. */
  readonly onInvalidate?: (scope?: string) => void
  /** Called when the scopes that are watched may be others than before. */
  readonly onScopes?: (scopes: readonly string[]) => void
}

/**
 * Why to ask again: something has changed; it is time to look; or someone else has signed in, and nothing of what was
 * shown may be shown to them.
 */
export type RevalidationReason = 'changed' | 'poll' | 'user'

type Listener = (why: RevalidationReason) => void

/** Tells those who show something when to ask for it again. */
export interface Revalidation {
  /**
   * Calls `listener` when what `scope` names may have changed: `changed` after a write to it through this client, or a
   * live event; `due` each interval while the page is visible, and when the page comes back into view or online;
   * `person` when someone else has signed in. Returns how to stop.
   */
  watch(scope: string, listener: Listener): () => void
  /** Something in `scope`, or anywhere, has changed: its watchers ask again at once. */
  changed(scope?: string): void
  /** Someone else has signed in, or nobody is any more. */
  personChanged(): void
  /** Whether live events tell of changes now. */
  setLive(isLive: boolean): void
  /**
   * How a request went: after a failure the next look comes sooner, and ever later as failures go on; not before
   * `retryAfter` milliseconds where the proxy has said so.
   */
  report(ok: boolean, retryAfter?: number): void
}

/** Creates the one clock that all elements of a page with the same client share. */
export function createRevalidation({
  interval = 10_000,
  liveInterval = 60_000,
  maxBackoff = 30_000,
  onInvalidate = () => {},
  onScopes = () => {},
}: RevalidationOptions = {}): Revalidation {
  const watchers = new Map<Listener, string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastLook = 0
  /** Looks in a row of which at least one request failed. */
  let failures = 0
  let hasFailed = false
  let isLive = false

  function plan(delay: number): void {
    clearTimeout(timer)
    timer = watchers.size > 0 && isVisible() ? setTimeout(look, delay) : undefined
  }

  function look(): void {
    if (!hasFailed) failures = 0
    hasFailed = false
    lastLook = Date.now()
    plan(isLive ? liveInterval : interval)
    tell('poll')
  }

  function tell(why: RevalidationReason, scope?: string): void {
    onInvalidate(scope)
    for (const [listener, watched] of [...watchers]) {
      if (scope !== undefined && watched !== scope) continue
      try {
        listener(why)
      } catch (error) {
        // One watcher that throws keeps neither the others nor the caller from going on; the page hears of it.
        queueMicrotask(() => {
          throw error
        })
      }
    }
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
    window[on]('pageshow', onReturn)
  }

  let isTelling = false

  /** Hundreds of elements begin to watch in one moment. */
  function scopesChanged(): void {
    if (isTelling) return
    isTelling = true
    queueMicrotask(() => {
      isTelling = false
      onScopes([...new Set(watchers.values())])
    })
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
      scopesChanged()
      return () => {
        if (!watchers.delete(key)) return
        scopesChanged()
        if (watchers.size === 0) {
          listen('removeEventListener')
          clearTimeout(timer)
        }
      }
    },

    changed: (scope) => tell('changed', scope),

    personChanged: () => tell('user'),

    setLive(now) {
      if (now === isLive) return
      isLive = now
      // Something may have happened before the first event could tell of it; right after a look, the next one will do.
      if (isLive && Date.now() - lastLook > 2000) look()
      else plan(interval)
    },

    report(ok, retryAfter = 0) {
      // One failure makes a look a failed one, whatever else of it went well.
      if (ok || hasFailed) return
      hasFailed = true
      failures++
      plan(Math.max(retryAfter, backoff(failures, maxBackoff)))
    },
  }
}

function isVisible(): boolean {
  return typeof document === 'undefined' || document.visibilityState === 'visible'
}
