import type { Route } from './route.ts'

/** The operations that only `<wf-form>` calls, by the name they have in `operations.ts`. */
export const formRoutes = {
  createPackage: { method: 'POST', path: '/forms/:formId/packages', requestBody: 'json', response: 'json' },
  getEntry: {
    method: 'GET',
    path: '/forms/:formId/packages/:packageId/entry',
    response: 'json',
    versions: ['1.1'],
  },
  updateEntry: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/entry',
    requestBody: 'json',
    response: 'json',
    versions: ['1.1'],
  },
} as const satisfies Readonly<Record<string, Route>>
