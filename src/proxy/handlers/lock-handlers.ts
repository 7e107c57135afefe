import { browserOperations } from '../../contract/services/browser-operations.ts'
import { eventHeader } from '../../contract/values/headers.ts'
import type { LockOperation } from '../../contract/routes/lock-routes.ts'
import type { OpenLock, OpenLockList, Release, ReleaseBody } from '../../contract/schemas/callbacks.ts'
import type { BrowserOperation } from '../../contract/routes/routes.ts'
import type { ConfirmedLock, OpenLocks } from '../locks/open-locks.ts'
import type { OperationRequest } from '../operation/operation-request.ts'
import { ProxyError } from '../http/problem.ts'
import { refusals } from '../http/refusals.ts'
import { jsonReply } from '../http/reply.ts'
import type { Authorizer } from '../rights/authorizer.ts'
import type { OwnServiceHandler } from '../rights/operation-handler.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { type ChangeRecorderOptions, createChangeRecorder } from './record-change.ts'

interface LockHandlersOptions extends ChangeRecorderOptions {
  readonly upstream: Upstream
  readonly authorizer: Authorizer
  readonly locks: OpenLocks
}

/** Decides about a request, as `Authorizer.authorize` does. Throws `ProxyError`. */
type Authorize = Authorizer['authorize']

/** Returns the proxy's own operations about locks that a mount serves: those who release need the operation of the service. */
export function servedLockOperations(operations: readonly BrowserOperation[]): readonly LockOperation[] {
  return operations.includes('deleteLock') ? ['getLocks', 'getFormLocks', 'releaseLock'] : ['getLocks']
}

/** Creates the handlers of the proxy's own operations about frozen routes. */
export function createLockHandlers({
  upstream,
  authorizer,
  locks,
  ...recorderOptions
}: LockHandlersOptions): Readonly<Record<LockOperation, OwnServiceHandler>> {
  const recordChange = createChangeRecorder(recorderOptions)

  async function describe(request: OperationRequest, formId: number, lock: ConfirmedLock): Promise<OpenLock> {
    const { packageId, lockId, stop, createdAt, state } = lock
    const mayRelease = await authorizer.mayRelease(request, { formId, packageId, state })
    return { packageId, lockId, stop, since: createdAt, mayRelease }
  }

  /** Releases a lock. The spec leaves the response open, so the state afterwards decides what happened. */
  async function release({ person, params, requestId, signal, holding }: OperationRequest): Promise<Release> {
    const { formId, packageId, lockId } = numbersIn(params)
    const call = { as: person, requestId, signal, holding, bypassAuthorization: true }
    // The right was decided for this package.
    if (await locks.isOfOther({ formId, packageId, lockId })) throw refusals.lockUnknown()
    let failure: ProxyError | undefined
    try {
      await upstream.call('deleteLock', { ...call, params: { formId, packageId, lockId } })
    } catch (error) {
      if (!(error instanceof ProxyError)) throw error
      failure = error
    }
    const found = await locks.verify({ formId, packageId }).catch(() => undefined)
    const isUnknown = failure?.status === 404
    if (failure && !isUnknown && !found?.isOver) throw failure
    if (!found) throw refusals.outcomeUnknown()
    // Either the service has released the lock, or it has none with this id.
    await locks.forget({ formId, packageId, lockId })
    if (isUnknown && !found.isOver) throw refusals.lockUnknown()
    return { state: found.state, isPaused: found.isPaused }
  }

  /** Decides about a release as about the operation of the service. */
  const authorizeRelease: Authorize = (request) =>
    authorizer.authorize({ ...request, name: 'deleteLock', operation: browserOperations.deleteLock })

  return {
    getLocks: {
      async authorize(request) {
        const { formId, packageId } = numbersIn(request.params)
        const viewable = await authorizer.viewable(request, formId, [packageId])
        // People without rights in the service may release locks if the policy allows it, and so see them.
        if (!viewable.has(packageId)) await authorizeRelease(request)
        return { query: undefined }
      },
      async handle({ operationRequest }) {
        const { formId, packageId } = numbersIn(operationRequest.params)
        const lock = await locks.find({ formId, packageId })
        const list: OpenLockList = {
          locks: lock ? [await describe(operationRequest, formId, lock)] : [],
          hasMore: false,
        }
        return jsonReply(list, operationRequest.person.univid)
      },
    },
    getFormLocks: {
      // Everyone gets only the locks that they may release.
      authorize: () => Promise.resolve({ query: undefined }),
      async handle({ operationRequest }) {
        const { formId } = numbersIn(operationRequest.params)
        const found = await locks.list(formId)
        const described = await Promise.all(
          found.locks.map((lock) => describe(operationRequest, formId, lock)),
        )
        const list: OpenLockList = {
          locks: described.filter(({ mayRelease }) => mayRelease),
          hasMore: found.hasMore,
        }
        return jsonReply(list, operationRequest.person.univid)
      },
    },
    releaseLock: {
      authorize: authorizeRelease,
      async handle({ operationRequest }) {
        const { reason } = operationRequest.body?.value as ReleaseBody
        const change = () => release(operationRequest)
        const { result, eventId } = await recordChange(operationRequest, change, { reason })
        const reply = jsonReply(result, operationRequest.person.univid)
        return eventId === undefined
          ? reply
          : { ...reply, headers: { ...reply.headers, [eventHeader]: eventId } }
      },
    },
  }
}

/** The parameters of these operations, which the router has read as ids. */
function numbersIn(params: OperationRequest['params']): Record<'formId' | 'packageId' | 'lockId', number> {
  const { formId = 0, packageId = 0, lockId = 0 } = params
  return { formId: Number(formId), packageId: Number(packageId), lockId: Number(lockId) }
}
