import type { z } from 'zod'
import type { OperationName, operations } from './operations.ts'
import type { PathParams } from '../values/path.ts'

type Operations = typeof operations

/** Values of the placeholders in the upstream path. */
export type UpstreamParams<Name extends OperationName> = PathParams<Operations[Name]['upstream']>

/** Search parameters of an operation after validation. */
export type Query<Name extends OperationName> = Operations[Name] extends { query: infer Q extends z.ZodType }
  ? z.output<Q>
  : undefined

/** JSON body of an operation or content of an upload's `part`, in the default version or in these versions. */
export type Body<Name extends OperationName, V extends string | undefined = undefined> = V extends string
  ? Operations[Name] extends { bodies: Readonly<Record<V, infer B extends z.ZodType>> }
    ? z.input<B>
    : Body<Name>
  : Operations[Name] extends { body: infer B extends z.ZodType }
    ? z.input<B>
    : never

/** JSON body of an operation or content of an upload's `part` after validation, in the default version. */
export type ReadBody<Name extends OperationName> = Operations[Name] extends {
  body: infer B extends z.ZodType
}
  ? z.output<B>
  : undefined

/** Representation versions of an operation, besides the default. */
export type Version<Name extends OperationName> = Operations[Name] extends { results: infer R }
  ? keyof R & string
  : never

/** The result of an operation, in a version or by default. `undefined` if it returns a file or nothing. */
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
