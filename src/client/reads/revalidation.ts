/**
 * Why a listener should load again: its data has changed, a poll is due, or another user has signed in, who must not see
 * anything that was shown so far.
 */
export type RevalidationReason = 'changed' | 'poll' | 'user'

type Listener = (reason: RevalidationReason) => void

interface RevalidationOptions {
  /** Called before the listeners if cached data of a scope, or of all scopes, may be stale. */
  readonly onInvalidate: (scope?: string) => void
  /** Called once after changes to the set of watched scopes. */
  readonly onScopes: (scopes: readonly string[]) => void
}

/** Notifies everything on a page that shows remote data when it should load again. */
export interface Revalidation {
  /**
   * Calls `listener` when the data of `scope` may have changed: `changed` after a write through this client or a live
   * event; `poll` at each interval while the page is visible, and when it becomes visible or is online again; `user` after
   * another user has signed in. Returns a function that stops this.
   */
  watch(scope: string, listener: Listener): () => void
  /** Notifies the listeners of a scope, or of all scopes. */
  notify(reason: RevalidationReason, scope?: string): void
}

export function createRevalidation({ onInvalidate, onScopes }: RevalidationOptions): Revalidation {
  const scopes = new Map<Listener, string>()
  let isReporting = false

  /** Reports once for hundreds of elements that start to watch together. */
  function scopesChanged(): void {
    if (isReporting) return
    isReporting = true
    queueMicrotask(() => {
      isReporting = false
      onScopes([...new Set(scopes.values())])
    })
  }

  return {
    watch(scope, listener) {
      // A new function for each call, so that the same listener may watch twice.
      const key: Listener = (reason) => listener(reason)
      scopes.set(key, scope)
      scopesChanged()
      return () => {
        if (scopes.delete(key)) scopesChanged()
      }
    },

    notify(reason, scope) {
      onInvalidate(scope)
      for (const [listener, watched] of [...scopes]) {
        if (scope !== undefined && watched !== scope) continue
        try {
          listener(reason)
        } catch (error) {
          // A listener that throws stops neither the others nor the caller. The page gets the error.
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
  }
}
