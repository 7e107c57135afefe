import type { TransitionName } from '../../../contract/transitions.ts'
import type { VoidReason } from '../../../contract/values.ts'
import { canSign } from '../actions.ts'
import type { CallbackQueue } from '../callbacks.ts'
import type { Mailer } from '../mail.ts'
import { currentHolder } from './overrides.ts'
import { createProgress } from './progress.ts'
import { requireAttachments } from './required-attachments.ts'
import { calculateRoute, positionBeyondRoute, type StopRecipient, stopAt } from './route.ts'
import { contextOfSignature, returnedContext } from './signature-context.ts'
import { heldSignatures, pendingSignatures } from './signatures.ts'
import { requireTransition } from './transition.ts'
import { ServiceError } from '../../http/service-error.ts'
import type { StoredEvent } from '../../state/stored-packages.ts'
import { type EmulatorContext, nextId, type PackageRecord } from '../../context.ts'

/**
 * The routing engine. Its methods throw `ServiceError` 409 if the table of transitions does not allow the step.
 */
export interface Routing {
  /** Throws if a transition cannot start from the state of the package. */
  readonly check: (record: PackageRecord, transition: TransitionName) => void
  /** Starts routing at the first stop, on behalf of `actor`: by a transition, or for a new or submitted package. */
  readonly start: (record: PackageRecord, actor: string, transition?: 'routePackage') => void
  readonly void: (record: PackageRecord, actor: string, reason: VoidReason) => void
  readonly unvoid: (record: PackageRecord, actor: string) => void
  readonly restart: (record: PackageRecord) => void
  /** Returns a complete package to routing, into the inbox of one person. */
  readonly returnTo: (record: PackageRecord, univid: string) => void
  readonly remove: (record: PackageRecord, actor: string) => void
  readonly reinitiate: (record: PackageRecord, actor: string) => void
  readonly returnToInitiator: (record: PackageRecord, actor: string, comment: string) => void
  /** Signs the package as one person. The service has no operation for this: people sign in its own screens. */
  readonly sign: (record: PackageRecord, univid: string) => void
  /** Continues a route that a callback froze. */
  readonly unfreeze: (record: PackageRecord, lockId: number) => void
  /** Completes a package that only lacked a required attachment. */
  readonly resume: (record: PackageRecord) => void
  /** Reassigns pending signatures after the overrides changed. */
  readonly reassign: (record: PackageRecord) => void
}

/** Creates the routing engine. */
export function createRouting(context: EmulatorContext, mailer: Mailer, callbacks: CallbackQueue): Routing {
  const { state, clock } = context
  const progress = createProgress(context, mailer, callbacks)

  return {
    check,

    start,

    void(record, actor, reason) {
      check(record, 'voidPackage')
      const { pkg } = record
      pkg.heldState = pkg.state === 'COMPLETE' ? 'COMPLETE' : 'ROUTING'
      pkg.voidReason = reason
      progress.addEvent(record, 'void', actor, null)
      progress.follow(record, 'voidPackage')
    },

    unvoid(record, actor) {
      check(record, 'unvoidPackage')
      const { pkg } = record
      pkg.voidReason = null
      // Tests that set the state to VOID by hand may leave out the held state.
      pkg.heldState ??= 'ROUTING'
      progress.addEvent(record, 'unvoid', actor, null)
      progress.follow(record, 'unvoidPackage')
      pkg.heldState = null
    },

    restart(record) {
      check(record, 'restartPackage')
      progress.leaveRoute(record)
      record.pkg.actionDate = clock.localNow()
      progress.begin(record, 'restartPackage')
    },

    returnTo(record, univid) {
      check(record, 'returnPackage')
      if (!state.people.has(univid)) throw new ServiceError(400, `univid: person ${univid} does not exist`)
      const { pkg, form } = record
      const stopNumber = Math.max(calculateRoute(state, form, pkg).length, pkg.stopNumber) + 1
      pkg.stopNumber = stopNumber
      pkg.position = positionBeyondRoute(form)
      pkg.actionDate = clock.localNow()
      progress.follow(record, 'returnPackage')
      const recipient: StopRecipient = {
        univid,
        permission: 'SIGNATURE_REQUIRED',
        role: null,
        office: null,
        responsibleOffice: form.office,
      }
      progress.receive(record, [recipient], { name: null, stopNumber }, returnedContext)
    },

    remove(record, actor) {
      check(record, 'removePackage')
      const { pkg } = record
      const stop = currentStop(record)
      progress.leaveRoute(record)
      pkg.isRemoved = true
      pkg.heldState = null
      pkg.voidReason = null
      progress.addEvent(record, 'remove', actor, stop)
      progress.follow(record, 'removePackage')
    },

    reinitiate(record, actor) {
      check(record, 'reinitiatePackage')
      start(record, actor, 'reinitiatePackage')
    },

    returnToInitiator(record, actor, comment) {
      check(record, 'returnToInitiator')
      const { pkg } = record
      progress.leaveRoute(record)
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
      progress.follow(record, 'returnToInitiator')
    },

    sign(record, univid) {
      const { pkg } = record
      if (pkg.state !== 'ROUTING') {
        throw new ServiceError(409, `A package in state ${pkg.state} cannot be signed`)
      }
      const own = pendingSignatures(pkg).filter(({ person }) => person === univid)
      if (own.length === 0) throw new ServiceError(409, `The package is not in the inbox of ${univid}`)
      const signable = own.filter(({ signature }) => canSign(signature.permission))
      if (signable.length === 0)
        throw new ServiceError(403, `${univid} may view this package but not sign it`)

      const ids = signable.map(({ signature }) => signature.id)
      if (progress.wouldComplete(record, ids)) requireAttachments(record, 'requiredBeforeComplete')
      for (const id of ids) progress.approve(record, id, false)
      if (!progress.isWaiting(record)) progress.advance(record)
    },

    unfreeze(record, lockId) {
      const { form, pkg } = record
      if (pkg.lock !== lockId) throw new ServiceError(404, `Lock ${lockId} does not exist on this package`)
      if (pkg.state !== 'ROUTING') {
        throw new ServiceError(409, `The route of a package in state ${pkg.state} cannot continue`)
      }
      pkg.lock = null
      progress.arrive(record, stopAt(calculateRoute(state, form, pkg), pkg.position))
    },

    resume(record) {
      const { pkg } = record
      if (pkg.state === 'ROUTING' && pkg.inbox.length === 0 && pkg.lock === null) progress.advance(record)
    },

    reassign(record) {
      const { pkg } = record
      for (const event of heldSignatures(pkg)) {
        const { signature } = event
        const before = event.person
        event.person = currentHolder(pkg, signature.subject)
        if (event.person === before) continue
        signature.context = contextOfSignature(context, record, signature)
        // A void package is in no inbox.
        if (pkg.state === 'ROUTING') mailer.notifyApprovers(record, [event.person])
      }
    },
  }

  function check({ pkg }: PackageRecord, transition: TransitionName): void {
    requireTransition(pkg, transition)
  }

  function start(
    record: PackageRecord,
    actor: string,
    transition?: 'routePackage' | 'reinitiatePackage',
  ): void {
    requireAttachments(record, 'requiredPreRouting')
    const { pkg } = record
    pkg.routingDate = clock.localNow()
    pkg.isRemoved = false
    const event = transition === 'reinitiatePackage' ? 're_initiate' : 'initiation'
    progress.addEvent(record, event, actor, { name: null, stopNumber: 0 })
    progress.begin(record, transition)
  }

  function currentStop({ form, pkg }: PackageRecord): StoredEvent['stop'] {
    const stop = stopAt(calculateRoute(state, form, pkg), pkg.position)
    return { name: stop?.name ?? null, stopNumber: pkg.stopNumber }
  }
}
