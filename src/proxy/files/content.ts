import mime from 'mime'
import type { ProxyError } from '../http/problem.ts'
import {
  type DetectedContent,
  detectContent,
  hasSignature,
  isKnownKind,
  isLatePdf,
  isProgram,
  isProgramExtension,
  mayHaveExtension,
  mayHaveProgramExtension,
} from './file-kinds.ts'
import { fileRefusals } from './file-refusals.ts'
import { cleanFilename, extensionOf } from './filename.ts'

/** The number of bytes at the beginning of a file that are checked. */
export const headLength = 4100

interface ContentFacts {
  readonly filename: string
  /** Media type that the browser declared; `''` if it knew none. */
  readonly contentType: string
  /** The first `headLength` bytes, or all if the file is shorter. */
  readonly head: Uint8Array
  readonly mustBePdf: boolean
  /** Extensions that may be uploaded, in lower case and without the dot; null allows all. */
  readonly extensions: readonly string[] | null
}

/**
 * Checks that the extension, the declared media type and the first bytes of a file agree. Returns the media type to send to
 * the service: the one of the extension, never the declared one, and plain bytes if the extension is unknown or if a browser
 * would run the content (HTML, SVG and other XML, scripts).
 *
 * Throws `ProxyError`: 422 if the file is empty, 415 if the three disagree or the kind of file is not allowed. An unknown
 * declared type is ignored. Only the beginning is checked; finding harmful content further on is the job of a scanner.
 */
export async function checkContent({
  filename,
  contentType,
  head,
  mustBePdf,
  extensions,
}: ContentFacts): Promise<{ contentType: string }> {
  if (head.byteLength === 0) throw fileRefusals.emptyFile()

  const extension = extensionOf(cleanFilename(filename))
  const content = await detectContent(head)
  if (extensions && !extensions.includes(extension)) throw fileRefusals.extensionNotAllowed(extensions)

  const listed = typeOf(extension)
  const file: CheckedFile = {
    extension,
    type: isRareText(listed) && !(content.isText && content.kind === undefined) ? null : listed,
    declared: contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    ...content,
    ...(extension === 'pdf' && isLatePdf(head, content) && { kind: 'pdf' }),
  }
  const isSound = matchesExtension(file) && matchesDeclaredType(file)
  if (mustBePdf && !(extension === 'pdf' && isSound)) throw fileRefusals.pdfRequired()
  if (!isSound) throw mismatchError(file)
  return { contentType: file.type === null || isActive(file.type) ? 'application/octet-stream' : file.type }
}

interface CheckedFile extends DetectedContent {
  readonly extension: string
  /** Media type of the extension; null if it is unknown, or if the content is not of that type. */
  readonly type: string | null
  readonly declared: string
}

function typeOf(extension: string): string | null {
  return ownTypes.get(extension) ?? mime.getType(extension)
}

/** Media types that the `mime` package lacks. */
const ownTypes = new Map([
  ['jfif', 'image/jpeg'],
  ['tgz', 'application/gzip'],
])

/** Whether the content is what the extension promises, as far as the extension promises anything. */
function matchesExtension({ extension, type, isText, kind, markup }: CheckedFile): boolean {
  if (isProgram(kind) || isProgramExtension(extension)) return mayHaveProgramExtension(kind, extension)
  if (hasSignature(extension)) return mayHaveExtension(kind, extension)
  if (isTextType(type) && (!isText || isKnownKind(kind))) return false
  if (markup === 'page') return isMarkup(type) && extension !== 'svg'
  if (markup === 'svg') return isMarkup(type)
  return markup !== 'xml' || isMarkup(type) || !isTextType(type)
}

/** Whether content and extension match the declared media type, if that is a known one. */
function matchesDeclaredType({ extension, type, declared, kind }: CheckedFile): boolean {
  const declaredExtensions = mime.getAllExtensions(declared)
  if (!declaredExtensions || unspecificTypes.has(declared)) return true
  const matchesKind = [...declaredExtensions].some((each) => mayHaveExtension(kind, each))
  if (hasSignature(extension)) return matchesKind
  if (isMarkup(declared)) return isMarkup(type)
  if (isTextType(type)) return isTextType(declared) || spreadsheetTypes.get(extension) === declared
  return matchesKind || ![...declaredExtensions].some(hasSignature)
}

/** The type that browsers declare if they know none, and the type that Windows declares for several kinds of archives. */
const unspecificTypes = new Set(['application/octet-stream', 'application/x-compressed'])

/** Windows with Office declares these text files as spreadsheets. */
const spreadsheetTypes = new Map([
  ['csv', 'application/vnd.ms-excel'],
  ['tsv', 'application/vnd.ms-excel'],
])

function isTextType(type: string | null): boolean {
  return type !== null && /^(?:text|message)\/|[/+](?:json|xml|yaml)$/.test(type)
}

/**
 * Whether the table gives the extension to a text format that hardly anybody has, such as `.mpp` to a format of streaming servers.
 * Programs that people do have use the same extension, so the content decides.
 */
function isRareText(type: string | null): boolean {
  return type !== null && type.endsWith('+xml') && !commonTextTypes.has(type)
}

const commonTextTypes: ReadonlySet<string> = new Set(
  ['xhtml', 'svg', 'rss', 'atom', 'kml', 'gpx'].flatMap((extension) => mime.getType(extension) ?? []),
)

function isMarkup(type: string | null): boolean {
  return type !== null && /html|[/+]xml(?:-dtd)?$/.test(type)
}

/** Whether a browser would run content of this type. */
function isActive(type: string): boolean {
  return isMarkup(type) || /javascript|ecmascript|shockwave/.test(type)
}

function mismatchError({ extension, kind }: CheckedFile): ProxyError {
  if (isProgram(kind)) return fileRefusals.hiddenProgram()
  // Office files are ZIP archives, but with a password they are compound files.
  if (kind === 'cfb' && mayHaveExtension('zip', extension)) return fileRefusals.passwordProtected()
  return fileRefusals.contentMismatch()
}
