import { expect, fixture, html } from '@open-wc/testing'
import type { TemplateResult } from 'lit'
import { purposesOf } from '../../../src/elements/wf-form/form-buttons.ts'
import { submitButtonsOf } from '../../../src/elements/wf-form/form-controls.ts'

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
