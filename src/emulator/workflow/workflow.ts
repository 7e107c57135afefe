import type { UpdateEntryBody } from '../../contract/entry.ts'
import type { Environment } from '../../contract/values.ts'
import { actionsFor, approversOf, isApprover } from './actions.ts'
import { toPerson } from './directory.ts'
import { checkEntry, type EntryFailures } from './entry.ts'
import type { Handlers } from '../http/handlers.ts'
import { toFutureHistory, toHistory } from './history.ts'
import type { Mailer } from './mail.ts'
import { actsAsInitiator, currentHolder } from './routing/overrides.ts'
import { beforeRoute } from './routing/route.ts'
import {
  visibleComments,
  toInboxSignatures,
  findPackage,
  findViewablePackage,
  findForm,
  findWritablePackage,
  toPackage,
} from './packages.ts'
import { printPackage } from './pdf/print-package.ts'
import { ServiceError } from '../http/service-error.ts'
import type { Routing } from './routing/routing.ts'
import { pendingSignatures } from './routing/signatures.ts'
import type { Form } from '../state/stored-forms.ts'
import type { StoredPackage } from '../state/stored-packages.ts'
import type { PackageRecord, EmulatorContext } from '../context.ts'

type WorkflowHandlers = Pick<
  Handlers,
  | 'createPackage'
  | 'routePackage'
  | 'getPackage'
  | 'getPdf'
  | 'getHistory'
  | 'getFutureHistory'
  | 'getActions'
  | 'getEntry'
  | 'updateEntry'
  | 'getComments'
  | 'getStatus'
  | 'voidPackage'
  | 'unvoidPackage'
  | 'restartPackage'
  | 'returnPackage'
  | 'removePackage'
  | 'reinitiatePackage'
  | 'returnToInitiator'
  | 'createOverride'
  | 'getOverrides'
  | 'deactivateOverride'
  | 'deleteLock'
>

/** Creates the handlers for packages, routing tools and overrides. */
export function createWorkflow(context: EmulatorContext, routing: Routing, mailer: Mailer): WorkflowHandlers {
  const { state, clock, specOptions } = context

  return {
    createPackage({ params, body, caller }) {
      const form = findForm(context, params)
      const subType = chooseSubType(form, body.subType)
      const failures = checkEntry(state, form, body.entry)
      if (failures.size > 0) return validationResponse(failures)

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
      if ((body.state ?? 'ROUTING') === 'ROUTING') routing.start(record, caller.user)
      state.next.packageId++
      state.packages[params.env].set(pkg.id, pkg)
      return toPackage(context, record, caller)
    },

    routePackage({ params, body, caller }) {
      const record = findPackage(context, params)
      const { pkg, form } = record
      requireSameId(pkg, body.id)
      // Applications may route any package, people only their own (spec, States and transitions).
      const isStranger = !state.clients.has(caller.user) && !actsAsInitiator(pkg, caller.user)
      if (isStranger && !caller.bypass) throw new ServiceError(403, 'Only the initiator may start routing')
      routing.check(record, 'routePackage')
      const subType = chooseSubType(form, body.subType)
      const before = { subType: pkg.subType, packageDetails: pkg.packageDetails }
      pkg.subType = subType
      updateDetails(pkg, body.emailContent?.packageDetails)
      try {
        routing.start(record, caller.user, 'routePackage')
      } catch (error) {
        Object.assign(pkg, before)
        throw error
      }
      return toPackage(context, record, caller)
    },

    getPackage({ params, caller }) {
      return toPackage(context, findViewablePackage(context, params, caller), caller)
    },

    async getPdf({ params, query, caller }) {
      const record = findViewablePackage(context, params, caller)
      const pdf = await printPackage(context, record, {
        includeRouting: query.includeRouting === 'true',
        mergeAttachments: query.mergeAttachments === 'true',
      })
      return new Response(pdf, {
        headers: { 'Content-Type': 'application/pdf', 'Content-Length': String(pdf.byteLength) },
      })
    },

    getHistory: ({ params, caller }) => toHistory(context, findViewablePackage(context, params, caller)),

    getFutureHistory: ({ params, caller }) =>
      toFutureHistory(context, findViewablePackage(context, params, caller)),

    getActions({ params, query, caller }) {
      return findPackages(params, query.id).map(({ form, pkg }) => actionsFor(state, form, pkg, caller))
    },

    getEntry({ params, caller, version }) {
      const { form, pkg } = findPackage(context, params)
      const isAllowed =
        caller.bypass ||
        state.clients.has(caller.user) ||
        (actionsFor(state, form, pkg, caller).canView &&
          (pkg.initiator === caller.user || isApprover(state, form, pkg, caller.user)))
      if (!isAllowed) throw new ServiceError(403, 'Only the initiator or an approver may read entry data')
      return version === '1.1' ? entryAndEmail(pkg) : pkg.entry
    },

    // Accepts any caller, like the tools below: the calling application must check rights (spec, Routing tools).
    updateEntry({ params, body, version }) {
      const record = findPackage(context, params)
      const { form, pkg } = record
      const update: UpdateEntryBody =
        version === '1.1' ? (body as unknown as UpdateEntryBody) : { entry: body }
      const failures = checkEntry(state, form, update.entry)
      if (failures.size > 0) return validationResponse(failures)

      const hasChanged = !isSameEntry(pkg.entry, update.entry)
      pkg.entry = update.entry
      const { deltaSummary = null, packageDetails } = update.emailContent ?? {}
      updateDetails(pkg, packageDetails)
      const sendsMail = update.sendDeltaEmail ?? (deltaSummary !== null || hasChanged)
      const approvers = update.sendDeltaEmail
        ? approversOf(pkg)
        : pendingSignatures(pkg).map(({ person }) => person)
      if (sendsMail) mailer.notifyEdit(record, approvers, deltaSummary)
      return version === '1.1' ? entryAndEmail(pkg) : pkg.entry
    },

    getComments({ params, caller }) {
      const record = findViewablePackage(context, params, caller)
      const isAdministrator =
        state.clients.has(caller.user) || record.form.administrators.includes(caller.user)
      return visibleComments(context, record, caller).map((comment) => ({
        ...comment,
        canDelete: comment.state === 'ACTIVE' && (isAdministrator || comment.person === caller.user),
        person: toPerson(context, comment.person),
      }))
    },

    getStatus({ params, query, version }) {
      return findPackages(params, query.id).map((record) => {
        const { id, state } = record.pkg
        return version === '1.2'
          ? { id, state, inboxSignatures: toInboxSignatures(context, record) }
          : { id, state }
      })
    },

    voidPackage({ params, body, caller }) {
      const record = findPackage(context, params)
      requireSameId(record.pkg, body.id)
      routing.void(record, caller.user, body.voidReason)
      return toPackage(context, record, caller)
    },

    unvoidPackage({ params, caller }) {
      const record = findPackage(context, params)
      routing.unvoid(record, caller.user)
      return toPackage(context, record, caller)
    },

    restartPackage({ params, caller }) {
      const record = findPackage(context, params)
      routing.restart(record)
      return toPackage(context, record, caller)
    },

    returnPackage({ params, body, caller }) {
      const record = findPackage(context, params)
      routing.returnTo(record, body.univid)
      return toPackage(context, record, caller)
    },

    removePackage({ params, caller }) {
      const record = findPackage(context, params)
      routing.remove(record, caller.user)
      return toPackage(context, record, caller)
    },

    reinitiatePackage({ params, caller }) {
      const record = findPackage(context, params)
      routing.reinitiate(record, caller.user)
      return toPackage(context, record, caller)
    },

    returnToInitiator({ params, body, caller }) {
      const record = findPackage(context, params)
      routing.returnToInitiator(record, caller.user, body.comment)
      return toPackage(context, record, caller)
    },

    createOverride({ params, body, caller }) {
      const record = findWritablePackage(context, params, caller)
      const { pkg } = record
      const { subjectUnivid, replacementUnivid } = body
      for (const [name, univid] of Object.entries({ subjectUnivid, replacementUnivid })) {
        if (!state.people.has(univid)) throw new ServiceError(400, `${name}: person ${univid} does not exist`)
      }
      if (currentHolder(pkg, replacementUnivid) === subjectUnivid) {
        throw new ServiceError(400, 'replacementUnivid must not lead back to the subject of the override')
      }
      if (pkg.overrides.some((override) => override.subjectUnivid === subjectUnivid)) {
        throw new ServiceError(409, `An override of ${subjectUnivid} is already active. Deactivate it first.`)
      }
      pkg.overrides = [...pkg.overrides, body]
      routing.reassign(record)
      return body
    },

    getOverrides: ({ params, caller }) => findViewablePackage(context, params, caller).pkg.overrides,

    deactivateOverride({ params, caller }) {
      const record = findWritablePackage(context, params, caller)
      const { pkg } = record
      const others = pkg.overrides.filter(({ subjectUnivid }) => subjectUnivid !== params.univid)
      if (others.length === pkg.overrides.length) {
        throw new ServiceError(404, `${params.univid} has no active override`)
      }
      pkg.overrides = others
      routing.reassign(record)
      return deletedResponse()
    },

    deleteLock({ params, caller }) {
      routing.unfreeze(findWritablePackage(context, params, caller), params.lockId)
      return deletedResponse()
    },
  }

  /** Returns the packages with these ids, without duplicates. Ids of other forms and unknown ids are left out. */
  function findPackages(
    { env, formId }: { readonly env: Environment; readonly formId: number },
    ids: readonly number[],
  ): PackageRecord[] {
    return [...new Set(ids)].flatMap((id) => {
      const pkg = state.packages[env].get(id)
      const form = state.forms[env].get(formId)
      return pkg && form && pkg.formId === formId ? [{ env, form, pkg }] : []
    })
  }

  function deletedResponse(): Response {
    return new Response(null, { status: Number(specOptions.deleteStatus) })
  }

  function validationResponse(failures: EntryFailures): Response {
    const body = Object.fromEntries([...failures].map(([key, code]) => [`entry['${key}']`, [code]]))
    return Response.json(body, { status: Number(specOptions.validationStatus) })
  }
}

function chooseSubType(form: Form, subType: string | null | undefined): string | null {
  if (form.subTypes.length === 0) {
    if (subType == null) return null
    throw new ServiceError(400, 'subType must be left out: the form has no sub-types')
  }
  if (subType != null && form.subTypes.includes(subType)) return subType
  throw new ServiceError(400, `subType must be one of ${form.subTypes.join(', ')}`)
}

function requireSameId(pkg: StoredPackage, id: number | undefined): void {
  if (id !== undefined && id !== pkg.id) {
    throw new ServiceError(400, 'id must be the id of the package in the path')
  }
}

/** Updates the details. Null keeps the stored value, an empty string clears it (spec, Update entry data). */
function updateDetails(pkg: StoredPackage, packageDetails: string | null | undefined): void {
  if (packageDetails != null) pkg.packageDetails = packageDetails || null
}

function entryAndEmail({ entry, packageDetails }: StoredPackage) {
  return { entry, emailContent: { packageDetails } }
}

function isSameEntry(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]))
}
