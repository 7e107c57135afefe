import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, it } from 'node:test'
import * as general from '../../src/locales/en.ts'
import * as files from '../../src/locales/en-files.ts'
import * as form from '../../src/locales/en-form.ts'
import * as fields from '../../src/locales/en-form-fields.ts'
import * as outcome from '../../src/locales/en-form-outcome.ts'
import * as review from '../../src/locales/en-form-review.ts'
import * as office from '../../src/locales/en-office.ts'
import * as officeList from '../../src/locales/en-office-list.ts'
import * as actions from '../../src/locales/en-package-actions.ts'
import * as overrides from '../../src/locales/en-overrides.ts'
import * as pause from '../../src/locales/en-pause.ts'
import * as route from '../../src/locales/en-route.ts'
import * as savedRoute from '../../src/locales/en-saved-route.ts'
import { languages } from '../../src/locales/index.ts'
import { plural } from '../../src/locales/plural.ts'

const en = {
  ...general,
  ...actions,
  ...fields,
  ...files,
  ...form,
  ...office,
  ...officeList,
  ...outcome,
  ...overrides,
  ...pause,
  ...review,
  ...route,
  ...savedRoute,
}

/** Texts that are the same in both languages. */
const sameInSpanish = new Set(['PDF', 'No'])

describe('locales', () => {
  it('are all in the table, so that pages can load each file', () => {
    const files = readdirSync(new URL('../../src/locales', import.meta.url))
      .map((file) => file.replace(/\.ts$/, ''))
      .filter((name) => !/^(?:en|en-.*|index|messages|plural)$/.test(name))
    assert.deepEqual(Object.keys(languages).sort(), files.sort())
  })

  for (const [tag, fetch] of Object.entries(languages)) {
    it(`have every English message in "${tag}"`, async () => {
      const messages = await fetch()
      assert.equal(messages.language, tag)
      const expected = leaves(en)
      const given = leaves(messages)
      assert.deepEqual([...given.keys()].sort(), [...expected.keys()].sort())
      for (const [path, value] of given) {
        const english = expected.get(path)
        assert.equal(typeof value, typeof english, path)
        if (typeof value === 'function') assertSameArguments(path, value, english as MessageFunction)
        else assert.match(String(value), /\S/, path)
        if (path !== 'language' && !sameInSpanish.has(String(value)) && typeof value === 'string') {
          assert.notEqual(value, english, `${path} is not translated`)
        }
      }
    })
  }
})

describe('plural()', () => {
  it('uses the plural rules and the number format of the language', () => {
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

  it('uses the general form if a language has no other', () => {
    assert.equal(plural('ja')(1, { one: 'x', other: '#個' }), '1個')
  })
})

type MessageFunction = (...args: unknown[]) => string

/** Returns every text and function of a table, by path. */
function leaves(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map([[path, value]])
  return new Map(
    Object.entries(value).flatMap(([key, part]) => [...leaves(part, path ? `${path}.${key}` : key)]),
  )
}

/** Asserts that a function has the same parameters as the English one, and that its text contains the same arguments. */
function assertSameArguments(path: string, value: unknown, english: MessageFunction): void {
  const translated = value as MessageFunction
  assert.equal(translated.length, english.length, path)
  for (const args of [
    ['@A', '@B', '@C', '@D'],
    [1, 1, 1, 1],
    [7, 8, 9, 6],
  ]) {
    const text = attempt(translated, args)
    const inEnglish = attempt(english, args)
    for (const part of args.slice(0, english.length).map(String)) {
      assert.equal(text.includes(part), inEnglish.includes(part), `${path} with ${part}: ${text}`)
    }
  }
}

/** Returns the text of a message function, or an empty text if the function does not accept the arguments. */
function attempt(message: MessageFunction, args: readonly unknown[]): string {
  try {
    return message(...args)
  } catch {
    return ''
  }
}
