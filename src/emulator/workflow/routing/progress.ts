import type { TransitionName } from '../../../contract/transitions.ts'
import type { HistoryClass, PackageState } from '../../../contract/values.ts'
import { canSign } from '../actions.ts'
import type { CallbackQueue } from '../callbacks.ts'
import type { Mailer } from '../mail.ts'
import { currentHolder } from './overrides.ts'
import { missingAttachments } from './required-attachments.ts'
import { beforeRoute, type CalculatedStop, calculateRoute, type StopRecipient, stopsAfter } from './route.ts'
import { contextOfRecipient } from './signature-context.ts'
import { heldSignatures, pendingSignatures } from './signatures.ts'
import { targetState } from './transition.ts'
import type { StoredEvent } from '../../state/stored-packages.ts'
import { type EmulatorContext, nextId, type PackageRecord } from '../../context.ts'

/** Moves packages from stop to stop, without checking whether they may move. */
export interface Progress {
  /** Starts a round of signatures at the first stop, after a transition or for a new package. */
  readonly begin: (record: PackageRecord, transition?: TransitionName) => void
  /** Enters the state that a transition leads to. */
  readonly follow: (record: PackageRecord, transition: TransitionName) => void
  /** Moves on to the next stop where someone must sign, or completes the package. */
  readonly advance: (record: PackageRecord) => void
  /** Hands the package to the recipients of a stop. Moves on if none of them must sign. */
  readonly arrive: (record: PackageRecord, stop: CalculatedStop | undefined) => void
  /** Puts the package into the inboxes of recipients and notifies them. */
  readonly receive: (
    record: PackageRecord,
    recipients: readonly StopRecipient[],
    stop: NonNullable<StoredEvent['stop']>,
    ownContext: string | null,
  ) => void
  /** Signs a pending signature. */
  readonly approve: (record: PackageRecord, signatureId: number, isAutomatic: boolean) => void
  /** Whether someone at the current stop must still sign, apart from the signatures in `except`. */
  readonly isWaiting: (record: PackageRecord, except?: readonly number[]) => boolean
  /** Whether these signatures are the last ones that the route requires. */
  readonly wouldComplete: (record: PackageRecord, signatureIds: readonly number[]) => boolean
  /** Takes the package out of all inboxes and off its route. */
  readonly leaveRoute: (record: PackageRecord) => void
  /** Adds an event to the history. */
  readonly addEvent: (
    record: PackageRecord,
    type: Exclude<HistoryClass, 'signature'>,
    person: string | null,
    stop: StoredEvent['stop'],
  ) => void
}

/** Creates the part of the routing engine that moves packages from stop to stop. */
export function createProgress(context: EmulatorContext, mailer: Mailer, callbacks: CallbackQueue): Progress {
  const { state, clock } = context

  return { begin, follow, advance, arrive, receive, approve, isWaiting, wouldComplete, leaveRoute, addEvent }

  function begin(record: PackageRecord, transition?: TransitionName): void {
    const { pkg } = record
    pkg.roundStart = pkg.history.length
    if (transition) follow(record, transition)
    else enter(record, 'ROUTING')
    advance(record)
  }

  function follow(record: PackageRecord, transition: TransitionName): void {
    enter(record, targetState(record.pkg, transition))
  }

  function enter(record: PackageRecord, next: PackageState): void {
    const before = record.pkg.state
    record.pkg.state = next
    if (before !== next) callbacks.stateChanged(record)
  }

  function advance(record: PackageRecord): void {
    const { form, pkg } = record
    bypassInbox(record)
    const [stop] = stopsAfter(calculateRoute(state, form, pkg), pkg.position)
    if (!stop) return complete(record)

    pkg.stopNumber = stop.stopNumber
    pkg.position = stop.position
    const lock = callbacks.arrived(record, stop)
    if (lock === null) arrive(record, stop)
    else pkg.lock = lock
  }

  function arrive(record: PackageRecord, stop: CalculatedStop | undefined): void {
    if (stop) {
      const { name, stopNumber } = stop
      receive(record, stop.recipients, { name, stopNumber }, null)
      if (stop.autoSign) signAutomatically(record)
    }
    if (!isWaiting(record)) advance(record)
  }

  function complete(record: PackageRecord): void {
    if (missingAttachments(record, 'requiredBeforeComplete').length > 0) return
    addEvent(record, 'complete', null, null)
    enter(record, 'COMPLETE')
  }

  function receive(
    record: PackageRecord,
    recipients: readonly StopRecipient[],
    stop: NonNullable<StoredEvent['stop']>,
    ownContext: string | null,
  ): void {
    const { pkg } = record
    const now = clock.localNow()
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
    mailer.notifyApprovers(
      record,
      events.map(({ person }) => person),
    )
  }

  function signAutomatically(record: PackageRecord): void {
    const { pkg } = record
    for (const { person, signature } of pendingSignatures(pkg)) {
      const hasSigned =
        person === pkg.initiator ||
        pkg.history
          .slice(pkg.roundStart)
          .some((event) => event.person === person && event.signature?.state === 'APPROVED')
      const isBlocked =
        wouldComplete(record, [signature.id]) &&
        missingAttachments(record, 'requiredBeforeComplete').length > 0
      if (hasSigned && canSign(signature.permission) && !isBlocked) approve(record, signature.id, true)
    }
  }

  function approve({ pkg }: PackageRecord, signatureId: number, isAutomatic: boolean): void {
    const event = heldSignatures(pkg).find(({ signature }) => signature.id === signatureId)
    if (!event) return
    event.actionDate = clock.localNow()
    event.signature.state = 'APPROVED'
    event.signature.autoSigned = isAutomatic
    event.signature.inboxSigned = !isAutomatic
    pkg.inbox = pkg.inbox.filter((other) => other !== signatureId)
    pkg.actionDate = event.actionDate
  }

  function isWaiting({ pkg }: PackageRecord, except: readonly number[] = []): boolean {
    return heldSignatures(pkg).some(
      ({ signature }) => signature.permission === 'SIGNATURE_REQUIRED' && !except.includes(signature.id),
    )
  }

  function wouldComplete(record: PackageRecord, signatureIds: readonly number[]): boolean {
    const { form, pkg } = record
    const ahead = stopsAfter(calculateRoute(state, form, pkg), pkg.position)
    const requiresMore = ahead.some(({ recipients }) =>
      recipients.some(({ permission }) => permission === 'SIGNATURE_REQUIRED'),
    )
    return !requiresMore && !isWaiting(record, signatureIds)
  }

  function leaveRoute(record: PackageRecord): void {
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

  function addEvent(
    { pkg }: PackageRecord,
    type: Exclude<HistoryClass, 'signature'>,
    person: string | null,
    stop: StoredEvent['stop'],
  ): void {
    const actionDate = clock.localNow()
    pkg.history.push({ class: type, actionDate, person, stop, signature: null })
    pkg.actionDate = actionDate
  }
}
