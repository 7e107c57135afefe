import { expect } from '@open-wc/testing'
import { html } from 'lit'
import { createBackend, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import {
  button,
  complete,
  control,
  created,
  part,
  show,
  type Shown,
  textOf,
  travelForm,
  type,
} from './form.ts'

const kinds = () =>
  travelForm(
    html`<label
      >Kind
      <select name="kind">
        <option value="">None</option>
        <option>DOMESTIC</option>
        <option>FOREIGN</option>
      </select></label
    >`,
  )

/** Puts package 42 back before its first routing. */
function asDraft() {
  const backend = createBackend()
  const pkg = backend.emulator.packages.test.get(42)!
  Object.assign(pkg, { state: 'PRE_ROUTING', inbox: [] })
  return { backend, pkg }
}

/** Saves a new request, and leaves the page. */
async function saved(options: Parameters<typeof show>[0] = {}): Promise<Shown> {
  const shown = await show(options)
  type(shown.element, complete)
  await shown.element.save()
  shown.element.remove()
  return shown
}

describe('<wf-form> and what it shows', () => {
  it('shows the sub-type of a package in its control', async () => {
    const { backend, pkg } = asDraft()
    Object.assign(pkg, { subType: 'FOREIGN' })
    const attributes = { 'sub-type-name': 'kind' }
    const { element } = await show({ backend, packageId: 42, form: kinds(), attributes })
    await waitUntil(() => control(element, 'nights').value === '4')
    expect(control(element, 'kind').value).to.equal('FOREIGN')
    expect(element.isChanged).to.equal(false)
  })

  it('shows no sub-type without one, or without its control', async () => {
    for (const [subType, attributes] of [
      [null, { 'sub-type-name': 'kind' }],
      ['FOREIGN', {}],
    ] as const) {
      const { backend, pkg } = asDraft()
      Object.assign(pkg, { subType })
      const { element } = await show({ backend, packageId: 42, form: kinds(), attributes })
      await waitUntil(() => control(element, 'nights').value === '4')
      expect(control(element, 'kind').value).to.equal('')
    }
  })

  it('shows what the service has instead of what was typed earlier, if the person wishes', async () => {
    const { backend } = asDraft()
    const first = await show({ backend, packageId: 42 })
    type(first.element, { nights: '9' })
    first.element.remove()
    const { element } = await show({ backend, packageId: 42 })
    await waitUntil(() => control(element, 'nights').value === '9')
    await settled(element)
    expect(part(element, 'restored')!.innerText).to.match(
      /^Restored: what you typed until \d+:\d\d.[AP]M\. It is not saved yet\.\s+Discard it\s*$/,
    )
    type(element, { nights: '4' })
    await element.updateComplete
    expect(part(element, 'restored') === null, 'the same as saved').to.equal(true)
    type(element, { nights: '9' })
    await element.updateComplete
    button(element, 'Discard it')!.click()
    await element.updateComplete
    expect(control(element, 'nights').value).to.equal('4')
    expect(part(element, 'restored') === null).to.equal(true)
    expect(element.isChanged).to.equal(false)
    expect(localStorage.length).to.equal(0)
    type(element, { nights: '8' })
    await element.updateComplete
    expect(part(element, 'restored') === null, 'it is new').to.equal(true)
  })

  it('shows the values of the page again if what was typed for a new request is discarded', async () => {
    const form = () => travelForm(html`<input name="color" value="Red" data-kind="text" />`)
    const first = await show({ form: form() })
    type(first.element, { color: 'Blue', purpose: 'Mine' })
    first.element.remove()
    const { element } = await show({ backend: first.backend, form: form() })
    expect([control(element, 'color').value, control(element, 'purpose').value]).to.deep.equal([
      'Blue',
      'Mine',
    ])
    button(element, 'Discard it')!.click()
    await element.updateComplete
    expect([control(element, 'color').value, control(element, 'purpose').value]).to.deep.equal(['Red', ''])
  })

  it('begins a new request on the visit after the draft was submitted elsewhere', async () => {
    const { backend } = await saved()
    const { id } = created(backend)[0]!
    await backend.other.routePackage({ params: { formId: 6025, packageId: id }, body: { state: 'ROUTING' } })
    const { element } = await show({ backend })
    await waitUntil(() => textOf(element).includes('Start a new request'))
    expect(textOf(element)).to.equal('You can view this request, but not change it. Start a new request')
    expect(control(element, 'purpose').value).to.equal('Field work')
    expect(control(element, 'purpose').readOnly).to.equal(true)
    element.remove()

    const { element: next } = await show({ backend })
    expect(control(next, 'purpose').value).to.equal('')
    expect(control(next, 'purpose').readOnly).to.equal(false)
    expect(textOf(next)).to.equal('')
    expect(next.packageId).to.equal(0)
  })

  it('keeps a draft that cannot be read now, until the person begins a new request', async () => {
    for (const lose of ['delete', 'give away']) {
      const { backend } = await saved()
      const [pkg] = created(backend)
      const { initiator } = pkg!
      if (lose === 'delete') backend.emulator.packages.test.delete(pkg!.id)
      else Object.assign(pkg!, { initiator: people.outsider })
      const { element } = await show({ backend })
      await waitUntil(() => textOf(element).includes("This request can't be read now."))
      expect(part(element, 'form')!.hidden, 'nothing is known of it').to.equal(true)
      await element.save()
      expect(localStorage.length, lose).to.equal(1)

      expect(
        created(backend).filter(({ id }) => id !== pkg!.id),
        'no second request',
      ).to.deep.equal([])
      backend.emulator.packages.test.set(pkg!.id, Object.assign(pkg!, { initiator }))
      button(element, 'Try again')!.click()
      await waitUntil(() => control(element, 'purpose').value === 'Field work')
      backend.emulator.packages.test.delete(pkg!.id)
      await element.refresh()
      await waitUntil(() => textOf(element).includes("This request can't be read now."))
      expect(control(element, 'purpose').value, 'the screen stays').to.equal('Field work')
      expect(part(element, 'form')!.hidden).to.equal(false)

      button(element, 'Start a new request')!.click()
      await waitUntil(() => element.value && !element.value.found && element.packageId === 0)
      await settled(element)
      expect(control(element, 'purpose').value, lose).to.equal('')
      expect(textOf(element), lose).to.equal('')
      expect(localStorage.length, lose).to.equal(0)
      element.remove()
    }
  })

  it('shows nothing of a draft to another person who has signed in', async () => {
    const { backend } = await saved()
    const { element } = await show({ backend })
    await waitUntil(() => control(element, 'purpose').value === 'Field work')
    backend.person = people.outsider
    await element.refresh()
    await waitUntil(() => element.value && !element.value.found && element.packageId === 0)
    await settled(element)
    expect(control(element, 'purpose').value).to.equal('')
    expect(localStorage.length).to.equal(0)
  })

  describe('on a page to which the person comes back after a submission @engines', () => {
    /** Changes the history as if the page had been opened again since. */
    function leave(): void {
      const entries = Object.entries(history.state as Record<string, object>)
      history.replaceState(
        Object.fromEntries(entries.map(([name, mark]) => [name, { ...mark, page: 0 }])),
        '',
      )
    }
    afterEach(() => history.replaceState(null, ''))

    async function submitted() {
      history.replaceState({ router: { key: 7 } }, '')
      const shown = await saved()
      const { element } = await show({ backend: shown.backend })
      await waitUntil(() => control(element, 'purpose').value === 'Field work')
      await element.submit()
      element.remove()
      const [pkg] = created(shown.backend)
      expect(pkg!.state).to.equal('ROUTING')
      expect(history.state).to.have.deep.property('router', { key: 7 })
      return { backend: shown.backend, pkg: pkg! }
    }

    it('says so with the number of the request, and begins another one if asked', async () => {
      const { backend, pkg } = await submitted()
      leave()
      const attributes = { 'success-url': '/requests/{packageId}' }
      const { element } = await show({ backend, attributes })
      await waitUntil(() => textOf(element).includes('You submitted this at'))
      expect(textOf(element)).to.contain(`as request ${pkg.id}.`)
      const link = part(element, 'restored')!.querySelector('a')!
      expect(new URL(link.href).pathname).to.equal(`/requests/${pkg.id}`)
      await element.submit()
      expect(created(backend)).to.have.length(1)

      button(element, 'Start a new request')!.click()
      await waitUntil(() => element.value && !element.value.found && element.packageId === 0)
      await settled(element)
      expect([textOf(element), control(element, 'purpose').value]).to.deep.equal(['', ''])
      element.remove()
      const next = await show({ backend })
      expect(next.element.packageId, 'it is forgotten').to.equal(0)
    })

    it('begins a new request if the page was not left', async () => {
      const { backend } = await submitted()
      const { element } = await show({ backend })
      await settled(element)
      expect([textOf(element), element.packageId]).to.deep.equal(['', 0])
    })

    it('says so if the browser shows the page as it was left', async () => {
      const { backend } = await saved()
      const { element } = await show({ backend })
      await waitUntil(() => control(element, 'purpose').value === 'Field work')
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
      await element.updateComplete
      expect(textOf(element), 'nothing was submitted').not.to.contain('You submitted')
      await element.submit()
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
      await waitUntil(() => textOf(element).includes('You submitted this at'))
    })
  })

  it('unlocks the fields when the person may change the request again @engines', async () => {
    const { element, backend } = await show({ packageId: 42 })
    await waitUntil(() => control(element, 'purpose').readOnly)
    const pkg = backend.emulator.packages.test.get(42)!
    Object.assign(pkg, { state: 'PRE_ROUTING', inbox: [] })
    await element.refresh()
    expect(control(element, 'purpose').readOnly).to.equal(false)
    expect(part(element, 'read-only') === null).to.equal(true)
    expect(element.querySelector('button')!.disabled).to.equal(false)
  })
})
