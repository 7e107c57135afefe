import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FieldKind, fieldKinds, validationCodes } from '../../../src/contract/values/values.ts'
import { problemText } from '../../../src/elements/wf-form/fields/problem-text.ts'
import { compileMessages, numberRules } from '../../../src/elements/text/compile-messages.ts'
import { formFields as english } from '../../../src/locales/en-form-fields.ts'
import { formFields as spanish } from '../../../src/locales/es.ts'

const en = compileMessages(english, english, numberRules('en'))
const es = compileMessages(english, spanish, numberRules('es'))

describe('problemText()', () => {
  it('returns a different, complete sentence with the label for each code, of each kind, in each language', () => {
    for (const [language, texts] of Object.entries({ en, es }))
      for (const kind of fieldKinds) {
        const sentences = validationCodes.map((code) =>
          problemText(code, { label: 'Travel cost', kind, entry: 'text' }, texts, language),
        )
        for (const sentence of sentences) {
          assert.match(sentence, /travel cost/i)
          assert.match(sentence, /^[\p{Lu}«].*[^.]\.$/u)
        }
        const isShape = kind === 'date' || kind === 'url' || kind === 'email'
        assert.equal(new Set(sentences).size, isShape ? 3 : 4, `${language} ${kind}`)
      }
  })

  it('follows the wording of the GOV.UK design system', () => {
    const of = (code: string, kind: FieldKind, label = 'Cost', entry: 'text' | 'choice' | 'date' = 'text') =>
      problemText(code, { label, kind, entry }, en, 'en')
    assert.equal(of('validation.required', 'currency', 'the cost'), 'Enter the cost.')
    assert.equal(of('validation.required', 'text', 'Purpose of travel'), 'Enter purpose of travel.')
    assert.equal(of('validation.required', 'text', 'Transport', 'choice'), 'Select transport.')
    assert.equal(of('validation.required', 'text', 'Why do you travel?'), 'Answer “Why do you travel?”.')
    assert.equal(of('validation.required', 'url', 'URL of the event'), 'Enter URL of the event.')
    assert.equal(of('validation.badAnswerType', 'number'), 'Cost must be a whole number, such as 30.')
    assert.equal(
      of('validation.badAnswerType', 'currency', 'the cost'),
      'The cost must be an amount, such as 1,234.50.',
    )
    assert.equal(of('validation.badAnswerType', 'date', 'Start', 'date'), 'Start must be a real date.')
    assert.equal(
      of('validation.invalidValue', 'date', 'Start'),
      'Start must be a real date, such as 2027-03-31.',
    )
    assert.equal(
      of('validation.notFound', 'department', 'Office'),
      'No office has this number. Check office.',
    )
    assert.equal(
      of('validation.notFound', 'university_id', 'Host'),
      'No person has this university ID. Check host.',
    )
    assert.equal(of('validation.invalidValue', 'text'), 'The service did not accept this. Check cost.')
  })

  it('names what each kind needs, what was not found, and what was not accepted', () => {
    const sentences = (kind: FieldKind) =>
      ['badAnswerType', 'notFound', 'invalidValue'].map((code) =>
        problemText(`validation.${code}`, { label: 'Cost', kind, entry: 'text' }, en, 'en'),
      )
    const notFound = 'The service did not find this. Check cost.'
    const invalid = 'The service did not accept this. Check cost.'
    const noOffice = 'No office has this number. Check cost.'
    const url = 'Cost must be a web address, such as https://example.edu/.'
    const email = 'Cost must be an email address, such as name@example.edu.'
    const date = 'Cost must be a real date, such as 2027-03-31.'
    assert.deepEqual(Object.fromEntries(fieldKinds.map((kind) => [kind, sentences(kind)])), {
      text: ['Cost must be text.', notFound, invalid],
      date: [date, notFound, date],
      url: [url, notFound, url],
      email: [email, notFound, email],
      number: ['Cost must be a whole number, such as 30.', notFound, invalid],
      currency: ['Cost must be an amount, such as 1,234.50.', notFound, invalid],
      no_answer: ['Cost must be empty.', notFound, invalid],
      university_id: [
        'Cost must be a university ID, which has only digits.',
        'No person has this university ID. Check cost.',
        invalid,
      ],
      org: ['Cost must be an office number of 2 digits, such as 11.', noOffice, invalid],
      department: ['Cost must be an office number of 6 digits, such as 11-0420.', noOffice, invalid],
      sub_department: [
        'Cost must be an office number of 10 digits, such as 11-0420-0010.',
        noOffice,
        invalid,
      ],
      position: [
        'Cost must be a position number, which has only digits.',
        'No position has this number. Check cost.',
        invalid,
      ],
    })
  })

  it('writes labels as a part of the sentence, and quotes those that are sentences', () => {
    const of = (label: string, entry: 'text' | 'choice' = 'text') =>
      problemText('validation.required', { label, kind: 'text', entry }, en, 'en')
    assert.equal(of('A host'), 'Enter a host.')
    assert.equal(of('URL To visit'), 'Enter URL To visit.')
    assert.equal(of('3 Days'), 'Enter 3 Days.')
    assert.equal(of('iPhone'), 'Enter iPhone.')
    assert.equal(of('Cost? (USD)'), 'Enter cost? (USD).')
    for (const mark of ['?', '!', '.', ':', '？', '！', '。', '：', '؟', '।'])
      assert.equal(of(`Where${mark}`, 'choice'), `Answer “Where${mark}”.`)
  })

  it('writes Spanish with the label of the page, and amounts as the language writes them', () => {
    const of = (code: string, kind: FieldKind, label = 'Coste') =>
      problemText(code, { label, kind, entry: 'text' }, es, 'es')
    assert.equal(of('validation.required', 'currency'), 'Complete «Coste».')
    assert.equal(of('validation.required', 'currency', 'el coste'), 'Complete el coste.')
    assert.equal(of('validation.badAnswerType', 'currency'), '«Coste» debe ser un importe, como 1234,50.')
    assert.equal(
      of('validation.badAnswerType', 'number', 'el número'),
      'El número debe ser un número entero, como 30.',
    )
  })

  it('makes unknown codes readable, and leaves sentences as they are', () => {
    const field = { label: 'Purpose', kind: 'text', entry: 'text' } as const
    assert.equal(
      problemText('validation.valueTooLong', field, en, 'en'),
      'The service did not accept purpose: value too long.',
    )
    assert.equal(
      problemText('constructor', field, en, 'en'),
      'The service did not accept purpose: constructor.',
    )
    assert.equal(
      problemText('prevalidation.tooLong', field, en, 'en'),
      'The service did not accept purpose: prevalidation.too long.',
    )
    assert.equal(problemText('Please match the format.', field, en, 'en'), 'Please match the format.')
  })

  it('names the next step if the page does not have the field', () => {
    assert.equal(
      problemText('validation.required', { label: 'Cost center', kind: 'text', entry: 'none' }, en, 'en'),
      'Enter cost center. This page does not have the field. Contact the owner of the page.',
    )
  })
})
