import type { Route } from './route.ts'

/** The search for offices, by the name of the operations in `operations.ts`. */
export const officeSearchRoutes = {
  searchOffices: { method: 'GET', path: '/offices/search', response: 'json' },
  findOffices: { method: 'GET', path: '/offices', response: 'json' },
} as const satisfies Readonly<Record<string, Route>>

/** The operations about the routes of offices. */
export const officeRouteRoutes = {
  getOfficeRoute: { method: 'GET', path: '/offices/:officeKey/forms/:formId/route', response: 'json' },
  getRouteSummary: { method: 'GET', path: '/offices/routes/:routeId', response: 'json' },
} as const satisfies Readonly<Record<string, Route>>
