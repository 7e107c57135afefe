/** States before routing starts. */
const statesBeforeRouting = ['PRE_ROUTING', 'DRAFT'] as const
/** States in which nobody is asked to approve any more. */
const endedStates = ['COMPLETE', 'VOID'] as const

/**
 * Package states (spec, States and transitions). A service may have more, so compare states and never index by them. Code that
 * decides by the state fails to compile if it does not know one of these: it is a table by state, or a `switch` whose default
 * `satisfies never`.
 */
export const packageStates = [...statesBeforeRouting, 'ROUTING', ...endedStates] as const
export type PackageState = (typeof packageStates)[number]

/** Whether routing has not started. False for a state that the spec does not list. */
export function isBeforeRouting(state: string): boolean {
  return (statesBeforeRouting as readonly string[]).includes(state)
}

/** Whether routing is over. False for a state that the spec does not list. */
export function hasEnded(state: string): boolean {
  return (endedStates as readonly string[]).includes(state)
}
