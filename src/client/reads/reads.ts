import { createBulkReads } from './bulk.ts'
import {
  type OperationInput,
  type ClientOperation,
  type OperationOptions,
  operationPath,
  scopeOf,
} from '../transport/operation-input.ts'
import type { QueryCache } from './query-cache.ts'
import type { ClientRequest } from '../transport/request.ts'
import type { Retry } from '../transport/retry.ts'

interface ReadsOptions {
  readonly cache: QueryCache
  readonly request: ClientRequest
  readonly retry: Retry
}

/** Operations that change nothing: cached, shared and retried. */
interface Reads {
  read(operation: ClientOperation, input: OperationInput, options?: OperationOptions): Promise<unknown>
  /** See `Client.getCached`. */
  getCached(operation: ClientOperation, input: OperationInput, version?: string): unknown
}

export function createReads({ cache, request, retry }: ReadsOptions): Reads {
  const load = (
    operation: ClientOperation,
    path: string,
    options: { readonly signal: AbortSignal; readonly version: string | undefined },
  ) => retry(() => request(operation, path, options), options.signal)
  const bulk = createBulkReads({ cache, load })

  return {
    async read(operation, input, { signal, version } = {}) {
      signal?.throwIfAborted()
      const ids = batchedIds(input)
      if (ids) return await bulk.read(operation, input, ids, { signal, version })
      const path = operationPath(operation, input)
      const keepsLong = isSlow(operation)
      return await cache.read(
        `${version} ${path}`,
        keepsLong ? '' : scopeOf(input),
        (shared) => load(operation, path, { signal: shared, version }),
        signal,
        keepsLong ? slowTime : undefined,
      )
    },

    getCached(operation, input, version) {
      const ids = batchedIds(input)
      return ids
        ? bulk.getCached(operation, input, ids, version)
        : cache.getCached(`${version} ${operationPath(operation, input)}`)
    },
  }
}

/** Whether an operation returns configuration, which does not change with a package. */
export function isSlow({ name }: ClientOperation): boolean {
  return name === 'getSession' || name === 'getAttachmentTypes'
}

/** Time in ms for which their values are fresh. */
const slowTime = 300_000

/** Ids of a bulk read, whose rows are cached one by one. */
function batchedIds({ query }: OperationInput): readonly number[] | undefined {
  const ids = query?.['id']
  return Array.isArray(ids) ? (ids as readonly number[]) : undefined
}
