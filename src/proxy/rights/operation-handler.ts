import type { Connection } from '../http/connection.ts'
import type { Reply } from '../http/reply.ts'
import type { OperationRequest } from '../operation/operation-request.ts'
import type { Authorization, Authorizer } from './authorizer.ts'

/** An authorized request for an operation, with everything that a handler needs to carry it out. */
export interface OperationContext {
  readonly request: Request
  readonly connection: Connection
  readonly operationRequest: OperationRequest
  readonly authorization: Authorization
}

/** Carries out an operation. Throws `ProxyError`. */
export type OperationHandler = (context: OperationContext) => Reply | Promise<Reply>

/** Decides about one of the proxy's own operations, and carries it out. */
export interface OwnServiceHandler {
  readonly authorize: Authorizer['authorize']
  readonly handle: OperationHandler
}
