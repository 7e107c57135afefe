import type { Environment } from '../../contract/values.ts'
import { type InboxSignature, type Package } from '../../contract/workflow.ts'
import { actionsOf, isApprover } from './actions.ts'
import { nameOf, personOf } from './directory.ts'
import { officeShown } from './offices.ts'
import type { Caller, Written } from '../handlers.ts'
import { overriddenBy } from './overrides.ts'
import { Refusal } from '../refusal.ts'
import { pendingSignatures } from './signatures.ts'
import type { Form, StoredComment } from '../state.ts'
import type { Located, EmulatorContext } from '../context.ts'

/** The package of a path. Refuses with 404 where it does not exist, or belongs to another form. */
export function locate(
  { state }: EmulatorContext,
  {
    env,
    formId,
    packageId,
  }: { readonly env: Environment; readonly formId: number; readonly packageId: number },
): Located {
  const found = state.packages[env].get(packageId)
  const form = state.forms[env].get(formId)
  if (!found || !form || found.formId !== formId) throw new Refusal(404, `There is no package ${packageId}`)
  return { env, form, found }
}

/** The form of a path. Refuses with 404. */
export function locateForm(
  { state }: EmulatorContext,
  { env, formId }: { readonly env: Environment; readonly formId: number },
): Form {
  const form = state.forms[env].get(formId)
  if (!form) throw new Refusal(404, `There is no form ${formId}`)
  return form
}

/** The package of a path, for someone with rights on it: initiator, approver, administrator, or bypass. Else 403. */
export function locateAllowed(
  world: EmulatorContext,
  params: Parameters<typeof locate>[1],
  caller: Caller,
): Located {
  const located = locate(world, params)
  if (!actionsOf(world.state, located.form, located.found, caller).canView) {
    throw new Refusal(403, 'The request user has no rights on this package')
  }
  return located
}

/** As `locateAllowed`, for what changes the package. Refuses the subject of an override, who may at most look. */
export function locateWritable(
  world: EmulatorContext,
  params: Parameters<typeof locate>[1],
  caller: Caller,
): Located {
  const located = locateAllowed(world, params, caller)
  if (!caller.bypass && overriddenBy(located.found, caller.user)) {
    throw new Refusal(403, 'A routing override leaves the request user nothing but the view')
  }
  return located
}

/** A package as the service shows it to a caller. */
export function packageShown(
  world: EmulatorContext,
  { form, found }: Located,
  caller: Caller,
): Written<Package> {
  return {
    id: found.id,
    state: found.state,
    subType: found.subType,
    emailContent: { packageDetails: found.packageDetails },
    actions: actionsOf(world.state, form, found, caller),
    routingDate: found.routingDate,
    actionDate: found.actionDate,
    initiator: personOf(world, found.initiator),
    voidReason: found.voidReason,
    commentCount: commentsFor(world, { form, found }, caller).filter(({ state }) => state === 'ACTIVE')
      .length,
    attachmentCount: found.attachments.length,
  }
}

/** The comments that a caller may read: those for approvers only are for approvers, administrators and their authors. */
export function commentsFor(
  { state }: EmulatorContext,
  { form, found }: Pick<Located, 'form' | 'found'>,
  { user, bypass }: Caller,
): readonly StoredComment[] {
  const seesAll =
    bypass ||
    state.clients.has(user) ||
    form.administrators.includes(user) ||
    isApprover(state, form, found, user)
  return found.comments.filter(({ approversOnly, person }) => !approversOnly || seesAll || person === user)
}

/** The inboxes that hold a package (status version 1.2). */
export function inboxShown(world: EmulatorContext, { found }: Located): Written<InboxSignature>[] {
  return pendingSignatures(found).map(({ person, signature }) => {
    const office = officeShown(world.state, signature.responsibleOffice)
    return {
      id: signature.id,
      approver: nameOf(world, person),
      state: signature.state,
      permission: signature.permission,
      responsibleOffice: office && { id: office.id, name: office.name, naturalKey: office.naturalKey },
    }
  })
}
