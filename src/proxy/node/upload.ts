import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import type { ProxyError } from '../problem.ts'
import { type IncomingFile, malformed, type ReadUpload, tooLarge } from '../upload.ts'

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

    const discard = () => {
      source.unpipe(parser)
      source.destroy()
      content?.destroy(failure)
    }
    const refuse = (cause?: unknown) => {
      failure ??= malformed(cause)
      reject(failure)
      discard()
    }
    const whole = new Promise<void>((done) => {
      parser.on('finish', () => {
        done()
        if (!content) refuse()
      })
    })

    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(limit, () => refuse())
    parser.on('error', refuse)
    source.on('error', refuse)
    parser.on('field', (name, value, isNameCut, isValueCut) => {
      if (name !== 'meta' || content || isNameCut || isValueCut) refuse()
      else meta = value
    })
    parser.on('file', (_name, stream, filename, _encoding, contentType) => {
      content = stream
      // Whoever reads it hears of it; before that, there is nobody.
      stream.on('error', () => {})
      const bytes = async function* () {
        for await (const chunk of stream) yield chunk as Uint8Array
        if (stream.truncated) throw tooLarge(maxFileSize)
        await whole
      }
      resolve({ filename, contentType, meta, bytes: bytes(), discard })
    })
    source.pipe(parser)
  })
