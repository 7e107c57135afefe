import type { Environment } from '../../contract/values/values.ts'
import type { InboxSignature, Package } from '../../contract/schemas/workflow.ts'
import { actionsFor, isApprover } from './actions.ts'
import { displayName, toPerson } from './directory.ts'
import { findOffice } from './offices.ts'
import type { Caller, ResponseBody } from '../http/handler.ts'
import { overrideTypeOf } from './routing/overrides.ts'
import { ServiceError } from '../http/service-error.ts'
import { pendingSignatures } from './routing/signatures.ts'
import type { Form } from '../state/stored-forms.ts'
import type { StoredComment, StoredPackage } from '../state/stored-packages.ts'
import type { PackageRecord, EmulatorContext } from '../context.ts'

/** Returns the package of a path. Throws `ServiceError` 404 if it does not exist or belongs to another form. */
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
  if (!pkg || !form || pkg.formId !== formId)
    throw new ServiceError(404, `Package ${packageId} does not exist`)
  return { env, form, pkg }
}

/** Returns the form of a path. Throws `ServiceError` 404 if it does not exist. */
export function findForm(
  { state }: EmulatorContext,
  { env, formId }: { readonly env: Environment; readonly formId: number },
): Form {
  const form = state.forms[env].get(formId)
  if (!form) throw new ServiceError(404, `Form ${formId} does not exist`)
  return form
}

/**
 * Returns the package of a path if the caller may view it: as initiator, approver or administrator, or with bypass. Throws
 * `ServiceError` 403 otherwise.
 */
export function findViewablePackage(
  context: EmulatorContext,
  params: Parameters<typeof findPackage>[1],
  caller: Caller,
): PackageRecord {
  const record = findPackage(context, params)
  if (!actionsFor(context.state, record.form, record.pkg, caller).canView) {
    throw new ServiceError(403, 'The request user has no rights on this package')
  }
  return record
}

/** Like `findViewablePackage()`, but also throws 403 if the caller is the subject of an override and may at most view. */
export function findWritablePackage(
  context: EmulatorContext,
  params: Parameters<typeof findPackage>[1],
  caller: Caller,
): PackageRecord {
  const record = findViewablePackage(context, params, caller)
  if (!caller.bypass && overrideTypeOf(record.pkg, caller.user)) {
    throw new ServiceError(403, 'A routing override allows the request user only to view this package')
  }
  return record
}

/** Returns a package as the service shows it to a caller. */
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
    actions: actionsFor(context.state, form, pkg, caller),
    routingDate: pkg.routingDate,
    actionDate: pkg.actionDate,
    initiator: toPerson(context, pkg.initiator),
    voidReason: pkg.voidReason,
    commentCount: visibleComments(context, { form, pkg }, caller).filter(({ state }) => state === 'ACTIVE')
      .length,
    attachmentCount: pkg.attachments.length,
  }
}

/** Returns the comments that a caller may read. Only approvers, administrators and the author see `approversOnly` comments. */
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

/** Returns the inbox signatures of a package (bulk status, version 1.2). */
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

/** Throws `ServiceError` 400 if a body is about another package than the path. */
export function requireSameId(pkg: StoredPackage, id: number | undefined): void {
  if (id !== undefined && id !== pkg.id) {
    throw new ServiceError(400, 'id must be the id of the package in the path')
  }
}

/** Returns the response of a DELETE operation. */
export function deletedResponse({ specOptions }: EmulatorContext): Response {
  return new Response(null, { status: Number(specOptions.deleteStatus) })
}
