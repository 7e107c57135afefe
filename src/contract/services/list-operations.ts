import { browserOperations, type OperationForBrowsers } from './browser-operations.ts'
import { type ListOperation, ownListRoutes } from '../routes/list-routes.ts'
import { ListQuery, RequestList } from '../schemas/lists.ts'

const { service, upstream } = browserOperations.getStatus

/** The proxy's own operations about lists, in the form of operations of the service. `list-handlers.ts` carries them out. */
export const listOperations: Readonly<Record<ListOperation, OperationForBrowsers>> = {
  getList: {
    service,
    upstream,
    ...ownListRoutes.getList,
    summary: 'Lists the requests that the user has started, or those that wait for the user',
    rights: 'canView',
    query: ListQuery,
    result: RequestList,
  },
}
