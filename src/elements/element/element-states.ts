import { ForbiddenError, NotFoundError, SignedOutError } from '../../client/index.ts'

/** States that a page can style with `:state(...)`. */
export type ElementState =
  | 'not-configured'
  | 'no-proxy'
  | 'loading'
  | 'loaded'
  | 'empty'
  | 'busy'
  | 'stale'
  | 'forbidden'
  | 'signed-out'
  | 'missing'
  | 'failed'

/** Replaces the states of an element that a page can style. */
export function showStates(
  { states: shown }: Pick<ElementInternals, 'states'>,
  before: readonly ElementState[],
  states: readonly ElementState[],
): void {
  // Older browsers do not support custom states, or require names of another form.
  try {
    for (const state of before) if (!states.includes(state)) shown.delete(state)
    for (const state of states) if (!before.includes(state)) shown.add(state)
  } catch {}
}

/** Returns the state and slot of an error that concerns the package or the person; `undefined` for an outage. */
export function slotOf(error: unknown): 'forbidden' | 'missing' | 'signed-out' | undefined {
  if (error instanceof ForbiddenError) return 'forbidden'
  if (error instanceof NotFoundError) return 'missing'
  return error instanceof SignedOutError ? 'signed-out' : undefined
}
