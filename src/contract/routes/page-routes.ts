import type { Route } from './route.ts'
import { statusRoutes } from './status-routes.ts'

/**
 * The operations that the elements of `routeslip.js` call, by the name they have in `operations.ts`. Every page downloads
 * this table, so it holds plain data without schemas. All other operations are in `routes.ts`.
 */
export const pageRoutes = {
  routePackage: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId',
    requestBody: 'json',
    response: 'json',
  },
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
  uploadAttachment: {
    method: 'POST',
    path: '/forms/:formId/packages/:packageId/attachments/types/:attachmentTypeId',
    requestBody: 'multipart',
    part: 'description',
    response: 'json',
  },
  getAttachments: { method: 'GET', path: '/forms/:formId/packages/:packageId/attachments', response: 'json' },
  downloadAttachment: {
    method: 'GET',
    path: '/forms/:formId/packages/:packageId/attachments/:attachmentId',
    response: 'file',
  },
  voidPackage: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/void',
    requestBody: 'json',
    response: 'json',
  },
  unvoidPackage: { method: 'PUT', path: '/forms/:formId/packages/:packageId/unvoid', response: 'json' },
  restartPackage: { method: 'PUT', path: '/forms/:formId/packages/:packageId/restart', response: 'json' },
  returnPackage: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/return',
    requestBody: 'json',
    response: 'json',
  },
  removePackage: { method: 'PUT', path: '/forms/:formId/packages/:packageId/remove', response: 'json' },
  reinitiatePackage: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/re_initiate',
    response: 'json',
  },
  returnToInitiator: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/returnToInitiator',
    requestBody: 'json',
    response: 'json',
  },
  uploadFile: { method: 'POST', path: '/files', requestBody: 'multipart', part: 'meta', response: 'json' },
  presignFile: { method: 'GET', path: '/files/:uuid/download', response: 'redirect' },
  getFileMeta: { method: 'GET', path: '/files/:uuid/meta', response: 'json' },
  deleteFile: { method: 'DELETE', path: '/files/:uuid', response: 'nothing' },
} as const satisfies Readonly<Record<string, Route>>

/** Name of an operation that the elements of `routeslip.js` call. */
export type PageOperation = keyof typeof pageRoutes
