import type { AttachmentType } from '../../contract/schemas/attachments.ts'
import type { UploadMeta } from '../../contract/schemas/storage.ts'
import { checkEncoding } from '../operation/body.ts'
import { parseBody } from '../http/parse-body.ts'
import type { Log } from '../observe/log.ts'
import { ProxyError } from '../http/problem.ts'
import type { Connection } from '../http/connection.ts'
import type { OperationRequest } from '../operation/operation-request.ts'
import { refusals } from '../http/refusals.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { checkContent, headLength } from './content.ts'
import { cleanDescription, cleanFilename } from './filename.ts'
import { metaToSend } from './metadata.ts'
import { encodeMultipart, type TextPart } from './multipart.ts'
import { peek } from './peek.ts'
import { maxOverhead, type ReadUpload } from './read-upload.ts'
import { type Scan, scanStream } from './scan.ts'
import { fileRefusals } from './file-refusals.ts'

export interface UploadPolicy {
  readonly read: ReadUpload
  /** Maximum size of a file, in bytes. */
  readonly maxFileSize: number
  /** Extensions that may be uploaded, in lower case and without the dot; null allows all. */
  readonly extensions: readonly string[] | null
  /** Maximum lifetime of a file, in seconds; null: until the service deletes it. */
  readonly maxExpiresIn: number | null
  readonly scan: Scan | undefined
  /** Timeout for the scanner after the last byte, in ms. */
  readonly scanTimeout: number
  readonly log: Log
}

/**
 * Streams an upload from the browser to the service while it checks the content, and returns the result of the service.
 * Rejects with a `ProxyError`.
 */
export async function uploadFile(
  request: Request,
  connection: Connection,
  operationRequest: OperationRequest,
  { call }: Upstream,
  { read, maxFileSize, extensions, maxExpiresIn, scan, scanTimeout, log }: UploadPolicy,
): Promise<unknown> {
  const { name, operation, params, person, requestId, signal } = operationRequest
  const { univid } = person
  const upstreamCall = { params, as: person, requestId, signal }
  checkEncoding(request)
  // Saves reading a body that cannot fit. The size of the file itself is checked while it is read.
  const declaredSize = Number(request.headers.get('content-length'))
  if (declaredSize > maxFileSize + maxOverhead) throw fileRefusals.fileTooLarge(maxFileSize)
  const mustBePdf =
    name === 'uploadAttachment' &&
    mustBePdfOf(Number(params['attachmentTypeId']), await call('getAttachmentTypes', upstreamCall))

  const file = await read(request, { maxFileSize, part: operation.part }, connection)
  try {
    const isFile = name === 'uploadFile'
    const meta = isFile && file.part !== undefined ? (parseBody(file.part, operation.body) as UploadMeta) : {}
    const filename = cleanFilename(meta.filename ?? file.filename)
    const { head, bytes } = await peek(file.bytes, headLength)
    const facts = { filename, contentType: file.contentType, head, mustBePdf, extensions }
    const { contentType } = await checkContent(facts)
    const clean = scanStream(bytes, scan, { filename, contentType, univid }, { timeout: scanTimeout })
    const part = isFile
      ? metaPart(metaToSend(meta, filename, univid, maxExpiresIn))
      : descriptionPart(cleanDescription(file.part ?? ''))
    const body = encodeMultipart({ filename, contentType, bytes: clean }, part)
    return await call(isFile ? name : 'uploadAttachment', { ...upstreamCall, body }).catch(
      (error: unknown) => {
        // If the file itself failed, that is the reason. The failed call is only a consequence.
        throw body.failure() ?? error
      },
    )
  } catch (error) {
    if (error instanceof ProxyError && (error.status === 422 || error.status === 415)) {
      log('warn', `${name}: the file was refused`, { requestId, univid, reason: error.message })
    }
    throw error
  } finally {
    file.discard()
  }
}

function metaPart(meta: UploadMeta): TextPart {
  return { name: 'meta', type: 'application/json', text: JSON.stringify(meta) }
}

function descriptionPart(text: string): TextPart | undefined {
  return text === '' ? undefined : { name: 'description', type: 'text/plain; charset=utf-8', text }
}

/** Whether attachments of this type have to be PDF. Throws 404 if the form of the package has no such type. */
function mustBePdfOf(attachmentTypeId: number, types: unknown): boolean {
  const found = (types as readonly (AttachmentType | null)[]).find((row) => row?.id === attachmentTypeId)
  if (!found) throw refusals.notFound()
  return found.mimeTypeRestrictions?.pdf === true
}
