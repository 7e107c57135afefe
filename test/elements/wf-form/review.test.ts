import { expect } from '@open-wc/testing'
import { html } from 'lit'
import '../../../src/define/fs-uploader.ts'
import '../../../src/define/wf-office.ts'
import '../../../src/define/wf-route.ts'
import { WfChangeEvent } from '../../../src/elements/element/events.ts'
import type { Package } from '../../../src/contract/schemas/workflow.ts'
import type { WfForm } from '../../../src/elements/wf-form/wf-form.ts'
import type { WfRoute } from '../../../src/elements/wf-route/wf-route.ts'
import { createBackend, people } from '../../../stories/backend.ts'
import { receipt, useOddRoute } from '../../../stories/routing.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import {
  button,
  complete,
  control,
  created,
  part,
  press,
  show,
  type Shown,
  textOf,
  type,
  writes,
} from './form.ts'

describe('<wf-form review>', () => {
  it('shows the answers instead of the form, and submits only what was checked', async () => {
    const { element, backend } = await reviewed()
    expect(created(backend).map(({ state }) => state)).to.deep.equal(['PRE_ROUTING'])
    expect(textOf(element)).to.include('Check your answers before you submit')
    expect(textOf(element)).to.match(/Saved at [^.]*\.$/)
    expect(answers(element)).to.deep.equal([
      'Purpose: Field work',
      'Departure: Mar 1, 2027',
      'Cost: 1,250.50',
      'Nights: Not entered',
    ])
    expect(element.querySelector('form')!.checkVisibility()).to.equal(false)
    expect(element.shadowRoot!.activeElement).to.equal(part(element, 'review-title'))

    part(element, 'submit')!.click()
    await settled(element)
    expect(created(backend).map(({ state }) => state)).to.deep.equal(['ROUTING'])
    expect(writes(backend).map((line) => line.split(' ')[0])).to.deep.equal(['POST', 'PUT'])
    expect(part(element, 'review') === null).to.equal(true)
    expect(textOf(element)).to.match(/Submitted at [^.]*\.$/)
  })

  it('states that it saves, not that it submits, until the answers were checked', async () => {
    const { element, backend } = await show({ attributes: { review: '' } })
    const shown: string[] = []
    new MutationObserver(() => shown.push(part(element, 'status')!.innerText)).observe(
      part(element, 'status')!,
      { childList: true, characterData: true, subtree: true },
    )
    type(element, complete)
    press(element, 'ROUTING')
    await settled(element)
    expect(shown).to.include('Saving…')
    expect(shown).not.to.include('Submitting…')
    part(element, 'submit')!.click()
    await settled(element)
    expect(shown).to.include('Submitting…')
    expect(created(backend).map(({ state }) => state)).to.deep.equal(['ROUTING'])
  })

  it('leads to the field to change, and shows its new value', async () => {
    const { element, backend } = await reviewed()
    change(element, 'Cost')
    await element.updateComplete
    expect(document.activeElement).to.equal(control(element, 'cost'))
    expect(part(element, 'review') === null).to.equal(true)
    type(element, { cost: '99' })
    press(element, 'ROUTING')
    await settled(element)
    expect(answers(element).join()).to.include('Cost: 99')
    expect(created(backend)[0]).to.deep.include({ state: 'PRE_ROUTING' })
    expect(created(backend)[0]!.entry).to.deep.include({ cost: 99 })

    button(element, 'Back to the form')!.click()
    await element.updateComplete
    expect(document.activeElement).to.equal(control(element, 'purpose'))
  })

  it('keeps the lines of an answer, shows what is out of sight, and no secrets', async () => {
    const form = html`<form>
      <label>Purpose <textarea name="purpose"></textarea></label>
      <label>Departure <input name="departure" type="date" /></label>
      <label>Cost <input name="cost" data-kind="currency" lang="en" /></label>
      <div hidden>
        <label>Traveler <input name="traveler" value=${people.initiator} /></label>
        <label>Payer <input name="org" /></label>
      </div>
      <label>Code <input type="password" name="secret" value="secret" /></label>
    </form>`
    // A name that is not part of the entry.
    const { element } = await reviewed(
      { form, attributes: { 'summary-name': 'secret' } },
      { purpose: 'Field work\nin two rivers' },
    )
    expect(answers(element).at(-1), 'the last one').to.equal(`Traveler: ${people.initiator}`)
    const purpose = element.shadowRoot!.querySelector('[part=answer] dd')!
    const lines = document.createRange()
    lines.selectNodeContents(purpose)
    const tops = new Set([...lines.getClientRects()].map(({ top }) => Math.round(top)))
    expect(tops.size, 'a line of the answer is a line of the review').to.equal(2)
    expect(element.shadowRoot!.innerHTML).not.to.include('secret')
  })

  it('shows the route that the service calculates from the saved answers', async () => {
    const more = html`<wf-route slot="review"></wf-route>`
    const { element } = await reviewed({ more })
    const route = element.querySelector<WfRoute>('wf-route')!
    expect(route.checkVisibility()).to.equal(true)
    await waitUntil(() => route.shadowRoot!.querySelector('[part=stop]'))
    expect(route.shadowRoot!.querySelector<HTMLElement>('[part=source]')!.innerText).to.match(/saved/)
    change(element, 'Cost')
    await element.updateComplete
    expect(route.checkVisibility(), 'only in this step').to.equal(false)
  })

  it('shows what the request lacks, also after a document was uploaded meanwhile', async () => {
    const backend = createBackend()
    useOddRoute(backend)
    const { element } = await reviewed({ backend })
    const route = [
      'Nobody is named at “Stop 2”. Ask the office before you submit the request.',
      'You approve your own request at “Laboratory”.',
    ]
    expect(checks(element)).to.deep.equal(['Still needed before the last signature: Receipt.', ...route])
    await expect(element).to.be.accessible()

    backend.emulator.packages.test.get(element.packageId)!.attachments.push(receipt)
    backend.client.invalidate()
    element.querySelector('form')!.dispatchEvent(new WfChangeEvent({} as Package))
    await waitUntil(() => checks(element).length === 2)
    expect(checks(element)).to.deep.equal(route)
    part(element, 'submit')!.click()
    await settled(element)
    expect(created(backend).map(({ state }) => state)).to.deep.equal(['ROUTING'])
  })

  it('leaves it to a route in the review to show what is unusual about it', async () => {
    const backend = createBackend()
    useOddRoute(backend)
    const { element } = await reviewed({ backend, more: html`<wf-route slot="review"></wf-route>` })
    const route = element.querySelector('wf-route')!
    await waitUntil(() => route.shadowRoot!.textContent.includes('Nobody is named at “Stop 2”'))
    expect(checks(element)).to.deep.equal(['Still needed before the last signature: Receipt.'])
  })

  it('says what could not be checked, and submits all the same', async () => {
    const backend = createBackend()
    backend.intercept = ({ url }) =>
      /future_history|attachments$/.test(url) ? Promise.reject(new TypeError('down')) : undefined
    const { element } = await reviewed({ backend })
    expect(checks(element)).to.deep.equal([
      'Whether a document is missing could not be checked.',
      'The rest of the route could not be checked.',
    ])
    part(element, 'submit')!.click()
    await settled(element)
    expect(created(backend).map(({ state }) => state)).to.deep.equal(['ROUTING'])
  })

  it('stays if the submission fails, and submits the same answers again', async () => {
    const { element, backend } = await reviewed()
    backend.intercept = (request) =>
      request.method === 'PUT' ? Promise.resolve(new Response('{"title":"No"}', { status: 409 })) : undefined
    part(element, 'submit')!.click()
    await settled(element)
    expect(textOf(element)).to.include('Saved, but not submitted.')
    expect(answers(element)).to.have.length(4)
    expect(element.shadowRoot!.activeElement).to.equal(part(element, 'problem'))
    backend.intercept = () => undefined
    button(element, 'Try again')!.click()
    await settled(element)
    expect(created(backend).map(({ state }) => state)).to.deep.equal(['ROUTING'])
  })

  it('ends when the request was submitted elsewhere', async () => {
    const { element, backend } = await reviewed()
    const params = { formId: 6025, packageId: element.packageId }
    await backend.other.routePackage({ params, body: { state: 'ROUTING' } })
    await element.refresh()
    await waitUntil(() => part(element, 'review') === null)
    expect(element.querySelector('form')!.checkVisibility()).to.equal(true)
  })

  it('shows problems at the form', async () => {
    const { element } = await reviewed()
    control(element, 'purpose').value = ''
    part(element, 'submit')!.click()
    await settled(element)
    expect(textOf(element)).to.include('Enter purpose.')
    expect(element.querySelector('form')!.checkVisibility()).to.equal(true)
  })

  it('is accessible, speaks Spanish and fits into 320 pixels', async () => {
    const { element } = await reviewed({ attributes: { lang: 'es', style: 'inline-size: 320px' } })
    await waitUntil(() => textOf(element).includes('Revise sus respuestas'))
    await expect(element).to.be.accessible()
    expect(element.scrollWidth).to.be.at.most(320)
  })
})

/** Shows a form whose answers are ready to be checked. */
async function reviewed(
  { attributes = {}, ...options }: Parameters<typeof show>[0] = {},
  values: Readonly<Record<string, string>> = {},
): Promise<Shown> {
  const shown = await show({
    backend: createBackend(),
    ...options,
    attributes: { review: '', ...attributes },
  })
  type(shown.element, { ...complete, ...values })
  void shown.element.submit()
  await settled(shown.element)
  await waitUntil(() => part(shown.element, 'review'), textOf(shown.element))
  return shown
}

/** What the review says that the request lacks. */
function checks(element: WfForm): string[] {
  return [...element.shadowRoot!.querySelectorAll<HTMLElement>('[part=checks] p')].map(
    ({ innerText }) => innerText,
  )
}

/** The answers, as `label: text`. */
function answers(element: WfForm): string[] {
  return [...element.shadowRoot!.querySelectorAll<HTMLElement>('[part=answer]')].map(
    (one) =>
      `${one.querySelector('dt')!.innerText}: ${one.querySelector('dd')!.innerText.replace(/\s+/g, ' ')}`,
  )
}

function change(element: WfForm, label: string): void {
  element.shadowRoot!.querySelector<HTMLElement>(`[aria-label="Change: ${label}"]`)!.click()
}
