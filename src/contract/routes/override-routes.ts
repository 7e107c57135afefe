import type { Route } from './route.ts'

/** The operations about the overrides of a package, by the name they have in `operations.ts`. */
export const overrideRoutes = {
  createOverride: {
    method: 'POST',
    path: '/forms/:formId/packages/:packageId/overrides',
    requestBody: 'json',
    response: 'json',
  },
  getOverrides: { method: 'GET', path: '/forms/:formId/packages/:packageId/overrides', response: 'json' },
  deactivateOverride: {
    method: 'DELETE',
    path: '/forms/:formId/packages/:packageId/overrides/:univid',
    response: 'nothing',
  },
} as const satisfies Readonly<Record<string, Route>>

/** Name of an operation that changes the overrides of a package. */
export type OverrideChangeName = 'createOverride' | 'deactivateOverride'

/** The operation that lets a frozen route continue. It has no JSON response, and so no reader. */
export const lockRoutes = {
  deleteLock: {
    method: 'DELETE',
    path: '/forms/:formId/packages/:packageId/notification_locks/:lockId',
    response: 'nothing',
  },
} as const satisfies Readonly<Record<string, Route>>
