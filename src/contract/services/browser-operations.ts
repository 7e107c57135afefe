import type { z } from 'zod'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import type { PathParams } from '../values/path.ts'
import type { Rights } from '../routes/rights.ts'
import type { Route } from '../routes/route.ts'
import { type BrowserOperation, routes } from '../routes/routes.ts'

/** An operation as browsers see it: the route of the proxy with the schemas that apply between browser and proxy. */
export interface OperationForBrowsers
  extends Omit<Operation, keyof Route | 'query' | 'rights' | 'browser'>, Route {
  /** Search parameters that browsers may send, if any. */
  readonly query?: z.ZodType | undefined
  readonly rights: Rights
}

type Routes = typeof routes
type Changes<Name extends BrowserOperation> = (typeof operations)[Name] extends { browser: infer C }
  ? C
  : unknown

type BrowserOperations = {
  readonly [Name in BrowserOperation]: Omit<
    (typeof operations)[Name],
    keyof Routes[Name] | keyof Changes<Name> | 'browser'
  > &
    Changes<Name> &
    Routes[Name]
}

/** The operations that browsers can call, derived from `operations` and `routes`. */
export const browserOperations = Object.fromEntries(
  Object.entries<Route>(routes).map(([name, route]) => {
    const { browser, ...operation }: Operation = operations[name as BrowserOperation]
    return [name, { ...operation, ...browser, ...route }]
  }),
) as BrowserOperations satisfies Readonly<Record<BrowserOperation, OperationForBrowsers>>

/** Names of the operations that send a multipart body. */
export type UploadOperation = {
  [Name in BrowserOperation]: BrowserOperations[Name] extends { requestBody: 'multipart' } ? Name : never
}[BrowserOperation]

/** Names of the operations with one of these kinds of response. */
export type OperationWithResponse<Kind extends Route['response']> = {
  [Name in BrowserOperation]: BrowserOperations[Name]['response'] extends Kind ? Name : never
}[BrowserOperation]

/** Values of the placeholders in the path below the proxy. */
export type Params<Name extends BrowserOperation> = PathParams<BrowserOperations[Name]['path']>

/** JSON that a browser gets, in a version or by default. */
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

/** JSON body that a browser sends, or the content of an upload's `part`. */
export type BrowserBody<Name extends BrowserOperation> = BrowserOperations[Name] extends {
  body: infer B extends z.ZodType
}
  ? z.input<B>
  : never

/** Arguments of an operation: parameters, query and body, each only if the operation has it. */
export type Input<Name extends BrowserOperation> = ParamsPart<Name> & QueryPart<Name> & BodyPart<Name>

// `unknown` adds nothing to an intersection, so each of these disappears if the operation does not have it.
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
