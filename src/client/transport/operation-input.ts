import type { Reader } from '../../contract/readers/field-readers.ts'
import { fillPath } from '../../contract/values/path.ts'
import { type Route, serializeQuery } from '../../contract/routes/route.ts'

/** Operations that a client can call, and how it reads their JSON responses. */
export interface OperationTable<Name extends string = string> {
  /** Method, path and other facts of each operation. */
  readonly routes: Readonly<Record<Name, Route>>
  /** By operation, or by operation and version, such as `getStatus;version=1.2`. */
  readonly readers: Readonly<Record<string, Reader<unknown>>>
}

/** One operation, as the parts of a client pass it on. */
export interface ClientOperation extends Route {
  readonly name: string
  /** Reads the JSON of a response. Returns `undefined` if it is not valid. */
  read(body: unknown, version: string | undefined): unknown
}

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
  readonly idempotencyKey?: string | undefined
}

/** Returns the operations of a table. */
export function operationsOf({ routes, readers }: OperationTable): readonly ClientOperation[] {
  return Object.entries(routes).map(([name, route]) => ({
    ...route,
    name,
    read: (body, version) => readers[version ? `${name};version=${version}` : name]?.(body),
  }))
}

/** Returns path and query of a call, relative to the root of the proxy. Throws `ParameterError`. */
export function operationPath(
  { path }: ClientOperation,
  { params = {}, query = {} }: OperationInput,
): string {
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
