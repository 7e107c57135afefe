/**
 * Returns a file name that is safe on every system, in a header and in a list: the last part of a path, in NFC, at most 200
 * bytes long with its extension kept. Control characters, characters that change the text direction and invisible characters
 * are removed. `<>:"|?*` become `_`. Names of Windows devices, and names that begin a spreadsheet formula (`=`, `+`, `-`,
 * `@`), get a leading `_`. If nothing readable is left, the name is `file`. A clean name does not change.
 */
export function cleanFilename(filename: string): string {
  // Cutting and removing can produce a sequence that needs cleaning again.
  const clean = cleanOnce(filename)
  return clean === filename ? clean : cleanFilename(clean)
}

function cleanOnce(filename: string): string {
  const base = filename.split(/[/\\]/).at(-1) ?? ''
  const clean = base
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(invisible, '')
    .normalize('NFC')
    .replace(/[<>:"|?*]/g, '_')
    // Parsers of multipart headers decode these as a quote or a line break.
    .replace(/%(?=22|0[ad])/gi, '%_')
    .replace(/^[ .]+|(?<![ .])[ .]+$/g, '')
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.]{1,16})?$/u.exec(clean) ?? []
  if (/^[ ._]*$/.test(stem)) return `file${extension}`

  const prefix = misread.test(clean) ? '_' : ''
  return truncate(prefix + stem, 200 - byteLength(extension)) + extension
}

/**
 * Invisible characters and characters that move others. Joiners between non-ASCII characters are kept, and so is the emoji
 * selector after one: Persian, Sinhala and emoji need them, and no parser gives a meaning to non-ASCII characters.
 */
const invisible =
  /(?!(?<=[^\p{ASCII}\p{DI}]\ufe0f?)[\u200c\u200d](?=[^\p{ASCII}\p{DI}])|(?<=[^\p{ASCII}\p{DI}])\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800]/gu

/** Windows device names with any extension, and leading characters of formulas and of command line options. */
const misread = /^(?:(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)|[=+\-@＝＋－＠])/iu

/** Truncates text to a number of UTF-8 bytes without splitting a character. */
function truncate(text: string, maxBytes: number): string {
  let kept = ''
  let size = 0
  for (const character of text) {
    size += byteLength(character)
    if (size > maxBytes) break
    kept += character
  }
  return kept
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength
}

/** Returns the extension of a file name, in lower case and without the dot; `''` if it has none. */
export function extensionOf(filename: string): string {
  return /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? ''
}

/**
 * Returns a description as plain text with `\n` line breaks: in NFC, without other control, direction-changing and invisible
 * characters, cut to 1000 characters.
 */
export function cleanDescription(text: string): string {
  const clean = text
    .replace(/\r\n?|[\x0b\f\u0085\p{Zl}\p{Zp}]/gu, '\n')
    .replace(/\t/g, ' ')
    .replace(/(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .normalize('NFC')
    .trim()
  return [...clean].slice(0, 1000).join('').trim()
}

/**
 * Returns a `Content-Disposition` header that saves a file under its cleaned name and never displays it (RFC 6266). The
 * `filename` parameter holds letters, digits and ` ._-()` for old parsers, `filename*` holds the full name (RFC 8187).
 *
 * `content-disposition` would replace only the last statement, and none of its versions passes our tests: 3.0.0
 * and 2.0.1 write plain names without quotes, and all versions, such as 1.1.0, then omit `filename*`.
 */
export function attachmentDisposition(filename: string): string {
  const clean = cleanFilename(filename)
  const fallback = clean.replace(/[^\w .()-]/gu, '_')
  const encoded = encodeURIComponent(clean).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${fallback}"; filename*=UTF-8''${encoded}`
}
