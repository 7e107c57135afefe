import type {
  Query,
  ReadBody,
  Result,
  UpstreamParams,
  Version,
} from '../../contract/services/operation-types.ts'
import type { OperationName } from '../../contract/services/operations.ts'
import type { Environment } from '../../contract/values/values.ts'
import type { EmulatorContext } from '../context.ts'

/** The user on whose behalf a request is made. */
export interface Caller {
  /** University id or client id. */
  readonly user: string
  /** Whether the service skips its authorization. */
  readonly bypass: boolean
}

/** An uploaded file, already in the object store. */
export interface ReceivedFile {
  /** File name from the request, without a path. */
  readonly name: string
  /** Media type that the client declared. */
  readonly type: string
  /** In bytes. */
  readonly size: number
  /** Key in the object store. */
  readonly object: string
}

/** Input of a handler, typed by its operation. */
export interface HandlerInput<Name extends OperationName> {
  readonly params: UpstreamParams<Name>
  readonly query: Query<Name>
  /** Body in the default version. If `version` is set, the body has the shape of that version. */
  readonly body: ReadBody<Name>
  /** Representation version. `undefined` is the default version. */
  readonly version: string | undefined
  readonly caller: Caller
  /** Id of the client whose credentials the request carries. */
  readonly client: string
  /** Deployment of the storage service. */
  readonly env: Environment
  readonly file: ReceivedFile
}

/** A response body as the service sends it: fields that readers default to null may be left out. */
export type ResponseBody<T> = T extends readonly (infer Row)[]
  ? readonly ResponseBody<Row>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { readonly [Key in keyof T as null extends T[Key] ? never : Key]: ResponseBody<T[Key]> } & {
          readonly [Key in keyof T as null extends T[Key] ? Key : never]?: ResponseBody<T[Key]>
        }
    : T

/** Performs one operation. Returns the JSON body, or a `Response` if the result is not JSON or not a 200. */
export type Handler<Name extends OperationName> = (
  context: EmulatorContext,
  input: HandlerInput<Name>,
) => HandlerResult<Name> | Promise<HandlerResult<Name>>

type HandlerResult<Name extends OperationName> =
  | Response
  | ResponseBody<Result<Name>>
  | ResultInVersion<Name, Version<Name>>

/** The result in each of the versions. */
type ResultInVersion<Name extends OperationName, V extends Version<Name>> = V extends unknown
  ? ResponseBody<Result<Name, V>>
  : never

/** One handler for each operation. */
export type Handlers = { readonly [Name in OperationName]: Handler<Name> }
