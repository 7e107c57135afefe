import type { PackageState } from './package-states.ts'

/** How an operation changes the state of a package. */
export interface Transition {
  /** States in which it is allowed. `removed` means PRE_ROUTING after `removePackage`, which looks the same to clients. */
  readonly from: readonly (PackageState | 'removed')[]
  /** State after it. `held` means the state before the void. */
  readonly to: PackageState | 'held'
}

/** The transitions of each operation (spec, States and transitions). In any other state, the service refuses it. */
export const transitions = {
  routePackage: { from: ['PRE_ROUTING', 'removed'], to: 'ROUTING' },
  voidPackage: { from: ['ROUTING', 'COMPLETE'], to: 'VOID' },
  unvoidPackage: { from: ['VOID'], to: 'held' },
  restartPackage: { from: ['ROUTING'], to: 'ROUTING' },
  returnPackage: { from: ['COMPLETE'], to: 'ROUTING' },
  /** The spec says "in routing or later". */
  removePackage: { from: ['ROUTING', 'COMPLETE', 'VOID'], to: 'PRE_ROUTING' },
  reinitiatePackage: { from: ['removed'], to: 'ROUTING' },
  returnToInitiator: { from: ['ROUTING'], to: 'DRAFT' },
} as const satisfies Readonly<Record<string, Transition>>

/** A draft is resubmitted by an update of the package, which is no transition of its own. */
type Decided = (typeof transitions)[TransitionName]['from'][number] | 'DRAFT'
type Nothing<Undecided extends never> = Undecided
/** Compiles only if the table decides about each state. */
export type UndecidedState = Nothing<Exclude<PackageState, Decided>>

/** Name of an operation that changes the state of a package. */
export type TransitionName = keyof typeof transitions

/** Name of a routing tool: an operation that changes the state and for which the service checks no rights. */
export type ToolName = Exclude<TransitionName, 'routePackage'>

/** Names of the routing tools. */
export const toolNames = /* @__PURE__ */ (Object.keys(transitions) as TransitionName[]).filter(
  (name): name is ToolName => name !== 'routePackage',
)

/**
 * Whether an operation is possible in this state. Clients cannot distinguish a removed package from one that was never
 * routed: both are PRE_ROUTING. The service refuses an operation that does not fit.
 */
export function mayFollow(state: string, name: TransitionName): boolean {
  const from: readonly string[] = transitions[name].from
  return from.includes(state) || (state === 'PRE_ROUTING' && from.includes('removed'))
}
