import { expect, fixture, html } from '@open-wc/testing'
import type { TemplateResult } from 'lit'
import { setNoValidate, submitButtonsOf } from '../../../src/elements/element/form-element.ts'
import { purposesOf } from '../../../src/elements/wf-form/fields/form-buttons.ts'
import { FormFields } from '../../../src/elements/wf-form/fields/form-fields.ts'

/** What each submit button of a form is for. */
async function purposes(content: TemplateResult): Promise<unknown[]> {
  const form = await fixture<HTMLFormElement>(html`<form>${content}</form>`)
  const buttons = submitButtonsOf(form)
  const found = purposesOf(buttons)
  return buttons.map((button) => found.get(button) ?? 'page')
}

describe('The buttons of a form', () => {
  it('save or submit if they are marked, also with a purpose of their own', async () => {
    expect(
      await purposes(html`
        <button value="PRE_ROUTING">A</button><button value="ROUTING">B</button>
        <button data-wf="save">C</button><button data-wf="submit" formaction="/elsewhere">D</button>
        <input type="submit" value="ROUTING" /><button type="button" value="ROUTING">E</button>
      `),
    ).to.deep.equal(['save', 'submit', 'save', 'submit', 'submit'])
  })

  it('stay the page’s if they have another purpose, or no mark among several', async () => {
    expect(
      await purposes(html`
        <button value="ROUTING">A</button><button formaction="/a" value="ROUTING">B</button>
        <button formmethod="get">C</button><button formnovalidate>D</button><button name="add">E</button>
        <button data-wf="page" value="ROUTING">F</button>
      `),
    ).to.deep.equal(['submit', 'page', 'page', 'page', 'page', 'page'])
  })

  it('need no mark if they are alone', async () => {
    expect(await purposes(html`<button>A</button>`)).to.deep.equal(['submit'])
    expect(await purposes(html`<button formaction="/a">A</button>`)).to.deep.equal(['page'])
    expect(await purposes(html`<button>A</button><button>B</button>`)).to.deep.equal(['page', 'page'])
    expect(await purposes(html`<input type="image" alt="A" />`), 'a picture').to.deep.equal(['submit'])
  })
})

describe('A script that submits a form without naming a button', () => {
  it('saves it if that is possible, and never means a button of the page', async () => {
    const purpose = async (content: TemplateResult) => {
      const form = await fixture<HTMLFormElement>(html`<form>${content}</form>`)
      return new FormFields(form).scriptedPurpose
    }
    const save = html`<button data-wf="save">Save</button>`
    const submit = html`<button data-wf="submit">Submit</button>`
    const own = html`<button name="add">Add</button>`
    expect(await purpose(html`${save}${submit}`)).to.equal('save')
    expect(await purpose(html`${own}${submit}${save}`)).to.equal('save')
    expect(await purpose(html`${submit}`)).to.equal('submit')
    expect(await purpose(html`<button>Send</button>`)).to.equal('submit')
    expect(await purpose(html`Nothing`), 'the Enter key').to.equal('submit')
    expect(await purpose(html`${own}${submit}`)).to.equal(undefined)
    expect(await purpose(html`${own}${own}`)).to.equal(undefined)
    const scripted = html`<button type="button">Send</button>`
    expect(await purpose(scripted)).to.equal('submit')
    expect(await purpose(html`${scripted}${scripted}`), 'nobody knows which one').to.equal('save')
  })
})

describe('The check by the browser', () => {
  it('stays off for the buttons of a page that has turned it off', async () => {
    for (const isOff of [false, true]) {
      const form = await fixture<HTMLFormElement>(html`<form ?novalidate=${isOff}></form>`)
      setNoValidate(form, true)
      expect(form.noValidate).to.equal(true)
      setNoValidate(form, false)
      expect(form.noValidate).to.equal(isOff)
    }
  })
})
