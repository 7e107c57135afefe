import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { parseTranslations, toBinary } from '../../tools/wordpress/translations.mjs'
import { languages } from '../../src/locales/index.ts'

const plugin = 'integrations/wordpress/routeslip/'
const folder = `${plugin}languages/`
const files = readdirSync(folder).filter((file) => file.endsWith('.po'))
const translations = files.map((file) => ({
  file,
  texts: parseTranslations(readFileSync(folder + file, 'utf8')),
}))
/** The English texts, which are those of the PHP. */
const texts = [...readFileSync(`${folder}routeslip.pot`, 'utf8').matchAll(/^msgid (".+")$/gm)].map(
  ([, text = '']) => JSON.parse(text) as string,
)

describe('the translations of the WordPress plugin', () => {
  it('exist in each language of the elements', () => {
    const language = (name: string) => name.slice(0, 2)
    assert.deepEqual(
      files.map((file) => language(file.replace('routeslip-', ''))).toSorted(),
      Object.keys(languages).map(language).toSorted(),
    )
  })

  it('contain each text once, and no other', () => {
    assert.ok(texts.length > 150, `${texts.length} texts`)
    for (const { file, texts: translated } of translations)
      assert.deepEqual([...translated.keys()].filter(Boolean).toSorted(), texts.toSorted(), file)
  })

  it('differ from the English texts, apart from words that both languages have', () => {
    for (const { file, texts: translated } of translations) {
      const same = texts.filter((text) => translated.get(text) === text)
      assert.ok(same.length <= 10, `${file}: ${same.join(', ')}`)
      assert.deepEqual(
        same.filter((text) => text.includes(' ')),
        [],
        file,
      )
    }
  })

  it('contain the placeholders and examples of the English texts', () => {
    const placeholders = (text = '') =>
      (text.match(/%(?:\d\$)?[sd]|\{\w+\}|https?:\S+\w|[A-Z]+_[A-Z_]*/g) ?? []).toSorted()
    for (const { file, texts: translated } of translations)
      for (const text of texts)
        assert.deepEqual(placeholders(translated.get(text)), placeholders(text), `${file}: ${text}`)
  })

  it('cover each text of the PHP that is translated, and none of the scripts', () => {
    const sources = readdirSync(plugin, { recursive: true, encoding: 'utf8' })
    const calls = sources
      .filter((file) => file.endsWith('.php'))
      .flatMap((file) => [
        ...readFileSync(plugin + file, 'utf8').matchAll(
          /\b(?:translate|_[_enx]|_[en]x|esc_(?:html|attr)_[_ex])\(\s*(.*)/g,
        ),
      ])
    assert.ok(calls.length > 150, `${calls.length} calls`)
    for (const [call, rest = ''] of calls) {
      const [, text = ''] = /^'((?:[^'\\]|\\.)+)', 'routeslip' \)/.exec(rest) ?? []
      assert.ok(texts.includes(text.replace(/\\(['\\])/g, '$1')), call)
    }
    for (const file of sources.filter((name) => /^assets\/.*\.js$/.test(name)))
      assert.doesNotMatch(readFileSync(plugin + file, 'utf8'), /i18n/, file)
  })

  it('are packed in the format of WordPress', () => {
    for (const { file, texts: translated } of translations)
      assert.deepEqual(readBinary(toBinary(translated)), translated, file)
  })
})

/** Reads a .mo file, whose texts are sorted so that they can be found by bisection. */
function readBinary(mo: Buffer): ReadonlyMap<string, string> {
  const [magic, revision, count = 0, ids = 0, translated = 0, hashes, hashTable] = Array.from(
    { length: 7 },
    (_, index) => mo.readUInt32LE(index * 4),
  )
  assert.deepEqual([magic, revision, hashes], [0x950412de, 0, 0])
  // WordPress computes the length of each table from the beginning of the next one.
  assert.deepEqual([translated - ids, (hashTable ?? 0) - translated], [count * 8, count * 8])
  const read = (table: number) => {
    const [length, offset] = [mo.readUInt32LE(table), mo.readUInt32LE(table + 4)]
    assert.equal(mo[offset + length], 0)
    return mo.toString('utf8', offset, offset + length)
  }
  const pairs = Array.from(
    { length: count },
    (_, index) => [read(ids + index * 8), read(translated + index * 8)] as const,
  )
  const keys = pairs.map(([id]) => Buffer.from(id))
  assert.deepEqual(keys.toSorted(Buffer.compare), keys)
  return new Map(pairs)
}
