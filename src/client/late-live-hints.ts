import { loadLiveHints } from './late.ts'
import type { LiveHints, LiveHintsOptions } from './live/live-hints.ts'

/**
 * Live hints whose code loads when a package or the lists are first followed, so that the content of the page does not wait for it. If it
 * cannot be loaded, the page polls, and the next change of scopes tries again.
 */
export function createLateLiveHints(options: LiveHintsOptions): LiveHints {
  let hints: LiveHints | undefined
  let scopes: readonly string[] = []
  let isLoading = false

  async function load(): Promise<void> {
    isLoading = true
    try {
      hints = (await loadLiveHints())(options)
      hints.setScopes(scopes)
    } catch {
      isLoading = false
    }
  }

  return {
    setScopes(next) {
      scopes = next
      hints?.setScopes(next)
      // Other scopes, such as that of stored files, have no live events; see `listScope`.
      if (!isLoading && next.some((scope) => scope.includes('/'))) void load()
    },
    ignore: (id) => hints?.ignore(id),
    settle: (scope) => hints?.settle(scope),
    restart: () => hints?.restart(),
  }
}
