import type { ReceivedFile } from './handlers.ts'
import type { ObjectStore } from '../state/object-store.ts'
import { ServiceError } from './service-error.ts'
import { streamFromGenerator } from './stream.ts'

/** Most bytes of the text part. */
const maxTextBytes = 64 * 1024

/** Most bytes of one part's headers, with the line that starts the part. */
const maxHeaderBytes = 16 * 1024

const crlf = encode('\r\n')
const headersEnd = encode('\r\n\r\n')

/**
 * Reads a multipart/form-data body (RFC 7578) with exactly one part `file` and at most one text part named `part`, in
 * either order. The file goes into the object store as it arrives, no faster than the store takes it. Throws `Refusal`
 * 400 where the body is anything else; the store keeps nothing then.
 */
export async function readMultipart(
  request: Request,
  objects: ObjectStore,
  part: 'meta' | 'description',
): Promise<{ readonly file: ReceivedFile; readonly value: string | undefined }> {
  if (!request.body)
    throw new ServiceError(400, 'The body is empty. Send multipart/form-data with a part "file".')
  const source = createSource(request.body)
  try {
    const delimiter = encode(`\r\n--${parseBoundary(request.headers.get('content-type') ?? '')}`)
    return await parseForm(source, delimiter, objects, part)
  } catch (error) {
    // What still comes is read and thrown away, so that the caller gets to read the answer.
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

  await skip(source.until(delimiter))
  await readParts()
  if (!file) throw new ServiceError(400, 'There is no part "file"')
  return { file, value }

  async function readParts(): Promise<void> {
    while (!(await source.skipClosing())) {
      const { name, filename, type } = parseHeaders(
        await readText(source.until(headersEnd), maxHeaderBytes, 'Headers'),
      )
      if (name === 'file') {
        if (hasFile) throw new ServiceError(400, 'There must be one part "file" only')
        await readFile(filename, type)
        // Storing it has read everything that follows.
        return
      }
      if (name !== part) {
        throw new ServiceError(400, `There must be no part but "file" and "${part}": ${JSON.stringify(name)}`)
      }
      if (value !== undefined) throw new ServiceError(400, `There must be one part "${part}" only`)
      if (type !== undefined && !/^(?:text\/plain|application\/json)\s*(?:;|$)/i.test(type)) {
        throw new ServiceError(400, `The part "${part}" must be text, not ${type}`)
      }
      value = await readText(source.until(delimiter), maxTextBytes, `The part "${part}"`)
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
      // Browsers may have an error of their own for a stream that failed.
      throw failure ?? error
    })
    file = { name, type, size, object }
  }

  /**
   * The bytes of the file. They end only after everything behind them has turned out to be as it must be, so that the
   * object store keeps nothing of a body that breaks there.
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

/** A body, read piece by piece. Everything throws `Refusal` 400 where it breaks off. */
interface Source {
  /** The bytes before the next `mark`, which is skipped. */
  readonly until: (mark: Uint8Array) => AsyncGenerator<Uint8Array, void, undefined>
  /** Whether the delimiter that was just read is the last one. */
  readonly skipClosing: () => Promise<boolean>
  /** Reads what is left, and throws it away. */
  readonly drain: () => Promise<void>
}

function createSource(body: ReadableStream<Uint8Array>): Source {
  const reader = body.getReader()
  // The first delimiter has no line before it where there is no preamble.
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
        // The rest may be the start of the mark.
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

/** The boundary that a Content-Type names (RFC 2046, 5.1.1). */
function parseBoundary(contentType: string): string {
  const [, rest] = /^multipart\/form-data[ \t]*(;.*)$/i.exec(contentType) ?? []
  const boundary = rest === undefined ? undefined : parseParameters(rest)?.get('boundary')
  if (boundary === undefined || !/^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/.test(boundary)) {
    throw new ServiceError(400, 'Content-Type must be multipart/form-data with a boundary')
  }
  return boundary
}

/** What the headers of a part say, from the end of its delimiter on. Names in lower case. */
function parseHeaders(head: string): {
  readonly name: string
  readonly filename: string | undefined
  /** As declared. */
  readonly type: string | undefined
} {
  const [padding = '', ...lines] = head.split('\r\n')
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\0\r\n]*?)[ \t]*$/.exec(line) ?? []
    if (name === '' || headers.has(name.toLowerCase()))
      throw new ServiceError(400, 'A part has broken headers')
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
 * Parameters of a header, each with a semicolon before it; `undefined` where that is not what stands there, or where one
 * repeats. In quotes only `\"` is an escape: browsers send other backslashes as they are.
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

/** Browsers write quotes and line ends in names so (HTML, multipart/form-data encoding); a name has one line. */
function unescapeName(name: string): string {
  return name.replace(/%22/g, '"').replace(/%0[ad]/gi, '')
}

/** A name in the form of RFC 8187. */
function decodeExtended(value: string): string {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(value) ?? []
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded)
  } catch {
    // Refused below, like another encoding.
  }
  throw new ServiceError(400, "filename* must be UTF-8'' and percent-encoded")
}

/** Whether it is safe in a header of ours (RFC 9110, 8.3.1). */
function isMediaType(text: string): boolean {
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+[ \t]*(?:;[\x20-\x7e]*)?$/.test(text)
}

/** All of it as text. Throws `Refusal` 400 where it is longer than `limit` bytes, or not UTF-8. */
async function readText(bytes: AsyncIterable<Uint8Array>, limit: number, what: string): Promise<string> {
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

async function skip(bytes: AsyncGenerator<Uint8Array, void, undefined>): Promise<void> {
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
