import type { Route } from './route.ts'

/** The proxy's own routes about frozen routes. The services list no locks, so the proxy remembers them from callbacks. */
export const ownLockRoutes = {
  /** The open lock of a package, if there is one. */
  getLocks: { method: 'GET', path: '/forms/:formId/packages/:packageId/locks', response: 'json' },
  /** The open locks of a form that the user may release. */
  getFormLocks: { method: 'GET', path: '/forms/:formId/locks', response: 'json' },
  /** Releases a lock, and reads afterwards whether the route continues. */
  releaseLock: {
    method: 'POST',
    path: '/forms/:formId/packages/:packageId/locks/:lockId/release',
    requestBody: 'json',
    response: 'json',
  },
} as const satisfies Readonly<Record<string, Route>>

/** Name of one of the proxy's own routes about frozen routes. */
export type LockOperation = keyof typeof ownLockRoutes
