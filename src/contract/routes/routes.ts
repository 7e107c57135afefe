import { fileRoutes, shareRoutes } from './file-routes.ts'
import { formRoutes } from './form-routes.ts'
import { officeRouteRoutes, officeSearchRoutes } from './office-routes.ts'
import { lockRoutes, overrideRoutes } from './override-routes.ts'
import { pageRoutes } from './page-routes.ts'
import type { Route } from './route.ts'
import { transitionRoutes } from './transition-routes.ts'
import { uploadRoutes } from './upload-routes.ts'

/**
 * The operations that browsers can call, by the name they have in `operations.ts`. The client's methods and the proxy's
 * routes are derived from this table: an operation that is missing here cannot leave the browser.
 */
export const routes = {
  ...pageRoutes,
  ...transitionRoutes,
  ...uploadRoutes,
  ...formRoutes,
  ...officeSearchRoutes,
  ...officeRouteRoutes,
  ...overrideRoutes,
  ...lockRoutes,
  ...fileRoutes,
  ...shareRoutes,
} as const satisfies Readonly<Record<string, Route>>

/** Name of an operation that browsers can call. */
export type BrowserOperation = keyof typeof routes
