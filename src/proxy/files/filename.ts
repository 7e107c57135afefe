/**
 * A name that is safe on every system, in a header and in a list: the last part of a path, in NFC, at most 200 bytes long
 * with its extension kept. Gone are control, direction-changing and invisible characters; `<>:"|?*` become `_`; names that
 * mean a device to Windows, or begin a formula in a spreadsheet (`=`, `+`, `-`, `@`), begin with `_`. A name that says
 * nothing becomes `file`. A clean name stays as it is.
 */
export function cleanFilename(filename: string): string {
  // A cut or a removal can bring together what is to be looked at anew.
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
    // Readers of multipart headers take these for a quote or a line end.
    .replace(/%(?=22|0[ad])/gi, '%_')
    .replace(/^[ .]+|(?<![ .])[ .]+$/g, '')
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.]{1,16})?$/u.exec(clean) ?? []
  if (/^[ ._]*$/.test(stem)) return `file${extension}`

  const prefix = misread.test(clean) ? '_' : ''
  return cut(prefix + stem, 200 - byteLength(extension)) + extension
}

/**
 * What nobody sees or what moves other characters. Joiners are kept between characters beyond ASCII, and the emoji selector
 * after one: Persian, Sinhala and emoji are misspelt without, and nothing that a computer reads lies beyond ASCII.
 */
const invisible =
  /(?!(?<=[^\p{ASCII}\p{DI}]\ufe0f?)[\u200c\u200d](?=[^\p{ASCII}\p{DI}])|(?<=[^\p{ASCII}\p{DI}])\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800]/gu

/** Devices of Windows, with any extension, and beginnings of formulas, which are also options of commands. */
const misread = /^(?:(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)|[=+\-@＝＋－＠])/iu

function cut(text: string, maxBytes: number): string {
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

/**
 * A description as text of one or more lines, ended by `\n`: in NFC, without other control, direction-changing and invisible
 * characters, at most 1000 characters.
 */
export function cleanDescription(text: string): string {
  const clean = text
    .replace(/\r\n?|[\v\f\u0085\p{Zl}\p{Zp}]/gu, '\n')
    .replace(/\t/g, ' ')
    .replace(/(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .normalize('NFC')
    .trim()
  return [...clean].slice(0, 1000).join('').trim()
}

/**
 * The header that has a file saved under its name and never shown (RFC 6266): first for old readers in letters, digits and
 * ` ._-()`, then in full (RFC 8187). The name is cleaned.
 */
export function attachmentDisposition(filename: string): string {
  const clean = cleanFilename(filename)
  const plain = clean.replace(/[^\w .()-]/gu, '_')
  const full = encodeURIComponent(clean).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`
}
