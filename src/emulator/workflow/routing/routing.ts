import { canSign } from '../actions.ts'
import { notifyApprovers } from '../mail.ts'
import { currentHolder } from './overrides.ts'
import { addEvent, advance, approve, begin, isWaiting, wouldComplete } from './progress.ts'
import { requireAttachments } from './required-attachments.ts'
import { contextOfSignature } from './signature-context.ts'
import { heldSignatures, pendingSignatures } from './signatures.ts'
import { ServiceError } from '../../http/service-error.ts'
import type { EmulatorContext, PackageRecord } from '../../context.ts'

/** Starts routing at the first stop, on behalf of `actor`: by a transition, or for a new or submitted package. */
export function startRouting(
  context: EmulatorContext,
  record: PackageRecord,
  actor: string,
  transition?: 'routePackage' | 'reinitiatePackage',
): void {
  requireAttachments(record, 'requiredPreRouting')
  const { pkg } = record
  pkg.routingDate = context.clock.localNow()
  pkg.isRemoved = false
  const event = transition === 'reinitiatePackage' ? 're_initiate' : 'initiation'
  addEvent(context, record, event, actor, { name: null, stopNumber: 0 })
  begin(context, record, transition)
}

/** Signs the package as one person. The service has no operation for this: people sign in its own screens. */
export function signPackage(context: EmulatorContext, record: PackageRecord, univid: string): void {
  const { pkg } = record
  if (pkg.state !== 'ROUTING') {
    throw new ServiceError(409, `A package in state ${pkg.state} cannot be signed`)
  }
  const own = pendingSignatures(pkg).filter(({ person }) => person === univid)
  if (own.length === 0) throw new ServiceError(409, `The package is not in the inbox of ${univid}`)
  const signable = own.filter(({ signature }) => canSign(signature.permission))
  if (signable.length === 0) throw new ServiceError(403, `${univid} may view this package but not sign it`)

  const ids = signable.map(({ signature }) => signature.id)
  if (wouldComplete(context, record, ids)) requireAttachments(record, 'requiredBeforeComplete')
  for (const id of ids) approve(context, record, id, false)
  if (!isWaiting(record)) advance(context, record)
}

/** Completes a package that only lacked a required attachment. */
export function resumeRouting(context: EmulatorContext, record: PackageRecord): void {
  const { pkg } = record
  if (pkg.state === 'ROUTING' && pkg.inbox.length === 0 && pkg.lock === null) advance(context, record)
}

/** Reassigns pending signatures after the overrides changed. */
export function reassignSignatures(context: EmulatorContext, record: PackageRecord): void {
  const { pkg } = record
  for (const event of heldSignatures(pkg)) {
    const { signature } = event
    const before = event.person
    event.person = currentHolder(pkg, signature.subject)
    if (event.person === before) continue
    signature.context = contextOfSignature(context, record, signature)
    // A void package is in no inbox.
    if (pkg.state === 'ROUTING') notifyApprovers(context, record, [event.person])
  }
}
