import { unescapeFilename } from '../files/multipart.ts'

/** What the headers of a part say that readers could otherwise read in more than one way. */
export interface PartHeaders {
  readonly name: string
  readonly filename: string | undefined
  /** Media type without parameters. Default `application/octet-stream`. */
  readonly type: string
  /** Whether it may be taken as UTF-8 text. */
  readonly isText: boolean
}

/** The boundary that a Content-Type of multipart/form-data names, and nothing else with it (RFC 2046, 5.1.1). */
export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, token] =
    /^multipart\/form-data[ \t]*;[ \t]*boundary=(?:"([\w'()+,\-./:=?]{1,70})"|([\w'+.-]{1,70}))[ \t]*$/i.exec(
      contentType,
    ) ?? []
  return quoted ?? token
}

/**
 * Reads the headers of a part, names in lower case, values as bytes in a string; `undefined` where readers could differ:
 * repeated headers or parameters, a `filename*` (RFC 7578, 4.2, forbids it), encodings, bytes that are no UTF-8.
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
    // Some readers look for parts within a part of such a type.
    type: /^multipart\//i.test(type) ? 'application/octet-stream' : type.toLowerCase(),
    isText: filename === undefined && plainText.test(declared),
  }
}

const plainText = /^(?:|(?:text\/plain|application\/json)[ \t]*(?:;[ \t]*charset="?utf-8"?)?)$/i

/**
 * Parameters of `form-data`, each with a semicolon before it. In quotes only `\"` is an escape: browsers send other
 * backslashes as they are.
 */
function parametersOf(disposition: string): ReadonlyMap<string, string> | undefined {
  const text = decode(Buffer.from(disposition, 'latin1'))
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

/** Bytes as UTF-8, or `undefined` where they are none. */
export function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
