import type { PackageActions } from '../../contract/schemas/workflow.ts'
import { isBeforeRouting } from '../../contract/values/package-states.ts'
import type { Caller } from '../http/handler.ts'
import { overrideTypeOf, replacesOne } from './routing/overrides.ts'
import { calculateRoute } from './routing/route.ts'
import { pendingSignatures } from './routing/signatures.ts'
import type { EmulatorState } from '../state/state.ts'
import type { Form } from '../state/stored-forms.ts'
import type { StoredPackage } from '../state/stored-packages.ts'

/** Returns what a user may do with a package now. With bypass, everything is allowed (spec, Get allowed actions). */
export function actionsFor(
  state: EmulatorState,
  form: Form,
  pkg: StoredPackage,
  { user, bypass }: Caller,
): PackageActions {
  const override = overrideTypeOf(pkg, user)
  const own = pendingSignatures(pkg).filter(({ person }) => person === user)
  const signing = own.find(({ signature }) => canSign(signature.permission))
  const canSignNow = signing !== undefined
  const canEditNow = own.some(({ signature }) => signature.permission === 'VIEW_AND_EDIT')
  const mustSign = own.some(({ signature }) => signature.permission === 'SIGNATURE_REQUIRED')
  const isClient = state.clients.has(user)
  const isAdministrator = isClient || form.administrators.includes(user)
  const isInitiator = pkg.initiator === user
  const isRouting = pkg.state === 'ROUTING'
  // CHANGE removes all access and DELEGATE all but viewing, whatever the access is based on.
  const mayView = (right: boolean) => bypass || (override !== 'CHANGE' && right)
  const may = (right: boolean) => bypass || (override === undefined && right)

  return {
    canView: mayView(isInitiator || isAdministrator || isApprover(state, form, pkg, user)),
    canEdit: may(
      (isRouting && (isAdministrator || canSignNow || canEditNow)) ||
        (isBeforeRouting(pkg.state) && (isAdministrator || isInitiator)),
    ),
    canSign: may(isRouting && canSignNow),
    canVoid: may(isRouting && (isAdministrator || mustSign)),
    canInitiatorVoid: may(isRouting && isInitiator),
    canAddApprover: may(isRouting && (isAdministrator || canSignNow)),
    canVoidAfter: may(pkg.state === 'COMPLETE' && isAdministrator),
    packageId: pkg.id,
    signatureId: (signing ?? own[0])?.signature.id ?? null,
  }
}

/**
 * Whether a user is, was or will be an approver of the package, or replaces one. A removed package has no approvers.
 */
export function isApprover(state: EmulatorState, form: Form, pkg: StoredPackage, user: string): boolean {
  if (pkg.isRemoved || overrideTypeOf(pkg, user) === 'CHANGE') return false
  const route = isBeforeRouting(pkg.state) ? [] : calculateRoute(state, form, pkg)
  const isNamed = (univid: string) =>
    pkg.history.some(
      ({ person, signature }) => signature && (person === univid || signature.subject === univid),
    ) || route.some(({ recipients }) => recipients.some((recipient) => recipient.univid === univid))
  return isNamed(user) || replacesOne(pkg, user, isNamed)
}

/** Returns everyone who has received the package and still has access to it. A removed package has no approvers. */
export function approversOf(pkg: StoredPackage): readonly string[] {
  if (pkg.isRemoved) return []
  return pkg.history.flatMap(({ person, signature }) =>
    signature && person !== null && overrideTypeOf(pkg, person) !== 'CHANGE' ? [person] : [],
  )
}

/** Whether a permission lets its holder sign. */
export function canSign(permission: string): boolean {
  return permission === 'SIGNATURE_REQUIRED' || permission === 'SIGNATURE_PERMITTED'
}
