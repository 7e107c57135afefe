import type { Route } from './route.ts'
import { statusRoutes } from './status-routes.ts'

/**
 * The reads of the elements of `routeslip.js`, and the deletion of a file, by the name they have in `operations.ts`. Every page
 * downloads this table, so it holds plain data without schemas. All other operations are in `routes.ts`.
 */
export const pageRoutes = {
  getPackage: { method: 'GET', path: '/forms/:formId/packages/:packageId', response: 'json' },
  getPdf: { method: 'GET', path: '/forms/:formId/packages/:packageId/pdf', response: 'file' },
  getHistory: { method: 'GET', path: '/forms/:formId/packages/:packageId/history', response: 'json' },
  getFutureHistory: {
    method: 'GET',
    path: '/forms/:formId/packages/:packageId/future_history',
    response: 'json',
  },
  getActions: { method: 'GET', path: '/forms/:formId/packages/actions', response: 'json' },
  ...statusRoutes,
  getComments: { method: 'GET', path: '/forms/:formId/packages/:packageId/comments', response: 'json' },
  getAttachmentTypes: {
    method: 'GET',
    path: '/forms/:formId/packages/:packageId/attachments/types',
    response: 'json',
  },
  getAttachments: { method: 'GET', path: '/forms/:formId/packages/:packageId/attachments', response: 'json' },
  downloadAttachment: {
    method: 'GET',
    path: '/forms/:formId/packages/:packageId/attachments/:attachmentId',
    response: 'file',
  },
  presignFile: { method: 'GET', path: '/files/:uuid/download', response: 'redirect' },
  getFileMeta: { method: 'GET', path: '/files/:uuid/meta', response: 'json' },
  deleteFile: { method: 'DELETE', path: '/files/:uuid', response: 'nothing' },
} as const satisfies Readonly<Record<string, Route>>

/** Name of an operation that every page knows. */
export type PageOperation = keyof typeof pageRoutes
