import { fileTypeFromBuffer } from 'file-type'
import mime from 'mime'
import { cleanFilename } from './filename.ts'
import { ProxyError } from '../problem.ts'

/** How many of a file's first bytes are looked at. */
export const headLength = 4100

export interface ContentFacts {
  readonly filename: string
  /** Media type that the browser declared; `''` where it knew none. */
  readonly contentType: string
  /** The first `headLength` bytes, or all where the file is shorter. */
  readonly head: Uint8Array
  readonly mustBePdf: boolean
  /** Extensions that may be uploaded, in lower case and without the dot; null for any. */
  readonly extensions: readonly string[] | null
}

/**
 * Checks that a file's extension, its declared media type and its first bytes say the same. Answers the media type to send
 * it on with: the one of its extension, never the declared one, and plain bytes for what is not known or what a browser
 * would run (HTML, SVG and other XML, scripts).
 *
 * Throws `ProxyError`: 422 for an empty file, 415 where the three disagree or the file is not of a kind that is wanted. A
 * declared type that nobody knows says nothing. Only the beginning is looked at: what an archive or a PDF holds further on
 * is a scanner's work.
 */
export async function checkContent({
  filename,
  contentType,
  head,
  mustBePdf,
  extensions,
}: ContentFacts): Promise<{ contentType: string }> {
  if (head.byteLength === 0) throw new ProxyError(422, 'The file is empty. Choose another one.')

  const extension = extensionOf(filename)
  if (extensions && !extensions.includes(extension)) {
    throw new ProxyError(
      415,
      `Files of this kind cannot be uploaded here. Choose one of these kinds: ${extensions.join(', ')}.`,
    )
  }

  const file: SeenFile = {
    extension,
    type: typeOf(extension),
    declared: contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    isText: isText(head),
    kind: await kindOf(head),
    lead: leadOf(head),
  }
  const isSound = isNameRight(file) && isDeclaredRight(file)
  if (mustBePdf && !(extension === 'pdf' && isSound))
    throw new ProxyError(415, 'This kind of attachment has to be a PDF')
  if (!isSound) throw new ProxyError(415, complaint(file))
  return { contentType: file.type === null || isActive(file.type) ? 'application/octet-stream' : file.type }
}

interface SeenFile {
  readonly extension: string
  /** Media type of the extension; null where it is not known. */
  readonly type: string | null
  readonly declared: string
  readonly isText: boolean
  /** What the first bytes are, by the name `file-type` has for it. */
  readonly kind: string | undefined
  /** Markup that the file begins with. */
  readonly lead: 'page' | 'svg' | 'xml' | undefined
}

function extensionOf(filename: string): string {
  return /\.([^.]+)$/.exec(cleanFilename(filename))?.[1]?.toLowerCase() ?? ''
}

function typeOf(extension: string): string | null {
  return ownTypes.get(extension) ?? mime.getType(extension)
}

const ownTypes = new Map([
  ['jfif', 'image/jpeg'],
  ['tgz', 'application/gzip'],
])

const word = ['docx', 'docm', 'dotx', 'dotm']
const sheet = ['xlsx', 'xlsm', 'xltx', 'xltm', 'xlsb']
const slides = ['pptx', 'pptm', 'potx', 'potm', 'ppsx', 'ppsm']
const open = ['odt', 'ods', 'odp', 'odg', 'ott', 'ots', 'otp', 'otg', 'epub']
const film = ['mp4', 'm4v', 'm4a', 'm4b', 'mov', 'qt', '3gp', '3g2']
const ogg = ['ogg', 'oga', 'ogv', 'ogx', 'opus', 'spx']
const tiff = ['tif', 'tiff']

/**
 * By what the first bytes are: the extensions that a file of this kind may have. An extension that stands here must have
 * such bytes. Documents in a zip may be seen as a zip, when what tells them lies further on; a zip may hold anything.
 */
const carriers: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['pdf', ['pdf']],
  ['png', ['png', 'apng']],
  ['apng', ['png', 'apng']],
  ['jpg', ['jpg', 'jpeg', 'jpe', 'jfif']],
  ['gif', ['gif']],
  ['webp', ['webp']],
  ['bmp', ['bmp', 'dib']],
  ['tif', tiff],
  ['dng', [...tiff, 'dng']],
  ['nef', [...tiff, 'nef']],
  ['arw', [...tiff, 'arw']],
  ['cr2', [...tiff, 'cr2']],
  ['heic', ['heic', 'heics', 'heif', 'hif', 'avif']],
  ['avif', ['avif', 'heif', 'hif']],
  ['zip', ['zip', ...word, ...sheet, ...slides, ...open, 'jar', 'apk', 'kmz']],
  ['docx', ['zip', ...word]],
  ['dotx', ['zip', 'dotx', 'dotm']],
  ['docm', ['zip', 'docm']],
  ['dotm', ['zip', 'dotm']],
  ['xlsx', ['zip', ...sheet]],
  ['xltx', ['zip', 'xltx', 'xltm']],
  ['xlsm', ['zip', 'xlsm']],
  ['xltm', ['zip', 'xltm']],
  ['pptx', ['zip', ...slides]],
  ['potx', ['zip', 'potx', 'potm']],
  ['ppsx', ['zip', 'ppsx', 'ppsm']],
  ['pptm', ['zip', 'pptm']],
  ['potm', ['zip', 'potm']],
  ['ppsm', ['zip', 'ppsm']],
  ...open.map((extension): [string, readonly string[]] => [extension, ['zip', extension]]),
  ['jar', ['zip', 'jar']],
  ['apk', ['zip', 'apk']],
  ['xpi', ['zip']],
  ['vsdx', ['zip']],
  ['3mf', ['zip']],
  ['cfb', ['doc', 'dot', 'xls', 'xlt', 'xla', 'ppt', 'pps', 'pot', 'msg']],
  ['rtf', ['rtf', 'doc']],
  ['gz', ['gz', 'tgz', 'svgz']],
  ['tar.gz', ['gz', 'tgz']],
  ['7z', ['7z']],
  ['rar', ['rar']],
  ...[...film, 'm4p', 'f4v', 'f4p', 'f4a', 'f4b'].map((kind): [string, readonly string[]] => [kind, film]),
  ['webm', ['webm', 'weba', 'mkv']],
  ['mkv', ['mkv', 'mka', 'webm']],
  ['avi', ['avi']],
  ...[...ogg, 'ogm'].map((kind): [string, readonly string[]] => [kind, ogg]),
])
const signed: ReadonlySet<string> = new Set([...carriers.values()].flat())

/** Programs, and the extensions that say so. */
const programs: ReadonlyMap<string, readonly string[]> = new Map([
  ['exe', ['exe', 'dll', 'sys', 'scr', 'com', 'ocx', 'cpl', 'drv']],
  ['elf', ['elf', 'so', 'o', 'ko']],
  ['macho', ['macho', 'dylib', 'bundle', 'o']],
  ['class', ['class']],
  ['lnk', ['lnk']],
])
const programNames: ReadonlySet<string> = new Set([...programs.values()].flat())

/** Whether the bytes are what the extension says, as far as it says something. */
function isNameRight({ extension, type, isText, kind, lead }: SeenFile): boolean {
  const owners = programs.get(kind ?? '')
  if (owners || programNames.has(extension)) return owners?.includes(extension) ?? false
  if (signed.has(extension)) return isCarried(extension, kind)
  if (isTextType(type) && (!isText || carriers.has(kind ?? ''))) return false
  if (lead === 'page') return isMarkup(type) && extension !== 'svg'
  if (lead === 'svg') return isMarkup(type)
  return lead !== 'xml' || isMarkup(type) || !isTextType(type)
}

/** Whether the bytes, and the extension, are what the browser declared, as far as that is known. */
function isDeclaredRight({ extension, type, declared, kind }: SeenFile): boolean {
  const meant = mime.getAllExtensions(declared)
  if (!meant || unspecific.has(declared)) return true
  const isBorne = [...meant].some((other) => isCarried(other, kind))
  if (signed.has(extension)) return isBorne
  if (isMarkup(declared)) return isMarkup(type)
  if (isTextType(type)) return isTextType(declared) || spreadsheetText.get(extension) === declared
  return isBorne || ![...meant].some((other) => signed.has(other))
}

/** What browsers declare when they do not know, and what Windows has for archives of several kinds. */
const unspecific = new Set(['', 'application/octet-stream', 'application/x-compressed'])

/** Windows with Office takes these for spreadsheets. */
const spreadsheetText = new Map([
  ['csv', 'application/vnd.ms-excel'],
  ['tsv', 'application/vnd.ms-excel'],
])

function isCarried(extension: string, kind: string | undefined): boolean {
  return carriers.get(kind ?? '')?.includes(extension) ?? false
}

function isTextType(type: string | null): boolean {
  return type !== null && /^(?:text|message)\/|[/+](?:json|xml|yaml)$/.test(type)
}

function isMarkup(type: string | null): boolean {
  return type !== null && /html|[/+]xml(?:-dtd)?$/.test(type)
}

/** Whether a browser would run what is in it. */
function isActive(type: string): boolean {
  return isMarkup(type) || /javascript|ecmascript|shockwave/.test(type)
}

async function kindOf(head: Uint8Array): Promise<string | undefined> {
  // What stands before a signature is skipped by the library, and not by us.
  if (startsWith(head, '\u00ef\u00bb\u00bf') || startsWith(head, 'ID3')) return undefined
  // A parser that stumbles over a file has not recognised it.
  const kind = (await fileTypeFromBuffer(head).catch(() => undefined))?.ext
  const lead = leads.get(kind ?? '')
  if (lead !== undefined && !startsWith(head, lead)) return undefined
  // Two letters are soon found in a text: "BM", "MZ".
  return isText(head) && !textual.has(kind ?? '') ? undefined : kind
}

/** Signatures that are longer than what the library looks for. */
const leads = new Map([
  ['pdf', '%PDF-'],
  ['gif', 'GIF8'],
])

/** Kinds that can be text all through. */
const textual = new Set(['pdf', 'rtf'])

function startsWith(bytes: Uint8Array, latin1: string): boolean {
  return [...latin1].every((character, index) => bytes[index] === character.charCodeAt(0))
}

/** Whether bytes are text in UTF-8, a single-byte encoding, or UTF-16 with its mark. */
function isText(head: Uint8Array): boolean {
  return utf16Of(head) !== undefined || !head.some((byte) => byte < 0x07 || (byte > 0x0d && byte < 0x1a))
}

function utf16Of(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (startsWith(head, '\u00ff\u00fe')) return 'utf-16le'
  return startsWith(head, '\u00fe\u00ff') ? 'utf-16be' : undefined
}

function leadOf(head: Uint8Array): SeenFile['lead'] {
  const text = new TextDecoder(utf16Of(head) ?? 'utf-8').decode(head)
  const root = text.replace(/^(?:\s|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!doctype\s+(?!html)[^>]*>)*/i, '')
  if (
    /^<(?:!doctype\s+html|(?:html|head|body|script|iframe|style|title|meta|base|object|embed)(?![\w-]))/i.test(
      root,
    )
  )
    return 'page'
  if (/^<(?:[\w-]+:)?svg(?![\w-])/i.test(root)) return 'svg'
  return /^\s*<\?xml/i.test(text) ? 'xml' : undefined
}

function complaint({ extension, kind }: SeenFile): string {
  if (programs.has(kind ?? '')) return 'The file is a program under another name. Choose another file.'
  if (kind === 'cfb' && carriers.get('zip')?.includes(extension))
    return 'The file cannot be looked into. If it is protected with a password, take the password off and choose it again.'
  return 'The file is not what its name says. Save it in the format of its name, or rename it, and choose it again.'
}
