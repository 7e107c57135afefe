/** Replacements for letters that do not decompose and for similar punctuation. */
const lookalikes: Readonly<Record<string, string>> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ʻ: '‘',
  ʼ: '’',
  '‐': '-',
  '‑': '-',
  '‒': '–',
  '―': '—',
  '−': '-',
}

/** Diacritics of Latin letters. In other scripts, combining marks are letters. */
const diacritics = /[\u0300-\u036f]/g
/** Characters without a glyph: joiners, directional marks, variation selectors, soft hyphens. */
const invisibleCharacter = /\p{Default_Ignorable_Code_Point}/u
const anySpace = /\p{Zs}/u

/**
 * Converts a text to characters of a font and line feeds. Other characters are replaced by similar ones: a letter loses
 * its diacritic (`ő` becomes `o`), a tab becomes four spaces. Characters without a similar one, and control characters,
 * become code points in brackets, so that different names stay different: `王小明` becomes `[U+738B U+5C0F U+660E]`.
 * Invisible characters are removed.
 */
export function writable(text: string, knows: (character: string) => boolean): string {
  const known = (character: string): string | undefined => {
    if (character === '\n' || knows(character)) return character
    if (anySpace.test(character)) return ' '
    const near = Object.hasOwn(lookalikes, character)
      ? lookalikes[character]
      : character.normalize('NFD').replace(diacritics, '')
    return near !== undefined && Array.from(near).every(knows) ? near : undefined
  }

  let written = ''
  let codes: string[] = []
  const flush = (): void => {
    if (codes.length > 0) written += `[${codes.join(' ')}]`
    codes = []
  }
  for (const character of normalizeText(text)) {
    if (invisibleCharacter.test(character)) continue
    const near = known(character)
    if (near === undefined) codes.push(codePointText(character))
    else if (near !== '') {
      flush()
      written += near
    }
  }
  flush()
  return written
}

/**
 * Breaks a text into lines with a maximum width, at spaces and within words that are wider than a line. Returns at least
 * one line. A character that is wider than a line gets a line of its own.
 */
export function wrap(text: string, width: number, measure: (text: string) => number): string[] {
  return text.split('\n').flatMap((paragraph) => wrapParagraph(paragraph, width, measure))
}

function wrapParagraph(paragraph: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  const add = (piece: string, size: number): void => {
    line += piece
    used += size
  }
  const end = (): void => {
    if (line.trim() !== '') lines.push(line.trimEnd())
    line = ''
    used = 0
  }

  for (const piece of paragraph.match(/ +|[^ ]+/g) ?? []) {
    const size = measure(piece)
    if (used + size <= width) {
      add(piece, size)
      continue
    }
    end()
    // Spaces at a line break are dropped.
    if (piece.startsWith(' ')) continue
    for (const character of piece) {
      const size = measure(character)
      if (used + size > width) end()
      add(character, size)
    }
  }
  end()
  return lines.length > 0 ? lines : ['']
}

/** Composes letters with their diacritics, converts all line breaks to line feeds and replaces tabs. */
function normalizeText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', '    ')
}

function codePointText(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
