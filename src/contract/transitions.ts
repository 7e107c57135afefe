import type { PackageState } from './values.ts'

/** What one operation does to the state of a package. */
export interface Transition {
  /**
   * States that it may start from. `removed` is PRE_ROUTING because the package was removed; from outside both look
   * alike.
   */
  readonly from: readonly (PackageState | 'removed')[]
  /** State that it ends in; `held`: the one before the void. */
  readonly to: PackageState | 'held'
}

/**
 * Which operation leads from which state to which (spec, States and transitions). From any other state the service
 * refuses.
 */
export const transitions = {
  routePackage: { from: ['PRE_ROUTING', 'removed'], to: 'ROUTING' },
  voidPackage: { from: ['ROUTING', 'COMPLETE'], to: 'VOID' },
  unvoidPackage: { from: ['VOID'], to: 'held' },
  restartPackage: { from: ['ROUTING'], to: 'ROUTING' },
  returnPackage: { from: ['COMPLETE'], to: 'ROUTING' },
  /** "In routing or later". */
  removePackage: { from: ['ROUTING', 'COMPLETE', 'VOID'], to: 'PRE_ROUTING' },
  reinitiatePackage: { from: ['removed'], to: 'ROUTING' },
  returnToInitiator: { from: ['ROUTING'], to: 'DRAFT' },
} as const satisfies Readonly<Record<string, Transition>>

/** Name of an operation that changes the state of a package. */
export type TransitionName = keyof typeof transitions

/** Name of a routing tool: what changes the state of a package without the service checking any right. */
export type ToolName = Exclude<TransitionName, 'routePackage'>

/** The routing tools. */
export const toolNames = (Object.keys(transitions) as TransitionName[]).filter(
  (name): name is ToolName => name !== 'routePackage',
)

/**
 * Whether a package in this state may take that transition. From outside, a package that was removed and one that was
 * never routed look alike: both are PRE_ROUTING, and the service refuses what does not fit.
 */
export function mayFollow(state: string, name: TransitionName): boolean {
  const from: readonly string[] = transitions[name].from
  return from.includes(state) || (state === 'PRE_ROUTING' && from.includes('removed'))
}
