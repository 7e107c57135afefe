import type { PackageActions } from './workflow.ts'

/**
 * Whether these flags let their user void a package in this state: `canVoid`, or `canInitiatorVoid` for the initiator,
 * while ROUTING; `canVoidAfter` once COMPLETE. In any other state, known or not, nobody may.
 */
export function mayVoid(state: string, actions: PackageActions | null, isInitiator: boolean): boolean {
  if (!actions) return false
  if (state === 'ROUTING') return actions.canVoid || (actions.canInitiatorVoid && isInitiator)
  return state === 'COMPLETE' && actions.canVoidAfter
}
