import type { Body, Query, Result, UpstreamParams } from '../contract/operations.ts'
import type { OperationName } from '../contract/routes.ts'
import type { Environment } from '../contract/values.ts'

/** On whose behalf a request is made. */
export interface Caller {
  /** University id or client id. */
  readonly user: string
  /** Whether the service skips its own check of rights. */
  readonly bypass: boolean
}

/** What a handler gets, typed by its operation. */
interface Context<Name extends OperationName> {
  readonly params: UpstreamParams<Name>
  readonly query: Query<Name>
  readonly body: [Body<Name>] extends [never] ? undefined : Body<Name>
  readonly version: string | undefined
  readonly caller: Caller
  /** Id of the client whose credentials the request carries. */
  readonly client: string
  /** Deployment of the storage service. */
  readonly env: Environment
  readonly file: File
}

/** The behaviour of each operation. */
export type Handlers = { readonly [Name in OperationName]: (context: Context<Name>) => Result<Name> }
