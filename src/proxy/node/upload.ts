import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { ProxyError } from '../problem.ts'
import { type IncomingFile, malformed, type ReadUpload, tooLarge, unescapeFilename } from '../upload.ts'

/** Reads uploads as a stream: no more of a file is in memory than what is on its way. */
export const readUpload: ReadUpload = (request, { maxFileSize }) =>
  new Promise<IncomingFile>((resolve, reject) => {
    const type = request.headers.get('content-type') ?? ''
    if (!request.body || !/^multipart\/form-data;\s*boundary=/i.test(type)) throw malformed()
    const parser = new Busboy({
      headers: { 'content-type': type },
      isPartAFile: (name) => name === 'file',
      limits: {
        files: 1,
        fields: 1,
        parts: 2,
        fileSize: maxFileSize,
        fieldSize: 64 * 1024,
        fieldNameSize: 100,
        headerPairs: 20,
        headerSize: 8 * 1024,
      },
    })
    const source = Readable.fromWeb(request.body as ReadableStream)
    let meta: string | undefined
    let content: BusboyFileStream | undefined
    let failure: ProxyError | undefined
    let finish!: () => void
    let fail!: (error: ProxyError) => void

    /** Settles when the whole body has been read, and was as it must be or not. */
    const whole = new Promise<void>((done, failed) => {
      finish = done
      fail = failed
    })
    // Whoever reads the file hears of it; without a file, the caller does.
    whole.catch(() => {})

    const discard = () => {
      source.unpipe(parser)
      // What still comes is read and thrown away, so that the browser gets to read the answer and may use the connection
      // again. The server ends it where that takes long.
      source.resume()
      content?.destroy(failure)
    }
    const refuse = (cause?: unknown) => {
      failure ??= malformed(cause)
      fail(failure)
      reject(failure)
      discard()
    }

    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(limit, () => refuse())
    parser.on('error', refuse)
    source.on('error', refuse)
    parser.on('finish', () => {
      if (content) finish()
      else refuse()
    })
    parser.on('field', (name, value, isNameCut, isValueCut) => {
      if (name !== 'meta' || content || isNameCut || isValueCut) refuse()
      else meta = value
    })
    parser.on('file', (_name, stream, filename: string | undefined, _encoding, contentType) => {
      content = stream
      // Whoever reads it hears of it; before that, there is nobody.
      stream.on('error', () => {})
      if (filename === undefined) return refuse()
      const bytes = async function* () {
        try {
          for await (const chunk of stream) yield chunk as Uint8Array
        } catch (error) {
          throw failure ?? malformed(error)
        }
        if (stream.truncated) throw tooLarge(maxFileSize)
        await whole
      }
      resolve({ filename: unescapeFilename(filename), contentType, meta, bytes: bytes(), discard })
    })
    source.pipe(parser)
  })
