/** How browsers call one operation of the proxy. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path below the root of the proxy, with `:name` placeholders. */
  readonly path: `/${string}`
  /** Format of the request body. Absent if the request has no body. */
  readonly requestBody?: 'json' | 'multipart'
  /** Name of the only part besides `file` in a multipart body: `meta` is JSON, `description` is text. */
  readonly part?: 'meta' | 'description'
  /** Kind of response. Browsers follow a `redirect` as a navigation. */
  readonly response: 'json' | 'file' | 'nothing' | 'redirect'
  /** Representation versions that an `Accept` header can select, besides the default (spec, Versioning). */
  readonly versions?: readonly string[]
}

/**
 * The operations that browsers can call, by the name they have in `operations.ts`. Pages download this table, so it holds
 * plain data without schemas. The client's methods and the proxy's routes are derived from it: an operation that is
 * missing here cannot leave the browser.
 */
export const routes = {
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
  getStatus: { method: 'GET', path: '/forms/:formId/packages/status', response: 'json', versions: ['1.2'] },
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
  deleteLock: {
    method: 'DELETE',
    path: '/forms/:formId/packages/:packageId/notification_locks/:lockId',
    response: 'nothing',
  },
  uploadFile: { method: 'POST', path: '/files', requestBody: 'multipart', part: 'meta', response: 'json' },
  presignFile: { method: 'GET', path: '/files/:uuid/download', response: 'redirect' },
  getFileMeta: { method: 'GET', path: '/files/:uuid/meta', response: 'json' },
  updateFileMeta: { method: 'PUT', path: '/files/:uuid/meta', requestBody: 'json', response: 'json' },
  deleteFile: { method: 'DELETE', path: '/files/:uuid', response: 'nothing' },
  createShare: { method: 'POST', path: '/shares', requestBody: 'json', response: 'json' },
  getShares: { method: 'GET', path: '/shares', response: 'json' },
  revokeShare: { method: 'DELETE', path: '/shares/:granteeClientId', response: 'nothing' },
} as const satisfies Readonly<Record<string, Route>>

/** Name of an operation that browsers can call. */
export type BrowserOperation = keyof typeof routes
