import type { Result } from '../contract/operations.ts'
import type { Environment } from '../contract/values.ts'
import type { PackageActions, PackageStatus, PackageStatus12, Person } from '../contract/workflow.ts'
import type { Clock } from './clock.ts'
import type { Caller, Handlers } from './handlers.ts'
import { Refusal } from './refusal.ts'
import type { EmulatorState, Form, StoredPackage } from './state.ts'

/** The workflow routing service. */
export function createWorkflow(
  state: EmulatorState,
  clock: Clock,
): Pick<Handlers, 'getPackage' | 'getActions' | 'getStatus' | 'voidPackage'> {
  return {
    getPackage({ params, caller }) {
      const { found, form } = find(params.env, params.formId, params.packageId)
      const actions = actionsOf(found, form, caller)
      if (!actions.canView) throw new Refusal(403, 'The request user has no rights on this package')
      return show(found, actions)
    },

    getActions({ params, query, caller }) {
      return query.id.flatMap((id) => {
        const found = state.packages[params.env].get(id)
        const form = state.forms.get(params.formId)
        return found && form && found.formId === form.id ? [actionsOf(found, form, caller)] : []
      })
    },

    // Tells any caller the state of any package: the calling application must check rights (spec, Routing tools).
    getStatus({ params, query, version }) {
      return query.id.flatMap((id): PackageStatus[] => {
        const found = state.packages[params.env].get(id)
        const form = state.forms.get(params.formId)
        if (!found || !form || found.formId !== form.id) return []
        const status: PackageStatus = { id, state: found.state }
        return [version === '1.2' ? Object.assign(status, { inboxSignatures: inboxOf(found, form) }) : status]
      })
    },

    // Obeys any caller, as the real service does.
    voidPackage({ params, body, caller }) {
      const { found, form } = find(params.env, params.formId, params.packageId)
      if (body.id !== found.id) throw new Refusal(400, 'The id of the body is not the id of the path')
      if (found.state !== 'ROUTING' && found.state !== 'COMPLETE') {
        throw new Refusal(409, `A package in state ${found.state} cannot be voided`)
      }
      found.state = 'VOID'
      found.voidReason = body.voidReason
      found.actionDate = clock.local(clock.now())
      found.inbox = []
      return show(found, actionsOf(found, form, caller))
    },
  }

  function find(env: Environment, formId: number, packageId: number): { found: StoredPackage; form: Form } {
    const found = state.packages[env].get(packageId)
    const form = state.forms.get(formId)
    if (!found || !form || found.formId !== formId) throw new Refusal(404, 'There is no such package')
    return { found, form }
  }

  function actionsOf(found: StoredPackage, form: Form, { user, bypass }: Caller): PackageActions {
    const entry = found.inbox.find(({ destination }) => destination.univid === user)
    const permission = entry?.destination.permission
    const signs = permission === 'SIGNATURE_REQUIRED' || permission === 'SIGNATURE_PERMITTED'
    const isInitiator = found.initiator === user
    const isAdministrator = form.administrators.includes(user) || state.clients.has(user)
    const isApprover = form.stops.some((stop) => stop.destinations.some(({ univid }) => univid === user))
    const isRouting = found.state === 'ROUTING'

    return {
      canView: bypass || isInitiator || isAdministrator || isApprover,
      canEdit: bypass || (isRouting && (isAdministrator || signs || permission === 'VIEW_AND_EDIT')),
      canSign: bypass || (isRouting && signs),
      canVoid: bypass || (isRouting && (isAdministrator || permission === 'SIGNATURE_REQUIRED')),
      canInitiatorVoid: bypass || (isRouting && isInitiator),
      canAddApprover: bypass || (isRouting && (isAdministrator || signs)),
      canVoidAfter: bypass || (found.state === 'COMPLETE' && isAdministrator),
      packageId: found.id,
      signatureId: entry?.signatureId ?? null,
    }
  }

  function show(found: StoredPackage, actions: PackageActions): Result<'getPackage'> {
    return {
      id: found.id,
      state: found.state,
      subType: found.subType,
      emailContent: { packageDetails: found.packageDetails },
      actions,
      routingDate: found.routingDate,
      actionDate: found.actionDate,
      initiator: personOf(found.initiator),
      voidReason: found.voidReason,
      commentCount: 0,
      attachmentCount: 0,
    }
  }

  function inboxOf(found: StoredPackage, form: Form): PackageStatus12['inboxSignatures'] {
    return found.inbox.map(({ signatureId, destination }) => ({
      id: signatureId,
      approver: personOf(destination.univid)?.displayName ?? destination.univid,
      state: 'RECEIVED',
      permission: destination.permission,
      responsibleOffice: state.offices.get(destination.office ?? form.office) ?? null,
    }))
  }

  function personOf(univid: string): Person | null {
    return state.people.get(univid) ?? null
  }
}
