import { type Hint, type LiveEvent, packageKey } from '../changes/bus.ts'

/** Callbacks that changes through this proxy cause. Pages read the package when the change is announced, so they are no news. */
interface ExpectedCallbacks {
  /** Call this when a change has been announced. `state` is the state that it led to. */
  readonly add: (hint: Hint, state: string, eventId: string | undefined) => void
  /** Call this with each event. After another change, a callback may be about that one. */
  readonly announced: (event: LiveEvent) => void
  /** Returns whether a callback is expected, once. */
  readonly take: (hint: Hint, state: string) => boolean
}

interface ExpectedCallbacksOptions {
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
}

/** Time in ms for which a callback is expected. */
const patience = 60_000

/** Creates an empty memory. It knows only the changes of this process: in another one, the callback is announced too. */
export function createExpectedCallbacks({
  now = Date.now,
}: ExpectedCallbacksOptions = {}): ExpectedCallbacks {
  /** By package, oldest first. */
  const expected = new Map<
    string,
    { readonly state: string; readonly eventId: string | undefined; readonly until: number }
  >()

  function dropOld(): void {
    for (const [key, { until }] of expected) {
      if (until > now()) return
      expected.delete(key)
    }
  }

  return {
    add(hint, state, eventId) {
      dropOld()
      const key = packageKey(hint)
      expected.delete(key)
      expected.set(key, { state, eventId, until: now() + patience })
    },
    announced(event) {
      const key = packageKey(event)
      if (expected.get(key)?.eventId !== event.id) expected.delete(key)
    },
    take(hint, state) {
      dropOld()
      const key = packageKey(hint)
      return expected.get(key)?.state === state && expected.delete(key)
    },
  }
}
