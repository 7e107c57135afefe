import { expect } from '@open-wc/testing'
import { html } from 'lit'
import { settled } from '../../../stories/settled.ts'
import { complete, control, created, press, show, textOf, travelForm, type } from './form.ts'

/** A form with a file input, and a chosen file or none. */
async function withFile(attributes: Readonly<Record<string, string>>, isChosen: boolean) {
  const shown = await show({ form: travelForm(html`<label>Bill <input name="bill" type="file" /></label>`) })
  const input = control(shown.element, 'bill')
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value)
  if (isChosen) {
    const files = new DataTransfer()
    files.items.add(new File(['x'], 'bill.pdf', { type: 'application/pdf' }))
    input.files = files.files
  }
  type(shown.element, complete)
  return { ...shown, input }
}

describe('<wf-form> and a file input of the page', () => {
  for (const [attributes, isChosen] of [
    [{}, true],
    [{ required: '' }, false],
  ] as const)
    it(`is not submitted without the file: ${isChosen ? 'chosen' : 'required'}`, async () => {
      const { element, backend, input } = await withFile(attributes, isChosen)
      press(element, 'ROUTING')
      await settled(element)
      expect(created(backend)).to.deep.equal([])
      expect(textOf(element)).to.include('This page can’t send files from “Bill”.')
      element.shadowRoot!.querySelector<HTMLElement>('[part=problems] a')!.click()
      expect(document.activeElement === input).to.equal(true)
      expect(input.hasAttribute('tabindex')).to.equal(false)
    })

  it('is submitted if no file is chosen or needed, or if it is a matter of the page', async () => {
    for (const [attributes, isChosen] of [
      [{}, false],
      [{ 'data-kind': 'none' }, true],
    ] as const) {
      const { element, backend } = await withFile(attributes, isChosen)
      await element.submit()
      expect(created(backend).map(({ state }) => state)).to.deep.equal(['ROUTING'])
      element.remove()
      localStorage.clear()
    }
  })
})
