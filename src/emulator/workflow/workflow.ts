import type { UpdateEntryBody } from '../../contract/entry.ts'
import type { Environment } from '../../contract/values.ts'
import { actionsOf, isApprover } from './actions.ts'
import { personOf } from './directory.ts'
import { checkEntry, type EntryFailures } from './entry.ts'
import type { Handlers } from '../handlers.ts'
import { futureHistoryOf, historyOf } from './history.ts'
import type { Mailer } from './mail.ts'
import { actsAsInitiator, holderOf } from './overrides.ts'
import { beforeRoute } from './route.ts'
import {
  commentsFor,
  inboxShown,
  locate,
  locateAllowed,
  locateForm,
  locateWritable,
  packageShown,
} from './packages.ts'
import { printPackage } from './print.ts'
import { Refusal } from '../refusal.ts'
import type { Routing } from './routing.ts'
import { pendingSignatures } from './signatures.ts'
import type { Form, StoredPackage } from '../state.ts'
import type { Located, EmulatorContext } from '../context.ts'

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

/** Packages, routing tools and overrides of the workflow routing service. */
export function createWorkflow(world: EmulatorContext, routing: Routing, mailer: Mailer): WorkflowHandlers {
  const { state, clock, specOptions } = world

  return {
    createPackage({ params, body, caller }) {
      const form = locateForm(world, params)
      const subType = chooseSubType(form, body.subType)
      const failures = checkEntry(state, form, body.entry)
      if (failures.size > 0) return validationFailure(failures)

      const now = clock.localNow()
      const found: StoredPackage = {
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
      const located = { env: params.env, form, found }
      if ((body.state ?? 'ROUTING') === 'ROUTING') routing.start(located, caller.user)
      state.next.packageId++
      state.packages[params.env].set(found.id, found)
      return packageShown(world, located, caller)
    },

    routePackage({ params, body, caller }) {
      const located = locate(world, params)
      const { found, form } = located
      checkId(found, body.id)
      // An application may act for itself; of people, only the initiator may (spec, States and transitions).
      const isOther = !state.clients.has(caller.user) && !actsAsInitiator(found, caller.user)
      if (isOther && !caller.bypass) throw new Refusal(403, 'Only the initiator may start routing')
      routing.check(located, 'routePackage')
      const subType = chooseSubType(form, body.subType)
      const before = { subType: found.subType, packageDetails: found.packageDetails }
      found.subType = subType
      keepDetails(found, body.emailContent?.packageDetails)
      try {
        routing.start(located, caller.user, 'routePackage')
      } catch (error) {
        Object.assign(found, before)
        throw error
      }
      return packageShown(world, located, caller)
    },

    getPackage({ params, caller }) {
      return packageShown(world, locateAllowed(world, params, caller), caller)
    },

    async getPdf({ params, query, caller }) {
      const located = locateAllowed(world, params, caller)
      const pdf = await printPackage(world, located, {
        includeRouting: query.includeRouting === 'true',
        mergeAttachments: query.mergeAttachments === 'true',
      })
      return new Response(pdf, {
        headers: { 'Content-Type': 'application/pdf', 'Content-Length': String(pdf.byteLength) },
      })
    },

    getHistory: ({ params, caller }) => historyOf(world, locateAllowed(world, params, caller)),

    getFutureHistory: ({ params, caller }) => futureHistoryOf(world, locateAllowed(world, params, caller)),

    getActions({ params, query, caller }) {
      return locateMany(params, query.id).map(({ form, found }) => actionsOf(state, form, found, caller))
    },

    getEntry({ params, caller, version }) {
      const { form, found } = locate(world, params)
      const isAllowed =
        caller.bypass ||
        state.clients.has(caller.user) ||
        (actionsOf(state, form, found, caller).canView &&
          (found.initiator === caller.user || isApprover(state, form, found, caller.user)))
      if (!isAllowed) throw new Refusal(403, 'Only the initiator or an approver may read entry data')
      return version === '1.1' ? entryWithEmail(found) : found.entry
    },

    // Obeys any caller, as the other tools below do: the calling application must check rights (spec, Routing tools).
    updateEntry({ params, body, version }) {
      const located = locate(world, params)
      const { form, found } = located
      const update: UpdateEntryBody =
        version === '1.1' ? (body as unknown as UpdateEntryBody) : { entry: body }
      const failures = checkEntry(state, form, update.entry)
      if (failures.size > 0) return validationFailure(failures)

      const hasChanged = !isSameEntry(found.entry, update.entry)
      found.entry = update.entry
      const { deltaSummary = null, packageDetails } = update.emailContent ?? {}
      keepDetails(found, packageDetails)
      const sends = update.sendDeltaEmail ?? (deltaSummary !== null || hasChanged)
      const approvers = pendingSignatures(found).map(({ person }) => person)
      if (sends) mailer.notifyEdit(located, approvers, deltaSummary)
      return version === '1.1' ? entryWithEmail(found) : found.entry
    },

    getComments({ params, caller }) {
      const located = locateAllowed(world, params, caller)
      const isAdministrator =
        state.clients.has(caller.user) || located.form.administrators.includes(caller.user)
      return commentsFor(world, located, caller).map((comment) => ({
        ...comment,
        canDelete: comment.state === 'ACTIVE' && (isAdministrator || comment.person === caller.user),
        person: personOf(world, comment.person),
      }))
    },

    getStatus({ params, query, version }) {
      return locateMany(params, query.id).map((located) => {
        const { id, state } = located.found
        return version === '1.2' ? { id, state, inboxSignatures: inboxShown(world, located) } : { id, state }
      })
    },

    voidPackage({ params, body, caller }) {
      const located = locate(world, params)
      checkId(located.found, body.id)
      routing.void(located, caller.user, body.voidReason)
      return packageShown(world, located, caller)
    },

    unvoidPackage({ params, caller }) {
      const located = locate(world, params)
      routing.unvoid(located, caller.user)
      return packageShown(world, located, caller)
    },

    restartPackage({ params, caller }) {
      const located = locate(world, params)
      routing.restart(located)
      return packageShown(world, located, caller)
    },

    returnPackage({ params, body, caller }) {
      const located = locate(world, params)
      routing.returnTo(located, body.univid)
      return packageShown(world, located, caller)
    },

    removePackage({ params, caller }) {
      const located = locate(world, params)
      routing.remove(located, caller.user)
      return packageShown(world, located, caller)
    },

    reinitiatePackage({ params, caller }) {
      const located = locate(world, params)
      routing.reinitiate(located, caller.user)
      return packageShown(world, located, caller)
    },

    returnToInitiator({ params, body, caller }) {
      const located = locate(world, params)
      routing.returnToInitiator(located, caller.user, body.comment)
      return packageShown(world, located, caller)
    },

    createOverride({ params, body, caller }) {
      const located = locateWritable(world, params, caller)
      const { found } = located
      const { subjectUnivid, replacementUnivid } = body
      for (const [name, univid] of Object.entries({ subjectUnivid, replacementUnivid })) {
        if (!state.people.has(univid)) throw new Refusal(400, `${name}: there is no person ${univid}`)
      }
      if (holderOf(found, replacementUnivid) === subjectUnivid) {
        throw new Refusal(400, 'replacementUnivid: the signature would come back to the subject')
      }
      if (found.overrides.some((override) => override.subjectUnivid === subjectUnivid)) {
        throw new Refusal(409, `An override of ${subjectUnivid} is already active; deactivate it first`)
      }
      found.overrides = [...found.overrides, body]
      routing.reassign(located)
      return body
    },

    getOverrides: ({ params, caller }) => locateAllowed(world, params, caller).found.overrides,

    deactivateOverride({ params, caller }) {
      const located = locateWritable(world, params, caller)
      const { found } = located
      const others = found.overrides.filter(({ subjectUnivid }) => subjectUnivid !== params.univid)
      if (others.length === found.overrides.length) {
        throw new Refusal(404, `There is no active override of ${params.univid}`)
      }
      found.overrides = others
      routing.reassign(located)
      return deleted()
    },

    deleteLock({ params, caller }) {
      routing.unfreeze(locateWritable(world, params, caller), params.lockId)
      return deleted()
    },
  }

  /** Of ids that name no package of the form, nothing is said. Each is answered once. */
  function locateMany(
    { env, formId }: { readonly env: Environment; readonly formId: number },
    ids: readonly number[],
  ): Located[] {
    return [...new Set(ids)].flatMap((id) => {
      const found = state.packages[env].get(id)
      const form = state.forms[env].get(formId)
      return found && form && found.formId === formId ? [{ env, form, found }] : []
    })
  }

  function deleted(): Response {
    return new Response(null, { status: Number(specOptions.deleteStatus) })
  }

  function validationFailure(failures: EntryFailures): Response {
    const body = Object.fromEntries([...failures].map(([key, code]) => [`entry['${key}']`, [code]]))
    return Response.json(body, { status: Number(specOptions.validationStatus) })
  }
}

function chooseSubType(form: Form, subType: string | null | undefined): string | null {
  if (form.subTypes.length === 0) {
    if (subType == null) return null
    throw new Refusal(400, 'subType: the form has no sub-types; leave it out')
  }
  if (subType != null && form.subTypes.includes(subType)) return subType
  throw new Refusal(400, `subType must be one of ${form.subTypes.join(', ')}`)
}

function checkId(found: StoredPackage, id: number | undefined): void {
  if (id !== undefined && id !== found.id) {
    throw new Refusal(400, 'id: the body names another package than the path')
  }
}

/** Null keeps the stored value, an empty string clears it (spec, Update entry data). */
function keepDetails(found: StoredPackage, packageDetails: string | null | undefined): void {
  if (packageDetails != null) found.packageDetails = packageDetails || null
}

function entryWithEmail({ entry, packageDetails }: StoredPackage) {
  return { entry, emailContent: { packageDetails } }
}

function isSameEntry(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]))
}
