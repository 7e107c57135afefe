import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, it } from 'node:test'
import * as general from '../../src/locales/en.ts'
import * as actions from '../../src/locales/en-package-actions.ts'
import { languages } from '../../src/locales/index.ts'
import { plural } from '../../src/locales/plural.ts'

const en = { ...general, ...actions }

/** Words that are the same in both languages, and rightly so. */
const sameInSpanish = new Set(['PDF', 'No'])

describe('locales', () => {
  it('are all in the table: a file that nobody fetches would be of no use', () => {
    const files = readdirSync(new URL('../../src/locales', import.meta.url))
      .map((file) => file.replace(/\.ts$/, ''))
      .filter((name) => !['en', 'en-package-actions', 'index', 'messages', 'plural'].includes(name))
    assert.deepEqual(Object.keys(languages).sort(), files.sort())
  })

  for (const [tag, fetch] of Object.entries(languages)) {
    it(`say in "${tag}" all that is said in English`, async () => {
      const words = await fetch()
      assert.equal(words.language, tag)
      const expected = leaves(en)
      const given = leaves(words)
      assert.deepEqual([...given.keys()].sort(), [...expected.keys()].sort())
      for (const [path, value] of given) {
        const english = expected.get(path)
        assert.equal(typeof value, typeof english, path)
        if (typeof value === 'function') assertSays(path, value, english as Words)
        else assert.match(String(value), /\S/, path)
        if (path !== 'language' && !sameInSpanish.has(String(value)) && typeof value === 'string') {
          assert.notEqual(value, english, `${path} is not translated`)
        }
      }
    })
  }
})

describe('plural()', () => {
  it('chooses the form by the rules of the language, and writes the number as it does', () => {
    const english = plural('en')
    assert.equal(english(1, { one: '# file', other: '# files' }), '1 file')
    assert.equal(english(12_345, { one: '# file', other: '# files' }), '12,345 files')
    const polish = plural('pl')
    const forms = { one: '# plik', few: '# pliki', many: '# plików', other: '# pliku' }
    assert.deepEqual(
      [1, 2, 5, 22].map((number) => polish(number, forms)),
      ['1 plik', '2 pliki', '5 plików', '22 pliki'],
    )
  })

  it('takes the general form where a language has no other', () => {
    assert.equal(plural('ja')(1, { one: 'x', other: '#個' }), '1個')
  })
})

type Words = (...args: unknown[]) => string

/** Every text and function of a table, by its path. */
function leaves(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map([[path, value]])
  return new Map(
    Object.entries(value).flatMap(([key, part]) => [...leaves(part, path ? `${path}.${key}` : key)]),
  )
}

/** A function takes as many parts, and leaves none of them out. */
function assertSays(path: string, value: unknown, english: Words): void {
  const say = value as Words
  assert.equal(say.length, english.length, path)
  for (const args of [
    ['@A', '@B', '@C', '@D'],
    [1, 1, 1, 1],
    [7, 8, 9, 6],
  ]) {
    const said = attempt(say, args)
    const inEnglish = attempt(english, args)
    for (const part of args.slice(0, english.length).map(String)) {
      assert.equal(said.includes(part), inEnglish.includes(part), `${path} with ${part}: ${said}`)
    }
  }
}

/** Returns the text of a message function; an empty result if the function does not accept the arguments. */
function attempt(say: Words, args: readonly unknown[]): string {
  try {
    return say(...args)
  } catch {
    return ''
  }
}
