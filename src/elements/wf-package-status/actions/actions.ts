import { isSamePerson } from '../../../contract/values/patterns.ts'
import { mayVoid } from '../../../contract/routes/rights.ts'
import type { Session } from '../../../contract/schemas/session.ts'
import { mayFollow, type TransitionName } from '../../../contract/values/transitions.ts'
import { packageStates } from '../../../contract/values/package-states.ts'
import type { ShownPackage } from '../../element/events.ts'
import type { PackageTarget } from '../../element/package-element.ts'
import type { PackageStatusContent } from '../content.ts'

/** The operations that people can start in this element. `withdrawPackage` is `removePackage` in routing by the initiator, who goes on to edit. */
export type ActionName = TransitionName | 'getPdf' | 'withdrawPackage'

/** An action that a person chose, with the package as it was shown then. */
export interface ActionRequest {
  readonly name: ActionName
  readonly target: PackageTarget
  readonly found: ShownPackage
  /** University id of the signed-in person; `undefined` if it is not known. */
  readonly person: string | undefined
}

/** Why an action was not carried out, as the key of a message. */
export type ActionProblem =
  | 'overtaken'
  | 'forbidden'
  | 'conflict'
  | 'conflictHere'
  | 'refused'
  | 'refusedHere'
  | 'signedOut'
  | 'uncertain'
  | 'restartUncertain'

/** A problem, and the reason that the service or the site gives for it: a plain text in English. */
export interface ActionRefusal {
  readonly problem: ActionProblem
  readonly detail?: string | undefined
  /** The status with which a server before the proxy refused it. */
  readonly status?: number
}

/** A withdrawal during which others have, or may have, signed. */
export interface Withdrawal {
  /** The names of those who have, null for an unknown one; `undefined` if it is not known who has. */
  readonly lost: readonly (string | null)[] | undefined
  /** The page where the request is corrected. */
  readonly editUrl: string | undefined
}

/** How an action ended: `dropped` if nothing was sent, because the page refused it or shows another package. */
export type ActionOutcome = 'done' | 'dropped' | ActionRefusal | Withdrawal

/** In the order of the menu. Actions that take something away come last. */
const actionNames: readonly Exclude<ActionName, 'withdrawPackage'>[] = [
  'getPdf',
  'routePackage',
  'reinitiatePackage',
  'returnPackage',
  'unvoidPackage',
  'returnToInitiator',
  'restartPackage',
  'removePackage',
  'voidPackage',
]

/**
 * Returns the actions that the person may take now. A state that the spec does not list allows none.
 *
 * @param isRemoved Whether the package is known to have been removed from routing. Only then can it be re-initiated.
 */
export function actionsFor(
  content: PackageStatusContent | undefined,
  session: Session | undefined,
  isRemoved: boolean,
): ActionName[] {
  const { found, actions } = content ?? {}
  if (!found || !actions || !(packageStates as readonly string[]).includes(found.state)) return []
  const { state, initiator } = found
  const isInitiator = isSamePerson(session?.univid, initiator?.univid)
  const allowed = actionNames.filter((name) => {
    if (session && !session.allows.operations.includes(name)) return false
    if (name === 'getPdf') return true
    if (name === 'reinitiatePackage' && !isRemoved) return false
    // The service sets canInitiatorVoid for the initiator only; the proxy checks who that is.
    if (name === 'voidPackage') return mayVoid(state, actions, true)
    const isAllowed = name === 'routePackage' ? isInitiator : actions.tools?.includes(name)
    return isAllowed && mayFollow(state, name)
  })
  // A package that has ended is not corrected: removing it takes away the approval.
  const isWithdrawal = isInitiator && state === 'ROUTING'
  return allowed.map((name) => (name === 'removePackage' && isWithdrawal ? 'withdrawPackage' : name))
}
