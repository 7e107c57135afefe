import { expect, fixture, html } from '@open-wc/testing'
import { LitElement, type TemplateResult } from 'lit'
import { FollowedControls } from '../../../src/elements/wf-route/followed-controls.ts'
import { nextTurn } from '../../next-turn.ts'
import { waitUntil } from '../../wait-until.ts'

class FollowingElement extends LitElement {
  for = this.getAttribute('for') ?? ''
  officeName = this.getAttribute('office-name') ?? ''
  subTypeName = this.getAttribute('sub-type-name') ?? ''
  updates = 0
  readonly controls = new FollowedControls(this)

  override requestUpdate(...args: Parameters<LitElement['requestUpdate']>): void {
    this.updates = (this.updates ?? 0) + 1
    super.requestUpdate(...args)
  }
}
customElements.define('following-element', FollowingElement)

describe('the controls that a route follows', () => {
  it('are read by their names in the form around it, or by an id @engines', async () => {
    const content = html`
      <input name="office" value="1" /><input name="kind" value="A" /><input id="other" value="2" />
      <following-element office-name="office" sub-type-name="kind"></following-element>
      <following-element for="other" office-name="office" sub-type-name="kind"></following-element>
      <following-element for="absent" office-name="office" sub-type-name="absent"></following-element>
      <following-element></following-element>
    `
    const form = await fixture(html`<form>${content}</form>`)
    expect(valuesIn(form)).to.deep.equal([
      ['1', 'A'],
      ['2', 'A'],
      ['', ''],
      ['', ''],
    ])
  })

  it('belong to the form of the control with the id, or to the form in the element around both @engines', async () => {
    const page = await fixture(html`
      <div>
        <form><input id="unit" value="1" /><input name="kind" value="A" /></form>
        <following-element for="unit" sub-type-name="kind"></following-element>
        <wf-form>
          <form><input name="office" value="3" /><input name="kind" value="C" /></form>
          <following-element office-name="office" sub-type-name="kind"></following-element>
        </wf-form>
        <following-element office-name="office" sub-type-name="kind"></following-element>
      </div>
    `)
    expect(valuesIn(page)).to.deep.equal([
      ['1', 'A'],
      ['3', 'C'],
      ['', ''],
    ])
  })

  it('may be elements whose script has not loaded yet @engines', async () => {
    const page = await fixture(html`
      <div>
        <late-office id="office" value="11-0420"></late-office>
        <late-office id="empty"></late-office>
        <following-element for="office"></following-element>
        <following-element for="empty"></following-element>
      </div>
    `)
    expect(valuesIn(page)).to.deep.equal([
      ['11-0420', ''],
      ['', ''],
    ])
  })

  it('have no value while they are not valid, such as the first digits of an office', async () => {
    const { form, element } = await show()
    const input = form.querySelector('input')!
    for (const [text, message, office] of [
      ['11', 'Too short', ''],
      ['11-0420', '', '11-0420'],
    ] as const) {
      input.value = text
      input.setCustomValidity(message)
      input.dispatchEvent(new Event('change', { bubbles: true }))
      await waitUntil(() => element.controls.office === office, text)
    }
  })

  it('are read again after each event with which a page may change them @engines', async () => {
    const { form, element } = await show()
    const input = form.querySelector('input')!
    for (const name of ['change', 'reset', 'wf-load', 'wf-form-saved']) {
      input.value = name
      document.body.dispatchEvent(new Event(name, { bubbles: true }))
      await waitUntil(() => element.controls.office === name, name)
    }
  })

  it('are not followed while the element is elsewhere', async () => {
    const { form, element } = await show()
    element.remove()
    edit(form, 'input')
    await nextTurn()
    expect([element.controls.office, element.controls.isEdited]).to.deep.equal(['1', false])
    const { updates } = element
    for (const name of ['change', 'reset', 'wf-load', 'wf-form-saved'])
      form.dispatchEvent(new Event(name, { bubbles: true }))
    await nextTurn()
    expect([element.updates, element.controls.savedAt]).to.deep.equal([updates, undefined])
    form.querySelector('input')!.value = '5'
    form.append(element)
    expect(element.controls.office).to.equal('5')
  })

  it('know whether the form was edited, until it is saved or reset @engines', async () => {
    const { form, element } = await show()
    const { controls } = element
    const other = await fixture<HTMLFormElement>(html`<form><input /></form>`)
    edit(other, 'input')
    edit(other, 'change')
    expect([controls.isEdited, controls.savedAt]).to.deep.equal([false, undefined])

    for (const [edited, ended, endsBy] of [
      ['input', form, 'reset'],
      ['change', form, 'wf-form-saved'],
    ] as const) {
      const { updates } = element
      edit(form, edited)
      expect([controls.isEdited, element.updates]).to.deep.equal([true, updates + 1])
      edit(form, 'input')
      expect(element.updates, 'once').to.equal(updates + 1)
      other.dispatchEvent(new Event('reset', { bubbles: true }))
      form.dispatchEvent(new Event('wf-load', { bubbles: true }))
      expect(controls.isEdited, 'neither ends it').to.equal(true)
      ended.dispatchEvent(new Event(endsBy, { bubbles: true }))
      expect(controls.isEdited, endsBy).to.equal(false)
      expect(controls.savedAt instanceof Date).to.equal(endsBy === 'wf-form-saved')
    }
    await nextTurn()
  })
})

/** Shows a form with an office, which an element follows. */
async function show() {
  const content: TemplateResult = html`<input name="office" value="1" />
    <following-element office-name="office"></following-element>`
  const form = await fixture<HTMLFormElement>(html`<form>${content}</form>`)
  return { form, element: form.querySelector<FollowingElement>('following-element')! }
}

/** The office and the sub-type that each element has read. */
function valuesIn(page: Element): (readonly [string, string])[] {
  const elements = page.querySelectorAll<FollowingElement>('following-element')
  return [...elements].map(({ controls: { office, subType } }) => [office, subType])
}

function edit(form: HTMLFormElement, event: string): void {
  form.querySelector('input')!.dispatchEvent(new Event(event, { bubbles: true }))
}
