import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, it } from 'node:test'
import { checkMessages } from '../../src/locales/check-messages.ts'
import { english } from '../../src/locales/english.ts'
import { fileRefusals } from '../../src/proxy/files/file-refusals.ts'
import { languages } from '../../src/locales/index.ts'

/** Texts that another language writes as English does, apart from those without words. */
const sameAsEnglish: Readonly<Record<string, readonly string[]>> = {
  de: ['packageStatus.label', 'packageStatus.details', 'packageStatus.test', 'storedFiles.name'],
  es: ['formReview.no'],
  fr: ['packageStatus.actions', 'shares.application'],
}

describe('locales', () => {
  it('are all in the table, so that pages can load each file', () => {
    const files = readdirSync(new URL('../../src/locales', import.meta.url))
      .map((file) => file.replace(/\.ts$/, ''))
      .filter((name) => /^[a-z]{2,3}(?:-[A-Z]\w+)?$/.test(name) && name !== 'en')
    assert.deepEqual(Object.keys(languages).sort(), files.sort())
  })

  it('have English messages with unambiguous placeholders and forms', () => {
    assert.deepEqual(checkMessages(english), [])
    for (const [path, message] of leaves(english)) {
      const names = message.match(/\{\w+\}/g) ?? []
      assert.equal(new Set(names).size, names.length, `${path} repeats a placeholder`)
    }
  })

  it('have a template with every English message', async () => {
    const template = (await import('../../docs/language-template.js')) as object
    assert.deepEqual({ ...template, language: 'en' }, english)
  })

  for (const [tag, fetch] of Object.entries(languages)) {
    it(`have every message in "${tag}", with its placeholders and plural forms`, async () => {
      const messages = await fetch()
      assert.equal(messages.language, tag)
      assert.deepEqual(checkMessages(messages), [])
      const given = leaves(messages)
      const untranslated = [...leaves(english)].filter(
        ([path, text]) => given.get(path) === text && /\p{L}/u.test(text.replace(/\{\w+\}/g, '')),
      )
      const same = new Set(sameAsEnglish[tag])
      assert.deepEqual(
        untranslated.filter(([path]) => !same.has(path)),
        [],
      )
    })
  }
})

describe('refusals of the proxy', () => {
  it('have in English the text that the proxy sends', () => {
    // Each takes a list, a text or nothing.
    const sample = Object.assign(['pdf', 'png'], { toString: () => 'pdf, png' })
    const named = [...Object.values(fileRefusals).map((refuse) => refuse(sample as never))].filter(
      ({ code }) => code !== undefined,
    )
    const texts = new Map(named.map(({ code, message, types = '' }) => [code, { message, types }]))
    assert.deepEqual([...texts.keys()].sort(), Object.keys(english.refusals).sort())
    for (const [name, text] of Object.entries(english.refusals)) {
      const { message, types } = texts.get(name)!
      assert.equal(text.replace('{types}', types), message)
    }
  })
})

describe('checkMessages()', () => {
  const withForms = (language: string, forms: Readonly<Record<string, string>>) => ({
    ...english,
    language,
    route: { ...english.route, stop: forms },
  })

  it('reports messages that are missing, empty or unknown', () => {
    const { route, ...others } = english
    const { label, ...rest } = route
    const changed = { ...others, more: { x: 'X' }, route: { ...rest, usual: '', Stop: 'X' } }
    assert.ok(label)
    assert.deepEqual(checkMessages(changed), [
      'route.label is missing.',
      'route.usual is missing.',
      'more.x does not exist.',
      'route.Stop does not exist.',
    ])
    assert.ok(checkMessages({ language: 'de' }).length > 400)
  })

  it('reports messages of another kind', () => {
    const { history, route } = english
    const changed = {
      ...english,
      history: { ...history, verbs: 'X' },
      route: { ...route, label: { other: 'X' }, stop: 'Stop #' },
    }
    const problems = checkMessages(changed)
    assert.ok(problems.includes('history.verbs.signed is missing.'))
    assert.ok(problems.includes('route.label must be a text.'))
    assert.ok(problems.includes('route.stop must be an object with plural forms.'))
  })

  it('reports placeholders that are missing, unknown or broken', () => {
    const { route } = english
    const changed = {
      ...english,
      route: {
        ...route,
        own: 'at {Stop}',
        nobodyAt: '“{stop” is empty.',
        twice: '{name}: {stops}, {name}',
        changed: { one: '{key}', other: '{key}' },
      },
    }
    assert.deepEqual(checkMessages(changed), [
      'route.changed lacks # in "other".',
      'route.own lacks {stop}.',
      'route.own has the unknown placeholder {Stop}.',
      'route.nobodyAt lacks {stop}.',
      'route.nobodyAt has the unknown placeholder {stop” is empty..',
    ])
  })

  it('reports plural forms that the language lacks or does not have', () => {
    const problems = (language: string, forms: Readonly<Record<string, string>>) =>
      checkMessages(withForms(language, forms)).filter((problem) => problem.startsWith('route.stop '))
    assert.deepEqual(problems('de', { one: '# Station', other: '# Stationen' }), [])
    assert.deepEqual(problems('de', { one: 'Eine Station', other: '# Stationen' }), [])
    assert.deepEqual(problems('ja', { other: '#' }), [])
    assert.deepEqual(problems('ja', { one: '#', other: '#' }), ['route.stop has the unknown form "one".'])
    // "one" is also for 21, so it needs the number. "other" is for fractions.
    assert.deepEqual(problems('ru', { one: 'один', few: '#', other: '#' }), [
      'route.stop lacks the form "many".',
      'route.stop lacks # in "one".',
    ])
    // "many" is for a million.
    assert.deepEqual(problems('es', { one: '#', other: '#' }), [])
    assert.deepEqual(problems('ar', { zero: '-', one: '-', two: '-', few: '#', many: '#', other: '#' }), [])
  })

  it('needs a language', () => {
    const expected = ['language must be a language tag such as "de".']
    for (const messages of [undefined, null, {}, { language: 1 }, { language: 'en_US' }])
      assert.deepEqual(checkMessages(messages), expected)
  })
})

/** Returns every text of a table, by path. */
function leaves(value: unknown, path = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[path, value]])
  return new Map(
    Object.entries(value as object).flatMap(([key, part]) => [
      ...leaves(part, path ? `${path}.${key}` : key),
    ]),
  )
}
