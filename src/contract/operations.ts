import { z } from 'zod'
import type { PathParams } from './path.ts'
import type { Route } from './route.ts'
import { type OperationName, routes } from './routes.ts'
import { FileAsset, PresignQuery, UploadMeta } from './storage.ts'
import {
  IdsQuery,
  Package,
  PackageActionsList,
  PackageStatus12List,
  PackageStatusList,
  VoidBody,
} from './workflow.ts'

/** Schemas of one operation. Kept apart from `routes.ts`, so that pages download routes without a validator. */
export interface Schemas {
  /** Search parameters that the service takes, where it takes any. */
  readonly query?: z.ZodType
  /** JSON body; for a multipart request its `meta` part. */
  readonly body?: z.ZodType
  /** Successful answer of the service, in the default version. */
  readonly result: z.ZodType
  /** Successful answers by representation version, for each of the route's `versions`. */
  readonly results?: Readonly<Record<string, z.ZodType>>
}

/** An operation with its schemas. */
export interface Operation extends Route, Schemas {}

/** The table of `routes.ts`, each row with its schemas: what the proxy, the emulator and the tests work with. */
export const operations = {
  getPackage: { ...routes.getPackage, result: Package },
  getActions: { ...routes.getActions, query: IdsQuery, result: PackageActionsList },
  getStatus: {
    ...routes.getStatus,
    query: IdsQuery,
    result: PackageStatusList,
    results: { '1.2': PackageStatus12List },
  },
  voidPackage: { ...routes.voidPackage, body: VoidBody, result: Package },
  uploadFile: { ...routes.uploadFile, body: UploadMeta, result: FileAsset },
  getFileMeta: { ...routes.getFileMeta, result: FileAsset },
  /** Answers a temporary address, as text or as a JSON string. */
  presignFile: { ...routes.presignFile, query: PresignQuery, result: z.url() },
} as const satisfies Readonly<Record<OperationName, Operation>>

type Operations = typeof operations

/** Names of the operations that send a multipart body. */
export type UploadOperation = {
  [Name in OperationName]: Operations[Name] extends { sends: 'multipart' } ? Name : never
}[OperationName]

/** Names of the operations that answer this. */
export type OperationsAnswering<Kind extends Route['answers']> = {
  [Name in OperationName]: Operations[Name]['answers'] extends Kind ? Name : never
}[OperationName]

/** Values of the placeholders in the browser's path. */
export type Params<Name extends OperationName> = PathParams<Operations[Name]['path']>

/** Values of the placeholders in the service's path. */
export type UpstreamParams<Name extends OperationName> = PathParams<Operations[Name]['upstream']>

/** Search parameters of an operation, read. */
export type Query<Name extends OperationName> = Operations[Name] extends { query: infer Q extends z.ZodType }
  ? z.output<Q>
  : undefined

/** JSON body of an operation, or `meta` part of an upload. */
export type Body<Name extends OperationName> = Operations[Name] extends { body: infer B extends z.ZodType }
  ? z.input<B>
  : never

/** What a caller supplies, part by part, where the operation has that part. */
export type Input<Name extends OperationName> = ParamsPart<Name> & QueryPart<Name> & BodyPart<Name>

/** Representation versions of an operation besides its default. */
export type Version<Name extends OperationName> = Operations[Name] extends { results: infer R }
  ? keyof R & string
  : never

/** What an operation answers, in a version or in its default. */
export type Result<
  Name extends OperationName,
  V extends Version<Name> | undefined = undefined,
> = V extends string
  ? Operations[Name] extends { results: Readonly<Record<V, infer R extends z.ZodType>> }
    ? z.output<R>
    : never
  : z.output<Operations[Name]['result']>

// `unknown` adds nothing to an intersection, so each of these drops out where the operation lacks it.
type ParamsPart<Name extends OperationName> = keyof Params<Name> extends never
  ? unknown
  : { readonly params: Params<Name> }
type QueryPart<Name extends OperationName> = Operations[Name] extends { query: infer Q extends z.ZodType }
  ? { readonly query: z.input<Q> }
  : unknown
type BodyPart<Name extends OperationName> = [Body<Name>] extends [never]
  ? unknown
  : { readonly body: Body<Name> }
