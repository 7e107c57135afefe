import type { OwnServiceOperation } from '../routes/own-routes.ts'
import type { OperationForBrowsers } from './browser-operations.ts'
import { listOperations } from './list-operations.ts'
import { lockOperations } from './lock-operations.ts'
import { reminderOperations } from './reminder-operations.ts'

/** The proxy's own operations in the form of operations of a service. */
export const ownServiceOperations: Readonly<Record<OwnServiceOperation, OperationForBrowsers>> = {
  ...listOperations,
  ...lockOperations,
  ...reminderOperations,
}
