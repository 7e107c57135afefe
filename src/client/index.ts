import { type Client, createClient } from './client.ts'

export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  packageScope,
  type UploadOptions,
} from './client.ts'
export {
  ClientError,
  ForbiddenError,
  NotFoundError,
  RefusedError,
  SignedOutError,
  UnavailableError,
} from './errors.ts'
export type { Upload, UploadRequest } from './upload.ts'

const shared = new Map<string, Client>()

/** The page's client for a proxy. Elements share it, and so its line of uploads and its one clock. */
export function clientFor(endpoint: string): Client {
  let client = shared.get(endpoint)
  if (!client) shared.set(endpoint, (client = createClient({ endpoint })))
  return client
}
