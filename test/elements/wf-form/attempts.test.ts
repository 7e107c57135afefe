import { expect } from '@open-wc/testing'
import { html } from 'lit'
import { RefusedError } from '../../../src/client/index.ts'
import { WfBeforeChangeEvent, WfChangeEvent, WfErrorEvent } from '../../../src/elements/element/events.ts'
import { WfFormSavedEvent, WfFormSubmittedEvent } from '../../../src/elements/wf-form/wf-form.events.ts'
import type { WfForm } from '../../../src/elements/wf-form/wf-form.ts'
import { createBackend } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { button, complete, control, created, part, press, show, travelForm, type, writes } from './form.ts'

/** Notes what the element reports to the page. */
function reportsOf(element: WfForm): unknown[] {
  const reports: unknown[] = []
  element.addEventListener(WfBeforeChangeEvent.type, ({ operation }) => reports.push(`before ${operation}`))
  element.addEventListener(WfChangeEvent.type, ({ value, from, to }) =>
    reports.push(['changed', (value as { state: string }).state, from, to]),
  )
  element.addEventListener(WfFormSavedEvent.type, ({ packageId }) => reports.push(['saved', packageId]))
  element.addEventListener(WfFormSubmittedEvent.type, ({ value, url }) =>
    reports.push(['submitted', value.state, url]),
  )
  element.addEventListener(WfErrorEvent.type, ({ error }) => reports.push(['error', error.name]))
  return reports
}

/** Puts package 42 back before its first routing. */
function asDraft(backend = createBackend()) {
  const pkg = backend.emulator.packages.test.get(42)!
  Object.assign(pkg, { state: 'PRE_ROUTING', inbox: [] })
  return { backend, pkg }
}

const summary = (element: WfForm) =>
  [...element.shadowRoot!.querySelectorAll<HTMLElement>('[part=problem]')].map(({ innerText }) => innerText)

describe('<wf-form> and each attempt', () => {
  it('reports a creation and a submission with the package and its states', async () => {
    const { element } = await show()
    const reports = reportsOf(element)
    type(element, complete)
    await element.submit()
    const { packageId } = element
    expect(reports).to.deep.equal([
      'before createPackage',
      ['changed', 'PRE_ROUTING', undefined, undefined],
      ['saved', packageId],
      'before routePackage',
      ['changed', 'ROUTING', 'PRE_ROUTING', 'ROUTING'],
      ['submitted', 'ROUTING', undefined],
    ])
  })

  it('reports a refused creation, and names what it lacks', async () => {
    const { element } = await show()
    const reports = reportsOf(element)
    type(element, { ...complete, cost: '' })
    await element.save()
    expect(reports).to.deep.equal(['before createPackage', ['error', new RefusedError('a', 400).name]])
    expect(summary(element)).to.deep.equal([])
    expect(part(element, 'unfinished')!.innerText).to.match(/also enter:\s+Cost\s*$/)
    expect(part(element, 'status')!.innerText).to.match(/^Kept in this browser at/)
  })

  it('saves a draft with empty fields, but not with what has another shape', async () => {
    const { element, backend } = await show({
      form: travelForm(html`<label>Guest <input name="guest" data-kind="university_id" required /></label>`),
    })
    control(element, 'guest').name = 'traveler'
    element.querySelector('[type=hidden][name=traveler]')!.remove()
    type(element, { ...complete, departure: '', traveler: 'Ana' })
    await element.save()
    expect(summary(element)).to.deep.equal(['Guest must be a university ID, which has only digits.'])
    await element.submit()
    expect(summary(element)).to.deep.equal([
      'Enter departure.',
      'Guest must be a university ID, which has only digits.',
    ])
    expect(writes(backend)).to.deep.equal([])
    expect(element.shadowRoot!.activeElement === part(element, 'problems')).to.equal(true)
  })

  it('sends nothing if nothing has changed, and says when it was saved', async () => {
    const { backend } = asDraft()
    const { element } = await show({ backend, packageId: 42 })
    const reports = reportsOf(element)
    await element.save()
    expect(writes(backend)).to.deep.equal([])
    expect(reports).to.deep.equal([['saved', 42]])
    expect(part(element, 'status')!.innerText).to.match(/^Saved at/)
  })

  it('leaves the input and the draft alone if the person cancels the choice between two changes', async () => {
    const { backend, pkg } = asDraft()
    const { element } = await show({ backend, packageId: 42 })
    type(element, { purpose: 'Mine' })
    pkg.entry = { ...pkg.entry, purpose: 'Theirs' }
    await element.save()
    expect(part(element, 'conflicts')!.querySelector('legend')!.innerText).to.equal('Purpose')
    button(element, 'Cancel')!.click()
    await element.updateComplete
    expect(part(element, 'conflicts') === null).to.equal(true)
    expect(control(element, 'purpose').value).to.equal('Mine')
    expect(pkg.entry['purpose']).to.equal('Theirs')
    expect(element.isChanged).to.equal(true)
    expect(writes(backend)).to.deep.equal([])
  })

  it('submits after the choice if the person wanted to submit', async () => {
    const { backend, pkg } = asDraft()
    const { element } = await show({ backend, packageId: 42 })
    type(element, { purpose: 'Mine', nights: '6' })
    pkg.entry = { ...pkg.entry, purpose: 'Theirs', cost: 7 }
    await element.submit()
    element.shadowRoot!.querySelector<HTMLElement>('input[value=theirs]')!.click()
    button(element, 'Save these values')!.click()
    await waitUntil(() => pkg.state === 'ROUTING')
    await settled(element)
    expect(pkg.entry).to.deep.include({ purpose: 'Theirs', nights: 6, cost: 7 })
    expect(control(element, 'cost').value).to.equal('7.00')
  })

  it('ends the check of the answers if somebody else has changed the same field', async () => {
    const { backend, pkg } = asDraft()
    const { element } = await show({ backend, packageId: 42, attributes: { review: '' } })
    await element.submit()
    expect(part(element, 'review') === null).to.equal(false)
    type(element, { purpose: 'Mine' })
    pkg.entry = { ...pkg.entry, purpose: 'Theirs' }
    await element.submit()
    expect(part(element, 'review') === null).to.equal(true)
    expect(element.shadowRoot!.activeElement === part(element, 'conflicts')).to.equal(true)
  })

  it('goes to the next page, and asks nobody whether to leave', async () => {
    const { element } = await show({ attributes: { 'success-url': '#submitted-{packageId}-{formId}' } })
    const before = location.href
    type(element, complete)
    let isGuarded: boolean | undefined
    const check = (event: Event) => {
      // The form notes the submission in the present entry of the history, which does not leave the page.
      if ('navigationType' in event && event.navigationType === 'replace') return
      isGuarded ??= !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    }
    // The first event comes when the browser begins to leave the page; not all browsers have it.
    const { navigation } = window as { readonly navigation?: EventTarget }
    navigation?.addEventListener('navigate', check)
    addEventListener('hashchange', check, { once: true })
    await element.submit()
    await waitUntil(() => isGuarded !== undefined)
    navigation?.removeEventListener('navigate', check)
    const { hash } = location
    history.replaceState(null, '', before)
    expect(hash).to.equal(`#submitted-${element.packageId}-6025`)
    expect(isGuarded).to.equal(false)
  })

  it('stays on the page if the page wishes', async () => {
    const { element } = await show({ attributes: { 'success-url': '#next' } })
    element.addEventListener(WfFormSubmittedEvent.type, (event) => event.preventDefault())
    type(element, complete)
    await element.submit()
    expect(part(element, 'status')!.innerText).to.match(/^Submitted at/)
    expect(location.hash).to.equal('')
  })

  it('sends each form only by its own buttons, and only once', async () => {
    const { element, backend } = await show({
      more: html`<form id="other"><button value="PRE_ROUTING">Other</button></form>`,
    })
    type(element, complete)
    const other = element.querySelector<HTMLFormElement>('#other')!
    let isSent = false
    other.addEventListener('submit', (event) => {
      isSent = true
      event.preventDefault()
    })
    other.querySelector('button')!.click()
    expect(isSent).to.equal(true)
    await settled(element)
    expect(writes(backend)).to.deep.equal([])
    // A script that names no button.
    element.querySelector('form')!.requestSubmit()
    await waitUntil(() => created(backend)[0]?.state === 'PRE_ROUTING')
    await settled(element)
    press(element, 'ROUTING')
    await waitUntil(() => created(backend)[0]?.state === 'ROUTING')
    await settled(element)
    expect(created(backend)).to.have.length(1)
  })
})
