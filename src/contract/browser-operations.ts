import type { z } from 'zod'
import { type Operation, operations } from './operations.ts'
import type { PathParams } from './path.ts'
import type { BrowserRoute } from './route.ts'
import { type BrowserOperation, routes } from './routes.ts'
import { AllowedActionsList } from './session.ts'

/**
 * Who decides whether the signed-in person may do this:
 *
 * - `service`: the service itself checks the request user;
 * - `signed-in`: everyone with an identity;
 * - `canView`: the flag of that name, asked for each package of the answer; rows without it are dropped;
 * - `canEdit`: the flag of that name;
 * - `void`: `canVoid`, or `canInitiatorVoid` for the initiator, while ROUTING; `canVoidAfter` once COMPLETE;
 * - `tool`: no flag tells: the host's policy, and the table of transitions;
 * - `policy`: the host's policy;
 * - `owner`: whoever uploaded the file, and whom the host's policy adds;
 * - `sharing`: the host's policy, and for a single file also as `owner`.
 */
export type Rights =
  'service' | 'signed-in' | 'canView' | 'canEdit' | 'void' | 'tool' | 'policy' | 'owner' | 'sharing'

/** An operation that browsers may ask of the proxy: how both sides write it, its schemas, and who decides. */
export interface OperationForBrowsers extends Omit<Operation, keyof BrowserRoute | 'query'>, BrowserRoute {
  /** Search parameters that browsers may give, where they may give any. */
  readonly query?: z.ZodType | undefined
  readonly rights: Rights
  /**
   * Whether the service is asked with bypass authorization, once the proxy has decided. Only where the host's policy
   * says yes to people who have no rights of their own in the service.
   */
  readonly bypass?: true
}

/** Every operation that browsers may ask of the proxy. Schemas are those of the service unless they stand here. */
export const browserOperations = {
  routePackage: { ...operations.routePackage, ...routes.routePackage, rights: 'service' },
  getPackage: { ...operations.getPackage, ...routes.getPackage, rights: 'service' },
  getPdf: { ...operations.getPdf, ...routes.getPdf, rights: 'service' },
  getHistory: { ...operations.getHistory, ...routes.getHistory, rights: 'service' },
  getFutureHistory: { ...operations.getFutureHistory, ...routes.getFutureHistory, rights: 'service' },
  getActions: {
    ...operations.getActions,
    ...routes.getActions,
    rights: 'service',
    result: AllowedActionsList,
  },
  getStatus: { ...operations.getStatus, ...routes.getStatus, rights: 'canView' },
  getEntry: { ...operations.getEntry, ...routes.getEntry, rights: 'service' },
  updateEntry: { ...operations.updateEntry, ...routes.updateEntry, rights: 'canEdit' },
  getComments: { ...operations.getComments, ...routes.getComments, rights: 'service' },
  getAttachmentTypes: { ...operations.getAttachmentTypes, ...routes.getAttachmentTypes, rights: 'service' },
  uploadAttachment: { ...operations.uploadAttachment, ...routes.uploadAttachment, rights: 'service' },
  getAttachments: { ...operations.getAttachments, ...routes.getAttachments, rights: 'service' },
  downloadAttachment: { ...operations.downloadAttachment, ...routes.downloadAttachment, rights: 'service' },
  voidPackage: { ...operations.voidPackage, ...routes.voidPackage, rights: 'void' },
  unvoidPackage: { ...operations.unvoidPackage, ...routes.unvoidPackage, rights: 'tool' },
  restartPackage: { ...operations.restartPackage, ...routes.restartPackage, rights: 'tool' },
  returnPackage: { ...operations.returnPackage, ...routes.returnPackage, rights: 'tool' },
  removePackage: { ...operations.removePackage, ...routes.removePackage, rights: 'tool' },
  reinitiatePackage: { ...operations.reinitiatePackage, ...routes.reinitiatePackage, rights: 'tool' },
  returnToInitiator: { ...operations.returnToInitiator, ...routes.returnToInitiator, rights: 'tool' },
  createOverride: { ...operations.createOverride, ...routes.createOverride, rights: 'policy', bypass: true },
  getOverrides: { ...operations.getOverrides, ...routes.getOverrides, rights: 'policy', bypass: true },
  deactivateOverride: {
    ...operations.deactivateOverride,
    ...routes.deactivateOverride,
    rights: 'policy',
    bypass: true,
  },
  deleteLock: { ...operations.deleteLock, ...routes.deleteLock, rights: 'policy', bypass: true },
  uploadFile: { ...operations.uploadFile, ...routes.uploadFile, rights: 'signed-in' },
  /** How long the link lives and how the file is shown is the proxy's to say. */
  presignFile: { ...operations.presignFile, ...routes.presignFile, rights: 'owner', query: undefined },
  getFileMeta: { ...operations.getFileMeta, ...routes.getFileMeta, rights: 'owner' },
  updateFileMeta: { ...operations.updateFileMeta, ...routes.updateFileMeta, rights: 'owner' },
  deleteFile: { ...operations.deleteFile, ...routes.deleteFile, rights: 'owner' },
  createShare: { ...operations.createShare, ...routes.createShare, rights: 'sharing' },
  getShares: { ...operations.getShares, ...routes.getShares, rights: 'sharing' },
  revokeShare: { ...operations.revokeShare, ...routes.revokeShare, rights: 'sharing' },
} as const satisfies Readonly<Record<BrowserOperation, OperationForBrowsers>>

type BrowserOperations = typeof browserOperations

/** Names of the operations that send a multipart body. */
export type UploadOperation = {
  [Name in BrowserOperation]: BrowserOperations[Name] extends { requestBody: 'multipart' } ? Name : never
}[BrowserOperation]

/** Names of the operations that answer this. */
export type OperationsAnswering<Kind extends BrowserRoute['response']> = {
  [Name in BrowserOperation]: BrowserOperations[Name]['response'] extends Kind ? Name : never
}[BrowserOperation]

/** Values of the placeholders in the browser's path. */
export type Params<Name extends BrowserOperation> = PathParams<BrowserOperations[Name]['path']>

/** What a browser gets as JSON, in a version or in the default one. */
export type BrowserResult<
  Name extends BrowserOperation,
  V extends string | undefined = undefined,
> = V extends string
  ? BrowserOperations[Name] extends { results: Readonly<Record<V, infer R extends z.ZodType>> }
    ? z.output<R>
    : never
  : BrowserOperations[Name] extends { result: infer R extends z.ZodType }
    ? z.output<R>
    : undefined

/** JSON body that a browser sends, or what the `part` of an upload holds. */
export type BrowserBody<Name extends BrowserOperation> = BrowserOperations[Name] extends {
  body: infer B extends z.ZodType
}
  ? z.input<B>
  : never

/** What a caller supplies, part by part, where the operation has that part. */
export type Input<Name extends BrowserOperation> = ParamsPart<Name> & QueryPart<Name> & BodyPart<Name>

// `unknown` adds nothing to an intersection, so each of these drops out where the operation lacks it.
type ParamsPart<Name extends BrowserOperation> = keyof Params<Name> extends never
  ? unknown
  : { readonly params: Params<Name> }
type QueryPart<Name extends BrowserOperation> = BrowserOperations[Name] extends {
  query: infer Q extends z.ZodType
}
  ? { readonly query: z.input<Q> }
  : unknown
type BodyPart<Name extends BrowserOperation> = [BrowserBody<Name>] extends [never]
  ? unknown
  : { readonly body: BrowserBody<Name> }
