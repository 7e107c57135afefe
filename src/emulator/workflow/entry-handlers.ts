import type { UpdateEntryBody } from '../../contract/schemas/entry.ts'
import { actionsFor, approversOf, isApprover } from './actions.ts'
import { checkEntry, validationResponse } from './entry.ts'
import { notifyEdit } from './mail.ts'
import { findPackage } from './packages.ts'
import { pendingSignatures } from './routing/signatures.ts'
import type { Handlers } from '../http/handler.ts'
import { ServiceError } from '../http/service-error.ts'
import type { StoredPackage } from '../state/stored-packages.ts'

/** Handlers of entry data. */
export const entryHandlers = {
  getEntry(context, { params, caller, version }) {
    const { state } = context
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
  updateEntry(context, { params, body, version }) {
    const record = findPackage(context, params)
    const { form, pkg } = record
    const update: UpdateEntryBody = version === '1.1' ? (body as unknown as UpdateEntryBody) : { entry: body }
    const failures = checkEntry(context.state, form, update.entry)
    if (failures.size > 0) return validationResponse(context, failures)

    const hasChanged = !isSameEntry(pkg.entry, update.entry)
    pkg.entry = update.entry
    const { deltaSummary = null, packageDetails } = update.emailContent ?? {}
    updateDetails(pkg, packageDetails)
    const sendsMail = update.sendDeltaEmail ?? (deltaSummary !== null || hasChanged)
    const approvers = update.sendDeltaEmail
      ? approversOf(pkg)
      : pendingSignatures(pkg).map(({ person }) => person)
    if (sendsMail) notifyEdit(context, record, approvers, deltaSummary)
    return version === '1.1' ? entryAndEmail(pkg) : pkg.entry
  },
} satisfies Partial<Handlers>

/** Updates the details. Null keeps the stored value, an empty string clears it (spec, Update entry data). */
export function updateDetails(pkg: StoredPackage, packageDetails: string | null | undefined): void {
  if (packageDetails != null) pkg.packageDetails = packageDetails || null
}

function entryAndEmail({ entry, packageDetails }: StoredPackage) {
  return { entry, emailContent: { packageDetails } }
}

function isSameEntry(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]))
}
