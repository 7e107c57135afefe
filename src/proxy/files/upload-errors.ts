import { ProxyError } from '../problem.ts'

/** The error for an upload whose multipart body does not match the contract. */
export function malformedUpload(cause?: unknown): ProxyError {
  return new ProxyError(
    400,
    'Send multipart/form-data with one "file" part. A "meta" or "description" part, if any, comes before it.',
    { cause },
  )
}

/** The error for a file that is larger than `maxFileSize` bytes. */
export function fileTooLarge(maxFileSize: number): ProxyError {
  const size =
    maxFileSize >= 1024 * 1024 ? `${Math.floor(maxFileSize / (1024 * 1024))} MB` : `${maxFileSize} bytes`
  return new ProxyError(413, `The file is larger than ${size}. Choose a smaller file.`)
}
