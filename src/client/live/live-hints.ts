import { createLiveStream, type LiveStreamOptions, type PackageRef } from './live-stream.ts'
import { packageScope } from '../transport/operation-input.ts'

export interface LiveHintsOptions extends Omit<LiveStreamOptions, 'onHint'> {
  /** Called with a scope that may have changed; without one if any scope may have. */
  readonly onChange: (scope?: string) => void
}

/** Live events as changes of scopes. */
export interface LiveHints {
  /** Replaces the scopes to follow. Only those of packages have events. */
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

export function createLiveHints({ onChange, onLive, ...options }: LiveHintsOptions): LiveHints {
  const changed = new Set<string | undefined>()
  const ignored = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLive = false
  let hasList = false
  const stream = createLiveStream({
    ...options,
    onLive(now) {
      isLive = now
      onLive(isLive && !hasList)
    },
    onHint(hint, id) {
      // Once: an event without an id of its own has the id of the event before it.
      if (hint && ignored.delete(id)) return
      changed.add(hint ? packageScope(hint.formId, hint.packageId) : undefined)
      timer ??= setTimeout(flush, collectTime)
    },
  })

  function flush(): void {
    const scopes = changed.has(undefined) ? [undefined] : [...changed]
    changed.clear()
    timer = undefined
    for (const scope of scopes) onChange(scope)
  }

  return {
    setScopes(scopes) {
      stream.setPackages(scopes.flatMap(packageOf))
      // Events are about single packages, so a page with a list of requests also polls.
      hasList = scopes.includes('list')
      onLive(isLive && !hasList)
    },
    ignore: (id) => void ignored.add(id),
    settle: (scope) => void changed.delete(scope),
    restart: stream.restart,
  }
}

function packageOf(scope: string): readonly PackageRef[] {
  const [, formId, packageId] = /^(\d+)\/(\d+)$/.exec(scope) ?? []
  return packageId ? [{ formId: Number(formId), packageId: Number(packageId) }] : []
}
