import { expect, fixture, html } from '@open-wc/testing'
import { html as litHtml, type TemplateResult } from 'lit'
import { FieldProblems } from '../../../src/elements/wf-form/fields/field-problems.ts'
import { messageStyles } from '../../../src/elements/wf-form/fields/field-problems.styles.ts'
import { FormFields } from '../../../src/elements/wf-form/fields/form-fields.ts'
import { RouteslipElement } from '../../../src/elements/element/routeslip-element.ts'
import { markup } from './markup.ts'

/** A host of problems, as `<wf-form>` is. */
class XProblems extends RouteslipElement {
  readonly problems: FieldProblems = new FieldProblems(this, () => {
    const form = this.querySelector('form')
    return form ? new FormFields(form) : undefined
  })

  override render() {
    return litHtml`<div id="summary">${this.problems.render()}</div><slot></slot>`
  }
}
customElements.define('x-problems', XProblems)

const required = ['validation.required']

async function show(content: TemplateResult) {
  const page = await fixture<HTMLElement>(html`<div lang="en"><x-problems>${content}</x-problems></div>`)
  const element = page.querySelector<XProblems>('x-problems')!
  await element.updateComplete
  return { page, element, form: element.querySelector('form')! }
}

async function shown(element: XProblems, ...problems: Parameters<FieldProblems['show']>): Promise<string> {
  element.problems.show(...problems)
  await element.updateComplete
  return summary(element)
}

const summary = (element: XProblems) => markup(element.shadowRoot!.querySelector('#summary')!)
const links = (element: XProblems) => [...element.shadowRoot!.querySelectorAll('a')]

const group = (...entries: readonly string[]) =>
  '<div part="problems" role="group" aria-labelledby="problems-title" aria-describedby="problems-list" ' +
  'tabindex="-1" lang="en"><h2 part="problems-title" id="problems-title">There is a problem</h2>' +
  `<ul id="problems-list">${entries.map((entry) => `<li>${entry}</li>`).join('')}</ul></div>`

describe('The summary of problems', () => {
  it('links to each field by its id, also if the field has none @engines', async () => {
    const { element, form } = await show(html`
      <form>
        <input id="ps-own" name="a" aria-label="First" /><input name="b" aria-label="Second" type="date" />
        <select name="c" aria-label="Third"></select>
      </form>
    `)
    expect(summary(element)).to.equal('')
    const codes = ['validation.required', 'validation.badAnswerType']
    const text = await shown(element, { c: required, b: codes, a: required })
    const ids = [...form.querySelectorAll('[name]')].map(({ id }) => id)
    expect(ids.map((id) => id.replace(/\d+$/, '1'))).to.deep.equal(['ps-own', 'wf-field-1', 'wf-field-1'])
    expect(new Set(ids).size).to.equal(3)
    const link = (at: number, label: string) => `<a part="problem" href="#${ids[at]}">${label}</a>`
    expect(text).to.equal(
      group(
        link(0, 'Enter first.'),
        link(1, 'Enter second. Second must be a real date.'),
        link(2, 'Select third.'),
      ),
    )
    expect(element.problems.count).to.equal(3)
    element.problems.clear()
    await element.updateComplete
    expect(summary(element)).to.equal('')
    expect(element.problems.count).to.equal(0)
  })

  it('lists problems without a form, and those that no field has', async () => {
    const { element } = await show(html`<p id="ps-place">Documents</p>`)
    const target = element.querySelector('p')!
    const others = [{ text: 'Add a document.', target }, { text: 'Ask the dean.' }]
    expect(await shown(element, { host_name: required }, others)).to.equal(
      group(
        'Enter host_name. This page does not have the field. Contact the owner of the page.',
        '<a part="problem" href="#ps-place">Add a document.</a>',
        'Ask the dean.',
      ).replaceAll(/<li>(?!<a)/g, '<li part="problem">'),
    )
    expect(element.problems.count).to.equal(3)
    links(element)[0]!.click()
    expect(document.activeElement === target, 'a part of the page can take the focus').to.equal(true)
    expect(target.tabIndex).to.equal(-1)
    expect(location.hash).to.equal('')
  })

  it('opens all details around a field, and leaves the field as it is @engines', async () => {
    const { element, form } = await show(html`
      <form>
        <details>
          <details><input name="a" aria-label="A" /></details>
        </details>
        <details></details>
      </form>
    `)
    await shown(element, { a: required })
    links(element)[0]!.click()
    expect([...form.querySelectorAll('details')].map(({ open }) => open)).to.deep.equal([true, true, false])
    const input = form.querySelector('input')!
    expect(document.activeElement === input).to.equal(true)
    expect(input.hasAttribute('tabindex')).to.equal(false)
  })

  it('keeps the problems that no field has while fields are edited', async () => {
    const { element, form } = await show(
      html`<form><input name="a" aria-label="A" /><input name="b" /></form>`,
    )
    await shown(element, { a: required }, [{ text: 'Ask the dean.' }])
    const edit = (name: string) =>
      form.querySelector(`[name=${name}]`)!.dispatchEvent(new Event('fs-change', { bubbles: true }))
    edit('b')
    expect(element.problems.count).to.equal(2)
    edit('a')
    await element.updateComplete
    expect(summary(element)).to.equal(group('Ask the dean.').replace('<li>', '<li part="problem">'))
  })
})

describe('The messages at fields', () => {
  const content = html`
    <form>
      <input name="a" aria-label="A" aria-describedby=" hint-1  hint-2 " />
      <label>B <input name="b" /></label>
      <input name="c[1]" aria-label="C" />
      <p data-problem="c[1]"><b></b></p>
      <fieldset aria-describedby="hint-1">
        <legend>D</legend>
        <label><input name="d" type="radio" /> One</label>
      </fieldset>
    </form>
  `
  const errors = { a: required, b: required, 'c[1]': required, d: required }

  it('stand where people look for them, and describe their fields @engines', async () => {
    const { element, form } = await show(content)
    const before = markup(form)
    await shown(element, errors)
    const ids = [...form.querySelectorAll('.wf-problem')].map(({ id }) => id)
    expect(new Set(ids).size).to.equal(4)
    for (const id of ids) expect(id).to.match(/^wf-problem-[1-9]\d*$/)
    const message = (at: number, text: string) =>
      `<span class="wf-problem" id="${ids[at]}" lang="en">${text}</span>`
    // The ids that the summary links to are tested above.
    expect(markup(form).replace(/ id="wf-field-\d+"/g, '')).to.equal(
      `${message(0, 'Enter A.')}<input name="a" aria-label="A" aria-describedby="hint-1 hint-2 ${ids[0]}" aria-invalid="true">` +
        `<label>B<input name="b" aria-invalid="true" aria-describedby="${ids[1]}"></label>${message(1, 'Enter B.')}` +
        `<input name="c[1]" aria-label="C" aria-invalid="true" aria-describedby="${ids[2]}">` +
        `<p data-problem="c[1]"><b></b>${message(2, 'Enter C.')}</p>` +
        `<fieldset aria-describedby="hint-1 ${ids[3]}"><legend>D</legend>${message(3, 'Select D.')}` +
        '<label><input name="d" type="radio" aria-invalid="true">One</label></fieldset>',
    )
    await shown(element, {})
    expect(markup(form).replace(/ id="wf-field-\d+"/g, '')).to.equal(
      before.replace(' hint-1 hint-2 ', 'hint-1 hint-2'),
    )
  })

  it('do not change the page again if nothing has changed', async () => {
    const { element, form } = await show(content)
    await shown(element, errors)
    const seen: MutationRecord[] = []
    const observer = new MutationObserver((records) => seen.push(...records))
    const changes = () => seen.splice(0).concat(observer.takeRecords())
    observer.observe(form, { subtree: true, childList: true, attributes: true, characterData: true })
    element.requestUpdate()
    await element.updateComplete
    expect(changes()).to.have.length(0)
    await shown(element, { ...errors, a: ['validation.badAnswerType'] })
    expect(changes().length, 'another text').to.be.above(0)
    observer.disconnect()
  })

  it('are styled once in the document, and in the shadow root that contains the form @engines', async () => {
    const { styleSheet } = messageStyles
    const count = (root: DocumentOrShadowRoot) =>
      root.adoptedStyleSheets.filter((one) => one === styleSheet).length
    const { page, element } = await show(html`<form><input name="a" aria-label="A" /></form>`)
    await shown(element, { a: required })
    await shown(element, {})
    await shown(element, { a: required })
    expect(count(document)).to.equal(1)
    const message = element.querySelector('.wf-problem')!
    expect(getComputedStyle(message).display, 'without inline styles').to.equal('block')

    const root = page.attachShadow({ mode: 'open' })
    root.append(element)
    await element.updateComplete
    expect(count(root)).to.equal(1)
    expect(element.querySelector('.wf-problem')?.textContent).to.equal('Enter A.')
    // Edits are noticed in the new place too.
    element.querySelector('input')!.dispatchEvent(new Event('input', { bubbles: true }))
    expect(element.problems.count).to.equal(0)
  })

  it('are no longer kept up to date when the element has left the page', async () => {
    const { page, element, form } = await show(html`<form><input name="a" aria-label="A" /></form>`)
    await shown(element, { a: required })
    element.remove()
    page.append(form)
    form.querySelector('input')!.dispatchEvent(new Event('input', { bubbles: true }))
    expect(element.problems.count).to.equal(1)
    expect(form.querySelector('.wf-problem')).to.equal(null)
  })
})
