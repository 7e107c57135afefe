import { addEvent, arrive, begin, follow, leaveRoute, receive } from './progress.ts'
import { calculateRoute, positionBeyondRoute, type StopRecipient, stopAt } from './route.ts'
import { startRouting } from './routing.ts'
import { returnedContext } from './signature-context.ts'
import { requireTransition } from './transition.ts'
import { notifyInitiator } from '../mail.ts'
import { deletedResponse, findPackage, findWritablePackage, requireSameId, toPackage } from '../packages.ts'
import type { Handlers } from '../../http/handler.ts'
import { ServiceError } from '../../http/service-error.ts'
import { nextId } from '../../context.ts'

/** Handlers of the routing tools. They accept any caller: the calling application must check rights (spec, Routing tools). */
export const toolHandlers = {
  voidPackage(context, { params, body, caller }) {
    const record = findPackage(context, params)
    const { pkg } = record
    requireSameId(pkg, body.id)
    requireTransition(pkg, 'voidPackage')
    pkg.heldState = pkg.state === 'COMPLETE' ? 'COMPLETE' : 'ROUTING'
    pkg.voidReason = body.voidReason
    addEvent(context, record, 'void', caller.user, null)
    follow(context, record, 'voidPackage')
    return toPackage(context, record, caller)
  },

  unvoidPackage(context, { params, caller }) {
    const record = findPackage(context, params)
    const { pkg } = record
    requireTransition(pkg, 'unvoidPackage')
    pkg.voidReason = null
    // Tests that set the state to VOID by hand may leave out the held state.
    pkg.heldState ??= 'ROUTING'
    addEvent(context, record, 'unvoid', caller.user, null)
    follow(context, record, 'unvoidPackage')
    pkg.heldState = null
    return toPackage(context, record, caller)
  },

  restartPackage(context, { params, caller }) {
    const record = findPackage(context, params)
    requireTransition(record.pkg, 'restartPackage')
    leaveRoute(record)
    record.pkg.actionDate = context.clock.localNow()
    begin(context, record, 'restartPackage')
    return toPackage(context, record, caller)
  },

  returnPackage(context, { params, body: { univid }, caller }) {
    const { state, clock } = context
    const record = findPackage(context, params)
    const { pkg, form } = record
    requireTransition(pkg, 'returnPackage')
    if (!state.people.has(univid)) throw new ServiceError(400, `univid: person ${univid} does not exist`)
    const stopNumber = Math.max(calculateRoute(state, form, pkg).length, pkg.stopNumber) + 1
    pkg.stopNumber = stopNumber
    pkg.position = positionBeyondRoute(form)
    pkg.actionDate = clock.localNow()
    follow(context, record, 'returnPackage')
    const recipient: StopRecipient = {
      univid,
      permission: 'SIGNATURE_REQUIRED',
      role: null,
      office: null,
      responsibleOffice: form.office,
    }
    receive(context, record, [recipient], { name: null, stopNumber }, returnedContext)
    return toPackage(context, record, caller)
  },

  removePackage(context, { params, caller }) {
    const record = findPackage(context, params)
    const { pkg, form } = record
    requireTransition(pkg, 'removePackage')
    const stop = stopAt(calculateRoute(context.state, form, pkg), pkg.position)
    const at = { name: stop?.name ?? null, stopNumber: pkg.stopNumber }
    leaveRoute(record)
    pkg.isRemoved = true
    pkg.heldState = null
    pkg.voidReason = null
    addEvent(context, record, 'remove', caller.user, at)
    follow(context, record, 'removePackage')
    return toPackage(context, record, caller)
  },

  reinitiatePackage(context, { params, caller }) {
    const record = findPackage(context, params)
    requireTransition(record.pkg, 'reinitiatePackage')
    startRouting(context, record, caller.user, 'reinitiatePackage')
    return toPackage(context, record, caller)
  },

  returnToInitiator(context, { params, body: { comment }, caller }) {
    const record = findPackage(context, params)
    const { pkg } = record
    requireTransition(pkg, 'returnToInitiator')
    leaveRoute(record)
    const createdAt = context.clock.localNow()
    pkg.actionDate = createdAt
    pkg.comments.push({
      id: nextId(context),
      comment,
      approversOnly: false,
      createdAt,
      person: caller.user,
      state: 'ACTIVE',
    })
    notifyInitiator(context, record, comment)
    follow(context, record, 'returnToInitiator')
    return toPackage(context, record, caller)
  },

  /** Continues a route that a callback froze. */
  deleteLock(context, { params, caller }) {
    const record = findWritablePackage(context, params, caller)
    const { form, pkg } = record
    if (pkg.lock !== params.lockId) {
      throw new ServiceError(404, `Lock ${params.lockId} does not exist on this package`)
    }
    if (pkg.state !== 'ROUTING') {
      throw new ServiceError(409, `The route of a package in state ${pkg.state} cannot continue`)
    }
    pkg.lock = null
    arrive(context, record, stopAt(calculateRoute(context.state, form, pkg), pkg.position))
    return deletedResponse(context)
  },
} satisfies Partial<Handlers>
