// Reads translations of gettext, and writes the binary form that WordPress loads.

/**
 * Returns the translations in a .po file, by English text. The header has an empty text.
 *
 * @param {string} po
 * @returns {Map<string, string>}
 */
export function parseTranslations(po) {
  const found = new Map()
  for (const entry of po.split(/\n{2,}/)) {
    const [id, text] = ['msgid', 'msgstr'].map((keyword) => {
      const lines = new RegExp(`^${keyword} ("(?:.*)"(?:\\n".*")*)`, 'm').exec(entry)?.[1]
      return lines
        ?.split('\n')
        .map((line) => JSON.parse(line))
        .join('')
    })
    if (id !== undefined && text) found.set(id, text)
  }
  return found
}

/** Returns a .mo file (GNU gettext, "The Format of GNU MO Files"): a sorted table of texts and one of translations. */
export function toBinary(translations) {
  const pairs = [...translations]
    .map((pair) => pair.map((text) => Buffer.from(text)))
    .sort(([a], [b]) => Buffer.compare(a, b))
  const header = 28
  const tableSize = pairs.length * 8
  let offset = header + 2 * tableSize
  const place = (texts) =>
    texts.map((text) => {
      const entry = Buffer.alloc(8)
      entry.writeUInt32LE(text.length, 0)
      entry.writeUInt32LE(offset, 4)
      offset += text.length + 1
      return entry
    })
  const [ids, texts] = [pairs.map(([id]) => id), pairs.map(([, text]) => text)]
  const tables = [...place(ids), ...place(texts)]
  const head = Buffer.alloc(header)
  // Magic number, revision, number of texts, offsets of the tables, and an empty hash table, which WordPress expects after them.
  const fields = [0x950412de, 0, pairs.length, header, header + tableSize, 0, header + 2 * tableSize]
  for (const [index, field] of fields.entries()) head.writeUInt32LE(field, index * 4)
  return Buffer.concat([head, ...tables, ...[...ids, ...texts].flatMap((text) => [text, Buffer.alloc(1)])])
}
