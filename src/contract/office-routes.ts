import type { Route } from './route.ts'

/** The operations about offices and their routes, by the name they have in `operations.ts`. */
export const officeRoutes = {
  searchOffices: { method: 'GET', path: '/offices/search', response: 'json' },
  findOffices: { method: 'GET', path: '/offices', response: 'json' },
  getOfficeRoute: { method: 'GET', path: '/offices/:officeKey/forms/:formId/route', response: 'json' },
  getRouteSummary: { method: 'GET', path: '/offices/routes/:routeId', response: 'json' },
} as const satisfies Readonly<Record<string, Route>>
