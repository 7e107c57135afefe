import { createLiveStream, type LiveStreamOptions, type LiveSubject } from './live-stream.ts'
import type { ownListRoutes } from '../../contract/routes/list-routes.ts'
import { packageScope } from '../transport/operation-input.ts'

export interface LiveHintsOptions extends Omit<LiveStreamOptions, 'onHint'> {
  /** Called with a scope that may have changed; without one if any scope may have. */
  readonly onChange: (scope?: string) => void
}

/** Live events as changes of scopes. */
export interface LiveHints {
  /** Replaces the scopes to follow. Only `listScope` and those of packages have events. */
  setScopes(scopes: readonly string[]): void
  /** Ignores an event: it announces a change of this page, which reads the package anyway. */
  ignore(id: string): void
  /** Drops the hints about a scope that have arrived until now, because it is read now. */
  settle(scope: string): void
  /** See `LiveStream`. */
  restart(): void
}

/** Time in ms in which hints are collected: several about the same package cause one read. */
const collectTime = 200

export function createLiveHints({ onChange, ...options }: LiveHintsOptions): LiveHints {
  const changed = new Set<string | null>()
  const ignored = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const stream = createLiveStream({
    ...options,
    onHint(hint, id) {
      // Once: an event without an id of its own has the id of the event before it.
      if (hint && hint !== 'list' && ignored.delete(id)) return
      changed.add(hint && (hint === 'list' ? listScope : packageScope(hint.formId, hint.packageId)))
      timer ??= setTimeout(flush, collectTime)
    },
  })

  function flush(): void {
    const scopes = changed.has(null) ? [null] : [...changed]
    changed.clear()
    timer = undefined
    for (const scope of scopes) onChange(scope ?? undefined)
  }

  return {
    setScopes(scopes) {
      stream.follow(scopes.flatMap(subjectOf))
    },
    ignore: (id) => void ignored.add(id),
    settle: (scope) => void changed.delete(scope),
    restart: stream.restart,
  }
}

/** The scope of all lists, for `Client.watch`: the path of the route that reads them. */
export const listScope: (typeof ownListRoutes)['getList']['path'] = '/list'

function subjectOf(scope: string): readonly LiveSubject[] {
  if (scope === listScope) return ['list']
  const [, formId, packageId] = /^(\d+)\/(\d+)$/.exec(scope) ?? []
  return packageId ? [{ formId: Number(formId), packageId: Number(packageId) }] : []
}
