import { maxIds } from '../../contract/values/values.ts'
import { type BatchedLoad, createBatch } from './batch.ts'
import { ClientError, SignedOutError, UnavailableError } from '../transport/errors.ts'
import {
  type OperationInput,
  type ClientOperation,
  type OperationOptions,
  operationPath,
  scopeOf,
} from '../transport/operation-input.ts'
import type { QueryCache } from './query-cache.ts'

interface BulkReadsOptions {
  readonly cache: QueryCache
  /** Reads the rows at a path. */
  readonly load: (
    operation: ClientOperation,
    path: string,
    options: { readonly signal: AbortSignal; readonly version: string | undefined },
  ) => Promise<unknown>
}

/** Reads of many packages at once. Each row is cached on its own; missing rows are sent for together. */
interface BulkReads {
  /** Returns the rows of the ids in their order, without those that have no readable row. */
  read(
    operation: ClientOperation,
    input: OperationInput,
    ids: readonly number[],
    options: OperationOptions,
  ): Promise<readonly unknown[]>
  /** Returns the last known rows, however old; `undefined` if one is missing. */
  getCached(
    operation: ClientOperation,
    input: OperationInput,
    ids: readonly number[],
    version: string | undefined,
  ): readonly unknown[] | undefined
}

export function createBulkReads({ cache, load }: BulkReadsOptions): BulkReads {
  const batches = new Map<string, BatchedLoad<number, unknown>>()

  function createRowBatch(
    operation: ClientOperation,
    params: OperationInput['params'] = {},
    version?: string,
  ): BatchedLoad<number, unknown> {
    return createBatch<number, unknown>(
      async (id, signal) => {
        const rows = await load(operation, operationPath(operation, { params, query: { id } }), {
          signal,
          version,
        })
        return new Map((rows as readonly BulkRow[]).map((row) => [row?.packageId ?? row?.id ?? 0, row]))
      },
      // The service may refuse a whole call because of one id.
      { size: maxIds, isPartial: (error) => error instanceof ClientError && !isGeneral(error) },
    )
  }

  return {
    async read(operation, input, ids, { signal, version }) {
      const key = bulkKey(operation, input, version)
      let batch = batches.get(key)
      if (!batch) batches.set(key, (batch = createRowBatch(operation, input.params, version)))
      const loadRow = batch
      const rows = await Promise.all(
        ids.map((id) => {
          const scope = scopeOf({ params: { ...input.params, packageId: id } })
          return cache.read(`${key} ${id}`, scope, (shared) => loadRow(id, shared), signal)
        }),
      )
      return rows.filter((row) => row !== undefined)
    },

    getCached(operation, input, ids, version) {
      const key = bulkKey(operation, input, version)
      const rows = ids.map((id) => cache.getCached(`${key} ${id}`))
      return rows.includes(undefined) ? undefined : rows
    },
  }
}

type BulkRow = { readonly id?: number; readonly packageId?: number } | null

/** Whether an error is about the user or the service, so that other ids would fail too. */
function isGeneral(error: ClientError): boolean {
  return error instanceof UnavailableError || error instanceof SignedOutError
}

function bulkKey({ name }: ClientOperation, { params }: OperationInput, version: string | undefined): string {
  return `${name} ${version} ${params?.['formId']}`
}
