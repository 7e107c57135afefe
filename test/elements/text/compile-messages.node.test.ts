import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileMessages, numberRules } from '../../../src/elements/text/compile-messages.ts'

const english = {
  label: 'Route',
  states: { VOID: 'Void' },
  own: 'You approve it at “{stop}”.',
  replaced: '{stop}: {before} before, {now} now.',
  found: '{found} of {total}',
  files: { one: '# file', other: '# files' },
  changed: { one: '{key}: # stop.', other: '{key}: # stops.' },
} as const

const en = compileMessages(english, english, numberRules('en'))

describe('compileMessages()', () => {
  it('leaves texts without placeholders, and makes functions of the others', () => {
    assert.equal(en.label, 'Route')
    assert.equal(en.states.VOID, 'Void')
    assert.equal(en.own('Dean'), 'You approve it at “Dean”.')
    assert.equal(en.replaced('Dean', 'A', 'B'), 'Dean: A before, B now.')
  })

  it('takes arguments in the order of the English placeholders, and repeats them', () => {
    const messages = { ...english, replaced: '{now} statt {before} bei {stop}, {stop}' }
    const de = compileMessages(english, messages, numberRules('de'))
    assert.equal(de.replaced('Dekanat', 'A', 'B'), 'B statt A bei Dekanat, Dekanat')
  })

  it('does not read placeholders in arguments', () => {
    assert.equal(en.replaced('{now} #', '{before}', 'B'), '{now} #: {before} before, B now.')
    assert.equal(en.changed(2, '#{key}'), '#{key}: 2 stops.')
  })

  it('uses the plural rules and the number format of the language', () => {
    assert.equal(en.files(1), '1 file')
    assert.equal(en.files(12_345), '12,345 files')
    assert.equal(en.changed(1, 'AB'), 'AB: 1 stop.')
    const polish = {
      ...english,
      files: { one: '# plik', few: '# pliki', many: '# plików', other: '# pliku' },
    }
    const pl = compileMessages(english, polish, numberRules('pl'))
    assert.deepEqual([1, 2, 5, 22].map(pl.files), ['1 plik', '2 pliki', '5 plików', '22 pliki'])
    const indian = compileMessages(english, english, numberRules('en', 'en-IN'))
    assert.equal(indian.found(1_234_567, 2), '12,34,567 of 2')
  })

  it('uses the general form if a language has no other', () => {
    const ja = compileMessages(english, { ...english, files: { other: '#個' } }, numberRules('ja'))
    assert.equal(ja.files(1), '1個')
  })

  it('reports messages that are missing or of another kind, and uses the English ones with English rules', () => {
    const missing = new Set<string>()
    const messages = {
      label: '',
      states: { VOID: 1 },
      own: { other: 'x' },
      replaced: 'x {unknown}',
      found: null,
      files: '# x',
    }
    const ja = compileMessages(english, messages, numberRules('ja'), missing, 'route')
    assert.deepEqual(
      [...missing],
      ['route.label', 'route.states.VOID', 'route.own', 'route.found', 'route.files', 'route.changed'],
    )
    assert.equal(ja.label, 'Route')
    assert.equal(ja.states.VOID, 'Void')
    assert.equal(ja.own('Dean'), 'You approve it at “Dean”.')
    assert.equal(ja.replaced('a', 'b', 'c'), 'x {unknown}')
    assert.equal(ja.changed(1, 'AB'), 'AB: 1 stop.', 'Japanese has no form for one')
  })
})
