import type { Client, PageClient } from '../../client/index.ts'
import { reminderReaders } from '../../contract/readers/list-readers.ts'
import { ownReminderRoutes } from '../../contract/routes/list-routes.ts'
import type { Reminder } from '../../contract/schemas/lists.ts'

/** Returns the client with the operations about reminders. */
export function reminderClient(client: PageClient): Pick<Client, keyof typeof ownReminderRoutes> {
  return client.extend({ routes: ownReminderRoutes, readers: reminderReaders })
}

/** Reads the reminders of a package, and the university id of the person who could send one. */
export function readReminder(
  client: PageClient,
  formId: number,
  packageId: number,
): Promise<readonly [reminder: Reminder, person: string]> {
  const reading = reminderClient(client).getReminder({ params: { formId, packageId } })
  return Promise.all([reading, client.getSession().then(({ univid }) => univid)])
}
