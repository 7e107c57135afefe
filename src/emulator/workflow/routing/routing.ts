import { type Transition, type TransitionName, transitions } from '../../../contract/transitions.ts'
import type { HistoryClass, PackageState, VoidReason } from '../../../contract/values.ts'
import { canSign } from '../actions.ts'
import type { CallbackQueue } from '../callbacks.ts'
import { displayName } from '../directory.ts'
import type { Mailer } from '../mail.ts'
import { currentHolder, overrideTypeOf } from './overrides.ts'
import { ServiceError } from '../../http/service-error.ts'
import {
  beforeRoute,
  type CalculatedStop,
  calculateRoute,
  type Recipient,
  stopAt,
  stopsAfter,
} from './route.ts'
import { heldSignatures, pendingSignatures } from './signatures.ts'
import type { StoredEvent, StoredSignature } from '../../state/state.ts'
import { type PackageRecord, nextId, type EmulatorContext } from '../../context.ts'

/** Moves packages along their routes. Every method refuses what the table of transitions does not have. */
export interface Routing {
  /** Refuses where the package is in a state that this may not start from. */
  readonly check: (record: PackageRecord, transition: TransitionName) => void
  /** Starts routing from the first stop, on behalf of `actor`: by a transition, or as a new or submitted package. */
  readonly start: (record: PackageRecord, actor: string, transition?: 'routePackage') => void
  readonly void: (record: PackageRecord, actor: string, reason: VoidReason) => void
  readonly unvoid: (record: PackageRecord, actor: string) => void
  readonly restart: (record: PackageRecord) => void
  /** Puts a complete package into someone's inbox at the end of its route. */
  readonly returnTo: (record: PackageRecord, univid: string) => void
  readonly remove: (record: PackageRecord, actor: string) => void
  readonly reinitiate: (record: PackageRecord, actor: string) => void
  readonly returnToInitiator: (record: PackageRecord, actor: string, comment: string) => void
  /** Signs in someone's inbox. Not an operation of the service: people sign in its own screens. */
  readonly sign: (record: PackageRecord, univid: string) => void
  /** Lets a route go on that a callback froze. */
  readonly unfreeze: (record: PackageRecord, lockId: number) => void
  /** Lets a package complete that waited for nothing but a required attachment. */
  readonly resume: (record: PackageRecord) => void
  /** Hands open signatures to whoever holds them after a change of overrides. */
  readonly reassign: (record: PackageRecord) => void
}

/** Why someone holds a package behind the end of its route. */
const returned = 'Returned to routing'

/** Creates the routing engine. */
export function createRouting(context: EmulatorContext, mailer: Mailer, callbacks: CallbackQueue): Routing {
  const { state, clock } = context

  return {
    check,

    start,

    void(record, actor, reason) {
      check(record, 'voidPackage')
      const { pkg } = record
      pkg.heldState = pkg.state === 'COMPLETE' ? 'COMPLETE' : 'ROUTING'
      pkg.voidReason = reason
      addEvent(record, 'void', actor, null)
      follow(record, 'voidPackage')
    },

    unvoid(record, actor) {
      check(record, 'unvoidPackage')
      const { pkg } = record
      pkg.voidReason = null
      // Whoever writes VOID into the state by hand need not say what was before.
      pkg.heldState ??= 'ROUTING'
      addEvent(record, 'unvoid', actor, null)
      follow(record, 'unvoidPackage')
      pkg.heldState = null
    },

    restart(record) {
      check(record, 'restartPackage')
      empty(record)
      record.pkg.actionDate = clock.localNow()
      begin(record, 'restartPackage')
    },

    returnTo(record, univid) {
      check(record, 'returnPackage')
      if (!state.people.has(univid)) throw new ServiceError(400, `univid: there is no person ${univid}`)
      const { pkg, form } = record
      const stopNumber = Math.max(calculateRoute(state, form, pkg).length, pkg.stopNumber) + 1
      pkg.stopNumber = stopNumber
      pkg.position = [form.route.length, 0]
      pkg.actionDate = clock.localNow()
      follow(record, 'returnPackage')
      const recipient: Recipient = {
        univid,
        permission: 'SIGNATURE_REQUIRED',
        role: null,
        office: null,
        responsibleOffice: form.office,
      }
      receive(record, [recipient], { name: null, stopNumber }, returned)
    },

    remove(record, actor) {
      check(record, 'removePackage')
      const { pkg } = record
      const stop = stopOf(record)
      empty(record)
      pkg.isRemoved = true
      pkg.heldState = null
      pkg.voidReason = null
      addEvent(record, 'remove', actor, stop)
      follow(record, 'removePackage')
    },

    reinitiate(record, actor) {
      check(record, 'reinitiatePackage')
      start(record, actor, 'reinitiatePackage')
    },

    returnToInitiator(record, actor, comment) {
      check(record, 'returnToInitiator')
      const { pkg } = record
      empty(record)
      pkg.actionDate = clock.localNow()
      pkg.comments.push({
        id: nextId(context),
        comment,
        approversOnly: false,
        createdAt: clock.localNow(),
        person: actor,
        state: 'ACTIVE',
      })
      mailer.returnToInitiator(record, comment)
      follow(record, 'returnToInitiator')
    },

    sign(record, univid) {
      const { pkg } = record
      if (pkg.state !== 'ROUTING')
        throw new ServiceError(409, `A package in state ${pkg.state} cannot be signed`)
      const mine = pendingSignatures(pkg).filter(({ person }) => person === univid)
      if (mine.length === 0) throw new ServiceError(409, `The package is not in the inbox of ${univid}`)
      const signing = mine.filter(({ signature }) => canSign(signature.permission))
      if (signing.length === 0)
        throw new ServiceError(403, `${univid} may view this package, and not sign it`)

      const ids = signing.map(({ signature }) => signature.id)
      if (wouldComplete(record, ids)) {
        requireAttachments(record, 'requiredBeforeComplete', 'before routing completes')
      }
      for (const event of signing) approve(record, event.signature.id, false)
      if (!waits(record)) advance(record)
    },

    unfreeze(record, lockId) {
      const { pkg } = record
      if (pkg.lock !== lockId) throw new ServiceError(404, `There is no lock ${lockId} on this package`)
      if (pkg.state !== 'ROUTING') {
        throw new ServiceError(409, `The route of a package in state ${pkg.state} cannot go on`)
      }
      pkg.lock = null
      fillOrAdvance(record, stopAt(calculateRoute(state, record.form, pkg), pkg.position))
    },

    resume(record) {
      const { pkg } = record
      if (pkg.state === 'ROUTING' && pkg.inbox.length === 0 && pkg.lock === null) advance(record)
    },

    reassign(record) {
      for (const event of heldSignatures(record.pkg)) {
        const { signature } = event
        const before = event.person
        event.person = currentHolder(record.pkg, signature.subject)
        if (event.person === before) continue
        signature.context = contextOf(record, signature.subject, ownContext(record, signature))
        // A void package waits for nobody.
        if (record.pkg.state === 'ROUTING') mailer.notifyApprovers(record, [event.person])
      }
    },
  }

  function check({ pkg }: PackageRecord, transition: TransitionName): void {
    const from: Transition['from'] = transitions[transition].from
    if (!from.includes(pkg.isRemoved ? 'removed' : pkg.state)) {
      throw new ServiceError(409, refusals[transition](pkg.state))
    }
  }

  function start(
    record: PackageRecord,
    actor: string,
    transition?: 'routePackage' | 'reinitiatePackage',
  ): void {
    requireAttachments(record, 'requiredPreRouting', 'before routing begins')
    const { pkg } = record
    pkg.routingDate = clock.localNow()
    pkg.isRemoved = false
    const event = transition === 'reinitiatePackage' ? 're_initiate' : 'initiation'
    addEvent(record, event, actor, { name: null, stopNumber: 0 })
    begin(record, transition)
  }

  /** Arrives at the first stop; `routingDate` and history are the caller's. */
  function begin(record: PackageRecord, transition?: TransitionName): void {
    const { pkg } = record
    pkg.roundStart = pkg.history.length
    if (transition) follow(record, transition)
    else enter(record, 'ROUTING')
    advance(record)
  }

  /** Enters the state that a transition leads to. */
  function follow(record: PackageRecord, transition: TransitionName): void {
    const { to }: Transition = transitions[transition]
    const next = to === 'held' ? record.pkg.heldState : to
    if (next === null) throw new TypeError(`${transition}: no state is held`)
    enter(record, next)
  }

  function enter(record: PackageRecord, next: PackageState): void {
    const before = record.pkg.state
    record.pkg.state = next
    if (before !== next) callbacks.stateChanged(record)
  }

  /** Goes on to the next stop that someone has to sign at, or completes. */
  function advance(record: PackageRecord): void {
    const { form, pkg } = record
    bypassInbox(record)
    const [stop] = stopsAfter(calculateRoute(state, form, pkg), pkg.position)
    if (!stop) return complete(record)

    pkg.stopNumber = stop.stopNumber
    pkg.position = stop.position
    const lock = callbacks.arrived(record, stop)
    if (lock === null) fillOrAdvance(record, stop)
    else pkg.lock = lock
  }

  function fillOrAdvance(record: PackageRecord, stop: CalculatedStop | undefined): void {
    if (stop) {
      const { name, stopNumber } = stop
      receive(record, stop.recipients, { name, stopNumber }, null)
      if (stop.autoSign) signAutomatically(record)
    }
    if (!waits(record)) advance(record)
  }

  function complete(record: PackageRecord): void {
    if (missing(record, 'requiredBeforeComplete').length > 0) return
    addEvent(record, 'complete', null, null)
    enter(record, 'COMPLETE')
  }

  function receive(
    record: PackageRecord,
    recipients: readonly Recipient[],
    stop: NonNullable<StoredEvent['stop']>,
    reason: string | null,
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
        context: contextOf(record, recipient.univid, reason ?? roleContext(recipient)),
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

  /** Why a signature is where it is: the override of its subject, else `own`. */
  function contextOf({ pkg }: PackageRecord, subject: string, own: string | null): string | null {
    const type = overrideTypeOf(pkg, subject)
    return type ? `Routing override ${type} for ${displayName(context, subject)}` : own
  }

  /** What an open signature would say without any override. */
  function ownContext({ form, pkg }: PackageRecord, { subject, isRole }: StoredSignature): string | null {
    if (pkg.position[0] === form.route.length) return returned
    const stop = stopAt(calculateRoute(state, form, pkg), pkg.position)
    const recipient = stop?.recipients.find(
      ({ univid, role }) => univid === subject && (role !== null) === isRole,
    )
    return recipient ? roleContext(recipient) : null
  }

  function roleContext({ role, office }: Recipient): string | null {
    return role && `${role} of ${state.offices.get(office ?? '')?.name ?? office}`
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
        wouldComplete(record, [signature.id]) && missing(record, 'requiredBeforeComplete').length > 0
      if (hasSigned && canSign(signature.permission) && !isBlocked) approve(record, signature.id, true)
    }
  }

  function approve(record: PackageRecord, id: number, isAutomatic: boolean): void {
    const { pkg } = record
    const event = heldSignatures(pkg).find(({ signature }) => signature.id === id)
    if (!event) return
    event.actionDate = clock.localNow()
    event.signature.state = 'APPROVED'
    event.signature.autoSigned = isAutomatic
    event.signature.inboxSigned = !isAutomatic
    pkg.inbox = pkg.inbox.filter((other) => other !== id)
    pkg.actionDate = event.actionDate
  }

  /** Whether someone at this stop still has to sign. */
  function waits({ pkg }: PackageRecord, but: readonly number[] = []): boolean {
    return heldSignatures(pkg).some(
      ({ signature }) => signature.permission === 'SIGNATURE_REQUIRED' && !but.includes(signature.id),
    )
  }

  /** Whether these signatures are the last that the route needs. */
  function wouldComplete(record: PackageRecord, ids: readonly number[]): boolean {
    const { form, pkg } = record
    const ahead = stopsAfter(calculateRoute(state, form, pkg), pkg.position)
    const asksMore = ahead.some(({ recipients }) =>
      recipients.some(({ permission }) => permission === 'SIGNATURE_REQUIRED'),
    )
    return !asksMore && !waits(record, ids)
  }

  /** Takes the package out of every inbox without a signature. */
  function bypassInbox({ pkg }: PackageRecord): void {
    for (const { signature } of heldSignatures(pkg)) signature.state = 'BYPASSED_REMOVE'
    pkg.inbox = []
  }

  /** Takes the package off its route. */
  function empty(record: PackageRecord): void {
    bypassInbox(record)
    record.pkg.lock = null
    record.pkg.stopNumber = 0
    record.pkg.position = beforeRoute
  }

  function stopOf({ form, pkg }: PackageRecord): StoredEvent['stop'] {
    const stop = stopAt(calculateRoute(state, form, pkg), pkg.position)
    return { name: stop?.name ?? null, stopNumber: pkg.stopNumber }
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

  function missing(
    { form, pkg }: PackageRecord,
    rule: 'requiredPreRouting' | 'requiredBeforeComplete',
  ): readonly string[] {
    return form.attachmentTypes
      .filter((type) => type[rule] && !pkg.attachments.some(({ type: id }) => id === type.id))
      .map(({ title }) => title)
  }

  function requireAttachments(
    record: PackageRecord,
    rule: 'requiredPreRouting' | 'requiredBeforeComplete',
    when: string,
  ): void {
    const titles = missing(record, rule)
    if (titles.length > 0) throw new ServiceError(409, `Upload ${titles.join(', ')} ${when}`)
  }
}

/** What a refused transition says, by the state that the package is in. */
const refusals: Readonly<Record<TransitionName, (state: PackageState) => string>> = {
  routePackage: (state) => `A package in state ${state} cannot start routing; only PRE_ROUTING can`,
  voidPackage: (state) => `A package in state ${state} cannot be voided; only ROUTING and COMPLETE can`,
  unvoidPackage: (state) => `A package in state ${state} cannot be unvoided; only VOID can`,
  restartPackage: (state) => `A package in state ${state} cannot be restarted; only ROUTING can`,
  returnPackage: (state) => `A package in state ${state} cannot be returned to routing; only COMPLETE can`,
  removePackage: (state) =>
    `A package in state ${state} cannot be removed; only ROUTING, COMPLETE and VOID can`,
  reinitiatePackage: (state) =>
    `A package in state ${state} cannot be re-initiated; only one that was removed can`,
  returnToInitiator: (state) =>
    `A package in state ${state} cannot be returned to its initiator; only ROUTING can`,
}
