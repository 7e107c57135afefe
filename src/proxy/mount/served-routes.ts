import type { OperationForBrowsers } from '../../contract/services/browser-operations.ts'
import { type OwnOperation, ownRoutes, type OwnServiceOperation } from '../../contract/routes/own-routes.ts'
import type { BrowserOperation } from '../../contract/routes/routes.ts'
import type { OperationHandler } from '../rights/operation-handler.ts'
import type { PageHandler, PublicHandler } from '../handlers/own-handler.ts'
import type { Authorizer } from '../rights/authorizer.ts'

interface RouteFacts<Access, Name, Handler> {
  readonly access: Access
  readonly name: Name
  readonly method: string
  readonly path: string
  readonly handle: Handler
}

/** Decides about the requests of a route. */
type RouteRights = Pick<Authorizer, 'isAboutBody' | 'authorize' | 'authorizeBody'>

/** A route of an operation of a service, or about locks. */
export interface OperationRoute
  extends RouteFacts<'operation', BrowserOperation | OwnServiceOperation, OperationHandler>, RouteRights {
  readonly operation: OperationForBrowsers
}

/** For operations whose bodies have no influence on the decision. */
export const withoutBodyRights = { isAboutBody: () => false, authorizeBody: () => Promise.resolve() }

/** A route for signed-in people. */
type PageRoute = RouteFacts<'page', OwnOperation, PageHandler> | OperationRoute

/** A route that the proxy serves. */
export type ServedRoute = RouteFacts<'anyone', OwnOperation, PublicHandler> | PageRoute

/** Returns the routes of handlers of the proxy's own operations. */
export function routesOf<Handler>(handlers: Readonly<Partial<Record<OwnOperation, Handler>>>) {
  return (Object.entries(handlers) as [OwnOperation, Handler][]).map(([name, handle]) => {
    const { method, path } = ownRoutes[name]
    return { name, method, path, handle }
  })
}

/** Returns the route of an operation. */
export function operationRoute(
  name: OperationRoute['name'],
  operation: OperationForBrowsers,
  { isAboutBody, authorize, authorizeBody, handle }: RouteRights & Pick<OperationRoute, 'handle'>,
): OperationRoute {
  const { method, path } = operation
  return { access: 'operation', name, method, path, operation, isAboutBody, authorize, authorizeBody, handle }
}
