export type { CallOptions, Client, ClientOptions, PageClient } from './client.ts'
export { createClient } from './full-client.ts'
export {
  ClientError,
  ForbiddenError,
  NoProxyError,
  NotFoundError,
  RefusedError,
  SignedOutError,
  UnavailableError,
} from './errors.ts'
export { type FieldErrors, fieldErrorsOf } from './field-errors.ts'
export { createIdempotencyKey } from './idempotency-key.ts'
export type { OperationTable } from './operation-input.ts'
export type { UploadOptions } from './file-upload.ts'
export { packageScope } from './operation-input.ts'
export type { RevalidationReason } from './revalidation.ts'
export { clientFor } from './shared-client.ts'
export {
  createTransfer,
  type Transfer,
  type TransferOptions,
  type TransferSendOptions,
  type TransferState,
} from './transfer.ts'
export type { Upload, UploadRequest } from './xhr-upload.ts'
