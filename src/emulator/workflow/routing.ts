import { type Transition, type TransitionName, transitions } from '../../contract/transitions.ts'
import type { HistoryClass, PackageState, VoidReason } from '../../contract/values.ts'
import { canSign } from './actions.ts'
import type { Callbacks } from './callbacks.ts'
import { nameOf } from './directory.ts'
import type { Mailer } from './mail.ts'
import { holderOf, overriddenBy } from './overrides.ts'
import { Refusal } from '../refusal.ts'
import {
  beforeRoute,
  type CalculatedStop,
  calculateRoute,
  type Recipient,
  stopAt,
  stopsAfter,
} from './route.ts'
import { heldSignatures, pendingSignatures } from './signatures.ts'
import type { StoredEvent, StoredSignature } from '../state.ts'
import { type Located, nextId, type EmulatorContext } from '../context.ts'

/** Moves packages along their routes. Every method refuses what the table of transitions does not have. */
export interface Routing {
  /** Refuses where the package is in a state that this may not start from. */
  readonly check: (located: Located, transition: TransitionName) => void
  /** Starts routing from the first stop, on behalf of `actor`: by a transition, or as a new or submitted package. */
  readonly start: (located: Located, actor: string, transition?: 'routePackage') => void
  readonly void: (located: Located, actor: string, reason: VoidReason) => void
  readonly unvoid: (located: Located, actor: string) => void
  readonly restart: (located: Located) => void
  /** Puts a complete package into someone's inbox at the end of its route. */
  readonly returnTo: (located: Located, univid: string) => void
  readonly remove: (located: Located, actor: string) => void
  readonly reinitiate: (located: Located, actor: string) => void
  readonly returnToInitiator: (located: Located, actor: string, comment: string) => void
  /** Signs in someone's inbox. Not an operation of the service: people sign in its own screens. */
  readonly sign: (located: Located, univid: string) => void
  /** Lets a route go on that a callback froze. */
  readonly unfreeze: (located: Located, lockId: number) => void
  /** Lets a package complete that waited for nothing but a required attachment. */
  readonly resume: (located: Located) => void
  /** Hands open signatures to whoever holds them after a change of overrides. */
  readonly reassign: (located: Located) => void
}

/** Why someone holds a package behind the end of its route. */
const returned = 'Returned to routing'

/** Creates the routing engine. */
export function createRouting(world: EmulatorContext, mailer: Mailer, callbacks: Callbacks): Routing {
  const { state, clock } = world

  return {
    check,

    start,

    void(located, actor, reason) {
      check(located, 'voidPackage')
      const { found } = located
      found.heldState = found.state === 'COMPLETE' ? 'COMPLETE' : 'ROUTING'
      found.voidReason = reason
      record(located, 'void', actor, null)
      follow(located, 'voidPackage')
    },

    unvoid(located, actor) {
      check(located, 'unvoidPackage')
      const { found } = located
      found.voidReason = null
      // Whoever writes VOID into the state by hand need not say what was before.
      found.heldState ??= 'ROUTING'
      record(located, 'unvoid', actor, null)
      follow(located, 'unvoidPackage')
      found.heldState = null
    },

    restart(located) {
      check(located, 'restartPackage')
      empty(located)
      located.found.actionDate = clock.localNow()
      begin(located, 'restartPackage')
    },

    returnTo(located, univid) {
      check(located, 'returnPackage')
      if (!state.people.has(univid)) throw new Refusal(400, `univid: there is no person ${univid}`)
      const { found, form } = located
      const stopNumber = Math.max(calculateRoute(state, form, found).length, found.stopNumber) + 1
      found.stopNumber = stopNumber
      found.position = [form.route.length, 0]
      found.actionDate = clock.localNow()
      follow(located, 'returnPackage')
      const recipient: Recipient = {
        univid,
        permission: 'SIGNATURE_REQUIRED',
        role: null,
        office: null,
        responsibleOffice: form.office,
      }
      receive(located, [recipient], { name: null, stopNumber }, returned)
    },

    remove(located, actor) {
      check(located, 'removePackage')
      const { found } = located
      const stop = stopOf(located)
      empty(located)
      found.isRemoved = true
      found.heldState = null
      found.voidReason = null
      record(located, 'remove', actor, stop)
      follow(located, 'removePackage')
    },

    reinitiate(located, actor) {
      check(located, 'reinitiatePackage')
      start(located, actor, 'reinitiatePackage')
    },

    returnToInitiator(located, actor, comment) {
      check(located, 'returnToInitiator')
      const { found } = located
      empty(located)
      found.actionDate = clock.localNow()
      found.comments.push({
        id: nextId(world),
        comment,
        approversOnly: false,
        createdAt: clock.localNow(),
        person: actor,
        state: 'ACTIVE',
      })
      mailer.returnToInitiator(located, comment)
      follow(located, 'returnToInitiator')
    },

    sign(located, univid) {
      const { found } = located
      if (found.state !== 'ROUTING')
        throw new Refusal(409, `A package in state ${found.state} cannot be signed`)
      const mine = pendingSignatures(found).filter(({ person }) => person === univid)
      if (mine.length === 0) throw new Refusal(409, `The package is not in the inbox of ${univid}`)
      const signing = mine.filter(({ signature }) => canSign(signature.permission))
      if (signing.length === 0) throw new Refusal(403, `${univid} may view this package, and not sign it`)

      const ids = signing.map(({ signature }) => signature.id)
      if (wouldComplete(located, ids)) {
        requireAttachments(located, 'requiredBeforeComplete', 'before routing completes')
      }
      for (const event of signing) approve(located, event.signature.id, false)
      if (!waits(located)) advance(located)
    },

    unfreeze(located, lockId) {
      const { found } = located
      if (found.lock !== lockId) throw new Refusal(404, `There is no lock ${lockId} on this package`)
      if (found.state !== 'ROUTING') {
        throw new Refusal(409, `The route of a package in state ${found.state} cannot go on`)
      }
      found.lock = null
      fillOrAdvance(located, stopAt(calculateRoute(state, located.form, found), found.position))
    },

    resume(located) {
      const { found } = located
      if (found.state === 'ROUTING' && found.inbox.length === 0 && found.lock === null) advance(located)
    },

    reassign(located) {
      for (const event of heldSignatures(located.found)) {
        const { signature } = event
        const before = event.person
        event.person = holderOf(located.found, signature.subject)
        if (event.person === before) continue
        signature.context = contextOf(located, signature.subject, ownContext(located, signature))
        // A void package waits for nobody.
        if (located.found.state === 'ROUTING') mailer.notifyApprovers(located, [event.person])
      }
    },
  }

  function check({ found }: Located, transition: TransitionName): void {
    const from: Transition['from'] = transitions[transition].from
    if (!from.includes(found.isRemoved ? 'removed' : found.state)) {
      throw new Refusal(409, refusals[transition](found.state))
    }
  }

  function start(located: Located, actor: string, transition?: 'routePackage' | 'reinitiatePackage'): void {
    requireAttachments(located, 'requiredPreRouting', 'before routing begins')
    const { found } = located
    found.routingDate = clock.localNow()
    found.isRemoved = false
    const event = transition === 'reinitiatePackage' ? 're_initiate' : 'initiation'
    record(located, event, actor, { name: null, stopNumber: 0 })
    begin(located, transition)
  }

  /** Arrives at the first stop; `routingDate` and history are the caller's. */
  function begin(located: Located, transition?: TransitionName): void {
    const { found } = located
    found.roundStart = found.history.length
    if (transition) follow(located, transition)
    else enter(located, 'ROUTING')
    advance(located)
  }

  /** Enters the state that a transition leads to. */
  function follow(located: Located, transition: TransitionName): void {
    const { to }: Transition = transitions[transition]
    const next = to === 'held' ? located.found.heldState : to
    if (next === null) throw new TypeError(`${transition}: no state is held`)
    enter(located, next)
  }

  function enter(located: Located, next: PackageState): void {
    const before = located.found.state
    located.found.state = next
    if (before !== next) callbacks.stateChanged(located)
  }

  /** Goes on to the next stop that someone has to sign at, or completes. */
  function advance(located: Located): void {
    const { form, found } = located
    bypassInbox(located)
    const [stop] = stopsAfter(calculateRoute(state, form, found), found.position)
    if (!stop) return complete(located)

    found.stopNumber = stop.stopNumber
    found.position = stop.position
    const lock = callbacks.arrived(located, stop)
    if (lock === null) fillOrAdvance(located, stop)
    else found.lock = lock
  }

  function fillOrAdvance(located: Located, stop: CalculatedStop | undefined): void {
    if (stop) {
      const { name, stopNumber } = stop
      receive(located, stop.recipients, { name, stopNumber }, null)
      if (stop.autoSign) signAutomatically(located)
    }
    if (!waits(located)) advance(located)
  }

  function complete(located: Located): void {
    if (missing(located, 'requiredBeforeComplete').length > 0) return
    record(located, 'complete', null, null)
    enter(located, 'COMPLETE')
  }

  function receive(
    located: Located,
    recipients: readonly Recipient[],
    stop: NonNullable<StoredEvent['stop']>,
    context: string | null,
  ): void {
    const { found } = located
    const now = clock.localNow()
    const events = recipients.map((recipient): StoredEvent & { person: string } => ({
      class: 'signature',
      actionDate: now,
      person: holderOf(found, recipient.univid),
      stop,
      signature: {
        id: nextId(world),
        permission: recipient.permission,
        subject: recipient.univid,
        context: contextOf(located, recipient.univid, context ?? roleContext(recipient)),
        isRole: recipient.role !== null,
        office: recipient.office,
        responsibleOffice: recipient.responsibleOffice,
        routingDate: now,
        state: 'RECEIVED',
        autoSigned: null,
        inboxSigned: null,
      },
    }))
    found.history.push(...events)
    found.inbox = events.flatMap(({ signature }) => signature?.id ?? [])
    mailer.notifyApprovers(
      located,
      events.map(({ person }) => person),
    )
  }

  /** Why a signature is where it is: the override of its subject, else `own`. */
  function contextOf({ found }: Located, subject: string, own: string | null): string | null {
    const type = overriddenBy(found, subject)
    return type ? `Routing override ${type} for ${nameOf(world, subject)}` : own
  }

  /** What an open signature would say without any override. */
  function ownContext({ form, found }: Located, { subject, isRole }: StoredSignature): string | null {
    if (found.position[0] === form.route.length) return returned
    const stop = stopAt(calculateRoute(state, form, found), found.position)
    const recipient = stop?.recipients.find(
      ({ univid, role }) => univid === subject && (role !== null) === isRole,
    )
    return recipient ? roleContext(recipient) : null
  }

  function roleContext({ role, office }: Recipient): string | null {
    return role && `${role} of ${state.offices.get(office ?? '')?.name ?? office}`
  }

  function signAutomatically(located: Located): void {
    const { found } = located
    for (const { person, signature } of pendingSignatures(found)) {
      const hasSigned =
        person === found.initiator ||
        found.history
          .slice(found.roundStart)
          .some((event) => event.person === person && event.signature?.state === 'APPROVED')
      const isBlocked =
        wouldComplete(located, [signature.id]) && missing(located, 'requiredBeforeComplete').length > 0
      if (hasSigned && canSign(signature.permission) && !isBlocked) approve(located, signature.id, true)
    }
  }

  function approve(located: Located, id: number, isAutomatic: boolean): void {
    const { found } = located
    const event = heldSignatures(found).find(({ signature }) => signature.id === id)
    if (!event) return
    event.actionDate = clock.localNow()
    event.signature.state = 'APPROVED'
    event.signature.autoSigned = isAutomatic
    event.signature.inboxSigned = !isAutomatic
    found.inbox = found.inbox.filter((other) => other !== id)
    found.actionDate = event.actionDate
  }

  /** Whether someone at this stop still has to sign. */
  function waits({ found }: Located, but: readonly number[] = []): boolean {
    return heldSignatures(found).some(
      ({ signature }) => signature.permission === 'SIGNATURE_REQUIRED' && !but.includes(signature.id),
    )
  }

  /** Whether these signatures are the last that the route needs. */
  function wouldComplete(located: Located, ids: readonly number[]): boolean {
    const { form, found } = located
    const ahead = stopsAfter(calculateRoute(state, form, found), found.position)
    const asksMore = ahead.some(({ recipients }) =>
      recipients.some(({ permission }) => permission === 'SIGNATURE_REQUIRED'),
    )
    return !asksMore && !waits(located, ids)
  }

  /** Takes the package out of every inbox without a signature. */
  function bypassInbox({ found }: Located): void {
    for (const { signature } of heldSignatures(found)) signature.state = 'BYPASSED_REMOVE'
    found.inbox = []
  }

  /** Takes the package off its route. */
  function empty(located: Located): void {
    bypassInbox(located)
    located.found.lock = null
    located.found.stopNumber = 0
    located.found.position = beforeRoute
  }

  function stopOf({ form, found }: Located): StoredEvent['stop'] {
    const stop = stopAt(calculateRoute(state, form, found), found.position)
    return { name: stop?.name ?? null, stopNumber: found.stopNumber }
  }

  function record(
    { found }: Located,
    type: Exclude<HistoryClass, 'signature'>,
    person: string | null,
    stop: StoredEvent['stop'],
  ): void {
    const actionDate = clock.localNow()
    found.history.push({ class: type, actionDate, person, stop, signature: null })
    found.actionDate = actionDate
  }

  function missing(
    { form, found }: Located,
    rule: 'requiredPreRouting' | 'requiredBeforeComplete',
  ): readonly string[] {
    return form.attachmentTypes
      .filter((type) => type[rule] && !found.attachments.some(({ type: id }) => id === type.id))
      .map(({ title }) => title)
  }

  function requireAttachments(
    located: Located,
    rule: 'requiredPreRouting' | 'requiredBeforeComplete',
    when: string,
  ): void {
    const titles = missing(located, rule)
    if (titles.length > 0) throw new Refusal(409, `Upload ${titles.join(', ')} ${when}`)
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
