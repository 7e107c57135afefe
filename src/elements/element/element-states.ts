import type { ElementState } from '../loading/loadable.ts'

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
