import type { BrowserRoute } from './route.ts'

/**
 * The part of the one table of operations that browsers may ask of the proxy, as plain data: what pages download. Client
 * methods and the proxy's routes come from it. An operation that is not here cannot leave the browser; the others of
 * both services stand in `service-routes.ts`.
 */
export const routes = {
  /** Basic package information. */
  getPackage: {
    service: 'workflow',
    method: 'GET',
    path: '/forms/:formId/packages/:packageId',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId',
    rights: 'service',
    answers: 'json',
  },

  /** What the request user may do with each package. Never asked with bypass authorization (spec, Get allowed actions). */
  getActions: {
    service: 'workflow',
    method: 'GET',
    path: '/forms/:formId/packages/actions',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/actions',
    rights: 'service',
    answers: 'json',
  },

  /** State of many packages; version 1.2 adds whose inboxes hold them. The service checks no rights here. */
  getStatus: {
    service: 'workflow',
    method: 'GET',
    path: '/forms/:formId/packages/status',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/status',
    rights: 'canView',
    answers: 'json',
    versions: ['1.2'],
  },

  /** Ends routing for good, for one of four reasons. The service checks no rights here. */
  voidPackage: {
    service: 'workflow',
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/void',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId',
    rights: 'void',
    sends: 'json',
    answers: 'json',
  },

  /** Stores one file. */
  uploadFile: {
    service: 'storage',
    method: 'POST',
    path: '/files',
    upstream: '/api/v1/files/upload',
    rights: 'signed-in',
    sends: 'multipart',
    part: 'meta',
    answers: 'json',
  },

  /** Name, size, type, dates and metadata of one file. */
  getFileMeta: {
    service: 'storage',
    method: 'GET',
    path: '/files/:uuid/meta',
    upstream: '/api/v1/files/:uuid/meta',
    rights: 'owner',
    answers: 'json',
  },

  /** Sends the browser to a download link that dies within a minute. The link itself never reaches a script. */
  presignFile: {
    service: 'storage',
    method: 'GET',
    path: '/files/:uuid/download',
    upstream: '/api/v1/files/:uuid/presign',
    rights: 'owner',
    answers: 'redirect',
  },
} as const satisfies Readonly<Record<string, BrowserRoute>>

/** Name of an operation that browsers may ask for. */
export type BrowserOperation = keyof typeof routes
