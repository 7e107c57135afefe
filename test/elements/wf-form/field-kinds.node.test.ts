import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fieldValues } from '../../../src/contract/schemas/entry.ts'
import { type FieldKind, fieldKinds } from '../../../src/contract/values/values.ts'
import { formatField, parseField } from '../../../src/elements/wf-form/fields/field-kinds.ts'

/** What people type for each kind on an English page, with its value. */
const valid: Readonly<Record<FieldKind, readonly (readonly [string, unknown])[]>> = {
  text: [
    [' as typed ', ' as typed '],
    ['007', '007'],
  ],
  date: [['2028-02-29', '2028-02-29']],
  url: [[' https://example.edu/a?b=c ', 'https://example.edu/a?b=c']],
  email: [["ana.o'neil@example.edu", "ana.o'neil@example.edu"]],
  number: [
    ['42', 42],
    ['-7', -7],
    ['1,234,567', 1_234_567],
    ['−3', -3],
    ['9007199254740', 9_007_199_254_740],
  ],
  currency: [
    ['1,234.56', 1234.56],
    ['$ 0.1', 0.1],
    ['.5', 0.5],
    ['1,234.5678', 1234.5678],
    ['0.125', 0.125],
    ['1,23,456.70', 123_456.7],
    ['123456789012.34', 123_456_789_012.34],
  ],
  no_answer: [['anything', null]],
  university_id: [['0010 0001', '00100001']],
  org: [['07', '07']],
  department: [
    ['110420', '11-0420'],
    ['11–0420', '11-0420'],
    [' 11 0420 ', '11-0420'],
  ],
  sub_department: [
    ['1104200010', '11-0420-0010'],
    ['11-0420-0010', '11-0420-0010'],
  ],
  position: [['00012345', '00012345']],
}

/** Text that does not have the shape of its kind on an English page. */
const invalid: Readonly<Record<Exclude<FieldKind, 'text' | 'no_answer'>, readonly string[]>> = {
  date: ['13/04/2027', '3/4/27', '3/4-2027', '2027-02-29', 'tomorrow'],
  url: ['example.edu', 'javascript:alert(1)', 'https://'],
  email: ['ana', 'ana@@example.edu', 'ana@campus'],
  number: ['1.5', 'twelve', '1,5', '9007199254740993', '12-'],
  currency: ['1.234,56', '1.234', '1,23', '12345678901234.56', 'free', '1.', '1,2345'],
  university_id: ['10000O01', '1-0'],
  org: ['7', '1104'],
  department: ['11', '11-420', '11-0420-0010', 'Biology'],
  sub_department: ['11-0420'],
  position: ['12a'],
}

describe('parseField()', () => {
  it('reads dates in the order of the language, with a year of four digits, and always the plain form', () => {
    for (const [language, text, value] of [
      ['en', '5/14/2027', '2027-05-14'],
      ['en-GB', '14/5/2027', '2027-05-14'],
      ['de', '14.5.2027', '2027-05-14'],
      ['de', '14. 05. 2027', '2027-05-14'],
      ['ja', '2027/5/14', '2027-05-14'],
      ['de', '2027-05-14', '2027-05-14'],
      [null, '2027-05-14', '2027-05-14'],
    ] as const)
      assert.deepEqual(parseField(text, 'date', language), { value, isValid: true }, text)
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const languages = Intl.DateTimeFormat.supportedLocalesOf(
      letters.flatMap((first) => letters.map((second) => first + second)),
    )
    assert.ok(languages.length > 100)
    for (const language of languages)
      assert.equal(parseField('2027-05-14', 'date', language).value, '2027-05-14', language)
    for (const [language, text] of [
      ['en', '14/5/2027'],
      ['de', '14.5.27'],
      ['de', '31.2.2027'],
      [null, '5/14/2027'],
    ] as const)
      assert.deepEqual(parseField(text, 'date', language), { value: text, isValid: false }, text)
  })

  it('reads digits of every script, signs and invisible characters by one rule', () => {
    for (const [kind, text, value] of [
      ['number', '３', 3],
      ['number', '+3', 3],
      ['number', '–3', -3],
      ['number', '\u200b30\u202c', 30],
      ['currency', '٤٥', 45],
      ['currency', '९०', 90],
      ['currency', '+1,250.50', 1250.5],
      ['university_id', '１０００００٠1', '10000001'],
      ['department', '\u200b११-०४२०', '11-0420'],
      ['date', '２０２７-０５-１４', '2027-05-14'],
      ['email', '\u202aana@example.edu\u202c', 'ana@example.edu'],
      ['url', '\u200bhttps://example.edu/', 'https://example.edu/'],
    ] as const)
      assert.deepEqual(parseField(text, kind, 'en'), { value, isValid: true }, text)
    for (const text of ['3-', '++3', '1 2/3', '1e'])
      assert.equal(parseField(text, 'number', 'en').isValid, false, text)
    assert.deepEqual(parseField('a\u200bb', 'text', 'en').value, 'a\u200bb', 'text stays as it is')
  })

  for (const kind of fieldKinds) {
    it(`reads values of the kind ${kind}`, () => {
      for (const [text, value] of valid[kind]) {
        assert.deepEqual(parseField(text, kind, 'en'), { value, isValid: true }, text)
        assert.ok(fieldValues[kind].safeParse(value).success, `the service accepts ${String(value)}`)
      }
    })

    it(`reads an empty field of the kind ${kind} as null`, () => {
      assert.deepEqual(parseField('', kind, 'en'), { value: null, isValid: true })
    })
  }

  for (const [kind, texts] of Object.entries(invalid)) {
    it(`keeps text that is not of the kind ${kind} as typed`, () => {
      for (const text of [...texts, ` ${texts[0]}`]) {
        assert.deepEqual(parseField(text, kind as FieldKind, 'en'), { value: text, isValid: false }, text)
      }
    })
  }

  it('reads amounts as the language of the page writes them', () => {
    const amounts: readonly (readonly [string, string, number])[] = [
      ['de', '1.234,56', 1234.56],
      ['de', '1.234.567,89 €', 1_234_567.89],
      ['es', '1234,5', 1234.5],
      ['es', '12.345,50', 12_345.5],
      ['fr', '1 234,56', 1234.56],
      ['fr', '1\u202f234,56', 1234.56],
      ['de-CH', "1'234.56", 1234.56],
      ['de-CH', '1’234.56', 1234.56],
      ['en-IN', '12,34,567.89', 1_234_567.89],
      ['ar-EG', '١٬٢٣٤٫٥٦', 1234.56],
      ['ar-EG', '1234٫56', 1234.56],
      ['fa', '۱٬۲۳۴٫۵', 1234.5],
    ]
    for (const [language, text, value] of amounts)
      assert.deepEqual(
        parseField(text, 'currency', language),
        { value, isValid: true },
        `${language} ${text}`,
      )
  })

  it('reads each way to write a number in plain form, and nothing else', () => {
    for (const [text, value] of [
      ['-1', -1],
      ['.5', 0.5],
      ['.25', 0.25],
      ['1.', 1],
      ['1.25', 1.25],
      ['12.5', 12.5],
      ['1E3', 1000],
      ['1e+3', 1000],
      ['1e-3', 0.001],
      ['1e10', 1e10],
      ['2.5e1', 25],
      ['1e0000000000000001', 10],
      ['00123456789012345', 123_456_789_012_345],
    ] as const)
      assert.deepEqual(parseField(text, 'currency', null), { value, isValid: true }, text)
    for (const text of [
      'x1',
      '1x',
      '--1',
      '-',
      '.',
      '1..2',
      'e5',
      '1e',
      '1e+',
      '1e5x',
      '1234567890123456',
      '0.1234567890123456',
      '1000000000000000.5',
    ])
      assert.deepEqual(parseField(text, 'currency', null), { value: text, isValid: false }, text)
  })

  it('reads amounts with groups, signs and currencies only as people write them', () => {
    for (const [text, value] of [
      ['–3', -3],
      ['-1,234', -1234],
      ['12,345', 12_345],
      ['123,456', 123_456],
      ['1,234.567', 1234.567],
      ['1234.567', 1234.567],
      ['-0.125', -0.125],
      ['1.23', 1.23],
      ['€12', 12],
      ['12 €', 12],
      ['\u200e12', 12],
    ] as const)
      assert.deepEqual(parseField(text, 'currency', 'en'), { value, isValid: true }, text)
    for (const text of [
      '1.2.3',
      '-1.234',
      '12.345',
      '100.234',
      '1234,567',
      '1,1234,567',
      '1,2,345',
      '1,234,56',
      ',234',
      'x,234',
      "1'234",
    ])
      assert.deepEqual(parseField(text, 'currency', 'en'), { value: text, isValid: false }, text)
  })

  it('reads web addresses, email addresses and ids only if the whole text is one', () => {
    for (const [kind, texts] of [
      ['url', ['http://a', 'HTTPS://EXAMPLE.EDU', 'https://example.edu']],
      ['email', ['a@b.c', 'ana@mail.example.edu']],
      ['university_id', ['1', '0012']],
    ] as const)
      for (const text of texts)
        assert.deepEqual(parseField(text, kind, 'en'), { value: text, isValid: true }, text)
    for (const [kind, texts] of [
      ['url', ['see https://a', 'https://a b', 'https:///path', 'https:/a', 'httpx://a']],
      ['email', ['a b@example.edu', 'ana@example.edu x', '@example.edu', 'ana@.edu', 'ana@example.', 'ana@']],
      ['university_id', ['a12', '12a', '1-2']],
    ] as const)
      for (const text of texts)
        assert.deepEqual(parseField(text, kind, 'en'), { value: text, isValid: false }, text)
  })

  it('reads white space as nothing, except in a text', () => {
    for (const kind of fieldKinds)
      assert.deepEqual(parseField('  ', kind, 'en'), {
        value: kind === 'text' ? '  ' : null,
        isValid: true,
      })
  })

  it('does not guess if an amount could be a thousand in another language', () => {
    assert.equal(parseField('1,234', 'currency', 'de').isValid, false)
    assert.equal(parseField('1.234', 'currency', 'en').isValid, false)
    assert.equal(parseField('1.234', 'currency', 'de').value, 1234, 'a thousand on a German page')
    assert.equal(parseField('1,234', 'currency', 'en').value, 1234, 'a thousand on an English page')
  })

  it('reads the plain form of <input type="number"> in every language', () => {
    assert.equal(parseField('1234.567', 'currency', null).value, 1234.567)
    assert.equal(parseField('1e3', 'number', null).value, 1000)
    assert.equal(parseField('1,5', 'currency', null).isValid, false)
  })
})

describe('formatField()', () => {
  it('writes amounts as the language of the page does, with all decimals', () => {
    assert.equal(formatField(1234.5, 'currency', 'en'), '1,234.50')
    assert.equal(formatField(1234.5, 'currency', 'de'), '1.234,50')
    assert.equal(formatField(1234.5, 'currency', null), '1234.5')
    assert.equal(formatField(1.234, 'currency', 'en'), '1.2340')
    assert.equal(formatField(1.2345, 'currency', 'en'), '1.2345')
    assert.equal(formatField(7, 'currency', 'en'), '7.00')
    assert.equal(formatField(0.1 + 0.2, 'currency', 'en'), '0.30000000000000004')
  })

  it('writes what parseField() reads back', () => {
    const amounts = [0, 0.1, -0.07, 1.234, 12.345, 999.999, 1005.005, 1_234_567.89, 123_456_789_012.34]
    for (const language of ['en', 'de', 'es', 'fr', 'de-CH', 'en-IN', 'ar-EG', 'fa', 'hi'])
      for (const amount of amounts) {
        const text = formatField(amount, 'currency', language)
        assert.equal(parseField(text, 'currency', language).value, amount, `${language} ${text}`)
      }
    for (const kind of fieldKinds)
      for (const [, value] of valid[kind])
        assert.deepEqual(parseField(formatField(value, kind, 'en'), kind, 'en').value, value, kind)
  })

  it('shows values of another type as they are', () => {
    assert.equal(formatField('12 euros', 'currency', 'en'), '12 euros')
    assert.equal(formatField(10_000_001, 'university_id', 'en'), '10000001')
    assert.equal(formatField(['a', 'b'], 'text', 'en'), '["a","b"]')
    assert.equal(formatField(7, 'number', 'de'), '7')
    for (const nothing of [null, undefined]) assert.equal(formatField(nothing, 'currency', 'en'), '')
  })
})
