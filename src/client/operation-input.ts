import type { ownRoutes } from '../contract/own-routes.ts'
import { fillPath } from '../contract/path.ts'
import { type BrowserOperation, routes } from '../contract/routes.ts'
import { serializeQuery } from '../contract/serialize-query.ts'

/** A copy whose type the contract checks: pages do not download the proxy's own routes. */
const sessionPath: (typeof ownRoutes)['getSession']['path'] = '/session'

export type ClientOperation = BrowserOperation | 'getSession'

/** `Input` of any operation. The types of `Client` check it at the call. */
export interface OperationInput {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** `CallOptions` of any operation. */
export interface OperationOptions {
  readonly signal?: AbortSignal | undefined
  readonly version?: string | undefined
}

/** Returns path and query of a call, relative to the root of the proxy. Throws `ParameterError`. */
export function operationPath(name: ClientOperation, { params = {}, query = {} }: OperationInput): string {
  const path = name === 'getSession' ? sessionPath : routes[name].path
  return fillPath(path, params) + serializeQuery(query)
}

/** Returns the scope of everything that belongs to one package, for `Client.watch`. */
export function packageScope(formId: number, packageId: number): string {
  return `${formId}/${packageId}`
}

/** Returns the scope of a call; empty if it does not name a package. */
export function scopeOf({ params: { formId, packageId } = {} }: OperationInput): string {
  return packageId === undefined ? '' : packageScope(Number(formId), Number(packageId))
}
