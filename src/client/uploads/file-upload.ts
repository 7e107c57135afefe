import { callHeader, keyHeader } from '../../contract/values/headers.ts'
import { createIdempotencyKey } from '../transport/idempotency-key.ts'
import { createLimiter } from '../transport/limiter.ts'
import { type ClientOperation, operationPath, type OperationInput } from '../transport/operation-input.ts'
import { readResponse, type ResponseReader } from '../transport/response.ts'
import { type Upload, xhrUpload } from './xhr-upload.ts'

/** Options of one upload. */
export interface UploadOptions {
  /** Cancels the upload. The promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes sent. `sent` equals `total` while the upload waits for the response. */
  readonly onProgress?: ((sent: number, total: number) => void) | undefined
  /** Value of `Idempotency-Key`. See `CallOptions`. */
  readonly idempotencyKey?: string | undefined
}

interface FileUploadOptions extends ResponseReader {
  /** Root URL of the proxy without a trailing slash. */
  readonly root: string
  /** Default: XMLHttpRequest. */
  readonly send: Upload | undefined
}

/** Sends one file and returns the value of the response. Throws `ParameterError`; rejects as `readResponse` does. */
export type FileUpload = (
  operation: ClientOperation,
  input: OperationInput & { readonly file: File },
  options?: UploadOptions,
) => Promise<unknown>

/** Creates what sends files: three at a time. */
export function createFileUpload({ root, send = xhrUpload, ...reader }: FileUploadOptions): FileUpload {
  const limit = createLimiter(3)

  return (operation, input, { idempotencyKey = createIdempotencyKey(), ...options } = {}) => {
    const body = new FormData()
    const { part } = operation
    const value = input.body
    // The proxy reads the parts in order, so the file goes last.
    if (part && value !== undefined)
      body.append(part, part === 'meta' ? JSON.stringify(value) : `${value as string}`)
    body.append('file', input.file)
    const url = root + operationPath(operation, input)
    const headers = {
      [callHeader]: '1',
      [keyHeader]: idempotencyKey,
      Accept: 'application/json',
    }

    // The limit is for the transfer only: the next file is sent while a response is read.
    const pending = limit(() => send({ url, headers, body, ...options }), options.signal)
    return readResponse(reader, operation, pending, options)
  }
}
