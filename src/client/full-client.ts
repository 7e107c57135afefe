import { formListReaders } from '../contract/readers/form-list-readers.ts'
import { listReaders, reminderReaders } from '../contract/readers/list-readers.ts'
import { lockReaders } from '../contract/readers/lock-readers.ts'
import { ownListRoutes, ownReminderRoutes } from '../contract/routes/list-routes.ts'
import { ownLockRoutes } from '../contract/routes/lock-routes.ts'
import { readers } from '../contract/readers/readers.ts'
import { routes } from '../contract/routes/routes.ts'
import { type Client, type ClientOptions, createPageClient } from './client.ts'
import { pageTable } from './page-table.ts'
import { uploadTable } from './upload-table.ts'

/** Creates a client that calls all operations of the contract and of the proxy itself. */
export function createClient(options: ClientOptions): Client {
  return createPageClient(options, {
    ...pageTable,
    ...uploadTable,
    routes: { ...pageTable.routes, ...routes, ...ownLockRoutes, ...ownListRoutes, ...ownReminderRoutes },
    readers: { ...readers, ...lockReaders, ...listReaders, ...formListReaders, ...reminderReaders },
  }) as Client
}
