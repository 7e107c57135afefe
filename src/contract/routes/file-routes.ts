import type { Route } from './route.ts'

/** The operation that changes what is known about a file, by the name it has in `operations.ts`. */
export const fileRoutes = {
  updateFileMeta: { method: 'PUT', path: '/files/:uuid/meta', requestBody: 'json', response: 'json' },
} as const satisfies Readonly<Record<string, Route>>

/** The operations about the shares of files. */
export const shareRoutes = {
  createShare: { method: 'POST', path: '/shares', requestBody: 'json', response: 'json' },
  getShares: { method: 'GET', path: '/shares', response: 'json' },
  revokeShare: { method: 'DELETE', path: '/shares/:granteeClientId', response: 'nothing' },
} as const satisfies Readonly<Record<string, Route>>
