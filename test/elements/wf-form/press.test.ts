import { expect, fixture, html } from '@open-wc/testing'
import { submitButtonsOf } from '../../../src/elements/element/form-element.ts'
import { Press } from '../../../src/elements/wf-form/fields/press.ts'
import { waitUntil } from '../../wait-until.ts'

describe('Press @engines', () => {
  async function press() {
    const form = await fixture<HTMLFormElement>(html`
      <form>
        <fieldset>
          <input name="field" />
          <button><b>Send</b> it</button>
          <input type="submit" value="Save" />
        </fieldset>
        <button disabled>Off</button>
        <button>Other</button>
      </form>
    `)
    const buttons = submitButtonsOf(form)
    const group = form.querySelector('fieldset')!
    const field = form.querySelector('input')!
    const found = new Press(form)
    found.note()
    return { buttons, group, field, found }
  }

  const block = (button: HTMLButtonElement | HTMLInputElement) => {
    button.disabled = true
    button.textContent = 'Sending…'
    button.value = 'Sending…'
  }

  it('gives back the buttons that the page has disabled, as they were, if nothing was sent', async () => {
    for (const isSent of [false, true]) {
      const { buttons, found } = await press()
      found.begin()
      buttons.slice(0, 2).forEach(block)
      buttons[3]!.textContent = 'The page may change it'
      found.end(isSent)
      expect(buttons.map(({ disabled }) => disabled)).to.deep.equal([isSent, isSent, true, false])
      const texts = isSent ? ['Sending…', 'Sending…'] : ['Send it', '']
      expect(buttons.map(({ textContent }) => textContent)).to.deep.equal([
        ...texts,
        'Off',
        'The page may change it',
      ])
      expect(buttons[1]!.value).to.equal(isSent ? 'Sending…' : 'Save')
      expect(buttons[0]!.querySelector('b') === null).to.equal(isSent)
    }
  })

  it('gives back fields while it is carried out, unless the page took them before', async () => {
    const { group, field, buttons, found } = await press()
    field.disabled = true
    found.begin()
    group.disabled = true
    block(buttons[0]!)
    await waitUntil(() => !group.disabled)
    expect([field.disabled, buttons[0]!.disabled]).to.deep.equal([true, true])
    found.end(false)
    expect([field.disabled, buttons[0]!.disabled]).to.deep.equal([false, false])
  })

  it('gives each back once, also later, until the person does something else', async () => {
    const { group, buttons, found } = await press()
    found.begin()
    found.forget()
    found.end(false)
    group.disabled = true
    await waitUntil(() => !group.disabled)
    block(buttons[0]!)
    await waitUntil(() => !buttons[0]!.disabled)
    found.forget()
    for (const one of [group, buttons[0]!, buttons[3]!]) one.disabled = true
    await Promise.resolve()
    expect([group, buttons[0]!, buttons[3]!].map(({ disabled }) => disabled)).to.deep.equal([
      true,
      true,
      true,
    ])
  })
})
