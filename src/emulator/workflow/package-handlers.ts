import type { Environment } from '../../contract/values/values.ts'
import { actionsFor } from './actions.ts'
import { toPerson } from './directory.ts'
import { checkEntry, validationResponse } from './entry.ts'
import { updateDetails } from './entry-handlers.ts'
import { toFutureHistory, toHistory } from './history.ts'
import {
  findForm,
  findPackage,
  findViewablePackage,
  requireSameId,
  toInboxSignatures,
  toPackage,
  visibleComments,
} from './packages.ts'
import { printPackage } from './pdf/print-package.ts'
import { actsAsInitiator } from './routing/overrides.ts'
import { beforeRoute } from './routing/route.ts'
import { startRouting } from './routing/routing.ts'
import { requireTransition } from './routing/transition.ts'
import type { Handlers } from '../http/handler.ts'
import { ServiceError } from '../http/service-error.ts'
import type { Form } from '../state/stored-forms.ts'
import type { StoredPackage } from '../state/stored-packages.ts'
import type { EmulatorContext, PackageRecord } from '../context.ts'

/** Handlers that create and read packages. */
export const packageHandlers = {
  createPackage(context, { params, body, caller }) {
    const { state, clock } = context
    const form = findForm(context, params)
    const subType = chooseSubType(form, body.subType)
    const failures = checkEntry(state, form, body.entry)
    if (failures.size > 0) return validationResponse(context, failures)

    const now = clock.localNow()
    const pkg: StoredPackage = {
      id: state.next.packageId,
      formId: form.id,
      subType,
      packageDetails: body.emailContent?.packageDetails || null,
      initiator: caller.user,
      routingDate: now,
      actionDate: null,
      state: body.state === 'DRAFT' ? 'DRAFT' : 'PRE_ROUTING',
      heldState: null,
      isRemoved: false,
      voidReason: null,
      entry: body.entry,
      stopNumber: 0,
      position: beforeRoute,
      roundStart: 0,
      inbox: [],
      lock: null,
      history: [],
      comments: [],
      attachments: [],
      overrides: [],
    }
    const record = { env: params.env, form, pkg }
    if ((body.state ?? 'ROUTING') === 'ROUTING') startRouting(context, record, caller.user)
    state.next.packageId++
    state.packages[params.env].set(pkg.id, pkg)
    return toPackage(context, record, caller)
  },

  routePackage(context, { params, body, caller }) {
    const record = findPackage(context, params)
    const { pkg, form } = record
    requireSameId(pkg, body.id)
    // Applications may route any package, people only their own (spec, States and transitions).
    const isStranger = !context.state.clients.has(caller.user) && !actsAsInitiator(pkg, caller.user)
    if (isStranger && !caller.bypass) throw new ServiceError(403, 'Only the initiator may start routing')
    const isSubmitted = pkg.state === 'DRAFT' && context.specOptions.resubmit === 'accept'
    if (!isSubmitted) requireTransition(pkg, 'routePackage')
    if (pkg.isRemoved && context.specOptions.routeRemoved === 'refuse')
      throw new ServiceError(409, 'A removed package cannot start routing. It can only be re-initiated.')
    const subType = chooseSubType(form, body.subType)
    const before = { subType: pkg.subType, packageDetails: pkg.packageDetails }
    pkg.subType = subType
    updateDetails(pkg, body.emailContent?.packageDetails)
    try {
      startRouting(context, record, caller.user, isSubmitted ? undefined : 'routePackage')
    } catch (error) {
      Object.assign(pkg, before)
      throw error
    }
    return toPackage(context, record, caller)
  },

  getPackage(context, { params, caller }) {
    return toPackage(context, findViewablePackage(context, params, caller), caller)
  },

  async getPdf(context, { params, query, caller }) {
    const record = findViewablePackage(context, params, caller)
    const pdf = await printPackage(context, record, {
      includeRouting: query.includeRouting === 'true',
      mergeAttachments: query.mergeAttachments === 'true',
    })
    return new Response(pdf, {
      headers: { 'Content-Type': 'application/pdf', 'Content-Length': String(pdf.byteLength) },
    })
  },

  getHistory: (context, { params, caller }) =>
    toHistory(context, findViewablePackage(context, params, caller)),

  getFutureHistory: (context, { params, caller }) =>
    toFutureHistory(context, findViewablePackage(context, params, caller)),

  getActions(context, { params, query, caller }) {
    return findPackages(context, params, query.id).map(({ form, pkg }) =>
      actionsFor(context.state, form, pkg, caller),
    )
  },

  getComments(context, { params, caller }) {
    const record = findViewablePackage(context, params, caller)
    const isAdministrator =
      context.state.clients.has(caller.user) || record.form.administrators.includes(caller.user)
    return visibleComments(context, record, caller).map((comment) => ({
      ...comment,
      canDelete: comment.state === 'ACTIVE' && (isAdministrator || comment.person === caller.user),
      person: toPerson(context, comment.person),
    }))
  },

  getStatus(context, { params, query, version }) {
    return findPackages(context, params, query.id).map((record) => {
      const { id, state } = record.pkg
      return version === '1.2'
        ? { id, state, inboxSignatures: toInboxSignatures(context, record) }
        : { id, state }
    })
  },
} satisfies Partial<Handlers>

/** Returns the packages with these ids, without duplicates. Ids of other forms and unknown ids are left out. */
function findPackages(
  { state }: EmulatorContext,
  { env, formId }: { readonly env: Environment; readonly formId: number },
  ids: readonly number[],
): PackageRecord[] {
  return [...new Set(ids)].flatMap((id) => {
    const pkg = state.packages[env].get(id)
    const form = state.forms[env].get(formId)
    return pkg && form && pkg.formId === formId ? [{ env, form, pkg }] : []
  })
}

function chooseSubType(form: Form, subType: string | null | undefined): string | null {
  if (form.subTypes.length === 0) {
    if (subType == null) return null
    throw new ServiceError(400, 'subType must be left out: the form has no sub-types')
  }
  if (subType != null && form.subTypes.includes(subType)) return subType
  throw new ServiceError(400, `subType must be one of ${form.subTypes.join(', ')}`)
}
