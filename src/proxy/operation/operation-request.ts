import type { OwnServiceOperation } from '../../contract/routes/own-routes.ts'
import type { z } from 'zod'
import type { OperationForBrowsers } from '../../contract/services/browser-operations.ts'
import { parseQuery } from '../../contract/services/parse-query.ts'
import { acceptVersion } from '../../contract/values/headers.ts'
import type { BrowserOperation } from '../../contract/routes/routes.ts'
import { checked } from '../http/parse-body.ts'
import type { Connection, DisconnectSignal, Holding } from '../http/connection.ts'
import type { Identity } from '../identity/identity.ts'
import { refusals } from '../http/refusals.ts'
import { searchOf } from '../http/request-url.ts'
import type { ValidBody } from '../validation/valid-body.ts'

/** A request for an operation of a service, or about a frozen route. Its body may not have been read yet. */
export interface OperationRequest {
  readonly name: BrowserOperation | OwnServiceOperation
  readonly operation: OperationForBrowsers
  readonly params: Readonly<Record<string, string | number>>
  readonly query: Readonly<Record<string, unknown>> | undefined
  /** The JSON body; `undefined` until the request is authorized. An upload is read later, as a stream. */
  readonly body: ValidBody | undefined
  /** Version of the representation that the client accepts; `undefined` if it names none that the operation has. */
  readonly version: string | undefined
  readonly person: Identity
  readonly requestId: string
  readonly signal: DisconnectSignal
  readonly holding: Holding
}

/** Reads and validates a request for an operation, without its body. Throws `ProxyError`. */
export function readOperationRequest(
  request: Request,
  connection: Connection,
  route: Pick<OperationRequest, 'name' | 'operation' | 'params' | 'person' | 'requestId' | 'holding'>,
): OperationRequest {
  const { operation } = route
  const accept = operation.versions && request.headers.get('accept')
  const version = operation.versions?.find((known) => accept === acceptVersion(known))
  const query = readQuery(operation.query, request)
  return { ...route, query, body: undefined, version, signal: connection.disconnect }
}

/** Everything that the reply to a read depends on. */
export function readKey({ name, person, params, query, version }: OperationRequest): unknown {
  return [name, person, params, query, version]
}

/** Throws `ProxyError` if a request has search parameters: the proxy alone decides about those that it sends on. */
export function refuseSearch(request: Request): void {
  if (searchOf(request) !== undefined) throw refusals.parametersNotAllowed()
}

function readQuery(schema: z.ZodType | undefined, request: Request): OperationRequest['query'] {
  if (!schema) {
    refuseSearch(request)
    return undefined
  }
  // `URLSearchParams` removes one leading question mark; a second one belongs to a name.
  const search = new URLSearchParams(`?${searchOf(request) ?? ''}`)
  return checked(parseQuery(schema, search)) as OperationRequest['query']
}
