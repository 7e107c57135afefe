// In all engines: forms.
import { expect } from '@open-wc/testing'
import { html } from 'lit'
import { LocalCopies } from '../../../src/elements/wf-form/local-copy.ts'
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

  it('continues with a draft on each visit until then', async () => {
    const { backend } = await saved()
    for (let visit = 0; visit < 2; visit++) {
      const { element } = await show({ backend })
      await waitUntil(() => control(element, 'purpose').value === 'Field work')
      element.remove()
    }
  })

  it('begins a new request if the draft that it created is gone, or belongs to somebody else by now', async () => {
    for (const lose of ['delete', 'give away']) {
      const { backend } = await saved()
      const [pkg] = created(backend)
      if (lose === 'delete') backend.emulator.packages.test.delete(pkg!.id)
      else Object.assign(pkg!, { initiator: people.outsider })
      const { element } = await show({ backend })
      await waitUntil(() => element.value && !element.value.found && element.packageId === 0)
      await settled(element)
      expect(control(element, 'purpose').value, lose).to.equal('')
      expect(textOf(element), lose).to.equal('')
      expect(localStorage.length, lose).to.equal(0)
      expect(element.matches(':state(loaded)'), lose).to.equal(true)
      element.remove()
    }
  })

  it('unlocks the fields when the person may change the request again', async () => {
    const { element, backend } = await show({ packageId: 42 })
    await waitUntil(() => control(element, 'purpose').readOnly)
    const pkg = backend.emulator.packages.test.get(42)!
    Object.assign(pkg, { state: 'PRE_ROUTING', inbox: [] })
    await element.refresh()
    expect(control(element, 'purpose').readOnly).to.equal(false)
    expect(part(element, 'read-only') === null).to.equal(true)
    expect(element.querySelector('button')!.disabled).to.equal(false)
  })

  it('shows what another tab has typed for the same package, and loads it again when that is saved', async () => {
    const { backend, pkg } = asDraft()
    const { element } = await show({ backend, packageId: 42 })
    await waitUntil(() => control(element, 'nights').value === '4', 'as the service has it')
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const tab = new LocalCopies({ storage: () => frame.contentWindow!.localStorage })
    const scope = { person: backend.person!, endpoint: '', formId: 6025, packageId: 42 }
    const base = { ...pkg.entry, purpose: 'Before' }
    const savedAt = new Date(2027, 0, 1, 15, 4).getTime()
    tab.write(scope, { entry: { nights: 9 }, base, savedAt })
    await waitUntil(() => control(element, 'nights').value === '9', 'as the other tab has it')
    expect(control(element, 'purpose').value).to.equal('Before')
    await element.updateComplete
    expect(part(element, 'status')!.innerText).to.match(/^Kept in this browser at 3:04.PM\. Not saved yet\.$/)
    pkg.entry = { ...pkg.entry, nights: 9, purpose: 'Saved' }
    tab.write(scope, { entry: { nights: 9 }, savedAt })
    await waitUntil(() => control(element, 'purpose').value.startsWith('Annual'), 'as the page has loaded it')
    tab.remove(scope)
    await waitUntil(() => control(element, 'purpose').value === 'Saved', 'as it was saved')
    expect(control(element, 'nights').value).to.equal('9')
    expect(element.isChanged).to.equal(false)
    frame.remove()
  })
})
