export type { CallOptions, Client, ClientOptions, PackageInput, PageClient } from './client.ts'
export { createClient } from './full-client.ts'
export {
  ClientError,
  ForbiddenError,
  NoProxyError,
  NotFoundError,
  RefusedError,
  SignedOutError,
  UnavailableError,
} from './transport/errors.ts'
export { type FieldErrors, fieldErrorsOf } from './transport/field-errors.ts'
export { createIdempotencyKey } from './transport/idempotency-key.ts'
export type { OperationTable } from './transport/operation-input.ts'
export { serverNow } from './transport/server-clock.ts'
export type { UploadOptions } from './uploads/file-upload.ts'
export { packageScope } from './transport/operation-input.ts'
export type { RevalidationReason } from './reads/revalidation.ts'
export { clientFor, clientWith } from './shared-client.ts'
export { statusTable } from './status-table.ts'
export { uploadTable } from './upload-table.ts'
export {
  isComplete,
  isFinished,
  isOnItsWay,
  isStalled,
  type NewUpload,
  sizeOf,
  type StoredUpload,
  type UploadItem,
  type UploadsAction,
  type UploadsState,
  type UploadState,
} from './uploads/upload-state.ts'
export {
  createUploads,
  type SendOptions,
  type Uploads,
  type UploadsOptions,
  type UploadWork,
} from './uploads/uploads.ts'
export type { Upload, UploadRequest } from './uploads/xhr-upload.ts'
