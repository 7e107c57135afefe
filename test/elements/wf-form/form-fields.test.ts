import { expect, fixture, html } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import type { TemplateResult } from 'lit'
import { captionOf, labelOf } from '../../../src/elements/wf-form/fields/field-captions.ts'
import { setNoValidate } from '../../../src/elements/element/form-element.ts'
import { FormFields } from '../../../src/elements/wf-form/fields/form-fields.ts'
import { waitUntil } from '../../wait-until.ts'
import { valuesIn } from './values-in.ts'

/** A field of a form with one text as its value, as `<wf-office>` is. */
class XField extends HTMLElement {
  static readonly formAssociated = true
  readonly internals = this.attachInternals()
  value = ''
}
customElements.define('x-field', XField)

/** A field of a form with several values, as `<fs-uploader>` is. */
class XList extends HTMLElement {
  static readonly formAssociated = true
  readonly internals = this.attachInternals()
  #value: readonly string[] = []
  get value(): readonly string[] {
    return this.#value
  }
  set value(value: readonly string[] | string) {
    this.#value = [value].flat().join(', ').split(', ').filter(Boolean)
  }
}
customElements.define('x-list', XList)

describe('FormFields @engines', () => {
  it('reads each kind, from data-kind or the type of the input', async () => {
    const { fields } = await show(html`
      <input name="title" value="007" />
      <input name="start" type="date" value="2027-03-14" />
      <input name="site" type="url" value="https://example.edu/" />
      <input name="mail" type="email" value="ana@example.edu" />
      <input name="days" type="number" value="12" />
      <input name="cost" data-kind="currency" value="1,234.56" />
      <input name="fee" type="number" step="0.01" data-kind="currency" value="0.30" />
      <output name="intro" data-kind="no_answer">Read this first</output>
      <input name="person" data-kind="university_id" value="00100001" />
      <input name="org" data-kind="org" value="07" />
      <input name="dept" data-kind="department" value="11 0420" />
      <input name="unit" data-kind="sub_department" value="1104200010" />
      <input name="post" data-kind="position" value="00012345" />
      <textarea name="why">
Two
lines</textarea>
    `)
    expect(valuesIn(fields)).to.deep.equal({
      title: '007',
      start: '2027-03-14',
      site: 'https://example.edu/',
      mail: 'ana@example.edu',
      days: 12,
      cost: 1234.56,
      fee: 0.3,
      intro: null,
      person: '00100001',
      org: '07',
      dept: '11-0420',
      unit: '11-0420-0010',
      post: '00012345',
      why: 'Two\nlines',
    })
  })

  it('reads amounts in the language of the page', async () => {
    const { fields, form } = await show(html`<input name="cost" data-kind="currency" value="1.234,56" />`)
    expect(valuesIn(fields)).to.deep.equal({ cost: '1.234,56' })
    expect(fields.problems()).to.deep.equal({ cost: ['validation.badAnswerType'] })
    form.lang = 'de'
    expect(valuesIn(fields)).to.deep.equal({ cost: 1234.56 })
    expect(fields.problems()).to.deep.equal({})
    fields.write({ cost: 9876.5 })
    expect(control(form, 'cost').value).to.equal('9.876,50')
  })

  it('reads every field, also those that are empty or not chosen', async () => {
    const { fields } = await show(html`
      <input name="text" /><textarea name="area"></textarea>
      <input type="checkbox" name="box" value="yes" />
      <input type="radio" name="radio" value="a" /><input type="radio" name="radio" value="b" />
      <select name="one">
        <option value="">Choose</option>
        <option>A</option>
      </select>
      <select name="many" multiple>
        <option>A</option>
      </select>
    `)
    const expected = { text: null, area: null, box: null, radio: null, one: null, many: null }
    expect(valuesIn(fields)).to.deep.equal(expected)
    expect(fields.names).to.deep.equal(Object.keys(expected))
  })

  it('ignores buttons, files, tokens of the site and controls that the page excludes', async () => {
    const { fields } = await show(html`
      <input name="real" value="1" />
      <input type="hidden" name="csrf_token" value="x" />
      <input type="file" name="scan" />
      <input name="search" data-kind="none" value="x" />
      <input value="without a name" />
      <fieldset name="group"></fieldset>
      <output name="total">12</output>
      <button name="state" value="ROUTING">Submit</button>
      <input type="hidden" name="source" data-kind="text" value="web" />
    `)
    expect(fields.names).to.deep.equal(['real', 'source'])
    expect(valuesIn(fields)).to.deep.equal({ real: '1', source: 'web' })
  })

  it('finds controls outside the form, and those that replace others', async () => {
    const { fields, form } = await show(html`<div><input name="a" value="1" /></div>`)
    form.id = 'outer'
    const outside = document.createElement('input')
    outside.setAttribute('form', 'outer')
    outside.name = 'b'
    form.parentElement!.append(outside)
    fields.write({ a: 'old', b: 'outside' })
    expect(valuesIn(fields)).to.deep.equal({ a: 'old', b: 'outside' })

    const next = document.createElement('textarea')
    next.name = 'a'
    form.querySelector('div')!.replaceChildren(next)
    fields.write({ a: 'new' })
    expect(next.value).to.equal('new')
    expect(valuesIn(fields)).to.deep.equal({ a: 'new', b: 'outside' })
  })

  it('leaves out disabled fields, so that nothing stored is erased', async () => {
    const { fields, form } = await show(html`
      <input name="a" value="1" />
      <fieldset disabled><input name="b" value="2" /></fieldset>
      <input name="c" value="3" disabled />
    `)
    expect(fields.names).to.deep.equal(['a', 'b', 'c'])
    expect(valuesIn(fields)).to.deep.equal({ a: '1' })
    form.querySelector('fieldset')!.disabled = false
    expect(valuesIn(fields)).to.deep.equal({ a: '1', b: '2' })
  })

  it('leaves out text that the browser does not reveal, and reports it', async () => {
    const { fields, form } = await show(html`<input name="days" type="number" aria-label="Days" />`)
    expect(valuesIn(fields)).to.deep.equal({ days: null })
    control(form, 'days').focus()
    await sendKeys({ type: '1e' })
    expect(control(form, 'days').validity.badInput, 'the browser keeps the text for itself').to.equal(true)
    expect(valuesIn(fields)).to.deep.equal({})
    expect(fields.problems()).to.deep.equal({ days: ['validation.badAnswerType'] })
  })

  it('shows the values of an entry, and reads them back', async () => {
    const { fields, form } = await show(html`
      <input name="text" />
      <input name="cost" data-kind="currency" />
      <input name="start" type="date" />
      <input type="checkbox" name="box" value="yes" />
      <input type="checkbox" name="days" value="Mon" /><input type="checkbox" name="days" value="Tue" />
      <input type="checkbox" name="days" value="Wed" />
      <input type="radio" name="radio" value="a" /><input type="radio" name="radio" value="b" />
      <select name="one">
        <option value="">Choose</option>
        <option>A</option>
        <option>B</option>
      </select>
      <select name="many" multiple>
        <option>A</option>
        <option>B</option>
        <option>C</option>
      </select>
      <x-field name="custom"></x-field><x-list name="list"></x-list>
      <input name="not-in-entry" value="stays" />
    `)
    const entry = {
      text: ' spaces ',
      cost: 1234.5,
      start: '2027-03-14',
      box: 'yes',
      days: 'Mon, Wed',
      radio: 'b',
      one: 'B',
      many: 'A, C',
      custom: '11-0420',
      list: 'one, two',
    }
    fields.write({ ...entry, 'not-on-page': 1 })
    expect(valuesIn(fields)).to.deep.equal({ ...entry, 'not-in-entry': 'stays' })
    expect(control(form, 'cost').value).to.equal('1,234.50')
    expect([...form.querySelectorAll<HTMLInputElement>(':checked')].map(({ value }) => value)).to.deep.equal([
      'yes',
      'Mon',
      'Wed',
      'b',
      'B',
      'A',
      'C',
    ])

    fields.write(Object.fromEntries(Object.keys(entry).map((name) => [name, null])))
    expect(form.querySelector(':is(input, option:not([value=""])):checked')).to.equal(null)
    expect(Object.values(valuesIn(fields))).to.deep.equal([...Object.keys(entry).map(() => null), 'stays'])
  })

  it('does not report a value that its control cannot show', async () => {
    const { fields } = await show(html`
      <input name="start" type="date" />
      <input type="radio" name="radio" value="a" />
      <input type="checkbox" name="box" value="yes" />
      <textarea name="area"></textarea>
      <input name="count" data-kind="number" />
    `)
    const entry = { start: 'next week', radio: 'gone', box: true, area: 'one\r\ntwo', count: 1.5 }
    fields.write(entry)
    const shown = { start: null, radio: null, box: null, area: 'one\ntwo', count: '1.5' }
    expect(valuesIn(fields)).to.deep.equal(shown)
    expect(fields.problems(['count'])).to.deep.equal({})
    expect(Object.keys(fields.problems()), 'a control').to.deep.equal(['count'])
  })

  it('adds an option that a select lacks', async () => {
    const { fields, form } = await show(
      html`<select name="one">
        <option value="">Choose</option>
        <option>A</option>
      </select>`,
    )
    fields.write({ one: undefined })
    expect(valuesIn(fields)).to.deep.equal({ one: null })
    fields.write({ one: 'Retired' })
    expect(control(form, 'one').value).to.equal('Retired')
    fields.write({ one: 'A' })
    expect(valuesIn(fields)).to.deep.equal({ one: 'A' })
  })

  it('shows no choice where nothing is stored, although the list has no empty option', async () => {
    const { fields, form } = await show(
      html`<select name="one">
        <option>A</option>
      </select>`,
    )
    expect(valuesIn(fields)).to.deep.equal({ one: 'A' })
    fields.write({ one: null })
    expect([control(form, 'one').value, valuesIn(fields)]).to.deep.equal(['', { one: null }])
  })

  it('divides a value among rows of one name, and leaves rows that show it already', async () => {
    const { fields, form } = await show(html`<input name="item[]" /><input name="item[]" />`)
    const rows = () => [...form.querySelectorAll('input')].map(({ value }) => value)
    const add = () => form.append(form.querySelector('input')!.cloneNode())
    fields.write({ 'item[]': 'Pens, Ink, Caps' })
    expect(rows()).to.deep.equal(['Pens', 'Ink, Caps'])
    add()
    fields.write({ 'item[]': 'Pens, Ink, Caps' })
    expect(rows()).to.deep.equal(['Pens', 'Ink', 'Caps'])
    fields.write({ 'item[]': 'Pens' })
    expect(rows()).to.deep.equal(['Pens', '', ''])
    form.querySelectorAll('input')[1]!.value = 'Ink, blue'
    fields.write({ 'item[]': 'Pens, Ink, blue' })
    expect(rows(), 'a comma of the person').to.deep.equal(['Pens', 'Ink, blue', ''])
  })

  it('fills the controls that the page displays, if it has others of the same name', async () => {
    const { fields, form } = await show(html`
      <p style="display: none"><input name="mail" value="old" /></p>
      <p><input name="mail" /></p>
      <p style="display: none"><input name="mail" /></p>
    `)
    const texts = () => [...form.querySelectorAll('input')].map(({ value }) => value)
    fields.write({ mail: 'ann@example.edu' })
    expect(texts()).to.deep.equal(['', 'ann@example.edu', ''])
    expect(valuesIn(fields)).to.deep.equal({ mail: 'ann@example.edu' })
    form.hidden = true
    fields.write({ mail: 'ben@example.edu' })
    expect(texts(), 'a form that is not shown yet').to.deep.equal(['', 'ben@example.edu', ''])
    for (const one of form.querySelectorAll('p')) one.style.display = 'none'
    fields.write({ mail: 'cem@example.edu' })
    expect(texts(), 'a closed section').to.deep.equal(['cem@example.edu', '', ''])
    form.querySelector('p')!.style.display = ''
    fields.write({ mail: 'a, b, c' })
    expect(texts(), 'rows of a list').to.deep.equal(['a', 'b', 'c'])
  })

  it('shows each choice in one of several lists of a name, and a choice with a comma as a whole', async () => {
    const { fields, form } = await show(html`
      ${[1, 2, 3].map(
        () =>
          html`<p>
            <select name="place">
              <option></option>
              <option>Bath</option>
              <option>Reading, Bath</option>
            </select>
          </p>`,
      )}
    `)
    const rows = [...form.querySelectorAll('p')]
    const texts = () => [...form.querySelectorAll('select')].map(({ value }) => value)
    fields.write({ place: 'Bath, Reading, Bath, Bath' })
    expect(texts(), 'rows of a list').to.deep.equal(['Bath', 'Reading, Bath', 'Bath'])
    expect(valuesIn(fields)).to.deep.equal({ place: 'Bath, Reading, Bath, Bath' })
    fields.write({ place: 'Bath' })
    expect(texts()).to.deep.equal(['Bath', '', ''])
    rows[0]!.style.display = rows[2]!.style.display = 'none'
    fields.write({ place: 'Reading, Bath' })
    expect(texts(), 'copies of one control').to.deep.equal(['', 'Reading, Bath', ''])
    expect(valuesIn(fields)).to.deep.equal({ place: 'Reading, Bath' })
    fields.write({ place: null })
    expect(valuesIn(fields)).to.deep.equal({ place: null })
  })

  it('knows which controls are new, until it has read them or a person has used one of them', async () => {
    const { form, fields } = await show(html`
      <input type="radio" name="one" value="a" /><input type="radio" name="one" value="b" />
    `)
    const [first] = form.querySelectorAll('input')
    const newControls = () => fields.peek().get('one')?.newControls
    expect(fields.entered(first!, false)).to.equal('one')
    expect(newControls(), 'a script').to.equal('all')
    fields.entered(first!, true)
    expect(newControls()).to.equal(undefined)
    first!.replaceWith(first!.cloneNode())
    expect(newControls()).to.equal('some')
    fields.read()
    expect(newControls()).to.equal(undefined)
    fields.forget()
    expect(newControls()).to.equal('all')
    const stranger = Object.assign(document.createElement('input'), { name: 'one' })
    expect(fields.entered(stranger, true), 'of another form').to.equal(undefined)
  })

  it('finds what the page refuses in controls that are not fields, if the browser would check them', async () => {
    for (const isOff of [false, true]) {
      const form = await fixture<HTMLFormElement>(html`
        <form ?novalidate=${isOff}>
          <input id="ff-again" required /><input id="ff-none" name="n" data-kind="none" required />
          <input id="ff-field" name="field" required /><input id="ff-valid" />
          <input id="ff-unseen" required hidden /><input id="ff-file" type="file" required />
        </form>
      `)
      const fields = new FormFields(form)
      setNoValidate(form, true)
      expect(fields.refused.map(({ id }) => id)).to.deep.equal(isOff ? [] : ['ff-again', 'ff-none'])
    }
  })

  it('shows the value of a custom element that loads later', async () => {
    const { fields, form } = await show(html`<x-later name="office" data-kind="department"></x-later>`)
    fields.write({ office: '11-0400' })
    fields.write({ office: '11-0420' })
    expect(fields.names).to.deep.equal(['office'])
    expect(valuesIn(fields), 'unknown until it loads').to.deep.equal({})
    customElements.define('x-later', class extends XField {})
    await waitUntil(() => valuesIn(fields)['office'] === '11-0420')
    expect(form.querySelector<XField>('x-later')!.value).to.equal('11-0420')
  })

  it('reports what it can know: required fields, kinds, and the rules of the page', async () => {
    const { fields } = await show(html`
      <input name="empty" required />
      <input type="radio" name="radio" required value="a" />
      <input name="mail" type="email" value="ana" />
      <input name="dept" data-kind="department" value="Biology" />
      <input name="zip" pattern="[0-9]{5}" value="12" />
      <input name="fine" required value="x" />
      <fieldset disabled><input name="off" required /></fieldset>
    `)
    const { zip, ...codes } = fields.problems()
    expect(codes).to.deep.equal({
      empty: ['validation.required'],
      radio: ['validation.required'],
      mail: ['validation.badAnswerType'],
      dept: ['validation.badAnswerType'],
    })
    expect(zip, 'the message of the browser').to.have.length(1)
    expect(zip![0]).to.match(/format/)
  })

  it('names a field by its label, or the legend of its group', async () => {
    const { fields, form } = await show(html`
      <label for="ff-cost">Cost of <em>travel</em>: <span aria-hidden="true">(*)</span> *</label>
      <input id="ff-cost" name="cost" />
      <label>Reason <textarea name="reason">typed</textarea></label>
      <fieldset>
        <legend>Transport</legend>
        <label><input type="radio" name="by" value="train" /> Train</label>
        <label><input type="radio" name="by" value="car" checked /> Car</label>
      </fieldset>
      <label>
        Kind of travel
        <select name="kind">
          <option>Short</option>
        </select></label
      >
      <label
        >Total <x-field name="total">inside</x-field> <output>5</output>
        <button type="button">Help</button></label
      >
      <x-field name="place" label="Destination"></x-field>
      <input name="titled" title="Return" />
      <label for="ff-office">Office</label><x-field id="ff-office" name="office"></x-field>
      <input name="short" data-label="the days" aria-label="How many days?" />
      <input name="aria" aria-label="Search" />
      <input name="host_name" />
    `)
    expect(fields.names.map((name) => labelOf(fields, name))).to.deep.equal([
      'Cost of travel',
      'Reason',
      'Transport',
      'Kind of travel',
      'Total',
      'Destination',
      'Return',
      'Office',
      'the days',
      'Search',
      'Host name',
    ])
    expect(labelOf(fields, 'not_on_page')).to.equal('Not on page')
    expect(captionOf(fields, 'by')!.localName).to.equal('legend')
    expect(fields.controlOf('by'), 'the chosen one').to.equal(form.querySelector('[value=car]'))
    expect(fields.controlOf('not_on_page')).to.equal(undefined)
  })

  it('locks the fields, and unlocks only those that it has locked', async () => {
    const { fields, form } = await show(html`
      <input name="a" /><input name="b" readonly /><input name="c" disabled /><textarea name="d"></textarea>
      <select name="e"></select
      ><input type="checkbox" name="f" /> <button name="save">Save</button
      ><button name="help" type="button">Help</button>
      <input type="submit" name="submit" />
    `)
    const locks = () =>
      [...(form.elements as Iterable<Element>)]
        .filter((one) => one.matches('[readonly], [disabled]'))
        .map((one) => one.getAttribute('name'))
    fields.lock('all')
    fields.lock('all')
    expect(locks()).to.deep.equal(['a', 'b', 'c', 'd', 'e', 'f', 'save', 'submit'])
    expect(control(form, 'submit').disabled).to.equal(true)
    expect(control(form, 'a').readOnly, 'its text can still be copied').to.equal(true)
    expect(control(form, 'a').disabled).to.equal(false)
    fields.lock('none')
    expect(locks()).to.deep.equal(['b', 'c'])
    control(form, 'a').readOnly = true
    fields.lock('none')
    expect(locks(), 'the page has locked one itself').to.deep.equal(['a', 'b', 'c'])
  })

  it('locks only the buttons that submit, if others save', async () => {
    for (const [buttons, locked] of [
      [html`<button value="PRE_ROUTING">Save</button><button value="ROUTING">Submit</button>`, ['Submit']],
      [
        html`<button data-wf="save">Save</button><button data-wf="submit">Send</button
          ><button>Other</button>`,
        ['Send'],
      ],
      // The only way to save.
      [html`<button>Send</button>`, []],
      [html`<button data-wf="submit">Send</button><button>Other</button>`, []],
    ] as const) {
      const { fields, form } = await show(html`<input name="a" />${buttons}`)
      const locks = () => [...form.querySelectorAll(':disabled, [readonly]')].map((one) => one.textContent)
      fields.lock('submit')
      fields.lock('submit')
      expect(locks()).to.deep.equal(locked)
      fields.lock('all')
      expect(locks()).to.have.length(form.length)
      fields.lock('submit')
      expect(locks()).to.deep.equal(locked)
      fields.lock('none')
      expect(locks()).to.deep.equal([])
    }
  })

  it('disables controls that browsers let people change although they are read-only', async () => {
    const { fields, form } = await show(html`
      <input type="radio" name="radio" /><input type="range" name="range" /><input
        type="color"
        name="color"
      />
      <input type="checkbox" name="checkbox" />
      <input type="hidden" name="hidden" data-kind="text" />
    `)
    const own = Object.assign(document.createElement('x-field'), { readOnly: false, disabled: false })
    own.setAttribute('name', 'own')
    form.append(own)
    fields.lock('all')
    for (const name of ['checkbox', 'radio', 'range', 'color', 'hidden'])
      expect(control(form, name).disabled, name).to.equal(true)
    expect([own.readOnly, own.disabled], 'an element with its own way').to.deep.equal([true, false])
  })

  it('knows which choices of a list are new', async () => {
    const { form, fields } = await show(
      html`<select name="room" data-kind="number">
          <option></option>
          <option>1</option>
        </select>
        <select name="rooms" multiple>
          <option>1</option>
        </select>`,
    )
    const list = control(form, 'room') as unknown as HTMLSelectElement
    const choices = (name: string) => fields.read().get(name)?.newChoices
    expect([choices('room'), choices('room')]).to.deep.equal([[null, 1], []])
    list.append(new Option('2'))
    expect(choices('room')).to.deep.equal([2])
    list.replaceChildren(new Option('1'))
    expect(choices('room')).to.deep.equal([1])
    fields.forget()
    expect(choices('rooms'), 'nothing takes one of its choices back').to.deep.equal([])
  })

  it('knows whether a person is in an editor', async () => {
    const { form, fields } = await show(
      html`<input name="a" />
        <div contenteditable></div>`,
    )
    control(form, 'a').focus()
    expect(fields.isInEditor).to.equal(false)
    form.querySelector('div')!.focus()
    expect(fields.isInEditor).to.equal(true)
    const outside = Object.assign(document.createElement('div'), { contentEditable: 'true' })
    form.after(outside)
    outside.focus()
    expect(fields.isInEditor).to.equal(false)
  })

  it('reads null for a number that no row has any more', async () => {
    const { form, fields } = await show(
      html`<input name="row[0]" value="a" /><input name="row[1]" value="b" />`,
    )
    fields.read()
    const [first, second] = form.querySelectorAll('input')
    first!.remove()
    expect(valuesIn(fields), 'it may come back').to.deep.equal({ 'row[1]': 'b' })
    second!.name = 'row[0]'
    expect(valuesIn(fields)).to.deep.equal({ 'row[1]': null, 'row[0]': 'b' })
    expect(valuesIn(fields), 'once').to.deep.equal({ 'row[0]': 'b' })
  })
})

async function show(content: TemplateResult): Promise<{ form: HTMLFormElement; fields: FormFields }> {
  const wrapper = await fixture<HTMLElement>(html`<div><form lang="en">${content}</form></div>`)
  const form = wrapper.querySelector('form')!
  return { form, fields: new FormFields(form) }
}

function control(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement
}
