import type { Environment } from '../../contract/values.ts'
import { type InboxSignature, type Package } from '../../contract/workflow.ts'
import { allowedActions, isApprover } from './actions.ts'
import { displayName, toPerson } from './directory.ts'
import { findOffice } from './offices.ts'
import type { Caller, ResponseBody } from '../http/handlers.ts'
import { overrideTypeOf } from './routing/overrides.ts'
import { ServiceError } from '../http/service-error.ts'
import { pendingSignatures } from './routing/signatures.ts'
import type { Form, StoredComment } from '../state/state.ts'
import type { PackageRecord, EmulatorContext } from '../context.ts'

/** The package of a path. Refuses with 404 where it does not exist, or belongs to another form. */
export function findPackage(
  { state }: EmulatorContext,
  {
    env,
    formId,
    packageId,
  }: { readonly env: Environment; readonly formId: number; readonly packageId: number },
): PackageRecord {
  const pkg = state.packages[env].get(packageId)
  const form = state.forms[env].get(formId)
  if (!pkg || !form || pkg.formId !== formId) throw new ServiceError(404, `There is no package ${packageId}`)
  return { env, form, pkg }
}

/** The form of a path. Refuses with 404. */
export function findForm(
  { state }: EmulatorContext,
  { env, formId }: { readonly env: Environment; readonly formId: number },
): Form {
  const form = state.forms[env].get(formId)
  if (!form) throw new ServiceError(404, `There is no form ${formId}`)
  return form
}

/** The package of a path, for someone with rights on it: initiator, approver, administrator, or bypass. Else 403. */
export function findViewablePackage(
  context: EmulatorContext,
  params: Parameters<typeof findPackage>[1],
  caller: Caller,
): PackageRecord {
  const record = findPackage(context, params)
  if (!allowedActions(context.state, record.form, record.pkg, caller).canView) {
    throw new ServiceError(403, 'The request user has no rights on this package')
  }
  return record
}

/** As `locateAllowed`, for what changes the package. Refuses the subject of an override, who may at most look. */
export function findWritablePackage(
  context: EmulatorContext,
  params: Parameters<typeof findPackage>[1],
  caller: Caller,
): PackageRecord {
  const record = findViewablePackage(context, params, caller)
  if (!caller.bypass && overrideTypeOf(record.pkg, caller.user)) {
    throw new ServiceError(403, 'A routing override leaves the request user nothing but the view')
  }
  return record
}

/** A package as the service shows it to a caller. */
export function toPackage(
  context: EmulatorContext,
  { form, pkg }: PackageRecord,
  caller: Caller,
): ResponseBody<Package> {
  return {
    id: pkg.id,
    state: pkg.state,
    subType: pkg.subType,
    emailContent: { packageDetails: pkg.packageDetails },
    actions: allowedActions(context.state, form, pkg, caller),
    routingDate: pkg.routingDate,
    actionDate: pkg.actionDate,
    initiator: toPerson(context, pkg.initiator),
    voidReason: pkg.voidReason,
    commentCount: visibleComments(context, { form, pkg }, caller).filter(({ state }) => state === 'ACTIVE')
      .length,
    attachmentCount: pkg.attachments.length,
  }
}

/** The comments that a caller may read: those for approvers only are for approvers, administrators and their authors. */
export function visibleComments(
  { state }: EmulatorContext,
  { form, pkg }: Pick<PackageRecord, 'form' | 'pkg'>,
  { user, bypass }: Caller,
): readonly StoredComment[] {
  const seesAll =
    bypass ||
    state.clients.has(user) ||
    form.administrators.includes(user) ||
    isApprover(state, form, pkg, user)
  return pkg.comments.filter(({ approversOnly, person }) => !approversOnly || seesAll || person === user)
}

/** The inboxes that hold a package (status version 1.2). */
export function toInboxSignatures(
  context: EmulatorContext,
  { pkg }: PackageRecord,
): ResponseBody<InboxSignature>[] {
  return pendingSignatures(pkg).map(({ person, signature }) => {
    const office = findOffice(context.state, signature.responsibleOffice)
    return {
      id: signature.id,
      approver: displayName(context, person),
      state: signature.state,
      permission: signature.permission,
      responsibleOffice: office && { id: office.id, name: office.name, naturalKey: office.naturalKey },
    }
  })
}
