import { ForbiddenError, NotFoundError, RefusedError, SignedOutError } from '../../client/index.ts'
import { type Transition, type TransitionName, transitions } from '../../contract/values/transitions.ts'
import type { Package } from '../../contract/schemas/workflow.ts'
import { statusBetween } from '../loading/loadable.ts'
import type { PackageTarget } from '../element/package-element.ts'
import type { ActionName, ActionRefusal } from './actions.ts'

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
  const problem = name === 'restartPackage' ? 'restartUncertain' : 'uncertain'
  const status = statusBetween(error)
  return status === undefined ? { problem } : { problem, status }
}
