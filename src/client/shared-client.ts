import { createPageClient, type PageClient } from './client.ts'
import { rootOf } from './transport/early-read.ts'

const clients = new Map<string, PageClient>()

/** Returns the client of this page for a proxy. All elements share it, and with it one cache, limiter and live stream. */
export function clientFor(endpoint: string): PageClient {
  const root = rootOf(endpoint)
  let client = clients.get(root)
  if (!client) clients.set(root, (client = createPageClient({ endpoint })))
  return client
}
