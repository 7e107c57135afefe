import { ProxyError } from './problem.ts'

/** The one file of an upload, as its bytes arrive. */
export interface IncomingFile {
  readonly filename: string
  /** Media type that the browser declared. */
  readonly contentType: string
  /** Text of the `meta` part, where there was one. It stands before the file. */
  readonly meta: string | undefined
  /**
   * The bytes. Reading on throws `ProxyError` when they exceed the limit, and after the last byte when the rest of the
   * body is not as it must be.
   */
  readonly bytes: AsyncIterable<Uint8Array>
  /** Lets go of whatever has not been read. */
  readonly discard: () => void
}

/** Reads a multipart body with at most one `meta` part and exactly one `file` part, in this order. */
export type ReadUpload = (request: Request, limits: { readonly maxFileSize: number }) => Promise<IncomingFile>

/** Reads the whole body into memory: for runtimes and tests without a streaming parser. */
export const readUploadWhole: ReadUpload = async (request, { maxFileSize }) => {
  const form = await request.formData().catch((cause: unknown) => {
    throw malformed(cause)
  })
  const parts = [...form.entries()]
  const [file] = form.getAll('file')
  const [meta] = form.getAll('meta')
  const isExact = parts.length === (meta === undefined ? 1 : 2) && parts.at(-1)?.[0] === 'file'
  if (!isExact || !(file instanceof File) || meta instanceof File) throw malformed()
  if (file.size > maxFileSize) throw tooLarge(maxFileSize)

  return {
    filename: file.name,
    contentType: file.type || 'application/octet-stream',
    meta,
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
    'Send multipart/form-data with one part "file", and before it "meta" if needed.',
    { cause },
  )
}

export function tooLarge(maxFileSize: number): ProxyError {
  return new ProxyError(
    413,
    `The file is larger than ${Math.floor(maxFileSize / (1024 * 1024))} MB. Choose a smaller one.`,
  )
}

/** Writes a multipart body of our own: the browser's bytes are never relayed as they came. */
export function encodeMultipart(
  { filename, contentType, bytes }: Pick<IncomingFile, 'filename' | 'contentType' | 'bytes'>,
  meta: unknown,
): { type: string; bytes: ReadableStream<Uint8Array>; failure: () => ProxyError | undefined } {
  const boundary = `routeslip-${crypto.randomUUID()}`
  const encoder = new TextEncoder()
  let failure: ProxyError | undefined

  async function* write(): AsyncGenerator<Uint8Array, void, undefined> {
    yield encoder.encode(
      `--${boundary}\r\nContent-Disposition: form-data; name="meta"\r\nContent-Type: application/json\r\n\r\n` +
        `${JSON.stringify(meta)}\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; ` +
        `filename="${escapeQuotes(filename)}"\r\nContent-Type: ${mediaType(contentType)}\r\n\r\n`,
    )
    yield* bytes
    yield encoder.encode(`\r\n--${boundary}--\r\n`)
  }

  const source = write()
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const next = await source.next()
          if (next.done) controller.close()
          else controller.enqueue(next.value)
        } catch (error) {
          if (error instanceof ProxyError) failure = error
          controller.error(error)
        }
      },
      async cancel() {
        await source.return(undefined)
      },
    }),
    failure: () => failure,
  }
}

/** File names in multipart headers are escaped as browsers do it (HTML, multipart/form-data encoding). */
function escapeQuotes(filename: string): string {
  return filename.replace(/"/g, '%22')
}

/** A media type that is safe in a header, else the one for "some bytes" (RFC 9110, 8.3.1). */
function mediaType(declared: string): string {
  return /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/.test(declared) ? declared : 'application/octet-stream'
}

/** A file name as it stands in a multipart header: browsers write quotes and line ends so (HTML, form submission). */
export function unescapeFilename(filename: string): string {
  return filename.replace(/%22/g, '"').replace(/%0[ad]/gi, '')
}

/**
 * The last part of a name, without control and direction-changing characters, in NFC, at most 200 bytes long with its
 * extension kept. A name that says nothing becomes `file`.
 */
export function cleanFilename(filename: string): string {
  const base = filename.split(/[/\\]/).at(-1) ?? ''
  const clean = base
    .normalize('NFC')
    .replace(/(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.]{1,16})?$/u.exec(clean) ?? []
  if (stem === '') return `file${extension}`

  const room = 200 - byteLength(extension)
  let kept = ''
  for (const character of stem) {
    if (byteLength(kept) + byteLength(character) > room) break
    kept += character
  }
  return kept + extension
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength
}
