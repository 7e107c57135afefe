import type { BrowserRoute } from './route.ts'

/**
 * What browsers may ask of the proxy, by the name of the operation of the service, as plain data: what pages download.
 * Client methods and the proxy's routes come from it. An operation that is not here cannot leave the browser.
 */
export const routes = {
  /** Starts routing a package that exists. */
  routePackage: { method: 'PUT', path: '/forms/:formId/packages/:packageId', sends: 'json', answers: 'json' },

  /** Basic package information. */
  getPackage: { method: 'GET', path: '/forms/:formId/packages/:packageId', answers: 'json' },

  /** The package as a PDF: a download. */
  getPdf: { method: 'GET', path: '/forms/:formId/packages/:packageId/pdf', answers: 'file' },

  /** What has happened to a package, and whose inboxes it is in. */
  getHistory: { method: 'GET', path: '/forms/:formId/packages/:packageId/history', answers: 'json' },

  /** The route that lies ahead. */
  getFutureHistory: {
    method: 'GET',
    path: '/forms/:formId/packages/:packageId/future_history',
    answers: 'json',
  },

  /** What the signed-in person may do with each package, with the routing tools they may run on it now. */
  getActions: { method: 'GET', path: '/forms/:formId/packages/actions', answers: 'json' },

  /** State of many packages; version 1.2 adds whose inboxes hold them. Leaves out what the person may not view. */
  getStatus: { method: 'GET', path: '/forms/:formId/packages/status', answers: 'json', versions: ['1.2'] },

  /** Entry data. Version 1.1 wraps it and adds e-mail content. */
  getEntry: {
    method: 'GET',
    path: '/forms/:formId/packages/:packageId/entry',
    answers: 'json',
    versions: ['1.1'],
  },

  /** Replaces entry data. Version 1.1 also decides who is told. */
  updateEntry: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/entry',
    sends: 'json',
    answers: 'json',
    versions: ['1.1'],
  },

  /** What was said about a package. */
  getComments: { method: 'GET', path: '/forms/:formId/packages/:packageId/comments', answers: 'json' },

  /** Kinds of attachments that the form knows, with their rules. */
  getAttachmentTypes: {
    method: 'GET',
    path: '/forms/:formId/packages/:packageId/attachments/types',
    answers: 'json',
  },

  /** Adds an attachment. There is no way to delete one. */
  uploadAttachment: {
    method: 'POST',
    path: '/forms/:formId/packages/:packageId/attachments/types/:attachmentTypeId',
    sends: 'multipart',
    part: 'description',
    answers: 'json',
  },

  /** Attachments that were uploaded. */
  getAttachments: { method: 'GET', path: '/forms/:formId/packages/:packageId/attachments', answers: 'json' },

  /** One attachment: a download. */
  downloadAttachment: {
    method: 'GET',
    path: '/forms/:formId/packages/:packageId/attachments/:attachmentId',
    answers: 'file',
  },

  /** Ends routing, for one of four reasons. */
  voidPackage: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/void',
    sends: 'json',
    answers: 'json',
  },

  /** Puts a voided package back into the state it was voided in. */
  unvoidPackage: { method: 'PUT', path: '/forms/:formId/packages/:packageId/unvoid', answers: 'json' },

  /** Starts routing again: all approvers must sign again. */
  restartPackage: { method: 'PUT', path: '/forms/:formId/packages/:packageId/restart', answers: 'json' },

  /** Puts a complete package into one more inbox at the end of the route. */
  returnPackage: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/return',
    sends: 'json',
    answers: 'json',
  },

  /** Takes a package out of routing. */
  removePackage: { method: 'PUT', path: '/forms/:formId/packages/:packageId/remove', answers: 'json' },

  /** Routes a removed package anew. */
  reinitiatePackage: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/re_initiate',
    answers: 'json',
  },

  /** Makes a package a draft of its initiator, with a comment. */
  returnToInitiator: {
    method: 'PUT',
    path: '/forms/:formId/packages/:packageId/returnToInitiator',
    sends: 'json',
    answers: 'json',
  },

  /** Passes on what one user may do with a package. One per subject may be active. */
  createOverride: {
    method: 'POST',
    path: '/forms/:formId/packages/:packageId/overrides',
    sends: 'json',
    answers: 'json',
  },

  /** Active overrides of a package. */
  getOverrides: { method: 'GET', path: '/forms/:formId/packages/:packageId/overrides', answers: 'json' },

  /** Ends the override of a subject. */
  deactivateOverride: {
    method: 'DELETE',
    path: '/forms/:formId/packages/:packageId/overrides/:univid',
    answers: 'nothing',
  },

  /** Lets a route go on that a callback froze. */
  deleteLock: {
    method: 'DELETE',
    path: '/forms/:formId/packages/:packageId/notification_locks/:lockId',
    answers: 'nothing',
  },

  /** Stores one file. */
  uploadFile: { method: 'POST', path: '/files', sends: 'multipart', part: 'meta', answers: 'json' },

  /** Sends the browser to a download link that dies within a minute. The link itself never reaches a script. */
  presignFile: { method: 'GET', path: '/files/:uuid/download', answers: 'redirect' },

  /** Name, size, type, dates and metadata of one file. */
  getFileMeta: { method: 'GET', path: '/files/:uuid/meta', answers: 'json' },

  /** Changes name, expiration or metadata of a file. */
  updateFileMeta: { method: 'PUT', path: '/files/:uuid/meta', sends: 'json', answers: 'json' },

  /** Makes a file unreachable for good. */
  deleteFile: { method: 'DELETE', path: '/files/:uuid', answers: 'nothing' },

  /** Gives another client access to one file. */
  createShare: { method: 'POST', path: '/shares', sends: 'json', answers: 'json' },

  /** Active shares that the site's client has granted, page by page. */
  getShares: { method: 'GET', path: '/shares', answers: 'json' },

  /** Ends the share of one file with one client. */
  revokeShare: { method: 'DELETE', path: '/shares/:granteeClientId', answers: 'nothing' },
} as const satisfies Readonly<Record<string, BrowserRoute>>

/** Name of an operation that browsers may ask for. */
export type BrowserOperation = keyof typeof routes
