// Our own parser. With `@remix-run/multipart-parser` (0.16.3), 8 of our 21 tests fail: it collects each part in memory before
// it yields it, so that a file of 300 MB could neither be stored as it arrives nor slow down its sender. It rejects a preamble,
// and an epilogue in a later chunk. It does not check that a boundary ends its line, accepts repeated parameters, and does
// not decode `%22` in file names.

import type { ReceivedFile } from './handler.ts'
import type { ObjectStore } from '../state/object-store.ts'
import { ServiceError } from './service-error.ts'
import { streamBody } from '../../contract/values/stream-body.ts'
import { streamFromGenerator } from './stream.ts'

/** Maximum size of the text part, in bytes. */
const maxTextBytes = 64 * 1024

/** Maximum size of the headers of one part, in bytes, including the rest of the boundary line. */
const maxHeaderBytes = 16 * 1024

const crlf = encode('\r\n')
const headersEnd = encode('\r\n\r\n')

/**
 * Reads a multipart/form-data body (RFC 7578) with exactly one part `file` and at most one text part named `part`, in
 * either order. Stores the file as it arrives, at the speed of the object store. Throws `ServiceError` 400 if the body is
 * not valid; the store then keeps nothing of it.
 */
export async function readMultipart(
  request: Request,
  objects: ObjectStore,
  part: 'meta' | 'description',
): Promise<{ readonly file: ReceivedFile; readonly value: string | undefined }> {
  const body = await streamBody(request)
  if (!body) throw new ServiceError(400, 'The body is empty. Send multipart/form-data with a part "file".')
  const source = createSource(body)
  try {
    const delimiter = encode(`\r\n--${parseBoundary(request.headers.get('content-type') ?? '')}`)
    return await parseForm(source, delimiter, objects, part)
  } catch (error) {
    // Read the rest of the body: clients that are still sending do not read the response.
    source.drain().catch(() => {})
    throw error
  }
}

async function parseForm(
  source: Source,
  delimiter: Uint8Array,
  objects: ObjectStore,
  part: string,
): ReturnType<typeof readMultipart> {
  let hasFile = false
  let file: ReceivedFile | undefined
  let value: string | undefined
  let failure: unknown

  await discard(source.until(delimiter))
  await readParts()
  if (!file) throw new ServiceError(400, 'The part "file" is missing')
  return { file, value }

  async function readParts(): Promise<void> {
    while (!(await source.skipClosing())) {
      const { name, filename, type } = parseHeaders(
        await readPartText(source.until(headersEnd), maxHeaderBytes, 'Headers'),
      )
      if (name === 'file') {
        if (hasFile) throw new ServiceError(400, 'Send only one part "file"')
        await readFile(filename, type)
        // `content()` has read the parts after the file.
        return
      }
      if (name !== part) {
        throw new ServiceError(
          400,
          `The part ${JSON.stringify(name)} is not allowed. Send only "file" and "${part}".`,
        )
      }
      if (value !== undefined) throw new ServiceError(400, `Send only one part "${part}"`)
      if (type !== undefined && !/^(?:text\/plain|application\/json)\s*(?:;|$)/i.test(type)) {
        throw new ServiceError(400, `The part "${part}" must be text, not ${type}`)
      }
      value = await readPartText(source.until(delimiter), maxTextBytes, `The part "${part}"`)
    }
    await source.drain()
  }

  async function readFile(filename: string | undefined, declared: string | undefined): Promise<void> {
    const name = filename?.split(/[/\\]/).at(-1) ?? ''
    if (name === '') throw new ServiceError(400, 'The part "file" has no file name. Choose a file.')
    const type = declared !== undefined && isMediaType(declared) ? declared : 'application/octet-stream'
    const object = crypto.randomUUID()
    hasFile = true
    const size = await objects.put(object, streamFromGenerator(content())).catch((error: unknown) => {
      // Some browsers replace the error of a failed stream by their own.
      throw failure ?? error
    })
    file = { name, type, size, object }
  }

  /**
   * Yields the bytes of the file, then reads the parts after it. The object store sees the end of the file only if the
   * whole body is valid, and so keeps nothing of an invalid one.
   */
  async function* content(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* source.until(delimiter)
      await readParts()
    } catch (error) {
      failure = error
      throw error
    }
  }
}

/** Reads a body piece by piece. All methods throw `ServiceError` 400 if the body breaks off. */
interface Source {
  /** Yields the bytes before the next `mark` and skips the mark. */
  readonly until: (mark: Uint8Array) => AsyncGenerator<Uint8Array, void, undefined>
  /** Returns whether the delimiter that was just read is the last one. */
  readonly skipClosing: () => Promise<boolean>
  /** Reads and discards the rest of the body. */
  readonly drain: () => Promise<void>
}

function createSource(body: ReadableStream<Uint8Array>): Source {
  const reader = body.getReader()
  // Without a preamble, no line break precedes the first delimiter.
  let held: Uint8Array = crlf

  async function readMore(): Promise<void> {
    const { done, value } = await read()
    if (done) throw new ServiceError(400, 'The body ends without its last boundary. Send it again, whole.')
    held = held.length === 0 ? value : concat([held, value])
  }

  function read(): Promise<ReadableStreamReadResult<Uint8Array>> {
    return reader.read().catch(() => {
      throw new ServiceError(400, 'The body broke off. Send it again.')
    })
  }

  return {
    async *until(mark) {
      for (;;) {
        const at = indexOf(held, mark)
        if (at >= 0) {
          const before = held.subarray(0, at)
          held = held.subarray(at + mark.length)
          if (before.length > 0) yield before
          return
        }
        // The last bytes may be the start of the mark.
        const certain = held.length - mark.length + 1
        if (certain > 0) {
          const before = held.subarray(0, certain)
          held = held.subarray(certain)
          yield before
        }
        await readMore()
      }
    },

    async skipClosing() {
      while (held.length < 2) await readMore()
      return held[0] === 0x2d && held[1] === 0x2d
    },

    async drain() {
      held = crlf
      while (!(await read()).done);
    },
  }
}

/** Returns the boundary from a Content-Type (RFC 2046, 5.1.1). */
function parseBoundary(contentType: string): string {
  const [, rest] = /^multipart\/form-data[ \t]*(;.*)$/i.exec(contentType) ?? []
  const boundary = rest === undefined ? undefined : parseParameters(rest)?.get('boundary')
  if (boundary === undefined || !/^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/.test(boundary)) {
    throw new ServiceError(400, 'Content-Type must be multipart/form-data with a boundary')
  }
  return boundary
}

/** Parses the headers of a part. `head` begins behind the delimiter, with the rest of its line. */
function parseHeaders(head: string): {
  readonly name: string
  readonly filename: string | undefined
  /** Media type, as declared. */
  readonly type: string | undefined
} {
  const [padding = '', ...lines] = head.split('\r\n')
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\0\r\n]*?)[ \t]*$/.exec(line) ?? []
    if (name === '' || headers.has(name.toLowerCase()))
      throw new ServiceError(400, 'A part has invalid headers')
    headers.set(name.toLowerCase(), value)
  }
  if (!/^[ \t]*$/.test(padding)) throw new ServiceError(400, 'A boundary does not end its line')
  if (!/^(?:7bit|8bit|binary|)$/i.test(headers.get('content-transfer-encoding') ?? '')) {
    throw new ServiceError(
      400,
      'A part has a Content-Transfer-Encoding. Send the bytes as they are (RFC 7578, 4.7).',
    )
  }

  const [, rest] = /^form-data[ \t]*(;.*)$/i.exec(headers.get('content-disposition') ?? '') ?? []
  const parameters = rest === undefined ? undefined : parseParameters(rest)
  const name = parameters?.get('name')
  if (!parameters || name === undefined) {
    throw new ServiceError(400, 'A part has no Content-Disposition: form-data with a name')
  }
  const plain = parameters.get('filename')
  const extended = parameters.get('filename*')
  return {
    name: unescapeName(name),
    filename: extended !== undefined ? decodeExtended(extended) : plain && unescapeName(plain),
    type: headers.get('content-type') || undefined,
  }
}

/**
 * Parses the parameters of a header, each after a semicolon. Returns `undefined` if the syntax is not valid or a parameter
 * repeats. In quotes only `\"` is an escape sequence: browsers send other backslashes literally.
 */
function parseParameters(text: string): ReadonlyMap<string, string> | undefined {
  const parameter = /;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=(?:"((?:\\"|[^"])*)"|([^\s";]+))[ \t]*)?/y
  const found = new Map<string, string>()
  while (parameter.lastIndex < text.length) {
    const match = parameter.exec(text)
    if (!match) return undefined
    const [, name, quoted, token = ''] = match
    if (name === undefined) continue
    if (found.has(name.toLowerCase())) return undefined
    found.set(name.toLowerCase(), quoted?.replaceAll('\\"', '"') ?? token)
  }
  return found
}

/** Decodes quotes and removes line breaks, which browsers percent-encode in names (HTML, multipart/form-data encoding). */
function unescapeName(name: string): string {
  return name.replace(/%22/g, '"').replace(/%0[ad]/gi, '')
}

/** Decodes a file name in the extended notation (RFC 8187). */
function decodeExtended(value: string): string {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(value) ?? []
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded)
  } catch {
    // Falls through to the error below.
  }
  throw new ServiceError(400, "filename* must be UTF-8'' and percent-encoded")
}

/** Whether a declared media type is safe to send in a header (RFC 9110, 8.3.1). */
function isMediaType(text: string): boolean {
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+[ \t]*(?:;[\x20-\x7e]*)?$/.test(text)
}

/** Decodes bytes as text. Throws `ServiceError` 400 if they exceed `limit` or are not valid UTF-8. */
async function readPartText(bytes: AsyncIterable<Uint8Array>, limit: number, what: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > limit) throw new ServiceError(400, `${what} must not be longer than ${limit / 1024} kB`)
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(concat(chunks))
  } catch {
    throw new ServiceError(400, `${what} must be UTF-8`)
  }
}

async function discard(bytes: AsyncGenerator<Uint8Array, void, undefined>): Promise<void> {
  while (!(await bytes.next()).done);
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

function indexOf(bytes: Uint8Array, mark: Uint8Array): number {
  let at = bytes.indexOf(mark[0] ?? 0)
  while (at >= 0 && at + mark.length <= bytes.length) {
    let length = 1
    while (length < mark.length && bytes[at + length] === mark[length]) length += 1
    if (length === mark.length) return at
    at = bytes.indexOf(mark[0] ?? 0, at + 1)
  }
  return -1
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
