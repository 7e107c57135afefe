import { ownListRoutes, ownReminderRoutes } from '../routes/list-routes.ts'
import { ownLockRoutes } from '../routes/lock-routes.ts'
import type { OwnServiceOperation } from '../routes/own-routes.ts'
import {
  FormListQuery,
  FormRequestList,
  ListQuery,
  Reminder,
  ReminderBody,
  RequestList,
} from '../schemas/lists.ts'
import { OpenLockList, Release, ReleaseBody } from '../schemas/callbacks.ts'
import { browserOperations, type OperationForBrowsers } from './browser-operations.ts'

/** Returns where an operation of the service leads. */
function targetOf({
  service,
  upstream,
}: OperationForBrowsers): Pick<OperationForBrowsers, 'service' | 'upstream'> {
  return { service, upstream }
}

const lists = targetOf(browserOperations.getStatus)
const locks = targetOf(browserOperations.deleteLock)
const reminders = { ...targetOf(browserOperations.updateEntry), rights: 'policy', result: Reminder } as const

/**
 * The proxy's own operations in the form of operations of a service. The handlers of the proxy carry them out, and decide who may use
 * those about frozen routes.
 */
export const ownServiceOperations: Readonly<Record<OwnServiceOperation, OperationForBrowsers>> = {
  getList: {
    ...lists,
    ...ownListRoutes.getList,
    summary: 'Lists the requests that the user has started, or those that wait for the user',
    rights: 'canView',
    query: ListQuery,
    result: RequestList,
  },
  getFormList: {
    ...lists,
    ...ownListRoutes.getFormList,
    summary: 'Lists the requests of a form that the user may view',
    rights: 'policy',
    query: FormListQuery,
    result: FormRequestList,
  },
  getLocks: {
    ...locks,
    ...ownLockRoutes.getLocks,
    summary: 'Returns the open lock of a package, if there is one',
    rights: 'canView',
    result: OpenLockList,
  },
  getFormLocks: {
    ...locks,
    ...ownLockRoutes.getFormLocks,
    summary: 'Lists the open locks of a form that the user may release',
    rights: 'signed-in',
    result: OpenLockList,
  },
  releaseLock: {
    ...locks,
    ...ownLockRoutes.releaseLock,
    summary: 'Releases a lock, and returns whether the route continues',
    rights: 'policy',
    body: ReleaseBody,
    result: Release,
  },
  getReminder: {
    ...reminders,
    ...ownReminderRoutes.getReminder,
    summary: 'Returns the reminder that the user could have sent about a package now',
  },
  sendReminder: {
    ...reminders,
    ...ownReminderRoutes.sendReminder,
    summary: 'Has the service email the approvers of a package',
    body: ReminderBody,
  },
}
