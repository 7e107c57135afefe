import type { z } from 'zod'
import type { OperationName, operations } from './operations.ts'
import type { PathParams } from './path.ts'

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
