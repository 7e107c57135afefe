import { browserOperations, type OperationForBrowsers } from './browser-operations.ts'
import { type LockOperation, ownLockRoutes } from '../routes/lock-routes.ts'
import { OpenLockList, Release, ReleaseBody } from '../schemas/locks.ts'

const { service, upstream } = browserOperations.deleteLock
const shared = { service, upstream }

/**
 * The proxy's own operations about frozen routes, in the form of operations of the service. `lock-handlers.ts` decides who may
 * use them.
 */
export const lockOperations: Readonly<Record<LockOperation, OperationForBrowsers>> = {
  getLocks: {
    ...shared,
    ...ownLockRoutes.getLocks,
    summary: 'Returns the open lock of a package, if there is one',
    rights: 'canView',
    result: OpenLockList,
  },
  getFormLocks: {
    ...shared,
    ...ownLockRoutes.getFormLocks,
    summary: 'Lists the open locks of a form that the user may release',
    rights: 'signed-in',
    result: OpenLockList,
  },
  releaseLock: {
    ...shared,
    ...ownLockRoutes.releaseLock,
    summary: 'Releases a lock, and returns whether the route continues',
    rights: 'policy',
    body: ReleaseBody,
    result: Release,
  },
}
