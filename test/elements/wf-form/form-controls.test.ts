import { expect, fixture, html } from '@open-wc/testing'
import type { TemplateResult } from 'lit'
import { submitButtonsOf } from '../../../src/elements/element/form-element.ts'
import { controlsIn, isSecret, kindOf, nameOf } from '../../../src/elements/wf-form/fields/form-controls.ts'
import { FormFields } from '../../../src/elements/wf-form/fields/form-fields.ts'
import { valuesIn } from './values-in.ts'

/** A control that has its name as a property, and problems of its own. */
class XOwn extends HTMLElement {
  static readonly formAssociated = true
  readonly internals = this.attachInternals()
  readonly name = 'own'
  value: string | readonly string[] | undefined
  get validity(): ValidityState {
    return this.internals.validity
  }
}
customElements.define('x-own', XOwn)

async function show(content: TemplateResult, lang = 'en') {
  const form = await fixture<HTMLFormElement>(html`<form lang=${lang}>${content}</form>`)
  return { form, fields: new FormFields(form) }
}

const types = ['submit', 'reset', 'button', 'image', 'file', 'hidden']

describe('controlsIn()', () => {
  it('returns no buttons, files, tokens or groups, unless they have a kind', async () => {
    const { form } = await show(html`
      ${types.map((type) => html`<input name=${type} type=${type} />`)}
      <button name="b-submit">Send</button><button name="b-reset" type="reset">Reset</button>
      <fieldset name="fieldset"></fieldset>
      <object name="object" aria-label="A drawing"></object><output name="output"></output>
      <input name="none" data-kind="none" /><input /><input name="" />
    `)
    expect(controlsIn(form).map(nameOf)).to.deep.equal([])
    for (const control of form.querySelectorAll<HTMLElement>('[name=hidden], output'))
      control.dataset['kind'] = 'text'
    expect(controlsIn(form).map(nameOf)).to.deep.equal(['hidden', 'output'])
  })

  it('returns custom elements that have not loaded last, if they are known to be fields @engines', async () => {
    const { form } = await show(html`
      <wf-office name="office"></wf-office><fs-uploader name="files"></fs-uploader>
      <x-not-loaded name="kind" data-kind="text"></x-not-loaded>
      <x-not-loaded name="unknown"></x-not-loaded><x-not-loaded data-kind="text"></x-not-loaded>
      <wf-office></wf-office><input name="first" /><x-own></x-own>
    `)
    expect(controlsIn(form).map(nameOf)).to.deep.equal(['first', 'own', 'office', 'files', 'kind'])
  })
})

describe('kindOf()', () => {
  it('is the kind or level of the control, or else what its type implies', async () => {
    const { form } = await show(html`
      <input name="a" type="date" data-kind="text" /><input name="b" type="date" />
      <x-own level="sub_department" data-kind="org"></x-own><x-own level="department"></x-own>
      <input name="c" type="week" /><input name="d" data-kind="unknown" type="number" />
      <input name="e" type="email" /><input name="f" type="url" /><textarea name="g"></textarea>
    `)
    expect(controlsIn(form).map(kindOf)).to.deep.equal([
      'text',
      'date',
      'org',
      'department',
      'text',
      'text',
      'email',
      'url',
      'text',
    ])
  })
})

describe('isSecret()', () => {
  it('finds passwords, payment cards and codes that work once, also while a page shows them', async () => {
    const form = await fixture<HTMLFormElement>(html`
      <form>
        <input name="a" type="password" />
        <input name="b" autocomplete="section-fee cc-number" />
        <input name="c" autocomplete="one-time-code" />
        <input name="d" autocomplete="new-password" />
        <input name="e" autocomplete="family-name" />
        <input name="f" />
      </form>
    `)
    const secrets = () => controlsIn(form).filter(isSecret).map(nameOf)
    expect(secrets()).to.deep.equal(['a', 'b', 'c', 'd'])
    form.querySelector('input')!.type = 'text'
    expect(secrets()).to.deep.equal(['a', 'b', 'c', 'd'])
  })
})

describe('submitButtonsOf()', () => {
  it('returns the buttons inside and outside of the form that submit it @engines', async () => {
    const page = await fixture(html`
      <div>
        <form id="fc-form">
          <button name="a">A</button><button name="b" type="button">B</button>
          <input name="c" type="submit" /><input name="d" />
        </form>
        <button name="e" form="fc-form">E</button><button name="f">F</button>
        <input name="g" type="image" alt="G" form="fc-form" /><input name="h" type="image" alt="H" />
      </div>
    `)
    expect(submitButtonsOf(page.querySelector('form')!).map(nameOf)).to.deep.equal(['a', 'c', 'e', 'g'])
  })
})

describe('FormFields', () => {
  it('reads and writes numbers of choices and number inputs in plain form, also on a German page @engines', async () => {
    const { fields, form } = await show(
      html`
        <input name="number" type="number" step="0.01" data-kind="currency" value="1234.5" />
        <input name="range" type="range" max="2000" step="0.5" data-kind="currency" value="1234.5" />
        <input name="radio" type="radio" data-kind="currency" value="1234.5" checked />
        <input name="box" type="checkbox" data-kind="currency" value="1234.5" checked />
        <select name="select" data-kind="currency">
          <option>1234.5</option>
        </select>
        <input name="script" type="hidden" data-kind="currency" value="1234.50" />
        <input name="calendar" type="hidden" data-kind="currency" value="1.234,50" />
        <input name="text" data-kind="currency" value="1.234,5" />
      `,
      'de',
    )
    const read = valuesIn(fields)
    expect(Object.keys(read).slice(0, 5)).to.deep.equal(['number', 'range', 'radio', 'box', 'select'])
    expect(Object.keys(read).slice(5)).to.deep.equal(['script', 'calendar', 'text'])
    expect(new Set(Object.values(read))).to.deep.equal(new Set([1234.5]))
    fields.write(read)
    const values = controlsIn(form).map(({ value }) => value)
    expect(values.slice(0, 5)).to.deep.equal(['1234.5', '1234.5', '1234.5', '1234.5', '1234.5'])
    expect(values.slice(5)).to.deep.equal(['1234.5', '1234.5', '1.234,50'])
    expect(form.querySelectorAll('option')).to.have.length(1)
  })

  it('chooses exactly what an entry contains, not what begins or ends in the same way', async () => {
    const { fields, form } = await show(html`
      ${['Mon', 'Monday', 'day', ''].map(
        (value) => html`<input name="days" type="checkbox" .value=${value} />`,
      )}
      <select name="many" multiple>
        <option>Mon</option>
        <option>Monday</option>
        <option>day</option>
        <option value=""></option>
      </select>
      <input name="alone" type="checkbox" value="A, B" />
      ${['a', 'a, b'].map((value) => html`<input name="radio" type="radio" value=${value} />`)}
    `)
    const chosen = () => [...form.querySelectorAll<HTMLInputElement>(':checked')].map(({ value }) => value)
    fields.write({ days: 'day, Mon', many: 'Monday, day', alone: 'A, B', radio: 'a, b' })
    expect(chosen()).to.deep.equal(['Mon', 'day', 'Monday', 'day', 'A, B', 'a, b'])
    const entry = { many: 'Monday, day', alone: 'A, B', radio: 'a, b' }
    expect(valuesIn(fields), 'in the order of the page').to.deep.equal({ ...entry, days: 'Mon, day' })
    form.querySelectorAll<HTMLInputElement>('[name=days]')[1]!.checked = true
    expect(valuesIn(fields)).to.deep.equal({ ...entry, days: 'Mon, Monday, day' })
    fields.write({ days: '', many: null, alone: 'A', radio: 'b' })
    expect(chosen()).to.deep.equal([])
    expect(form.querySelectorAll('option'), 'no option for nothing').to.have.length(4)
  })

  it('adds an option for each of several values that a select lacks', async () => {
    const { fields, form } = await show(
      html`<select name="many" multiple>
        <option>A</option>
        <option>Rome, Italy</option>
      </select>`,
    )
    fields.write({ many: 'B, Rome, Italy, C' })
    const options = [...form.querySelectorAll('option')].map(({ value }) => value)
    expect(options).to.deep.equal(['A', 'Rome, Italy', 'B', 'C'])
    expect(valuesIn(fields)).to.deep.equal({ many: 'Rome, Italy, B, C' })
    fields.write({ many: 'A' })
    expect(form.querySelectorAll('option')).to.have.length(4)
    expect(valuesIn(fields)).to.deep.equal({ many: 'A' })
  })

  it('reads several values of a custom element as one text, without empty ones', async () => {
    const { fields, form } = await show(html`<x-own></x-own>`)
    const own = form.querySelector<XOwn>('x-own')!
    for (const [value, expected] of [
      [['a', '', 'b'], 'a, b'],
      ['a', 'a'],
      [[], null],
      [undefined, null],
    ] as const) {
      own.value = value
      expect(valuesIn(fields)).to.deep.equal({ own: expected })
    }
  })

  it('reports the message of a control before what it can know itself @engines', async () => {
    const { fields, form } = await show(html`
      <input name="custom" required /><input name="mail" type="email" required value="ana" pattern="x" />
      <input name="missing" required data-kind="number" /><input
        name="kind"
        data-kind="number"
        value="x"
        pattern="y"
      />
      <input name="days" type="checkbox" value="a" disabled required />
      <input name="days" type="checkbox" value="b" required /><x-own data-kind="number"></x-own>
    `)
    const own = form.querySelector<XOwn>('x-own')!
    form.querySelector('input')!.setCustomValidity('Ask Ana first.')
    own.internals.setValidity({ customError: true }, 'Not for the page')
    const expected = {
      custom: ['Ask Ana first.'],
      mail: ['validation.badAnswerType'],
      missing: ['validation.required'],
      kind: ['validation.badAnswerType'],
      days: ['validation.required'],
    }
    expect(fields.problems()).to.deep.equal({ ...expected, own: [''] })
    own.internals.setValidity({ tooLong: true }, 'Too long')
    expect(fields.problems()).to.deep.equal({ ...expected, own: [''] })
    own.internals.setValidity({})
    expect(fields.problems()).to.deep.equal(expected)
    own.value = 'x'
    expect(fields.problems()).to.deep.equal({ ...expected, own: ['validation.badAnswerType'] })
  })

  it('returns the control that takes the focus: the chosen one, or else the first @engines', async () => {
    const { fields, form } = await show(html`
      <input name="a" type="radio" value="1" /><input name="a" type="radio" value="2" />
      <input name="b" value="x" /><input name="b" value="y" />
    `)
    const [first, second, third] = form.querySelectorAll('input')
    expect(fields.controlOf('a') === first).to.equal(true)
    second!.checked = true
    expect(fields.controlOf('a') === second).to.equal(true)
    expect(fields.controlOf('b') === third).to.equal(true)
    expect(fields.controlsOf('a')).to.deep.equal([first, second])
    expect(fields.controlsOf('other')).to.deep.equal([])
  })
})
