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
import type { PathParams } from './path.ts'
import type { Route } from './route.ts'
import { serviceRoutes } from './service-routes.ts'
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

/** Schemas of one operation. Kept apart from the routes, so that pages download routes without a validator. */
export interface Schemas {
  /** Search parameters that the service takes, where it takes any. */
  readonly query?: z.ZodType
  /** JSON body in the default version; for a multipart request, what its `part` holds. */
  readonly body?: z.ZodType
  /** JSON bodies by representation version, where they differ from the default. */
  readonly bodies?: Readonly<Record<string, z.ZodType>>
  /** Successful answer of the service, in the default version. Absent where it is a file or nothing. */
  readonly result?: z.ZodType
  /** Successful answers by representation version, for each of the route's `versions`. */
  readonly results?: Readonly<Record<string, z.ZodType>>
}

/** An operation with its schemas. */
export interface Operation extends Route, Schemas {}

/** Name of an operation of either service. */
export type OperationName = keyof typeof serviceRoutes

/** The whole table, each row with its schemas: what the proxy, the emulator and the tests work with. */
export const operations = {
  createPackage: { ...serviceRoutes.createPackage, body: CreatePackageBody, result: Package },
  routePackage: { ...serviceRoutes.routePackage, body: RoutePackageBody, result: Package },
  getPackage: { ...serviceRoutes.getPackage, result: Package },
  getPdf: { ...serviceRoutes.getPdf, query: PdfQuery },
  getHistory: { ...serviceRoutes.getHistory, result: HistoryEventList },
  getFutureHistory: { ...serviceRoutes.getFutureHistory, result: HistoryEventList },
  getActions: { ...serviceRoutes.getActions, query: IdsQuery, result: PackageActionsList },
  getEntry: { ...serviceRoutes.getEntry, result: Entry, results: { '1.1': EntryWithEmail } },
  updateEntry: {
    ...serviceRoutes.updateEntry,
    body: Entry,
    bodies: { '1.1': UpdateEntryBody },
    result: Entry,
    results: { '1.1': EntryWithEmail },
  },
  getComments: { ...serviceRoutes.getComments, result: CommentList },
  getAttachmentTypes: { ...serviceRoutes.getAttachmentTypes, result: AttachmentTypeList },
  uploadAttachment: { ...serviceRoutes.uploadAttachment, body: AttachmentDescription, result: Attachment },
  getAttachments: { ...serviceRoutes.getAttachments, result: AttachmentList },
  downloadAttachment: serviceRoutes.downloadAttachment,
  getStatus: {
    ...serviceRoutes.getStatus,
    query: IdsQuery,
    result: PackageStatusList,
    results: { '1.2': PackageStatus12List },
  },
  voidPackage: { ...serviceRoutes.voidPackage, body: VoidBody, result: Package },
  unvoidPackage: { ...serviceRoutes.unvoidPackage, result: Package },
  restartPackage: { ...serviceRoutes.restartPackage, result: Package },
  returnPackage: { ...serviceRoutes.returnPackage, body: ReturnBody, result: Package },
  removePackage: { ...serviceRoutes.removePackage, result: Package },
  reinitiatePackage: { ...serviceRoutes.reinitiatePackage, result: Package },
  returnToInitiator: { ...serviceRoutes.returnToInitiator, body: ReturnToInitiatorBody, result: Package },
  createOverride: { ...serviceRoutes.createOverride, body: RoutingOverrideBody, result: RoutingOverride },
  getOverrides: { ...serviceRoutes.getOverrides, result: RoutingOverrideList },
  deactivateOverride: serviceRoutes.deactivateOverride,
  searchOffices: { ...serviceRoutes.searchOffices, query: OfficeSearchQuery, result: OfficeList },
  findOffices: { ...serviceRoutes.findOffices, query: OfficesQuery, result: OfficeList },
  getOfficeRoute: {
    ...serviceRoutes.getOfficeRoute,
    query: OfficeRouteQuery,
    result: OfficeRouteAssignment,
  },
  getRouteSummary: { ...serviceRoutes.getRouteSummary, result: OfficeRouteSummaryList },
  deleteLock: serviceRoutes.deleteLock,
  getPublicKey: { ...serviceRoutes.getPublicKey, result: z.string().min(1) },
  uploadFile: { ...serviceRoutes.uploadFile, body: UploadMeta, result: FileAsset },
  /** Answers a temporary address, as text or as a JSON string. */
  presignFile: { ...serviceRoutes.presignFile, query: PresignQuery, result: z.url() },
  getFileMeta: { ...serviceRoutes.getFileMeta, result: FileAsset },
  updateFileMeta: { ...serviceRoutes.updateFileMeta, body: UpdateMetaBody, result: FileAsset },
  deleteFile: serviceRoutes.deleteFile,
  createShare: { ...serviceRoutes.createShare, body: ShareBody, result: Share },
  getShares: { ...serviceRoutes.getShares, query: SharesQuery, result: SharePage },
  revokeShare: { ...serviceRoutes.revokeShare, query: RevokeShareQuery },
} as const satisfies Readonly<Record<OperationName, Operation>>

type Operations = typeof operations

/** Values of the placeholders in the service's path. */
export type UpstreamParams<Name extends OperationName> = PathParams<Operations[Name]['upstream']>

/** Search parameters of an operation, read. */
export type Query<Name extends OperationName> = Operations[Name] extends { query: infer Q extends z.ZodType }
  ? z.output<Q>
  : undefined

/** JSON body of an operation, or what the `part` of an upload holds, in its default version or in any of these. */
export type Body<Name extends OperationName, V extends string | undefined = undefined> = V extends string
  ? Operations[Name] extends { bodies: Readonly<Record<V, infer B extends z.ZodType>> }
    ? z.input<B>
    : Body<Name>
  : Operations[Name] extends { body: infer B extends z.ZodType }
    ? z.input<B>
    : never

/** JSON body of an operation in its default version, or what the `part` of an upload holds, read. */
export type ReadBody<Name extends OperationName> = Operations[Name] extends {
  body: infer B extends z.ZodType
}
  ? z.output<B>
  : undefined

/** Representation versions of an operation besides its default. */
export type Version<Name extends OperationName> = Operations[Name] extends { results: infer R }
  ? keyof R & string
  : never

/** What an operation answers, in a version or in its default; nothing where it answers a file or nothing. */
export type Result<
  Name extends OperationName,
  V extends Version<Name> | undefined = undefined,
> = V extends string
  ? Operations[Name] extends { results: Readonly<Record<V, infer R extends z.ZodType>> }
    ? z.output<R>
    : never
  : Operations[Name] extends { result: infer R extends z.ZodType }
    ? z.output<R>
    : undefined
