import type { ownRoutes } from '../contract/routes/own-routes.ts'
import { pageReaders } from '../contract/readers/page-readers.ts'
import { pageRoutes } from '../contract/routes/page-routes.ts'
import type { ClientTable } from './client.ts'
import { createPageParts } from './transport/page-parts.ts'

/** A copy whose type the contract checks: pages do not download the proxy's own routes. */
const sessionPath: (typeof ownRoutes)['getSession']['path'] = '/session'

/** The operations that the elements of `routeslip.js` call. */
export const pageTable: ClientTable = {
  routes: { ...pageRoutes, getSession: { method: 'GET', path: sessionPath, response: 'json' } },
  readers: pageReaders,
  createPageParts,
}
