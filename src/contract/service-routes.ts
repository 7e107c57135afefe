import type { Route } from './route.ts'

/** The one table: every operation of both services, as they are asked. What browsers may ask of the proxy stands in `routes.ts`. */
export const serviceRoutes = {
  /** Creates a package, and starts routing unless its state says otherwise. */
  createPackage: {
    service: 'workflow',
    method: 'POST',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages',
    requestBody: 'json',
    response: 'json',
  },

  /** Starts routing a package that exists. On behalf of a person: the initiator. */
  routePackage: {
    service: 'workflow',
    method: 'PUT',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId',
    requestBody: 'json',
    response: 'json',
  },

  /** Basic package information. */
  getPackage: {
    service: 'workflow',
    method: 'GET',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId',
    response: 'json',
  },

  /** The package as a PDF, with its routing table and its PDF attachments where asked. */
  getPdf: {
    service: 'workflow',
    method: 'GET',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/pdf',
    response: 'file',
  },

  /** What has happened to a package, and whose inboxes it is in. */
  getHistory: {
    service: 'workflow',
    method: 'GET',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/history',
    response: 'json',
  },

  /** The route that lies ahead, calculated from the present entry and state. */
  getFutureHistory: {
    service: 'workflow',
    method: 'GET',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/future_history',
    response: 'json',
  },

  /** What the request user may do with each package. Never asked with bypass authorization (spec, Get allowed actions). */
  getActions: {
    service: 'workflow',
    method: 'GET',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/actions',
    response: 'json',
  },

  /** Entry data. Version 1.1 wraps it and adds e-mail content. On behalf of a person: initiator or approver. */
  getEntry: {
    service: 'workflow',
    method: 'GET',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/entry',
    response: 'json',
    versions: ['1.1'],
  },

  /** Replaces entry data. Version 1.1 also decides who is told. The service checks no rights here. */
  updateEntry: {
    service: 'workflow',
    method: 'PUT',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId/entry',
    requestBody: 'json',
    response: 'json',
    versions: ['1.1'],
  },

  /** What was said about a package. */
  getComments: {
    service: 'workflow',
    method: 'GET',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/comments',
    response: 'json',
  },

  /** Kinds of attachments that the form knows, with their rules. */
  getAttachmentTypes: {
    service: 'workflow',
    method: 'GET',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/attachments/types',
    response: 'json',
  },

  /** Adds an attachment. There is no way to delete one. */
  uploadAttachment: {
    service: 'workflow',
    method: 'POST',
    upstream:
      '/workflow/:env/api/developer/forms/:formId/packages/:packageId/attachments/types/:attachmentTypeId',
    requestBody: 'multipart',
    part: 'description',
    response: 'json',
  },

  /** Attachments that were uploaded. */
  getAttachments: {
    service: 'workflow',
    method: 'GET',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/attachments',
    response: 'json',
  },

  /** The content of one attachment. */
  downloadAttachment: {
    service: 'workflow',
    method: 'GET',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/attachments/:attachmentId',
    response: 'file',
  },

  /** State of many packages; version 1.2 adds whose inboxes hold them. The service checks no rights here. */
  getStatus: {
    service: 'workflow',
    method: 'GET',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/status',
    response: 'json',
    versions: ['1.2'],
  },

  /** Ends routing for good, for one of four reasons. The service checks no rights here. */
  voidPackage: {
    service: 'workflow',
    method: 'PUT',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId',
    requestBody: 'json',
    response: 'json',
  },

  /** Puts a voided package back into the state it was voided in. The service checks no rights here. */
  unvoidPackage: {
    service: 'workflow',
    method: 'PUT',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId/unvoid',
    response: 'json',
  },

  /** Starts routing again: all approvers must sign again. The service checks no rights here. */
  restartPackage: {
    service: 'workflow',
    method: 'PUT',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId/restart',
    response: 'json',
  },

  /** Puts a complete package into one more inbox at the end of the route. The service checks no rights here. */
  returnPackage: {
    service: 'workflow',
    method: 'PUT',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId/return',
    requestBody: 'json',
    response: 'json',
  },

  /** Takes a package out of routing. The service checks no rights here. */
  removePackage: {
    service: 'workflow',
    method: 'PUT',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId/remove',
    response: 'json',
  },

  /** Routes a removed package anew. The service checks no rights here. */
  reinitiatePackage: {
    service: 'workflow',
    method: 'PUT',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId/re_initiate',
    response: 'json',
  },

  /** Makes a package a draft of its initiator, with a comment. The service checks no rights here. */
  returnToInitiator: {
    service: 'workflow',
    method: 'PUT',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId/returnToInitiator',
    requestBody: 'json',
    response: 'json',
  },

  /** Passes on what one user may do with a package. One per subject may be active. */
  createOverride: {
    service: 'workflow',
    method: 'POST',
    upstream: '/:env/api/developer/forms/:formId/packages/:packageId/routing/overrides',
    requestBody: 'json',
    response: 'json',
  },

  /** Active overrides of a package. */
  getOverrides: {
    service: 'workflow',
    method: 'GET',
    upstream: '/:env/api/developer/forms/:formId/packages/:packageId/routing/overrides',
    response: 'json',
  },

  /** Ends the override of a subject. */
  deactivateOverride: {
    service: 'workflow',
    method: 'DELETE',
    upstream: '/:env/api/developer/forms/:formId/packages/:packageId/routing/overrides/:univid',
    response: 'nothing',
  },

  /** The office with this key, and offices whose key extends it. */
  searchOffices: {
    service: 'workflow',
    method: 'GET',
    upstream: '/workflow/api/v2/search/offices/flat',
    response: 'json',
  },

  /** The second shape of the office search. */
  findOffices: {
    service: 'workflow',
    method: 'GET',
    upstream: '/workflow/:env/api/offices',
    response: 'json',
  },

  /** Which route an office has for a form. */
  getOfficeRoute: {
    service: 'workflow',
    method: 'GET',
    upstream: '/api/v2/developer/offices/:officeKey/forms/:formId/route',
    response: 'json',
  },

  /** What an office route consists of. */
  getRouteSummary: {
    service: 'workflow',
    method: 'GET',
    upstream: '/api/v2/developer/offices/routes/:routeId',
    response: 'json',
  },

  /** Lets a route go on that a callback froze. */
  deleteLock: {
    service: 'workflow',
    method: 'DELETE',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/notification_locks/:lockId',
    response: 'nothing',
  },

  /** The Ed25519 key that callbacks are verified with. Its shape is left open: see `readPublicKey`. */
  getPublicKey: {
    service: 'workflow',
    method: 'GET',
    upstream: '/api/v2/public-key',
    response: 'text',
  },

  /** Stores one file. */
  uploadFile: {
    service: 'storage',
    method: 'POST',
    upstream: '/api/v1/files/upload',
    requestBody: 'multipart',
    part: 'meta',
    response: 'json',
  },

  /** Name, size, type, dates and metadata of one file. */
  getFileMeta: {
    service: 'storage',
    method: 'GET',
    upstream: '/api/v1/files/:uuid/meta',
    response: 'json',
  },

  /** A temporary download link, which anyone may follow until it dies. */
  presignFile: {
    service: 'storage',
    method: 'GET',
    upstream: '/api/v1/files/:uuid/presign',
    response: 'text',
  },

  /** Changes name, expiration or metadata of a file. */
  updateFileMeta: {
    service: 'storage',
    method: 'PUT',
    upstream: '/api/v1/files/:uuid/meta',
    requestBody: 'json',
    response: 'json',
  },

  /** Makes a file unreachable for good. */
  deleteFile: {
    service: 'storage',
    method: 'DELETE',
    upstream: '/api/v1/files/:uuid',
    response: 'nothing',
  },

  /** Gives another client access to one file. */
  createShare: {
    service: 'storage',
    method: 'POST',
    upstream: '/api/v1/shares',
    requestBody: 'json',
    response: 'json',
  },

  /** Active shares that the client has granted, page by page. */
  getShares: {
    service: 'storage',
    method: 'GET',
    upstream: '/api/v1/shares',
    response: 'json',
  },

  /** Ends the share of one file with one client. */
  revokeShare: {
    service: 'storage',
    method: 'DELETE',
    upstream: '/api/v1/shares/:granteeClientId',
    response: 'nothing',
  },
} as const satisfies Readonly<Record<string, Route>>
