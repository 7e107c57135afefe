import { browserOperations, type OperationForBrowsers } from './browser-operations.ts'
import { ownReminderRoutes, type ReminderOperation } from '../routes/list-routes.ts'
import { Reminder } from '../schemas/lists.ts'

const { service, upstream } = browserOperations.updateEntry
const shared = { service, upstream, rights: 'policy', result: Reminder } as const

/**
 * The proxy's own operations about reminders, in the form of operations of the service. `reminder-handlers.ts` carries them out.
 */
export const reminderOperations: Readonly<Record<ReminderOperation, OperationForBrowsers>> = {
  getReminder: {
    ...shared,
    ...ownReminderRoutes.getReminder,
    summary: 'Returns the reminder that the user could have sent about a package now',
  },
  sendReminder: {
    ...shared,
    ...ownReminderRoutes.sendReminder,
    summary: 'Has the service email the approvers of a package',
  },
}
