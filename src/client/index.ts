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
export type { RevalidationReason } from './revalidation.ts'
export { clientFor } from './shared-client.ts'
export type { Upload, UploadRequest } from './upload.ts'
