import { streamBody } from '../../contract/values/stream-body.ts'
import type { Connection } from '../http/connection.ts'
import { readBytes } from '../http/read-body.ts'
import { fileRefusals } from './file-refusals.ts'

/** The file of an upload, while its bytes arrive. */
export interface UploadedFile {
  /** Name of the file, as the browser sent it. */
  readonly filename: string
  /** Media type that the browser declared. */
  readonly contentType: string
  /** Text of the part before the file; `undefined` if the file comes first. */
  readonly part: string | undefined
  /**
   * The bytes of the file. Iterating throws a `ProxyError` if they exceed the limit, and after the last byte if the rest of
   * the body is malformed.
   */
  readonly bytes: AsyncIterable<Uint8Array>
  /** Releases everything that has not been read. */
  readonly discard: () => void
}

/** Limits of an upload. */
export interface UploadLimits {
  /** Maximum size of the file, in bytes. */
  readonly maxFileSize: number
  /** Name of the part that may precede the file; `undefined` if none may. */
  readonly part: 'meta' | 'description' | undefined
}

/**
 * Reads a multipart body that consists of exactly one `file` part and, if `limits.part` is set, at most one such part before
 * it. Rejects with a `ProxyError`: 400 if the body has another shape, 413 if the file is too large.
 */
export type ReadUpload = (
  request: Request,
  limits: UploadLimits,
  connection: Connection,
) => Promise<UploadedFile>

/** Maximum size of everything in a body other than the file, in bytes. */
export const maxOverhead = 100_000

/** Reads the whole body into memory: for tests, and for runtimes that have no streaming parser. */
export const readUploadWhole: ReadUpload = async (request, { maxFileSize, part }) => {
  const bytes = await readBytes(await streamBody(request), maxFileSize + maxOverhead, () =>
    fileRefusals.fileTooLarge(maxFileSize),
  )
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  const form = await new Response(bytes, { headers }).formData().catch((cause: unknown) => {
    throw fileRefusals.malformedUpload(cause)
  })
  const parts = [...form.entries()]
  const [file] = form.getAll('file')
  const text = part === undefined ? undefined : form.getAll(part)[0]
  const isExact = parts.length === (text === undefined ? 1 : 2) && parts.at(-1)?.[0] === 'file'
  if (!isExact || !(file instanceof File) || text instanceof File) throw fileRefusals.malformedUpload()
  if (file.size > maxFileSize) throw fileRefusals.fileTooLarge(maxFileSize)

  return {
    filename: file.name,
    contentType: file.type || 'application/octet-stream',
    part: text,
    bytes: (async function* () {
      yield new Uint8Array(await file.arrayBuffer())
    })(),
    discard: () => {},
  }
}
