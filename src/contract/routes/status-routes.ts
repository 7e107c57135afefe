import type { Route } from './route.ts'

/**
 * The operation that `<wf-badge>` calls, which may be the only element of a page. Some bundlers keep a whole table if a page
 * needs one entry, so this is a module of its own.
 */
export const statusRoutes = {
  getStatus: { method: 'GET', path: '/forms/:formId/packages/status', response: 'json', versions: ['1.2'] },
} as const satisfies Readonly<Record<string, Route>>
