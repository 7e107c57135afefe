import { ProxyError } from '../http/problem.ts'
import type { UploadedFile } from './read-upload.ts'

/** A text part of a multipart body. */
export interface TextPart {
  readonly name: string
  /** Media type. */
  readonly type: string
  readonly text: string
}

/** A multipart body to send. */
interface MultipartBody {
  /** Media type with the boundary. */
  readonly type: string
  readonly bytes: AsyncIterable<Uint8Array>
  /** Returns the `ProxyError` that the file threw while its bytes were read; `undefined` if it threw none. */
  readonly failure: () => ProxyError | undefined
}

/** Writes a new multipart body. The framing that the browser sent is never forwarded. */
export function encodeMultipart(
  { filename, contentType, bytes }: Pick<UploadedFile, 'filename' | 'contentType' | 'bytes'>,
  part: TextPart | undefined,
): MultipartBody {
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

/** Escapes a file name for a multipart header as browsers do (HTML, multipart/form-data encoding). */
function escapeQuotes(filename: string): string {
  return filename.replace(/"/g, '%22')
}

/** Decodes a file name from a multipart header: browsers escape quotes and line breaks (HTML, form submission). */
export function unescapeFilename(filename: string): string {
  return filename.replace(/%22/g, '"').replace(/%0[ad]/gi, '')
}
