import { statusRoutes } from '../contract/routes/status-routes.ts'
import { statusReaders } from '../contract/readers/status-readers.ts'
import type { OperationTable } from './transport/operation-input.ts'

/** The operations that badges call. */
export const statusTable: OperationTable = { routes: statusRoutes, readers: statusReaders }
