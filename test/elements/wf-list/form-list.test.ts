import { expect, fixture, html, oneEvent } from '@open-wc/testing'
import '../../../src/define/wf-list.ts'
import type { WfList } from '../../../src/elements/wf-list/wf-list.ts'
import { type Backend, people } from '../../../stories/backend.ts'
import { createFormBackend } from '../../../stories/listed-requests.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { announcement } from '../notices/announcements.ts'

const ended = { 43: { state: 'COMPLETE', inbox: [] }, 44: { state: 'VOID', inbox: [] } } as const

async function show(backend: Backend, properties: Partial<WfList> = {}): Promise<WfList> {
  const element = await fixture<WfList>(html`<wf-list view="form" forms="6025"></wf-list>`)
  const done = Promise.race([oneEvent(element, 'wf-load'), oneEvent(element, 'wf-error')])
  Object.assign(element, { client: backend.client, ...properties })
  await done
  await settled(element)
  return element
}

const all = <T extends HTMLElement>(element: WfList, selector: string) => [
  ...element.shadowRoot!.querySelectorAll<T>(selector),
]
const textOf = (element: WfList, selector: string) =>
  all(element, selector)
    .map(({ innerText }) => innerText)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
const rows = (element: WfList) =>
  all(element, '[part~=request]').map(({ innerText }) => innerText.replace(/\s+/g, ' ').trim())
const ids = (element: WfList) => rows(element).map((row) => /^Request (\d+)/.exec(row)?.[1])

/** Returns the control with this label. */
function control(element: WfList, label: string): HTMLInputElement | HTMLSelectElement {
  const found = all<HTMLLabelElement>(element, 'label').find(({ innerText }) => innerText.startsWith(label))
  const field = found?.control
  if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement))
    throw new Error(`There is no control ${label}`)
  return field
}

/** Chooses a condition, and waits for the list that meets it. */
async function choose(element: WfList, label: string, value: string): Promise<void> {
  const field = control(element, label)
  // Stops become options after their rows have loaded.
  const isOffered = () =>
    !(field instanceof HTMLSelectElement) || [...field.options].some((option) => option.value === value)
  await waitUntil(isOffered, `${label} does not offer ${value}`)
  const done = Promise.race([oneEvent(element, 'wf-load'), oneEvent(element, 'wf-error')])
  field.focus()
  field.value = value
  field.dispatchEvent(new Event('change', { bubbles: true }))
  await done
  await settled(element)
}

/** Records the queries of the list that are sent from now on. */
function recordQueries(backend: Backend): readonly string[] {
  const queries: string[] = []
  const { send } = backend
  backend.send = (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input, location.href)
    if (pathname.endsWith('/forms/6025/list')) queries.push(search)
    return send(input, init)
  }
  return queries
}

describe('<wf-list view="form">', () => {
  it('shows the requests of a form, with their stop, office and initiator', async () => {
    const element = await show(createFormBackend(ended))
    expect(ids(element)).to.deep.equal(['44', '43', '42'])
    expect(rows(element)[2]).to.match(
      /^Request 42 Stop: Department · Office: .+ \(05-0100\) In routing · Waiting for Daniel Reyes · From Amara Okafor · Since /,
    )
    expect(rows(element)[1]).to.match(/^Request 43 Complete · From Amara Okafor/)
    expect(all(element, '[part=views]')).to.have.length(0)
    await expect(element).shadowDom.to.be.accessible()
  })

  it('has labelled controls, which choose by state, age, stop and office', async () => {
    const backend = createFormBackend(ended)
    const queries = recordQueries(backend)
    const element = await show(backend)
    await choose(element, 'State', 'ROUTING')
    expect(ids(element)).to.deep.equal(['42'])
    await choose(element, 'Stop', '1')
    await choose(element, 'Office', '050100')
    expect(control(element, 'Office').value).to.equal('05-0100')
    await choose(element, 'Days without change', '2.7')
    expect(control(element, 'Days without change').value, 'what counts').to.equal('2')
    expect(queries).to.deep.equal([
      '',
      '?state=ROUTING',
      '?state=ROUTING&stop=1',
      '?office=05-0100&state=ROUTING&stop=1',
      '?days=2&office=05-0100&state=ROUTING&stop=1',
    ])
    const options = ({ innerText, value }: HTMLOptionElement) => `${value} ${innerText.trim()}`
    expect(all<HTMLOptionElement>(element, 'select')[1]?.querySelectorAll('option')).to.have.length(2)
    expect([...all(element, 'select')[1]!.querySelectorAll('option')].map(options)).to.deep.equal([
      ' All stops',
      '1 1 · Department',
    ])
    expect(all<HTMLOptionElement>(element, 'datalist option').map(({ value }) => value)).to.deep.equal([
      '05-0100',
    ])
    await expect(element).shadowDom.to.be.accessible()
    const button = element.shadowRoot!.querySelector<HTMLElement>('[part=all]')!
    const done = oneEvent(element, 'wf-load')
    button.focus()
    button.click()
    await done
    await settled(element)
    expect(ids(element)).to.deep.equal(['44', '43', '42'])
    expect(element.shadowRoot!.activeElement).to.equal(control(element, 'State'))
    expect([control(element, 'State').value, control(element, 'Office').value]).to.deep.equal(['', ''])
  })

  it('keeps the focus on the control, and announces what is shown', async () => {
    const element = await show(createFormBackend(ended))
    expect(announcement(), 'nothing has been chosen').to.equal('')
    await choose(element, 'State', 'COMPLETE')
    expect(element.shadowRoot!.activeElement).to.equal(control(element, 'State'))
    await waitUntil(() => announcement() === 'Requests shown: 1', 'it is not announced')
    await choose(element, 'State', 'DRAFT')
    await waitUntil(() => /knows of no request that meets/.test(announcement()), 'nothing is announced')
  })

  it('states since when it knows requests if it knows none, and whether conditions are the reason', async () => {
    const element = await show(createFormBackend(ended))
    await choose(element, 'State', 'DRAFT')
    expect(textOf(element, '[part=empty]')).to.equal(
      'This page knows of no request that meets these conditions and that you may view.',
    )
    expect(textOf(element, '[part=known]')).to.match(/^This page knows requests since .* It last looked at/)
    expect(textOf(element, '[part=all]')).to.equal('Show all')
    const other = await show(createFormBackend({}, people.outsider))
    expect(textOf(other, '[part=empty]')).to.equal(
      'This page knows of no request of this form that you may view.',
    )
    expect(textOf(other, '[part=known]')).to.match(/knows requests since .* It last looked at/)
    expect(all(other, '[part=all]')).to.have.length(0)
  })

  it('states that the person may not list the requests of the form', async () => {
    const backend = createFormBackend(ended, people.initiator, {}, () => false)
    const element = await show(backend)
    expect(textOf(element, '[part=forbidden]')).to.match(/^This site does not let you list/)
    expect(all(element, '[part=conditions], [part~=request], [part=failure]')).to.have.length(0)
    expect(element.matches(':state(forbidden)')).to.equal(true)
    await expect(element).shadowDom.to.be.accessible()
  })

  it('asks for nothing while an office is not a number of one', async () => {
    const backend = createFormBackend()
    const queries = recordQueries(backend)
    const element = await show(backend)
    const field = control(element, 'Office')
    field.value = 'Biology'
    field.dispatchEvent(new Event('change', { bubbles: true }))
    await settled(element)
    expect(queries).to.deep.equal([''])
    expect(field.ariaInvalid).to.equal('true')
    expect(textOf(element, '.error')).to.equal('Enter the number of an office, such as 05-0333.')
    expect(field.value).to.equal('Biology')
    await expect(element).shadowDom.to.be.accessible()
    await choose(element, 'Office', '٠٥٠١٠٠')
    expect(field.ariaInvalid).to.equal('false')
    expect(field.value).to.equal('05-0100')
    expect(all(element, '.error')).to.have.length(0)
  })

  it('keeps the conditions if the list cannot be loaded, so that others can be chosen', async () => {
    const backend = createFormBackend(ended)
    const element = await show(backend)
    backend.intercept = () => Promise.resolve(new Response(null, { status: 500 }))
    await choose(element, 'State', 'VOID')
    await waitUntil(() => all(element, '[part=failure]').length === 1, 'no failure is shown')
    expect(rows(element)).to.deep.equal([])
    expect(element.shadowRoot!.activeElement).to.equal(control(element, 'State'))
    backend.intercept = () => undefined
    await choose(element, 'State', 'COMPLETE')
    expect(ids(element)).to.deep.equal(['43'])
  })

  it('follows what changes with each poll, and keeps a request that no longer meets the conditions', async () => {
    const backend = createFormBackend(ended, undefined, { interval: 60 })
    const element = await show(backend)
    await choose(element, 'State', 'ROUTING')
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'VOID', inbox: [] })
    await waitUntil(() => textOf(element, '[part~=left]') !== '', 'it has not left')
    expect(textOf(element, '[part~=left]')).to.match(/^Request 42 .*No longer in this list/)
  })

  it('returns to the same conditions', async function () {
    if (!('navigation' in window)) return this.skip()
    sessionStorage.clear()
    history.pushState(null, '')
    const backend = createFormBackend(ended)
    const first = await show(backend)
    await choose(first, 'State', 'COMPLETE')
    history.pushState(null, '')
    first.remove()
    const back = oneEvent(window, 'popstate')
    history.back()
    await back
    const element = await show(backend)
    await waitUntil(() => ids(element).join() === '43', 'other requests are shown')
    expect(control(element, 'State').value).to.equal('COMPLETE')
    sessionStorage.clear()
    const again = await show(backend)
    expect(control(again, 'State').value, 'control').to.equal('')
  })

  it('has conditions only as long as it is the list of a form', async () => {
    const element = await show(createFormBackend(ended))
    expect(all(element, '[part=conditions]')).to.have.length(1)
    const done = oneEvent(element, 'wf-load')
    element.view = 'mine'
    await done
    await settled(element)
    expect(all(element, '[part=conditions]')).to.have.length(0)
    expect(textOf(element, '[part=empty]')).to.equal('This page knows of no request of yours.')
  })

  it('needs a form', async () => {
    const element = await fixture<WfList>(html`<wf-list view="form" endpoint="/api/wf"></wf-list>`)
    expect(textOf(element, '[part=not-configured]')).to.match(/<wf-list> needs forms/)
    element.forms = 'travel'
    await element.updateComplete
    expect(textOf(element, '[part=not-configured]')).to.match(/<wf-list> needs forms/)
  })
})
