import { expect, fixture, html } from '@open-wc/testing'
import type { TemplateResult } from 'lit'
import { submitButtonsOf } from '../../../src/elements/element/form-element.ts'
import { purposesOf, rememberButtons } from '../../../src/elements/wf-form/form-buttons.ts'
import { FormFields } from '../../../src/elements/wf-form/form-fields.ts'

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
  })
})

describe('rememberButtons()', () => {
  it('gives back the buttons that the page has disabled since, as they were', async () => {
    const form = await fixture<HTMLFormElement>(html`
      <form>
        <button><b>Send</b> it</button>
        <input type="submit" value="Save" />
        <button disabled>Off</button>
        <button>Other</button>
      </form>
    `)
    const buttons = submitButtonsOf(form)
    const markup = form.innerHTML
    const giveBack = rememberButtons(buttons)
    for (const button of buttons.slice(0, 2)) {
      button.disabled = true
      button.textContent = 'Sending…'
      button.value = 'Sending…'
    }
    buttons[3]!.textContent = 'The page may change it'
    giveBack()
    expect(buttons.map(({ disabled }) => disabled)).to.deep.equal([false, false, true, false])
    expect(buttons.map(({ textContent }) => textContent)).to.deep.equal([
      'Send it',
      '',
      'Off',
      'The page may change it',
    ])
    expect(buttons[1]!.value).to.equal('Save')
    expect(form.innerHTML).not.to.equal(markup)
    expect(buttons[0]!.querySelector('b')).not.to.equal(null)
  })
})
