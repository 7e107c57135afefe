import { expect } from '@open-wc/testing'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { button, complete, control, created, part, press, show, textOf, type } from './form.ts'

const before = location.href
const address = location.origin + location.pathname
const attributes = { 'draft-url': '?request={packageId}' }
const request = () => new URLSearchParams(location.search).get('request')
const linkIn = (element: HTMLElement, name: string) =>
  element.shadowRoot!.querySelector<HTMLAnchorElement>(`[part=${name}] a`)

/** Saves a new request. */
async function saved() {
  const shown = await show({ attributes })
  type(shown.element, complete)
  press(shown.element, 'PRE_ROUTING')
  await waitUntil(() => part(shown.element, 'draft'))
  return { ...shown, id: created(shown.backend)[0]!.id }
}

/** The same page as another computer shows it. */
async function elsewhere(backend: Backend) {
  localStorage.clear()
  return await show({ attributes, backend: { ...backend, client: backend.other } })
}

describe('<wf-form> with a draft-url', () => {
  beforeEach(() => history.replaceState({ ofThePage: 1 }, '', address))
  after(() => history.replaceState(null, '', before))

  it('shows the number and the address of a saved draft, also in the address bar @engines', async () => {
    const { element, id } = await saved()
    expect(textOf(element)).to.match(
      new RegExp(
        `^Saved at .* as request ${id}\\. To continue on another computer, open: http\\S*request=${id}$`,
      ),
    )
    expect(linkIn(element, 'draft')!.href).to.equal(location.href)
    expect(request()).to.equal(`${id}`)
    expect(history.state, 'what the page keeps there').to.deep.equal({ ofThePage: 1 })
    await expect(element).to.be.accessible()
  })

  it('continues the draft on another computer, and begins a new request if the person wants that', async () => {
    const { element: first, backend, id } = await saved()
    first.remove()
    const { element } = await elsewhere(backend)
    await waitUntil(() => control(element, 'purpose').value === complete.purpose)
    expect(element.packageId).to.equal(id)
    expect(textOf(element)).to.equal(
      `You are continuing the draft that you saved as request ${id}. Start a new request`,
    )
    expect(linkIn(element, 'restored')!.href, 'the person gets the link first').to.equal(location.href)
    button(element, 'Start a new request')!.click()
    await waitUntil(() => control(element, 'purpose').value === '')
    await settled(element)
    expect(request()).to.equal(null)
    expect(location.href).to.equal(address)
    expect(element.packageId).to.equal(0)
    expect(created(backend).map(({ state }) => state)).to.deep.equal(['PRE_ROUTING'])
  })

  it('says after a reload that the draft was submitted', async () => {
    const { element, backend, id } = await saved()
    press(element, 'ROUTING')
    await waitUntil(() => created(backend)[0]?.state === 'ROUTING')
    await settled(element)
    expect(textOf(element)).to.match(/Submitted at /)
    expect(part(element, 'draft'), 'it is no draft any more').to.equal(null)
    element.remove()
    const { element: again } = await show({ backend, attributes })
    await waitUntil(() => again.packageId === id)
    await settled(again)
    expect(textOf(again)).to.include('You can view this request, but not change it.')
  })

  it('does not show a draft to other people', async () => {
    const { element: first, backend } = await saved()
    first.remove()
    backend.person = people.outsider
    const { element } = await elsewhere(backend)
    await waitUntil(() => textOf(element).startsWith("This request can't be read now."))
    await settled(element)
    expect(control(element, 'purpose').value).to.equal('')
    expect(part(element, 'form')!.hidden).to.equal(true)
  })

  it('shows the package that the page asks for, whatever its address is', async () => {
    history.replaceState(null, '', '?request=7')
    const backend = createBackend(people.firstApprover)
    const { element } = await show({ backend, attributes, packageId: 42 })
    await waitUntil(() => control(element, 'nights').value === '4')
    expect(element.packageId).to.equal(42)
  })

  it('finds the number only where the template has it', async () => {
    for (const [template, page, found] of [
      ['?request={packageId}', '?request=77&lang=es', 77],
      ['?request={packageId}', '?request=077', 0],
      ['?request={packageId}', '?other=77', 0],
      ['?form={formId}&request={packageId}', '?form=6025&request=77', 77],
      ['?form={formId}&request={packageId}', '?form=1&request=77', 0],
      ['#request-{packageId}', '#request-77', 77],
      ['#request-{packageId}', '', 0],
      ['?request=77', '?request=77', 0],
      ['javascript:{packageId}', '?request=77', 0],
    ] as const) {
      history.replaceState(null, '', address + page)
      const { draftInAddress } = await import('../../../src/elements/wf-form/kept/page-history.ts')
      expect(draftInAddress(template.replace(/^(?=[?#])/, address), 6025), `${template} ${page}`).to.equal(
        found,
      )
    }
  })

  it('leaves the address alone if the draft is on another site @engines', async () => {
    const { element } = await show({
      attributes: { 'draft-url': 'https://other.example.edu/{formId}/{packageId}' },
    })
    type(element, complete)
    press(element, 'PRE_ROUTING')
    await waitUntil(() => part(element, 'draft'))
    expect(linkIn(element, 'draft')!.href).to.equal(`https://other.example.edu/6025/${element.packageId}`)
    expect(location.href).to.equal(address)
  })
})
