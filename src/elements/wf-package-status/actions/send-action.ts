import {
  ForbiddenError,
  NotFoundError,
  packageScope,
  RefusedError,
  SignedOutError,
} from '../../../client/index.ts'
import type { HistoryEvent } from '../../../contract/schemas/history.ts'
import { signaturesOfOthers } from '../../../contract/values/signatures.ts'
import { type Transition, type TransitionName, transitions } from '../../../contract/values/transitions.ts'
import type { Package } from '../../../contract/schemas/workflow.ts'
import { statusBetween } from '../../loading/loadable.ts'
import type { PackageTarget } from '../../element/package-element.ts'
import type { ActionName, ActionRefusal } from './actions.ts'
import { transitionClient } from './transition-client.ts'

/** Sends an action to the proxy. Resolves with the package in its new state. */
export async function changePackage(
  [client, formId, packageId]: PackageTarget,
  name: TransitionName,
  body: object | undefined,
): Promise<Package> {
  // Each of these operations takes the same parameters; only their bodies differ, which the dialog has checked.
  const send = transitionClient(client)[name] as unknown as (input: {
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

/** Signatures of people other than the initiator. A row that could not be read is null. */
type Signatures = readonly (HistoryEvent | null)[]

/** Reads what others than a person have signed by now. Resolves with `undefined` if that fails. */
export async function readSignatures(
  [client, formId, packageId]: PackageTarget,
  person: string | undefined,
): Promise<Signatures | undefined> {
  client.invalidate(packageScope(formId, packageId))
  try {
    return signaturesOfOthers(await client.getHistory({ params: { formId, packageId } }), person)
  } catch {
    return undefined
  }
}

/** Returns the signatures that were given between two reads; `undefined` if that is not known. */
export function lostSignatures(
  before: Signatures | undefined,
  after: Signatures | undefined,
): readonly HistoryEvent[] | undefined {
  if (after?.length === 0) return []
  if (!before || !after) return undefined
  const known = before.map(keyOf)
  const lost = after.filter((event) => {
    const at = known.indexOf(keyOf(event))
    if (at >= 0) known.splice(at, 1)
    return at < 0
  })
  const readable = lost.filter((event) => event !== null)
  return readable.length === lost.length ? readable : undefined
}

/** Events have no id. */
function keyOf(event: HistoryEvent | null): string {
  const { person, stop, actionDate } = event ?? {}
  return JSON.stringify([person?.univid, person?.displayName, stop?.stopNumber, actionDate])
}
