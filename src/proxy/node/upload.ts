import { Readable } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import type { Connection } from '../http/connection.ts'
import { ProxyError } from '../http/problem.ts'
import { refusals } from '../http/refusals.ts'
import type { UploadedFile, ReadUpload } from '../files/read-upload.ts'
import { fileRefusals } from '../files/file-refusals.ts'
import { boundaryOf, decodeUtf8, readPartHeaders } from './part-headers.ts'
import { type MinimumRate, type RateWatch, watchRate } from './rate.ts'

/** The minimum rate of an upload. */
export type ReadUploadOptions = MinimumRate

/**
 * Creates a reader that streams uploads, so that only a few chunks of a file are in memory. It refuses uploads below the
 * minimum rate with 408.
 */
export function createReadUpload(minimum: ReadUploadOptions = {}): ReadUpload {
  return async (request, limits, connection) => {
    const boundary = boundaryOf(request.headers.get('content-type') ?? '')
    const source = sourceOf(request, connection)
    if (boundary === undefined || !source) throw fileRefusals.malformedUpload()
    // Its `close` event has fired already, so the parser would wait for ever.
    if (source.destroyed) throw refusals.interrupted()
    return await parseUpload(source, boundary, limits, (stalled) =>
      watchRate(() => !source.isPaused(), minimum, stalled),
    )
  }
}

function sourceOf(request: Request, connection: Connection): Readable | null {
  if (connection.body instanceof Readable) return connection.body
  // Only read here: accessing `request.body` would take the bytes from `connection.body`.
  return request.body && Readable.from(request.body, { objectMode: false })
}

/** Maximum size of the text part, in bytes. */
const maxText = 64 * 1024

function parseUpload(
  source: Readable,
  boundary: string,
  { maxFileSize, part }: Parameters<ReadUpload>[1],
  watch: (stalled: () => void) => RateWatch,
): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    const parser = new Dicer({ boundary, ...parserLimits })
    const { count, stop } = watch(() => refuse(refusals.uploadStalled()))
    let text: Promise<string> | undefined
    let content: Readable | undefined
    let failure: ProxyError | undefined
    let total = 0
    /** Whether a part has begun and its headers have not arrived. */
    let isBare = false
    let succeed!: () => void
    let fail!: (error: ProxyError) => void

    /** Resolves when the whole body has been read and is well-formed; else rejects. */
    const whole = new Promise<void>((done, failed) => {
      succeed = done
      fail = failed
    })
    // The reader of the file receives the error. Without a file, the caller does.
    whole.catch(() => {})

    source.on('data', onData)
    source.on('end', end)
    source.on('error', refuse)
    source.on('close', () => {
      if (!source.readableEnded) refuse()
    })
    parser.on('drain', () => source.resume())
    parser.on('error', refuse)
    parser.on('finish', () => {
      if (isBare || !content) return refuse()
      discardRest()
      succeed()
    })
    parser.on('part', (stream) => {
      if (isBare) return refuse()
      isBare = true
      // The reader of the part receives the error. Before there is one, nobody does.
      stream.on('error', () => {})
      stream.on('header', (headers) => {
        isBare = false
        take(stream, headers)
      })
    })

    function onData(chunk: Buffer): void {
      count(chunk.length)
      // Bytes before the first part and after the last one count too.
      total += chunk.length
      if (total > maxFileSize + maxText + 32 * 1024) return refuse(fileRefusals.fileTooLarge(maxFileSize))
      try {
        if (!parser.write(chunk)) source.pause()
      } catch (error) {
        refuse(error)
      }
    }

    function end(): void {
      stop()
      parser.end()
    }

    function take(stream: Readable, headers: object): void {
      if (failure) return
      const head = readPartHeaders(headers as Record<string, readonly string[]>)
      if (head?.name === 'file' && head.filename && !content) {
        const { filename, type } = head
        content = stream
        Promise.resolve(text).then(
          (value) => resolve({ filename, contentType: type, part: value, bytes: bytesOf(stream), discard }),
          refuse,
        )
      } else if (part !== undefined && head?.name === part && head.isText && !text && !content) {
        text = readFieldText(stream)
        text.catch(refuse)
      } else {
        refuse()
      }
    }

    async function* bytesOf(stream: Readable): AsyncGenerator<Uint8Array, void, undefined> {
      let size = 0
      try {
        for await (const chunk of stream as AsyncIterable<Uint8Array>) {
          size += chunk.length
          if (size > maxFileSize) throw fileRefusals.fileTooLarge(maxFileSize)
          yield chunk
        }
        await whole
      } catch (error) {
        throw failure ?? (error instanceof ProxyError ? error : fileRefusals.malformedUpload(error))
      } finally {
        discard()
      }
    }

    function refuse(cause?: unknown): void {
      failure ??= cause instanceof ProxyError ? cause : fileRefusals.malformedUpload(cause)
      fail(failure)
      reject(failure)
      discard()
    }

    function discard(): void {
      discardRest()
      content?.destroy(failure)
    }

    /**
     * Discards the rest of the body, so that the browser can read the response and use the connection again. If that takes
     * long, the server ends the connection.
     */
    function discardRest(): void {
      stop()
      source.off('data', onData)
      source.off('end', end)
      source.resume()
    }
  })
}

const parserLimits = {
  maxHeaderPairs: 20,
  maxHeaderSize: 16 * 1024,
  // As much as waits on either side of the parser while the service is slower than the browser.
  highWaterMark: 128 * 1024,
  partHwm: 128 * 1024,
}

async function readFieldText(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxText) throw fileRefusals.malformedUpload()
    chunks.push(chunk)
  }
  const text = decodeUtf8(Buffer.concat(chunks))
  if (text === undefined) throw fileRefusals.malformedUpload()
  // Some decoders drop one byte order mark and others none, so none may be left.
  return text.replace(/^\uFEFF+/, '')
}
