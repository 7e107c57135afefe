import { z } from 'zod'
import { Attachment, AttachmentDescription, AttachmentList, AttachmentTypeList } from './attachments.ts'
import { CommentList } from './comments.ts'
import { Entry, EntryWithEmail, UpdateEntryBody } from './entry.ts'
import { HistoryEventList } from './history.ts'
import {
  OfficeList,
  OfficeRouteAssignment,
  OfficeRouteQuery,
  OfficeRouteSummaryList,
  OfficeSearchQuery,
  OfficesQuery,
} from './offices.ts'
import { RoutingOverride, RoutingOverrideBody, RoutingOverrideList } from './overrides.ts'
import type { Rights } from './rights.ts'
import { type BrowserOperation, type Route, routes } from './routes.ts'
import { AllowedActionsList } from './session.ts'
import { RevokeShareQuery, Share, ShareBody, SharePage, SharesQuery } from './shares.ts'
import { FileAsset, PresignQuery, UpdateMetaBody, UploadMeta } from './storage.ts'
import {
  CreatePackageBody,
  IdsQuery,
  Package,
  PackageActionsList,
  PackageStatus12List,
  PackageStatusList,
  PdfQuery,
  ReturnBody,
  ReturnToInitiatorBody,
  RoutePackageBody,
  VoidBody,
} from './workflow.ts'

/** One operation of a service: how the proxy calls it, and how browsers call the proxy if they may. */
export interface Operation extends Omit<Route, 'path' | 'response'> {
  readonly service: 'workflow' | 'storage'
  /** Path below the base address of the service, with `:name` placeholders. */
  readonly upstream: `/${string}`
  /** What the operation does, as one sentence without the period. */
  readonly summary: string
  /** Kind of response of the service. */
  readonly response: 'json' | 'file' | 'text' | 'nothing'
  /** Media type of a file, if all files of this operation have the same. */
  readonly mediaType?: string
  /** Path below the root of the proxy. Absent if browsers cannot call the operation. */
  readonly path?: Route['path']
  /** Who decides whether the signed-in user may do this. Required for every operation in `routes.ts`. */
  readonly rights?: Rights
  /**
   * Whether the proxy calls the service with bypass authorization after its own decision. Only for operations that the
   * host's policy allows to people who have no rights of their own in the service.
   */
  readonly bypass?: true
  /** Search parameters that the service accepts, if any. */
  readonly query?: z.ZodType
  /** JSON body in the default version; in a multipart request, the content of its `part`. */
  readonly body?: z.ZodType
  /** JSON bodies by representation version, if they differ from the default. */
  readonly bodies?: Readonly<Record<string, z.ZodType>>
  /** JSON or text that the service returns in the default version. Absent for a file or nothing. */
  readonly result?: z.ZodType
  /** JSON that the service returns, for each of the route's `versions`. */
  readonly results?: Readonly<Record<string, z.ZodType>>
  /** Schemas that differ between the proxy and its callers. */
  readonly browser?: { readonly query?: undefined; readonly result?: z.ZodType }
}

/** Every operation of both services. One that is not in this table cannot leave the browser or the proxy. */
export const operations = {
  createPackage: {
    service: 'workflow',
    method: 'POST',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages',
    summary: 'Creates a package and, by default, starts routing it',
    requestBody: 'json',
    response: 'json',
    body: CreatePackageBody,
    result: Package,
  },
  routePackage: {
    ...routes.routePackage,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId',
    summary: 'Starts routing an existing package',
    rights: 'service',
    body: RoutePackageBody,
    result: Package,
  },
  getPackage: {
    ...routes.getPackage,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId',
    summary: 'Returns basic information about a package',
    rights: 'service',
    result: Package,
  },
  getPdf: {
    ...routes.getPdf,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/pdf',
    summary: 'Downloads a package as a PDF',
    rights: 'service',
    query: PdfQuery,
    mediaType: 'application/pdf',
  },
  getHistory: {
    ...routes.getHistory,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/history',
    summary: 'Lists the past events of a package and the inboxes that hold it',
    rights: 'service',
    result: HistoryEventList,
  },
  getFutureHistory: {
    ...routes.getFutureHistory,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/future_history',
    summary: 'Lists the expected events of a package',
    rights: 'service',
    result: HistoryEventList,
  },
  /** Never sent with bypass authorization (spec, Get allowed actions). */
  getActions: {
    ...routes.getActions,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/actions',
    summary: 'Returns what the user may do with each package',
    rights: 'service',
    query: IdsQuery,
    result: PackageActionsList,
    browser: { result: AllowedActionsList },
  },
  getEntry: {
    ...routes.getEntry,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/entry',
    summary: 'Returns the entry data of a package',
    rights: 'service',
    result: Entry,
    results: { '1.1': EntryWithEmail },
  },
  updateEntry: {
    ...routes.updateEntry,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId/entry',
    summary: 'Replaces the entry data of a package',
    rights: 'canEdit',
    body: Entry,
    bodies: { '1.1': UpdateEntryBody },
    result: Entry,
    results: { '1.1': EntryWithEmail },
  },
  getComments: {
    ...routes.getComments,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/comments',
    summary: 'Lists the comments on a package',
    rights: 'service',
    result: CommentList,
  },
  getAttachmentTypes: {
    ...routes.getAttachmentTypes,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/attachments/types',
    summary: 'Lists the attachment types of the form and their rules',
    rights: 'service',
    result: AttachmentTypeList,
  },
  /** The service has no operation that deletes an attachment. */
  uploadAttachment: {
    ...routes.uploadAttachment,
    service: 'workflow',
    upstream:
      '/workflow/:env/api/developer/forms/:formId/packages/:packageId/attachments/types/:attachmentTypeId',
    summary: 'Adds an attachment to a package',
    rights: 'service',
    body: AttachmentDescription,
    result: Attachment,
  },
  getAttachments: {
    ...routes.getAttachments,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/attachments',
    summary: 'Lists the attachments of a package',
    rights: 'service',
    result: AttachmentList,
  },
  downloadAttachment: {
    ...routes.downloadAttachment,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/attachments/:attachmentId',
    summary: 'Downloads an attachment',
    rights: 'service',
  },
  getStatus: {
    ...routes.getStatus,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/status',
    summary: 'Returns the state of many packages',
    rights: 'canView',
    query: IdsQuery,
    result: PackageStatusList,
    results: { '1.2': PackageStatus12List },
  },
  voidPackage: {
    ...routes.voidPackage,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId',
    summary: 'Voids a package for one of four reasons',
    rights: 'void',
    body: VoidBody,
    result: Package,
  },
  unvoidPackage: {
    ...routes.unvoidPackage,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId/unvoid',
    summary: 'Returns a void package to the state before the void',
    rights: 'tool',
    result: Package,
  },
  restartPackage: {
    ...routes.restartPackage,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId/restart',
    summary: 'Restarts routing, so that all approvers must sign again',
    rights: 'tool',
    result: Package,
  },
  returnPackage: {
    ...routes.returnPackage,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId/return',
    summary: 'Sends a complete package to one more inbox',
    rights: 'tool',
    body: ReturnBody,
    result: Package,
  },
  removePackage: {
    ...routes.removePackage,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId/remove',
    summary: 'Removes a package from routing',
    rights: 'tool',
    result: Package,
  },
  reinitiatePackage: {
    ...routes.reinitiatePackage,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId/re_initiate',
    summary: 'Routes a removed package again',
    rights: 'tool',
    result: Package,
  },
  returnToInitiator: {
    ...routes.returnToInitiator,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/tools/forms/:formId/packages/:packageId/returnToInitiator',
    summary: 'Returns a package to its initiator as a draft',
    rights: 'tool',
    body: ReturnToInitiatorBody,
    result: Package,
  },
  createOverride: {
    ...routes.createOverride,
    service: 'workflow',
    upstream: '/:env/api/developer/forms/:formId/packages/:packageId/routing/overrides',
    summary: 'Transfers what one user may do with a package to another user',
    rights: 'policy',
    bypass: true,
    body: RoutingOverrideBody,
    result: RoutingOverride,
  },
  getOverrides: {
    ...routes.getOverrides,
    service: 'workflow',
    upstream: '/:env/api/developer/forms/:formId/packages/:packageId/routing/overrides',
    summary: 'Lists the active overrides of a package',
    rights: 'policy',
    bypass: true,
    result: RoutingOverrideList,
  },
  deactivateOverride: {
    ...routes.deactivateOverride,
    service: 'workflow',
    upstream: '/:env/api/developer/forms/:formId/packages/:packageId/routing/overrides/:univid',
    summary: 'Ends the override of a user',
    rights: 'policy',
    bypass: true,
  },
  searchOffices: {
    service: 'workflow',
    method: 'GET',
    upstream: '/workflow/api/v2/search/offices/flat',
    summary: 'Finds the office with a key and the offices below it',
    response: 'json',
    query: OfficeSearchQuery,
    result: OfficeList,
  },
  findOffices: {
    service: 'workflow',
    method: 'GET',
    upstream: '/workflow/:env/api/offices',
    summary: 'Finds offices by key, in the second form of the search',
    response: 'json',
    query: OfficesQuery,
    result: OfficeList,
  },
  getOfficeRoute: {
    service: 'workflow',
    method: 'GET',
    upstream: '/api/v2/developer/offices/:officeKey/forms/:formId/route',
    summary: 'Returns the route that an office has for a form',
    response: 'json',
    query: OfficeRouteQuery,
    result: OfficeRouteAssignment,
  },
  getRouteSummary: {
    service: 'workflow',
    method: 'GET',
    upstream: '/api/v2/developer/offices/routes/:routeId',
    summary: 'Lists the stops of an office route',
    response: 'json',
    result: OfficeRouteSummaryList,
  },
  deleteLock: {
    ...routes.deleteLock,
    service: 'workflow',
    upstream: '/workflow/:env/api/developer/forms/:formId/packages/:packageId/notification_locks/:lockId',
    summary: 'Resumes a route that a callback has frozen',
    rights: 'policy',
    bypass: true,
  },
  /** The spec leaves the format of the key open; see `readPublicKey`. */
  getPublicKey: {
    service: 'workflow',
    method: 'GET',
    upstream: '/api/v2/public-key',
    summary: 'Returns the Ed25519 key that verifies callbacks',
    response: 'text',
    result: z.string().min(1),
  },
  uploadFile: {
    ...routes.uploadFile,
    service: 'storage',
    upstream: '/api/v1/files/upload',
    summary: 'Stores a file',
    rights: 'signed-in',
    body: UploadMeta,
    result: FileAsset,
  },
  getFileMeta: {
    ...routes.getFileMeta,
    service: 'storage',
    upstream: '/api/v1/files/:uuid/meta',
    summary: 'Returns the name, size, type, dates and metadata of a file',
    rights: 'owner',
    result: FileAsset,
  },
  /** The service returns the link as text or as a JSON string. Browsers choose neither its lifetime nor its disposition. */
  presignFile: {
    ...routes.presignFile,
    service: 'storage',
    upstream: '/api/v1/files/:uuid/presign',
    summary: 'Downloads a file through a temporary link',
    response: 'text',
    rights: 'owner',
    query: PresignQuery,
    result: z.url(),
    browser: { query: undefined },
  },
  updateFileMeta: {
    ...routes.updateFileMeta,
    service: 'storage',
    upstream: '/api/v1/files/:uuid/meta',
    summary: 'Changes the name, expiration or metadata of a file',
    rights: 'owner',
    body: UpdateMetaBody,
    result: FileAsset,
  },
  deleteFile: {
    ...routes.deleteFile,
    service: 'storage',
    upstream: '/api/v1/files/:uuid',
    summary: 'Deletes a file',
    rights: 'owner',
  },
  createShare: {
    ...routes.createShare,
    service: 'storage',
    upstream: '/api/v1/shares',
    summary: 'Gives another client access to a file',
    rights: 'sharing',
    body: ShareBody,
    result: Share,
  },
  getShares: {
    ...routes.getShares,
    service: 'storage',
    upstream: '/api/v1/shares',
    summary: 'Lists the active shares of the client',
    rights: 'sharing',
    query: SharesQuery,
    result: SharePage,
  },
  revokeShare: {
    ...routes.revokeShare,
    service: 'storage',
    upstream: '/api/v1/shares/:granteeClientId',
    summary: 'Ends the access of a client to a file',
    rights: 'sharing',
    query: RevokeShareQuery,
  },
} as const satisfies Readonly<Record<string, Operation>> & {
  readonly [Name in BrowserOperation]: Operation & { readonly path: string; readonly rights: Rights }
}

/** Name of an operation of either service. */
export type OperationName = keyof typeof operations
