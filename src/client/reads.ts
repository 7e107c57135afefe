import { createBulkReads } from './bulk.ts'
import {
  type OperationInput,
  type ClientOperation,
  type OperationOptions,
  operationPath,
  scopeOf,
} from './operation-input.ts'
import type { QueryCache } from './query-cache.ts'
import type { ClientRequest } from './request.ts'
import type { Retry } from './retry.ts'

export interface ReadsOptions {
  readonly cache: QueryCache
  readonly request: ClientRequest
  readonly retry: Retry
}

/** Operations that change nothing: cached, shared and retried. */
export interface Reads {
  read(name: ClientOperation, input: OperationInput, options?: OperationOptions): Promise<unknown>
  /** See `Client.getCached`. */
  getCached(name: ClientOperation, input: OperationInput, version?: string): unknown
}

export function createReads({ cache, request, retry }: ReadsOptions): Reads {
  const load = (
    name: ClientOperation,
    path: string,
    options: { readonly signal: AbortSignal; readonly version: string | undefined },
  ) => retry(() => request(name, path, options), options.signal)
  const bulk = createBulkReads({ cache, load })

  return {
    async read(name, input, { signal, version } = {}) {
      signal?.throwIfAborted()
      const ids = idsOf(input)
      if (ids) return await bulk.read(name, input, ids, { signal, version })
      const path = operationPath(name, input)
      return await cache.read(
        `${version} ${path}`,
        scopeOf(input),
        (shared) => load(name, path, { signal: shared, version }),
        signal,
      )
    },

    getCached(name, input, version) {
      const ids = idsOf(input)
      return ids
        ? bulk.getCached(name, input, ids, version)
        : cache.getCached(`${version} ${operationPath(name, input)}`)
    },
  }
}

/** Ids of a bulk read, whose rows are cached one by one. */
function idsOf({ query }: OperationInput): readonly number[] | undefined {
  const ids = query?.['id']
  return Array.isArray(ids) ? (ids as readonly number[]) : undefined
}
