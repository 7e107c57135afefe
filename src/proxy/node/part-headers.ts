import { unescapeFilename } from '../files/multipart.ts'

/** The headers of a part, if they have only one possible reading. */
interface PartHeaders {
  readonly name: string
  readonly filename: string | undefined
  /** Media type without parameters. Default `application/octet-stream`. */
  readonly type: string
  /** Whether the part is UTF-8 text. */
  readonly isText: boolean
}

/** Returns the boundary of a `multipart/form-data` type without other parameters (RFC 2046, 5.1.1); else `undefined`. */
export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, token] =
    /^multipart\/form-data[ \t]*;[ \t]*boundary=(?:"([\w'()+,\-./:=?]{1,70})"|([\w'+.-]{1,70}))[ \t]*$/i.exec(
      contentType,
    ) ?? []
  return quoted ?? token
}

/**
 * Reads the headers of a part, with names in lower case and values as bytes in a string. Returns `undefined` if readers could
 * disagree: repeated headers or parameters, a `filename*` (RFC 7578, 4.2, forbids it), encodings, or invalid UTF-8.
 */
export function readPartHeaders(
  headers: Readonly<Record<string, readonly string[]>>,
): PartHeaders | undefined {
  if (Object.values(headers).some((values) => values.length !== 1)) return undefined
  const encoding = headers['content-transfer-encoding']?.[0]?.trim() ?? 'binary'
  if (!/^(?:7bit|8bit|binary)$/i.test(encoding)) return undefined

  const parameters = parametersOf(headers['content-disposition']?.[0] ?? '')
  const name = parameters?.get('name')
  if (!parameters || name === undefined || parameters.has('filename*')) return undefined
  const filename = parameters.get('filename')

  const declared = headers['content-type']?.[0]?.trim() ?? ''
  const [, type = 'application/octet-stream'] =
    /^([\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100})[ \t]*(?:;|$)/.exec(declared) ?? []
  return {
    name,
    filename: filename === undefined ? undefined : unescapeFilename(filename),
    // Some readers would look for nested parts in a part of such a type.
    type: /^multipart\//i.test(type) ? 'application/octet-stream' : type.toLowerCase(),
    isText: filename === undefined && plainText.test(declared),
  }
}

const plainText = /^(?:|(?:text\/plain|application\/json)[ \t]*(?:;[ \t]*charset="?utf-8"?)?)$/i

/**
 * Reads the parameters of `form-data`, each after a semicolon. In quotes, only `\"` is an escape: browsers send other
 * backslashes as they are.
 */
function parametersOf(disposition: string): ReadonlyMap<string, string> | undefined {
  const text = decodeUtf8(Buffer.from(disposition, 'latin1'))
  const [, rest] = /^[ \t]*form-data[ \t]*(;.*)$/i.exec(text ?? '') ?? []
  if (rest === undefined || rest.includes('\0')) return undefined
  const parameter = /;[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:"((?:\\"|[^"])*)"|([^\s";]+))[ \t]*/y
  const found = new Map<string, string>()
  while (parameter.lastIndex < rest.length) {
    const [, name, quoted, token = ''] = parameter.exec(rest) ?? []
    if (name === undefined || found.has(name.toLowerCase())) return undefined
    found.set(name.toLowerCase(), quoted?.replaceAll('\\"', '"') ?? token)
  }
  return found
}

/** Decodes UTF-8; `undefined` if the bytes are not valid. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
