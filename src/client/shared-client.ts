import { type Client, createClient } from './client.ts'

const clients = new Map<string, Client>()

/** Returns the client of this page for a proxy. All elements share it, and with it one cache, limiter and live stream. */
export function clientFor(endpoint: string): Client {
  const root = endpoint.replace(/\/+$/, '')
  let client = clients.get(root)
  if (!client) clients.set(root, (client = createClient({ endpoint })))
  return client
}
