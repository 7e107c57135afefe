import { expect } from '@open-wc/testing'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { refuseFields } from './refuse-fields.ts'
import { complete, control, created, part, press, show, textOf, type, writes } from './form.ts'

const links = (element: HTMLElement) => [
  ...element.shadowRoot!.querySelectorAll<HTMLAnchorElement>('[part=unfinished] a'),
]
const labels = (element: HTMLElement) => links(element).map(({ innerText }) => innerText)

describe('<wf-form> with a draft that the service does not save yet', () => {
  it('names what else has to be entered, without a word of a problem', async () => {
    const { element, backend } = await show()
    type(element, { purpose: 'Field work' })
    press(element, 'PRE_ROUTING')
    await waitUntil(() => part(element, 'unfinished'))
    expect(textOf(element)).to.match(
      /^Kept in this browser\. To save it with the service, also enter: Departure Cost Kept in this browser at .* Not saved yet\.$/,
    )
    expect(part(element, 'problems')).to.equal(null)
    expect(element.querySelector('[aria-invalid], .wf-problem')).to.equal(null)
    expect(element.shadowRoot!.activeElement === part(element, 'unfinished'), 'focus').to.equal(true)
    expect(created(backend)).to.deep.equal([])
    expect(localStorage.getItem(localStorage.key(0)!)).to.include('Field work')
    await expect(element).to.be.accessible()
  })

  it('leads to each field, and no longer names those that are filled in @engines', async () => {
    const { element, backend } = await show()
    type(element, { purpose: 'Field work' })
    press(element, 'PRE_ROUTING')
    await waitUntil(() => part(element, 'unfinished'))
    links(element)[1]!.click()
    expect(document.activeElement === control(element, 'cost')).to.equal(true)
    type(element, { cost: '10' })
    await element.updateComplete
    expect(labels(element)).to.deep.equal(['Departure'])
    type(element, { departure: complete.departure })
    await element.updateComplete
    expect(part(element, 'unfinished')).to.equal(null)
    press(element, 'PRE_ROUTING')
    await waitUntil(() => created(backend).length === 1)
    await settled(element)
    expect(textOf(element)).to.match(/^Saved at /)
  })

  it('does not claim to keep what it does not keep', async () => {
    const { element } = await show()
    press(element, 'PRE_ROUTING')
    await waitUntil(() => part(element, 'unfinished'))
    expect(part(element, 'unfinished')!.innerText).to.match(/^To save it with the service, also enter:/)
    expect(localStorage).to.have.length(0)
  })

  it('shows as problems what is wrong, and what nobody can enter here', async () => {
    const { element, backend } = await show({})
    refuseFields(backend, {
      nights: ['validation.invalidValue'],
      cost: ['validation.required'],
      position: ['validation.required'],
      budget: ['validation.required'],
    })
    type(element, { purpose: 'Field work', departure: complete.departure, nights: '4' })
    press(element, 'PRE_ROUTING')
    await waitUntil(() => part(element, 'problems'))
    expect(labels(element)).to.deep.equal(['Cost'])
    expect(part(element, 'problems')!.innerText.replace(/\s+/g, ' ')).to.match(
      /^There is a problem The service did not accept this\. Check nights\. Enter position\. .*Enter budget\. This page does not have the field\./,
    )
    expect(element.shadowRoot!.activeElement === part(element, 'problems'), 'focus').to.equal(true)
  })

  it('shows as a problem that the service wants a field which is filled in', async () => {
    const { element, backend } = await show()
    refuseFields(backend, { purpose: ['validation.required'] })
    type(element, complete)
    press(element, 'PRE_ROUTING')
    await waitUntil(() => part(element, 'problems'))
    expect(part(element, 'unfinished')).to.equal(null)
  })

  it('shows problems if the person wants to submit', async () => {
    const { element, backend } = await show()
    control(element, 'cost').required = false
    type(element, { ...complete, cost: '' })
    press(element, 'ROUTING')
    await waitUntil(() => part(element, 'problems'))
    expect(textOf(element)).to.match(/^There is a problem Enter cost\./)
    expect(part(element, 'unfinished')).to.equal(null)
    expect(writes(backend)).to.have.length(1)
  })
})
