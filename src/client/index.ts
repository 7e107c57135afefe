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
export { createTransfer, type Transfer, type TransferOptions, type TransferState } from './transfer.ts'
export type { Why } from './revalidation.ts'
export type { Upload, UploadRequest } from './upload.ts'

const shared = new Map<string, Client>()

/** The page's client for a proxy. Elements share it, and so its line of uploads and its one clock. */
export function clientFor(endpoint: string): Client {
  const root = endpoint.replace(/\/+$/, '')
  let client = shared.get(root)
  if (!client) shared.set(root, (client = createClient({ endpoint })))
  return client
}
