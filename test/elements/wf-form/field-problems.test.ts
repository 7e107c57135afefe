import { expect, fixture, html } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import { html as litHtml, type TemplateResult } from 'lit'
import { controlStyles } from '../../../src/elements/element/controls.styles.ts'
import { FieldProblems } from '../../../src/elements/wf-form/fields/field-problems.ts'
import { summaryStyles } from '../../../src/elements/wf-form/fields/field-problems.styles.ts'
import { FormFields } from '../../../src/elements/wf-form/fields/form-fields.ts'
import { RouteslipElement } from '../../../src/elements/element/routeslip-element.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'

/** A host of problems, as `<wf-form>` is. */
class XForm extends RouteslipElement {
  static override styles = [controlStyles, summaryStyles]

  readonly problems: FieldProblems = new FieldProblems(this, () => {
    const form = this.querySelector('form')
    return form ? new FormFields(form) : undefined
  })

  override render() {
    return litHtml`${this.problems.render()}<slot></slot>`
  }
}
customElements.define('x-form', XForm)

const required = ['validation.required']

describe('FieldProblems', () => {
  it('removes messages that a script has put back into the page with its HTML', async () => {
    const { element, form } = await show(html`
      <span class="wf-problem" id="wf-problem-old">Enter cost.</span>
      <small id="fp-note">In dollars</small>
      <input name="cost" aria-invalid="true" aria-describedby="fp-note wf-problem-old" />
      <fieldset aria-describedby="wf-problem-group">
        <legend>Way</legend>
        <span class="wf-problem" id="wf-problem-group">Choose way.</span>
        <input type="radio" name="way" value="a" aria-invalid="true" />
      </fieldset>
      <input name="other" />
    `)
    await problems(element, { other: required })
    const texts = [...form.querySelectorAll('.wf-problem')].map(({ textContent }) => textContent)
    expect(texts, 'only the new one').to.deep.equal(['Enter other.'])
    const marks = [...form.querySelectorAll('input, fieldset')].map((one) => [
      one.getAttribute('aria-invalid'),
      one.getAttribute('aria-describedby')?.replace(/wf-problem-\d+/, 'new') ?? null,
    ])
    expect(marks).to.deep.equal([
      [null, 'fp-note'],
      [null, null],
      [null, null],
      ['true', 'new'],
    ])
  })

  it('names a field without the white space and the marks of its label', async () => {
    const { element, form } = await show(html`
      <label for="fp-mark">${'\n Estimated\n\tcost  in '}<abbr>dollars</abbr>${' : *\n'}</label>
      <input id="fp-mark" name="cost" />
      <label for="fp-time">At 10:30*</label><input id="fp-time" name="time" />
    `)
    await problems(element, { cost: required, time: required })
    const texts = [...form.querySelectorAll('.wf-problem')].map(({ textContent }) => textContent)
    expect(texts).to.deep.equal(['Enter estimated cost in dollars.', 'Enter at 10:30.'])
  })

  it('lists all problems in the order of the page, and takes the focus @engines', async () => {
    const { element } = await show(html`
      <label for="fp-a">First</label><input id="fp-a" name="a" /> <label for="fp-b">Second</label
      ><input id="fp-b" name="b" data-kind="number" />
    `)
    element.problems.show({ not_here: required, b: ['validation.badAnswerType'], a: required }, [
      { text: 'Add the document “Budget”.' },
    ])
    await element.problems.focus()
    const focused = element.shadowRoot!.activeElement!
    expect(focused.getAttribute('part')).to.equal('problems')
    const described = element.shadowRoot!.getElementById(focused.getAttribute('aria-describedby')!)
    expect(described, 'a screen reader speaks the problems').to.contain.text('Enter first.')
    expect(summary(element)).to.deep.equal([
      'Enter first.',
      'Second must be a whole number, such as 30.',
      'Enter not here. This page does not have the field. Contact the owner of the page.',
      'Add the document “Budget”.',
    ])
    expect(links(element).map((link) => link.getAttribute('href'))).to.deep.equal(['#fp-a', '#fp-b'])
    await expect(element).to.be.accessible()
  })

  it('moves the focus to the field by keyboard, shows its label, and opens the details around it @engines', async () => {
    const { element, form } = await show(html`
      <details>
        <summary>More</summary>
        <div style="margin-block: 3000px">
          <label for="fp-deep">Deep</label>
          <p style="block-size: 200px">A long hint</p>
          <input id="fp-deep" name="deep" />
        </div>
      </details>
    `)
    await problems(element, { deep: required })
    await element.problems.focus()
    await sendKeys({ press: 'Tab' })
    await sendKeys({ press: 'Enter' })
    expect(document.activeElement).to.equal(form.querySelector('#fp-deep'))
    const { top } = form.querySelector('label')!.getBoundingClientRect()
    expect(top, 'in the middle, where no header covers it').to.be.within(200, innerHeight - 200)
    expect(location.hash, 'the address of the page stays').to.equal('')
  })

  it('clears the problem of the edited field only @engines', async () => {
    const { element, form } = await show(html`
      <input name="a" aria-label="A" /><input name="b" aria-label="B" />
      <select name="c" aria-label="C">
        <option></option>
        <option>x</option>
      </select>
    `)
    await problems(element, { a: required, b: required, c: required })
    form.querySelector<HTMLInputElement>('[name=a]')!.focus()
    await sendKeys({ type: 'x' })
    await waitUntil(() => links(element).length === 2, 'the entry stays in the summary')
    expect([...form.querySelectorAll('[aria-invalid]')].map((one) => one.getAttribute('name'))).to.deep.equal(
      ['b', 'c'],
    )
    expect(form.querySelectorAll('.wf-problem')).to.have.length(2)

    const select = form.querySelector('select')!
    select.value = 'x'
    select.dispatchEvent(new Event('change', { bubbles: true }))
    await waitUntil(() => links(element).length === 1, 'the change of a select was not noticed')
    form.querySelector<HTMLInputElement>('[name=b]')!.focus()
    await sendKeys({ type: 'x' })
    await waitUntil(() => element.problems.count === 0, 'the last problem stays')
    await settled(element)
    expect(element.shadowRoot!.querySelector('[part=problems]')).to.equal(null)
  })

  it('treats a hidden control as a field that the page does not have', async () => {
    const { element, form } = await show(html`<input type="hidden" name="source" data-kind="text" />`)
    await problems(element, { source: required })
    expect(summary(element)).to.deep.equal([
      'Enter source. This page does not have the field. Contact the owner of the page.',
    ])
    expect(links(element), 'nothing to go to').to.have.length(0)
    expect(form.querySelector('.wf-problem')).to.equal(null)
  })

  it('notices edits of controls outside the form element @engines', async () => {
    const { element, form } = await show(html``)
    form.id = 'fp-form'
    const outside = document.createElement('input')
    outside.setAttribute('form', 'fp-form')
    outside.setAttribute('aria-label', 'Outside')
    outside.name = 'outside'
    element.parentElement!.append(outside)
    await problems(element, { outside: required })
    expect(outside.previousElementSibling!.textContent).to.equal('Enter outside.')
    outside.focus()
    await sendKeys({ type: 'x' })
    await waitUntil(() => element.problems.count === 0, 'the problem stays')
  })

  it('shows the messages at controls that replace others', async () => {
    const { element, form } = await show(html`<div><input name="a" aria-label="A" /></div>`)
    await problems(element, { a: required })
    const next = document.createElement('textarea')
    next.name = 'a'
    next.title = 'A'
    form.querySelector('div')!.replaceChildren(next)
    element.requestUpdate()
    await element.updateComplete
    expect(next.previousElementSibling!.textContent).to.equal('Enter A.')
    expect(next.getAttribute('aria-invalid')).to.equal('true')
  })

  it('appears in the language of the page', async () => {
    const { element, form } = await show(
      html`<label for="fp-es">Coste</label><input id="fp-es" name="cost" data-kind="currency" />`,
    )
    element.lang = 'es'
    await problems(element, { cost: ['validation.badAnswerType'] })
    await waitUntil(() => summary(element)[0]?.includes('debe'), 'the Spanish texts did not load')
    expect(summary(element)).to.deep.equal(['«Coste» debe ser un importe, como 1234,50.'])
    expect(element.shadowRoot!.querySelector('h2')!.textContent).to.equal('Hay un problema')
    await waitUntil(() => form.querySelector('.wf-problem')!.textContent.includes('debe'))
    expect(form.querySelector<HTMLElement>('.wf-problem')!.lang).to.equal('es')
  })

  it('shows its problems again when it is back, but none while it is away', async () => {
    const { element, form } = await show(html`<input name="a" aria-label="A" />`)
    const page = element.parentElement!
    await problems(element, { a: required })
    element.remove()
    element.requestUpdate()
    await element.updateComplete
    expect(form.querySelectorAll('.wf-problem, [aria-invalid]')).to.have.length(0)

    page.append(element)
    await element.updateComplete
    expect(form.querySelector('.wf-problem')?.textContent).to.equal('Enter A.')
    expect(form.querySelector('input')?.getAttribute('aria-invalid')).to.equal('true')
  })
})

async function show(content: TemplateResult): Promise<{ element: XForm; form: HTMLFormElement }> {
  const wrapper = await fixture<HTMLElement>(
    html`<div lang="en">
      <x-form><form>${content}</form></x-form>
    </div>`,
  )
  const element = wrapper.querySelector<XForm>('x-form')!
  await element.updateComplete
  return { element, form: element.querySelector('form')! }
}

async function problems(element: XForm, errors: Record<string, readonly string[]>): Promise<void> {
  element.problems.show(errors)
  await element.updateComplete
}

function links(element: XForm): HTMLAnchorElement[] {
  return [...element.shadowRoot!.querySelectorAll<HTMLAnchorElement>('[part=problems] a')]
}

function summary(element: XForm): string[] {
  return [...element.shadowRoot!.querySelectorAll('[part=problems] li')].map((one) => one.textContent.trim())
}
