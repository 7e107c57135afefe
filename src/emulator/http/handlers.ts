import type { Query, ReadBody, Result, UpstreamParams, Version } from '../../contract/operation-types.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Environment } from '../../contract/values.ts'

/** On whose behalf a request is made. */
export interface Caller {
  /** University id or client id. */
  readonly user: string
  /** Whether the service skips its own check of rights. */
  readonly bypass: boolean
}

/** A file that a request carries, already in the object store. */
export interface ReceivedFile {
  /** Name as the client gave it. */
  readonly name: string
  /** Media type as the client declared it. */
  readonly type: string
  /** In bytes. */
  readonly size: number
  /** Key in the object store. */
  readonly object: string
}

/** What a handler gets, typed by its operation. */
export interface HandlerInput<Name extends OperationName> {
  readonly params: UpstreamParams<Name>
  readonly query: Query<Name>
  /** Body in the default version; in another, what `version` says it is. */
  readonly body: ReadBody<Name>
  readonly version: string | undefined
  readonly caller: Caller
  /** Id of the client whose credentials the request carries. */
  readonly client: string
  /** Deployment of the storage service. */
  readonly env: Environment
  readonly file: ReceivedFile
}

/** What the wire carries: fields that a reader takes for null may be left out. */
export type ResponseBody<T> = T extends readonly (infer Row)[]
  ? readonly ResponseBody<Row>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { readonly [Key in keyof T as null extends T[Key] ? never : Key]: ResponseBody<T[Key]> } & {
          readonly [Key in keyof T as null extends T[Key] ? Key : never]?: ResponseBody<T[Key]>
        }
    : T

/** Behaviour of one operation: the answer as a value, or as a response where it is no JSON. */
export type Handler<Name extends OperationName> = (
  context: HandlerInput<Name>,
) => HandlerResult<Name> | Promise<HandlerResult<Name>>

type HandlerResult<Name extends OperationName> =
  Response | ResponseBody<Result<Name>> | ResultInVersion<Name, Version<Name>>

/** The answer in each of these versions. */
type ResultInVersion<Name extends OperationName, V extends Version<Name>> = V extends unknown
  ? ResponseBody<Result<Name, V>>
  : never

/** The behaviour of each operation. */
export type Handlers = { readonly [Name in OperationName]: Handler<Name> }
