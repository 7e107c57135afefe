import { readers } from '../contract/readers.ts'
import { routes } from '../contract/routes.ts'
import { type Client, type ClientOptions, createPageClient } from './client.ts'
import { pageTable } from './operation-input.ts'

/** Creates a client that calls all operations of the contract through a proxy. */
export function createClient(options: ClientOptions): Client {
  return createPageClient(options, { routes: { ...pageTable.routes, ...routes }, readers }) as Client
}
