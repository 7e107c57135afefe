import { ForbiddenError, NotFoundError, RefusedError, SignedOutError } from '../../client/index.ts'
import { mayVoid } from '../../contract/rights.ts'
import type { Session } from '../../contract/session.ts'
import { mayFollow, type Transition, type TransitionName, transitions } from '../../contract/transitions.ts'
import { packageStates } from '../../contract/values.ts'
import type { Package } from '../../contract/workflow.ts'
import type { ShownPackage } from '../events.ts'
import type { PackageTarget } from '../package-element.ts'
import type { PackageStatusContent } from './content.ts'

/** The operations that people can start in this element. */
export type ActionName = TransitionName | 'getPdf'

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
}

/** How an action ended: `dropped` if nothing was sent, because the page refused it or shows another package. */
export type ActionOutcome = 'done' | 'dropped' | ActionRefusal

/** In the order of the menu. Actions that take something away come last. */
const actionNames: readonly ActionName[] = [
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
  return actionNames.filter((name) => {
    if (session && !session.allows.operations.includes(name)) return false
    if (name === 'getPdf') return true
    if (name === 'reinitiatePackage' && !isRemoved) return false
    // The service sets canInitiatorVoid for the initiator only; the proxy checks who that is.
    if (name === 'voidPackage') return mayVoid(state, actions, true)
    const isAllowed =
      name === 'routePackage'
        ? session !== undefined && session.univid === initiator?.univid
        : actions.tools?.includes(name)
    return isAllowed && mayFollow(state, name)
  })
}

/** Sends an action to the proxy. Resolves with the package in its new state. */
export async function changePackage(
  [client, formId, packageId]: PackageTarget,
  name: TransitionName,
  body: object | undefined,
): Promise<Package> {
  // Each of these operations takes the same parameters; only their bodies differ, which the dialog has checked.
  const send = client[name] as unknown as (input: {
    readonly params: { readonly formId: number; readonly packageId: number }
    readonly body?: object | undefined
  }) => Promise<Package>
  return await send({ params: { formId, packageId }, body })
}

/** Whether a change of state shows that an action took effect although its response was lost. */
export function tookEffect(name: TransitionName, before: string, after: string | undefined): boolean {
  const { to }: Transition = transitions[name]
  // A package that was voided may have been in either state before.
  const isExpected = to === 'held' ? after === 'ROUTING' || after === 'COMPLETE' : after === to
  return after !== before && isExpected
}

/** Returns what the error of an action means to the person who took it. */
export function actionRefusal(error: unknown, name: ActionName): ActionRefusal {
  if (error instanceof ForbiddenError) return { problem: 'forbidden' }
  if (error instanceof NotFoundError) return { problem: 'conflictHere' }
  if (error instanceof RefusedError) {
    const { detail, status } = error
    if (error.refusedBy === 'service') return { problem: status === 409 ? 'conflict' : 'refused', detail }
    return status === 409 ? { problem: 'conflictHere' } : { problem: 'refusedHere', detail }
  }
  if (error instanceof SignedOutError) return { problem: 'signedOut' }
  return { problem: name === 'restartPackage' ? 'restartUncertain' : 'uncertain' }
}
