// Moves packages from stop to stop, without checking whether they may move.
import type { TransitionName } from '../../../contract/values/transitions.ts'
import type { HistoryClass, PackageState } from '../../../contract/values/values.ts'
import { canSign } from '../actions.ts'
import { queueStateCallback, queueStopCallback } from '../callbacks.ts'
import { notifyApprovers } from '../mail.ts'
import { currentHolder } from './overrides.ts'
import { missingAttachments } from './required-attachments.ts'
import { beforeRoute, type CalculatedStop, calculateRoute, type StopRecipient, stopsAfter } from './route.ts'
import { contextOfRecipient } from './signature-context.ts'
import { heldSignatures, pendingSignatures } from './signatures.ts'
import { targetState } from './transition.ts'
import type { StoredEvent } from '../../state/stored-packages.ts'
import { type EmulatorContext, nextId, type PackageRecord } from '../../context.ts'

/** Starts a round of signatures at the first stop, after a transition or for a new package. */
export function begin(context: EmulatorContext, record: PackageRecord, transition?: TransitionName): void {
  const { pkg } = record
  pkg.roundStart = pkg.history.length
  if (transition) follow(context, record, transition)
  else enter(context, record, 'ROUTING')
  advance(context, record)
}

/** Enters the state that a transition leads to. */
export function follow(context: EmulatorContext, record: PackageRecord, transition: TransitionName): void {
  enter(context, record, targetState(record.pkg, transition))
}

function enter(context: EmulatorContext, record: PackageRecord, next: PackageState): void {
  const before = record.pkg.state
  record.pkg.state = next
  if (before !== next) queueStateCallback(context, record)
}

/** Moves on to the next stop where someone must sign, or completes the package. */
export function advance(context: EmulatorContext, record: PackageRecord): void {
  const { form, pkg } = record
  bypassInbox(record)
  const [stop] = stopsAfter(calculateRoute(context.state, form, pkg), pkg.position)
  if (!stop) return complete(context, record)

  pkg.stopNumber = stop.stopNumber
  pkg.position = stop.position
  const lock = queueStopCallback(context, record, stop)
  if (lock === null) arrive(context, record, stop)
  else pkg.lock = lock
}

/** Hands the package to the recipients of a stop. Moves on if none of them must sign. */
export function arrive(
  context: EmulatorContext,
  record: PackageRecord,
  stop: CalculatedStop | undefined,
): void {
  if (stop) {
    const { name, stopNumber } = stop
    receive(context, record, stop.recipients, { name, stopNumber }, null)
    if (stop.autoSign) signAutomatically(context, record)
  }
  if (!isWaiting(record)) advance(context, record)
}

function complete(context: EmulatorContext, record: PackageRecord): void {
  if (missingAttachments(record, 'requiredBeforeComplete').length > 0) return
  addEvent(context, record, 'complete', null, null)
  enter(context, record, 'COMPLETE')
}

/** Puts the package into the inboxes of recipients and notifies them. */
export function receive(
  context: EmulatorContext,
  record: PackageRecord,
  recipients: readonly StopRecipient[],
  stop: NonNullable<StoredEvent['stop']>,
  ownContext: string | null,
): void {
  const { pkg } = record
  const now = context.clock.localNow()
  const events = recipients.map((recipient): StoredEvent & { person: string } => ({
    class: 'signature',
    actionDate: now,
    person: currentHolder(pkg, recipient.univid),
    stop,
    signature: {
      id: nextId(context),
      permission: recipient.permission,
      subject: recipient.univid,
      context: contextOfRecipient(context, record, recipient, ownContext),
      isRole: recipient.role !== null,
      office: recipient.office,
      responsibleOffice: recipient.responsibleOffice,
      routingDate: now,
      state: 'RECEIVED',
      autoSigned: null,
      inboxSigned: null,
    },
  }))
  pkg.history.push(...events)
  pkg.inbox = events.flatMap(({ signature }) => signature?.id ?? [])
  notifyApprovers(
    context,
    record,
    events.map(({ person }) => person),
  )
}

function signAutomatically(context: EmulatorContext, record: PackageRecord): void {
  const { pkg } = record
  for (const { person, signature } of pendingSignatures(pkg)) {
    const hasSigned =
      person === pkg.initiator ||
      pkg.history
        .slice(pkg.roundStart)
        .some((event) => event.person === person && event.signature?.state === 'APPROVED')
    const isBlocked =
      wouldComplete(context, record, [signature.id]) &&
      missingAttachments(record, 'requiredBeforeComplete').length > 0
    if (hasSigned && canSign(signature.permission) && !isBlocked) approve(context, record, signature.id, true)
  }
}

/** Signs a pending signature. */
export function approve(
  context: EmulatorContext,
  { pkg }: PackageRecord,
  signatureId: number,
  isAutomatic: boolean,
): void {
  const event = heldSignatures(pkg).find(({ signature }) => signature.id === signatureId)
  if (!event) return
  event.actionDate = context.clock.localNow()
  event.signature.state = 'APPROVED'
  event.signature.autoSigned = isAutomatic
  event.signature.inboxSigned = !isAutomatic
  pkg.inbox = pkg.inbox.filter((other) => other !== signatureId)
  pkg.actionDate = event.actionDate
}

/** Whether someone at the current stop must still sign, apart from the signatures in `except`. */
export function isWaiting({ pkg }: PackageRecord, except: readonly number[] = []): boolean {
  return heldSignatures(pkg).some(
    ({ signature }) => signature.permission === 'SIGNATURE_REQUIRED' && !except.includes(signature.id),
  )
}

/** Whether these signatures are the last ones that the route requires. */
export function wouldComplete(
  context: EmulatorContext,
  record: PackageRecord,
  signatureIds: readonly number[],
): boolean {
  const { form, pkg } = record
  const ahead = stopsAfter(calculateRoute(context.state, form, pkg), pkg.position)
  const requiresMore = ahead.some(({ recipients }) =>
    recipients.some(({ permission }) => permission === 'SIGNATURE_REQUIRED'),
  )
  return !requiresMore && !isWaiting(record, signatureIds)
}

/** Takes the package out of all inboxes and off its route. */
export function leaveRoute(record: PackageRecord): void {
  const { pkg } = record
  bypassInbox(record)
  pkg.lock = null
  pkg.stopNumber = 0
  pkg.position = beforeRoute
}

function bypassInbox({ pkg }: PackageRecord): void {
  for (const { signature } of heldSignatures(pkg)) signature.state = 'BYPASSED_REMOVE'
  pkg.inbox = []
}

/** Adds an event to the history. */
export function addEvent(
  context: EmulatorContext,
  { pkg }: PackageRecord,
  type: Exclude<HistoryClass, 'signature'>,
  person: string | null,
  stop: StoredEvent['stop'],
): void {
  const actionDate = context.clock.localNow()
  pkg.history.push({ class: type, actionDate, person, stop, signature: null })
  pkg.actionDate = actionDate
}
