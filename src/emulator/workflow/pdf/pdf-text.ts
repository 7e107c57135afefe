/** Letters that do not decompose, and signs that look alike. */
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

/** Diacritics of Latin letters. In other scripts marks are letters of their own. */
const diacritics = /[\u0300-\u036f]/g
/** What has no ink in any font: joiners, directional marks, variation selectors, soft hyphens. */
const invisibleCharacter = /\p{Default_Ignorable_Code_Point}/u
const anySpace = /\p{Zs}/u

/**
 * A text in characters that a font knows, and line feeds. Others become the nearest that it has: a letter loses the
 * diacritic (`ő` is `o`), a tab becomes four spaces. What has no such neighbour becomes its code points in brackets, so
 * that nobody's name is lost or taken for another's: `王小明` is `[U+738B U+5C0F U+660E]`. Control characters are written
 * that way too. What is invisible in any font is left out.
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
 * Breaks a text into lines of at most so much width: at spaces, and within what is wider than a line. At least one line;
 * each character that is wider than a line has one of its own.
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
    // The spaces at which a line breaks belong to neither.
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

/** One character for each letter with diacritics where there is one, line feeds for all line breaks, and no tabs. */
function normalizeText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', '    ')
}

function codePointText(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
