import type { PackageActions } from '../../contract/workflow.ts'
import type { Caller } from '../http/handlers.ts'
import { overrideTypeOf, standsInFor } from './routing/overrides.ts'
import { calculateRoute } from './routing/route.ts'
import { pendingSignatures } from './routing/signatures.ts'
import type { EmulatorState, Form, StoredPackage } from '../state/state.ts'

/** What a user may do with a package now. With bypass everything: results are then likely wrong (spec, Get allowed actions). */
export function allowedActions(
  state: EmulatorState,
  form: Form,
  pkg: StoredPackage,
  { user, bypass }: Caller,
): PackageActions {
  const override = overrideTypeOf(pkg, user)
  const mine = pendingSignatures(pkg).filter(({ person }) => person === user)
  const signing = mine.find(({ signature }) => canSign(signature.permission))
  const signs = signing !== undefined
  const edits = mine.some(({ signature }) => signature.permission === 'VIEW_AND_EDIT')
  const required = mine.some(({ signature }) => signature.permission === 'SIGNATURE_REQUIRED')
  const isClient = state.clients.has(user)
  const isAdministrator = isClient || form.administrators.includes(user)
  const isInitiator = pkg.initiator === user
  const isRouting = pkg.state === 'ROUTING'
  const isBefore = pkg.state === 'PRE_ROUTING' || pkg.state === 'DRAFT'
  // CHANGE takes away all access and DELEGATE all but the view, whatever it came from.
  const sees = (right: boolean) => bypass || (override !== 'CHANGE' && right)
  const has = (right: boolean) => bypass || (override === undefined && right)

  return {
    canView: sees(isInitiator || isAdministrator || isApprover(state, form, pkg, user)),
    canEdit: has(
      (isRouting && (isAdministrator || signs || edits)) || (isBefore && (isAdministrator || isInitiator)),
    ),
    canSign: has(isRouting && signs),
    canVoid: has(isRouting && (isAdministrator || required)),
    canInitiatorVoid: has(isRouting && isInitiator),
    canAddApprover: has(isRouting && (isAdministrator || signs)),
    canVoidAfter: has(pkg.state === 'COMPLETE' && isAdministrator),
    packageId: pkg.id,
    signatureId: (signing ?? mine[0])?.signature.id ?? null,
  }
}

/**
 * Whether someone is or was an approver, will be once the package comes that far, or stands in for one. Of a removed
 * package, approvers see nothing any more.
 */
export function isApprover(state: EmulatorState, form: Form, pkg: StoredPackage, user: string): boolean {
  if (pkg.isRemoved || overrideTypeOf(pkg, user) === 'CHANGE') return false
  const isUnderWay = pkg.state !== 'PRE_ROUTING' && pkg.state !== 'DRAFT'
  const route = isUnderWay ? calculateRoute(state, form, pkg) : []
  const isNamed = (univid: string) =>
    pkg.history.some(
      ({ person, signature }) => signature && (person === univid || signature.subject === univid),
    ) || route.some(({ recipients }) => recipients.some((recipient) => recipient.univid === univid))
  return isNamed(user) || standsInFor(pkg, user, isNamed)
}

/** Whether a permission lets its holder sign. */
export function canSign(permission: string): boolean {
  return permission === 'SIGNATURE_REQUIRED' || permission === 'SIGNATURE_PERMITTED'
}
