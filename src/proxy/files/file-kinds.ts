import { fileTypeFromBuffer } from 'file-type'

const word = ['docx', 'docm', 'dotx', 'dotm']
const sheet = ['xlsx', 'xlsm', 'xltx', 'xltm', 'xlsb']
const slides = ['pptx', 'pptm', 'potx', 'potm', 'ppsx', 'ppsm']
const open = ['odt', 'ods', 'odp', 'odg', 'ott', 'ots', 'otp', 'otg', 'epub']
const film = ['mp4', 'm4v', 'm4a', 'm4b', 'mov', 'qt', '3gp', '3g2']
const ogg = ['ogg', 'oga', 'ogv', 'ogx', 'opus', 'spx']
const tiff = ['tif', 'tiff']

/**
 * The extensions that a file of each kind may have. A file that has one of these extensions must be of a matching kind. An
 * Office document may be recognised as a plain zip if its identifying entry comes late, so zip lists those extensions too.
 */
const extensionsByKind: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
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
const extensionsWithKind: ReadonlySet<string> = new Set([...extensionsByKind.values()].flat())

/** Kinds of programs and their extensions. */
const programs: ReadonlyMap<string, readonly string[]> = new Map([
  ['exe', ['exe', 'dll', 'sys', 'scr', 'com', 'ocx', 'cpl', 'drv']],
  ['elf', ['elf', 'so', 'o', 'ko']],
  ['macho', ['macho', 'dylib', 'bundle', 'o']],
  ['class', ['class']],
  ['lnk', ['lnk']],
])
const programExtensions: ReadonlySet<string> = new Set([...programs.values()].flat())

/** Facts that the first bytes of a file reveal. */
export interface DetectedContent {
  /** The format by its signature, in the names of the `file-type` package; `undefined` if none is recognised. */
  readonly kind: string | undefined
  readonly isText: boolean
  /** The markup that the file begins with. */
  readonly markup: 'page' | 'svg' | 'xml' | undefined
}

/** Detects the format of a file from its first bytes. */
export async function detectContent(head: Uint8Array): Promise<DetectedContent> {
  return { kind: await kindOf(head), isText: isText(head), markup: markupOf(head) }
}

/**
 * Whether readers open a file as a PDF although other bytes precede its mark, as scanners and mail programs leave them: the mark
 * begins within the first 1,024 bytes, and what precedes it is no other format.
 */
export function isLatePdf(head: Uint8Array, { kind, markup }: DetectedContent): boolean {
  if (kind !== undefined || markup !== undefined || startsWith(head, 'ID3')) return false
  const start = new TextDecoder('latin1').decode(head.subarray(0, 1024 + '%PDF-'.length - 1))
  return start.includes('%PDF-')
}

/** Whether files with this extension are recognised by a signature, which a file must then have. */
export function hasSignature(extension: string): boolean {
  return extensionsWithKind.has(extension)
}

/** Whether files of this kind may have this extension. */
export function mayHaveExtension(kind: string | undefined, extension: string): boolean {
  return extensionsByKind.get(kind ?? '')?.includes(extension) ?? false
}

/** Whether the kind is one that has extensions of its own, such as `pdf`. */
export function isKnownKind(kind: string | undefined): boolean {
  return extensionsByKind.has(kind ?? '')
}

/** Whether the kind is a program. */
export function isProgram(kind: string | undefined): boolean {
  return programs.has(kind ?? '')
}

/** Whether the extension is that of a program. */
export function isProgramExtension(extension: string): boolean {
  return programExtensions.has(extension)
}

/** Whether programs of this kind may have this extension. */
export function mayHaveProgramExtension(kind: string | undefined, extension: string): boolean {
  return programs.get(kind ?? '')?.includes(extension) ?? false
}

async function kindOf(head: Uint8Array): Promise<string | undefined> {
  // The library skips these prefixes. Other readers do not, so a signature after one does not count.
  if (startsWith(head, '\u00ef\u00bb\u00bf') || startsWith(head, 'ID3')) return undefined
  // If a parser of the library fails, it has not recognised the file.
  const kind = (await fileTypeFromBuffer(head).catch(() => undefined))?.ext
  const signature = fullSignatures.get(kind ?? '')
  if (signature !== undefined && !startsWith(head, signature)) return undefined
  // Ordinary text may begin with a two-letter signature such as "BM" or "MZ".
  return isText(head) && !textKinds.has(kind ?? '') ? undefined : kind
}

/** Signatures of which the library checks only a part. */
const fullSignatures = new Map([
  ['pdf', '%PDF-'],
  ['gif', 'GIF8'],
])

/** Kinds that may consist of text only. */
const textKinds = new Set(['pdf', 'rtf'])

function startsWith(bytes: Uint8Array, latin1: string): boolean {
  return [...latin1].every((character, index) => bytes[index] === character.charCodeAt(0))
}

/** Whether bytes are text in UTF-8, a single-byte encoding, or UTF-16 with a byte order mark. */
function isText(head: Uint8Array): boolean {
  return utf16Of(head) !== undefined || !head.some((byte) => byte < 0x07 || (byte > 0x0d && byte < 0x1a))
}

function utf16Of(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (startsWith(head, '\u00ff\u00fe')) return 'utf-16le'
  return startsWith(head, '\u00fe\u00ff') ? 'utf-16be' : undefined
}

function markupOf(head: Uint8Array): DetectedContent['markup'] {
  const text = new TextDecoder(utf16Of(head) ?? 'utf-8').decode(head)
  const root = text.replace(/^(?:\s|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!doctype\s+(?!\s|html)[^>]*>)*/i, '')
  if (
    /^<(?:!doctype\s+html|(?:html|head|body|script|iframe|style|title|meta|base|object|embed)(?![\w-]))/i.test(
      root,
    )
  )
    return 'page'
  if (/^<(?:[\w-]+:)?svg(?![\w-])/i.test(root)) return 'svg'
  return /^\s*<\?xml/i.test(text) ? 'xml' : undefined
}
