import type { BrowserRoute } from './route.ts'

/**
 * What browsers may ask of the proxy, by the name of the operation of the service, as plain data: what pages download.
 * Client methods and the proxy's routes come from it. An operation that is not here cannot leave the browser.
 */
export const routes = {
  /** Starts routing a package that exists. */
  routePackage: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId',
    requestBody: 'json',
    response: 'json',
  },

  /** Basic package information. */
  getPackage: { method: 'GET', path: '/forms/:formId/packages/:packageId', response: 'json' },

  /** The package as a PDF: a download. */
  getPdf: { method: 'GET', path: '/forms/:formId/packages/:packageId/pdf', response: 'file' },

  /** What has happened to a package, and whose inboxes it is in. */
  getHistory: { method: 'GET', path: '/forms/:formId/packages/:packageId/history', response: 'json' },

  /** The route that lies ahead. */
  getFutureHistory: {
    method: 'GET',
    path: '/forms/:formId/packages/:packageId/future_history',
    response: 'json',
  },

  /** What the signed-in person may do with each package, with the routing tools they may run on it now. */
  getActions: { method: 'GET', path: '/forms/:formId/packages/actions', response: 'json' },

  /** State of many packages; version 1.2 adds whose inboxes hold them. Leaves out what the person may not view. */
  getStatus: { method: 'GET', path: '/forms/:formId/packages/status', response: 'json', versions: ['1.2'] },

  /** Entry data. Version 1.1 wraps it and adds e-mail content. */
  getEntry: {
    method: 'GET',
    path: '/forms/:formId/packages/:packageId/entry',
    response: 'json',
    versions: ['1.1'],
  },

  /** Replaces entry data. Version 1.1 also decides who is told. */
  updateEntry: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/entry',
    requestBody: 'json',
    response: 'json',
    versions: ['1.1'],
  },

  /** What was said about a package. */
  getComments: { method: 'GET', path: '/forms/:formId/packages/:packageId/comments', response: 'json' },

  /** Kinds of attachments that the form knows, with their rules. */
  getAttachmentTypes: {
    method: 'GET',
    path: '/forms/:formId/packages/:packageId/attachments/types',
    response: 'json',
  },

  /** Adds an attachment. There is no way to delete one. */
  uploadAttachment: {
    method: 'POST',
    path: '/forms/:formId/packages/:packageId/attachments/types/:attachmentTypeId',
    requestBody: 'multipart',
    part: 'description',
    response: 'json',
  },

  /** Attachments that were uploaded. */
  getAttachments: { method: 'GET', path: '/forms/:formId/packages/:packageId/attachments', response: 'json' },

  /** One attachment: a download. */
  downloadAttachment: {
    method: 'GET',
    path: '/forms/:formId/packages/:packageId/attachments/:attachmentId',
    response: 'file',
  },

  /** Ends routing, for one of four reasons. */
  voidPackage: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/void',
    requestBody: 'json',
    response: 'json',
  },

  /** Puts a voided package back into the state it was voided in. */
  unvoidPackage: { method: 'PUT', path: '/forms/:formId/packages/:packageId/unvoid', response: 'json' },

  /** Starts routing again: all approvers must sign again. */
  restartPackage: { method: 'PUT', path: '/forms/:formId/packages/:packageId/restart', response: 'json' },

  /** Puts a complete package into one more inbox at the end of the route. */
  returnPackage: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/return',
    requestBody: 'json',
    response: 'json',
  },

  /** Takes a package out of routing. */
  removePackage: { method: 'PUT', path: '/forms/:formId/packages/:packageId/remove', response: 'json' },

  /** Routes a removed package anew. */
  reinitiatePackage: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/re_initiate',
    response: 'json',
  },

  /** Makes a package a draft of its initiator, with a comment. */
  returnToInitiator: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/returnToInitiator',
    requestBody: 'json',
    response: 'json',
  },

  /** Passes on what one user may do with a package. One per subject may be active. */
  createOverride: {
    method: 'POST',
    path: '/forms/:formId/packages/:packageId/overrides',
    requestBody: 'json',
    response: 'json',
  },

  /** Active overrides of a package. */
  getOverrides: { method: 'GET', path: '/forms/:formId/packages/:packageId/overrides', response: 'json' },

  /** Ends the override of a subject. */
  deactivateOverride: {
    method: 'DELETE',
    path: '/forms/:formId/packages/:packageId/overrides/:univid',
    response: 'nothing',
  },

  /** Lets a route go on that a callback froze. */
  deleteLock: {
    method: 'DELETE',
    path: '/forms/:formId/packages/:packageId/notification_locks/:lockId',
    response: 'nothing',
  },

  /** Stores one file. */
  uploadFile: { method: 'POST', path: '/files', requestBody: 'multipart', part: 'meta', response: 'json' },

  /** Sends the browser to a download link that dies within a minute. The link itself never reaches a script. */
  presignFile: { method: 'GET', path: '/files/:uuid/download', response: 'redirect' },

  /** Name, size, type, dates and metadata of one file. */
  getFileMeta: { method: 'GET', path: '/files/:uuid/meta', response: 'json' },

  /** Changes name, expiration or metadata of a file. */
  updateFileMeta: { method: 'PUT', path: '/files/:uuid/meta', requestBody: 'json', response: 'json' },

  /** Makes a file unreachable for good. */
  deleteFile: { method: 'DELETE', path: '/files/:uuid', response: 'nothing' },

  /** Gives another client access to one file. */
  createShare: { method: 'POST', path: '/shares', requestBody: 'json', response: 'json' },

  /** Active shares that the site's client has granted, page by page. */
  getShares: { method: 'GET', path: '/shares', response: 'json' },

  /** Ends the share of one file with one client. */
  revokeShare: { method: 'DELETE', path: '/shares/:granteeClientId', response: 'nothing' },
} as const satisfies Readonly<Record<string, BrowserRoute>>

/** Name of an operation that browsers may ask for. */
export type BrowserOperation = keyof typeof routes
