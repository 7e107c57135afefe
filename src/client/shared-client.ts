import { createPageClient, type PageClient } from './client.ts'
import { rootOf } from './transport/early-read.ts'
import type { OperationTable } from './transport/operation-input.ts'
import { pageTable } from './page-table.ts'

const clients = new Map<string, PageClient>()

/** Returns the client of this page for a proxy. All elements share it, and with it one cache, limiter and live stream. */
export function clientFor(endpoint: string): PageClient {
  return clientWith(endpoint, pageTable)
}

/** Returns the same client for elements that need only the operations of `table`. Others may not be there. */
export function clientWith(endpoint: string, table: OperationTable): PageClient {
  const root = rootOf(endpoint)
  const client = clients.get(root)
  if (client) return client.extend(table)
  const created = createPageClient({ endpoint }, table)
  clients.set(root, created)
  return created
}
