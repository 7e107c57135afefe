import { expect, fixture, html } from '@open-wc/testing'
import type { TemplateResult } from 'lit'
import { answersOf } from '../../../src/elements/wf-form/fields/answers.ts'
import { FormFields } from '../../../src/elements/wf-form/fields/form-fields.ts'

/** Returns the answers of a form with these controls, as `name label: text`. */
async function answers(content: TemplateResult, language?: string): Promise<string[]> {
  const form = await fixture<HTMLFormElement>(html`<form>${content}</form>`)
  const options = {
    labelOf: (name: string) => `Label of ${name}`,
    textOf: ({ labels }: HTMLInputElement) => labels?.[0]?.textContent.trim() ?? '',
    language,
    join: (texts: readonly string[]) => texts.join(' + '),
  }
  const found = answersOf(new FormFields(form), options as never, { yes: 'Yes', no: 'No' })
  return found.map(({ name, label, text }) => `${name} | ${label} | ${text}`)
}

describe('answersOf()', () => {
  it('returns texts without the space around them, and dates as people write them', async () => {
    const content = html`
      <input name="text" value="  Field work " /><textarea name="lines">
one
two</textarea>
      <input name="empty" />
      <input name="date" type="date" value="2027-03-01" /><input name="none" type="date" />
      <input name="number" type="number" value="3" />
    `
    expect(await answers(content, 'en')).to.deep.equal([
      'text | Label of text | Field work',
      'lines | Label of lines | one\ntwo',
      'empty | Label of empty | ',
      'date | Label of date | Mar 1, 2027',
      'none | Label of none | ',
      'number | Label of number | 3',
    ])
    expect(await answers(html`<input name="a" data-kind="date" value="2027-03-01" />`, 'de')).to.deep.equal([
      'a | Label of a | 01.03.2027',
    ])
  })

  it('returns yes or no for a checkbox that is alone', async () => {
    const content = html`
      <input name="on" type="checkbox" value="x" checked /><input name="off" type="checkbox" value="x" />
    `
    expect(await answers(content)).to.deep.equal(['on | Label of on | Yes', 'off | Label of off | No'])
  })

  it('returns the labels of what is chosen, or else its value @engines', async () => {
    const content = html`
      <label><input name="days" type="checkbox" value="Mon" checked /> Monday</label>
      <label><input name="days" type="checkbox" value="Tue" /> Tuesday</label>
      <input name="days" type="checkbox" value="Wed" checked />
      <label><input name="by" type="radio" value="car" checked /> By car</label>
      <select name="one">
        <option value="">Choose</option>
      </select>
      <select name="many" multiple>
        <option value="" selected>None</option>
        <option value="a" selected>First</option>
        <option value="b">Second</option>
        <option value="c" selected>Third</option>
      </select>
    `
    expect(await answers(content)).to.deep.equal([
      'days | Label of days | Monday + Wed',
      'by | Label of by | By car',
      'one | Label of one | ',
      'many | Label of many | First + Third',
    ])
  })

  it('leaves out what nobody can enter, and passwords', async () => {
    const content = html`
      <input name="hidden" type="hidden" data-kind="text" value="x" />
      <input name="secret" type="password" value="x" />
      <output name="total" data-kind="text">x</output>
      <input name="off" value="x" disabled />
      <input name="seen" value="x" />
    `
    expect(await answers(content)).to.deep.equal(['seen | Label of seen | x'])
  })

  it('returns what is chosen of a group, also if all others are disabled @engines', async () => {
    const content = html`
      <label><input name="days" type="checkbox" value="Mon" checked disabled /> Monday</label>
      <label><input name="days" type="checkbox" value="Tue" checked /> Tuesday</label>
    `
    expect(await answers(content)).to.deep.equal(['days | Label of days | Tuesday'])
  })

  it('returns the name of an office, the names of files, and all values of other elements', async () => {
    const content = html`
      <x-answer name="known" .value=${'11-0420'} .office=${{ name: 'Biology' }}></x-answer>
      <x-answer name="unknown" .value=${'11-0421'} .office=${{ name: null }}></x-answer>
      <x-answer name="files" .value=${['u1', 'u2']} .assets=${[{ filename: 'a.pdf' }, { filename: 'b.pdf' }]}>
      </x-answer>
      <x-answer name="no-files" .value=${[]} .assets=${[]}></x-answer>
      <x-answer name="several" .value=${[' a ', 'b']}></x-answer>
      <x-answer name="nothing"></x-answer><x-answer name="empty" .value=${[]}></x-answer>
    `
    expect(await answers(content)).to.deep.equal([
      'known | Label of known | 11-0420 Biology',
      'unknown | Label of unknown | 11-0421',
      'files | Label of files | a.pdf + b.pdf',
      'no-files | Label of no-files | ',
      'several | Label of several | a + b',
      'nothing | Label of nothing | ',
      'empty | Label of empty | ',
    ])
  })
})

customElements.define(
  'x-answer',
  class extends HTMLElement {
    static readonly formAssociated = true
    readonly internals = this.attachInternals()
  },
)
