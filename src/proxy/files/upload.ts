import type { AttachmentType } from '../../contract/attachments.ts'
import type { UploadMeta } from '../../contract/storage.ts'
import { checkEncoding, parseBody } from '../body.ts'
import { checkContent, headLength } from './content.ts'
import { cleanDescription, cleanFilename } from './filename.ts'
import type { Log } from '../log.ts'
import { metaToSend } from './metadata.ts'
import { ProxyError } from '../problem.ts'
import type { OperationRequest } from '../rights/authorizer.ts'
import { joined, readBytes } from '../read-body.ts'
import { type Scan, scanStream } from './scan.ts'
import { notThere, type Upstream } from '../upstream.ts'

/** The one file of an upload, as its bytes arrive. */
export interface IncomingFile {
  readonly filename: string
  /** Media type that the browser declared. */
  readonly contentType: string
  /** Text of the one other part, where there was one. It stands before the file. */
  readonly part: string | undefined
  /**
   * The bytes. Reading on throws `ProxyError` when they exceed the limit, and after the last byte when the rest of the
   * body is not as it must be.
   */
  readonly bytes: AsyncIterable<Uint8Array>
  /** Lets go of whatever has not been read. */
  readonly discard: () => void
}

/** What an upload may hold. */
export interface UploadLimits {
  /** In bytes. */
  readonly maxFileSize: number
  /** Name of the one part that may stand before the file. */
  readonly part: 'meta' | 'description' | undefined
}

/** Reads a multipart body with exactly one `file` part, and before it at most the one other part. */
export type ReadUpload = (request: Request, limits: UploadLimits) => Promise<IncomingFile>

export interface UploadOptions {
  readonly read: ReadUpload
  readonly maxFileSize: number
  readonly extensions: readonly string[] | null
  /** In seconds; null: as long as the service keeps them. */
  readonly maxExpiresIn: number | null
  readonly scan: Scan | undefined
  /** Milliseconds that a scanner may take after the last byte. */
  readonly scanTimeout: number
  readonly log: Log
}

/** Takes an upload from the browser and sends what has been checked of it on, as it comes. Answers the service's answer. */
export async function uploadFile(
  request: Request,
  asked: OperationRequest,
  { call }: Upstream,
  { read, maxFileSize, extensions, maxExpiresIn, scan, scanTimeout, log }: UploadOptions,
): Promise<unknown> {
  const { name, operation, params, person, requestId, signal } = asked
  const ask = { params, as: person, requestId, signal }
  checkEncoding(request)
  // Other parts than the file are small; this only saves reading what cannot fit.
  const declared = Number(request.headers.get('content-length'))
  if (declared > maxFileSize + 100_000) throw tooLarge(maxFileSize)
  const mustBePdf =
    name === 'uploadAttachment' &&
    mustBePdfOf(Number(params['attachmentTypeId']), await call('getAttachmentTypes', ask))

  const file = await read(request, { maxFileSize, part: operation.part })
  try {
    const isFile = name === 'uploadFile'
    const meta = isFile && file.part !== undefined ? (parseBody(file.part, operation.body) as UploadMeta) : {}
    const filename = cleanFilename(meta.filename ?? file.filename)
    const { head, bytes } = await peek(file.bytes, headLength)
    const { contentType } = await checkContent({
      filename,
      contentType: file.contentType,
      head,
      mustBePdf,
      extensions,
    })
    const clean = scanStream(
      bytes,
      scan,
      { filename, contentType, univid: person.univid },
      { timeout: scanTimeout },
    )
    const part = isFile
      ? {
          name: 'meta',
          type: 'application/json',
          text: JSON.stringify(metaToSend(meta, filename, person.univid, maxExpiresIn)),
        }
      : { name: 'description', type: 'text/plain; charset=utf-8', text: cleanDescription(file.part ?? '') }
    const body = encodeMultipart({ filename, contentType, bytes: clean }, part.text === '' ? undefined : part)
    return await call(name, { ...ask, body }).catch((error: unknown) => {
      // What broke off the request is the reason, not that it broke off.
      throw body.failure() ?? error
    })
  } catch (error) {
    if (error instanceof ProxyError && (error.status === 422 || error.status === 415)) {
      log('warn', `${name}: the file was refused`, {
        requestId,
        univid: person.univid,
        reason: error.message,
      })
    }
    throw error
  } finally {
    file.discard()
  }
}

/** Whether attachments of this type have to be PDF; throws where the package's form has no such type. */
function mustBePdfOf(attachmentTypeId: number, types: unknown): boolean {
  const found = (types as readonly (AttachmentType | null)[]).find((row) => row?.id === attachmentTypeId)
  if (!found) throw new ProxyError(404, notThere)
  return found.mimeTypeRestrictions?.pdf === true
}

/** The first bytes, and all of them. */
async function peek(
  bytes: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ head: Uint8Array; bytes: AsyncIterable<Uint8Array> }> {
  const source = bytes[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let size = 0
  let isEnd = false
  while (size < length && !isEnd) {
    const next = await source.next()
    if (next.done) isEnd = true
    else {
      first.push(next.value)
      size += next.value.byteLength
    }
  }
  return {
    head: joined(first, size).subarray(0, length),
    bytes: (async function* () {
      try {
        yield* first
        while (!isEnd) {
          const next = await source.next()
          if (next.done) return
          yield next.value
        }
      } finally {
        await source.return?.()
      }
    })(),
  }
}

/** Reads the whole body into memory: for runtimes and tests without a streaming parser. */
export const readUploadWhole: ReadUpload = async (request, { maxFileSize, part }) => {
  const bytes = await readBytes(request.body, maxFileSize + 100_000, () => tooLarge(maxFileSize))
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  const form = await new Response(bytes, { headers }).formData().catch((cause: unknown) => {
    throw malformed(cause)
  })
  const parts = [...form.entries()]
  const [file] = form.getAll('file')
  const text = part === undefined ? undefined : form.getAll(part)[0]
  const isExact = parts.length === (text === undefined ? 1 : 2) && parts.at(-1)?.[0] === 'file'
  if (!isExact || !(file instanceof File) || text instanceof File) throw malformed()
  if (file.size > maxFileSize) throw tooLarge(maxFileSize)

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

/** The upload is not what the contract allows. */
export function malformed(cause?: unknown): ProxyError {
  return new ProxyError(
    400,
    'Send multipart/form-data with one part "file", and before it "meta" or "description" if needed.',
    { cause },
  )
}

export function tooLarge(maxFileSize: number): ProxyError {
  const size =
    maxFileSize >= 1024 * 1024 ? `${Math.floor(maxFileSize / (1024 * 1024))} MB` : `${maxFileSize} bytes`
  return new ProxyError(413, `The file is larger than ${size}. Choose a smaller one.`)
}

/** Writes a multipart body of our own: the browser's bytes are never relayed as they came. */
export function encodeMultipart(
  { filename, contentType, bytes }: Pick<IncomingFile, 'filename' | 'contentType' | 'bytes'>,
  part: { readonly name: string; readonly type: string; readonly text: string } | undefined,
): { type: string; bytes: AsyncIterable<Uint8Array>; failure: () => ProxyError | undefined } {
  const boundary = `routeslip-${crypto.randomUUID()}`
  const encoder = new TextEncoder()
  let failure: ProxyError | undefined

  async function* write(): AsyncGenerator<Uint8Array, void, undefined> {
    const first = part
      ? `--${boundary}\r\nContent-Disposition: form-data; name="${part.name}"\r\nContent-Type: ${part.type}\r\n\r\n${part.text}\r\n`
      : ''
    yield encoder.encode(
      `${first}--${boundary}\r\nContent-Disposition: form-data; name="file"; ` +
        `filename="${escapeQuotes(filename)}"\r\nContent-Type: ${contentType}\r\n\r\n`,
    )
    try {
      yield* bytes
    } catch (error) {
      if (error instanceof ProxyError) failure = error
      throw error
    }
    yield encoder.encode(`\r\n--${boundary}--\r\n`)
  }

  return { type: `multipart/form-data; boundary=${boundary}`, bytes: write(), failure: () => failure }
}

/** File names in multipart headers are escaped as browsers do it (HTML, multipart/form-data encoding). */
function escapeQuotes(filename: string): string {
  return filename.replace(/"/g, '%22')
}

/** A file name as it stands in a multipart header: browsers write quotes and line ends so (HTML, form submission). */
export function unescapeFilename(filename: string): string {
  return filename.replace(/%22/g, '"').replace(/%0[ad]/gi, '')
}
