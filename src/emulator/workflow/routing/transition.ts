import { type Transition, type TransitionName, transitions } from '../../../contract/values/transitions.ts'
import type { PackageState } from '../../../contract/values/values.ts'
import { ServiceError } from '../../http/service-error.ts'
import type { StoredPackage } from '../../state/stored-packages.ts'

/** Throws `ServiceError` 409 if the transition cannot start from the state of the package. */
export function requireTransition(pkg: StoredPackage, name: TransitionName): void {
  const from: Transition['from'] = transitions[name].from
  if (from.includes(pkg.isRemoved ? 'removed' : pkg.state)) return
  const { action, allowed } = descriptions[name]
  throw new ServiceError(409, `A package in state ${pkg.state} cannot ${action}. Only ${allowed} can.`)
}

/** Returns the state that a transition leads to. */
export function targetState(pkg: StoredPackage, name: TransitionName): PackageState {
  const { to }: Transition = transitions[name]
  const state = to === 'held' ? pkg.heldState : to
  if (state === null) throw new TypeError(`${name}: the package has no held state`)
  return state
}

/** Error messages by transition: what the package cannot do, and which packages can. */
const descriptions: Readonly<Record<TransitionName, { readonly action: string; readonly allowed: string }>> =
  {
    routePackage: { action: 'start routing', allowed: 'PRE_ROUTING' },
    voidPackage: { action: 'be voided', allowed: 'ROUTING and COMPLETE' },
    unvoidPackage: { action: 'be unvoided', allowed: 'VOID' },
    restartPackage: { action: 'be restarted', allowed: 'ROUTING' },
    returnPackage: { action: 'be returned to routing', allowed: 'COMPLETE' },
    removePackage: { action: 'be removed from routing', allowed: 'ROUTING, COMPLETE and VOID' },
    reinitiatePackage: { action: 'be re-initiated', allowed: 'a removed package' },
    returnToInitiator: { action: 'be returned to its initiator', allowed: 'ROUTING' },
  }
