import { expect } from '@open-wc/testing'
import { autosaveDelay } from '../../../src/elements/wf-form/action-runner.ts'
import type { Backend } from '../../../stories/backend.ts'
import { held, outlast, settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import {
  button,
  complete,
  control,
  created,
  isBusy,
  part,
  press,
  show,
  textOf,
  type,
  writes,
} from './form.ts'

/** Holds back the next change of a draft. Returns a function that lets it go on. */
function holdChange(backend: Backend): () => void {
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  let isFirst = true
  backend.intercept = (request) => {
    if (request.method !== 'PUT' || !isFirst) return undefined
    isFirst = false
    return held(gate.then(() => backend.emulator.fetch(request)))
  }
  return release
}

/** Shows a saved draft that is being saved again, by itself or by the person, until the returned function is called. */
async function saving(attributes: Readonly<Record<string, string>>) {
  const { element, backend } = await show({ attributes })
  type(element, complete)
  await element.save()
  const release = holdChange(backend)
  const before = writes(backend).length
  type(element, { purpose: 'Typed later' })
  if (!('autosave' in attributes)) press(element, 'PRE_ROUTING')
  await waitUntil(() => writes(backend).length > before)
  expect(isBusy(element)).to.equal(true)
  return { element, backend, release }
}

describe('<wf-form> while a draft is being saved', () => {
  it('submits it afterwards if "Submit" is pressed meanwhile', async () => {
    for (const attributes of [{ autosave: '' }, {}]) {
      const { element, backend, release } = await saving(attributes)
      press(element, 'ROUTING')
      press(element, 'ROUTING')
      expect(created(backend).map(({ state }) => state)).to.deep.equal(['PRE_ROUTING'])
      release()
      await waitUntil(() => created(backend)[0]?.state === 'ROUTING')
      await settled(element)
      expect(created(backend)[0]!.entry['purpose']).to.equal('Typed later')
      expect(writes(backend).map((line) => line.split(' ')[0])).to.deep.equal(['POST', 'PUT', 'PUT'])
      expect(textOf(element)).to.match(/Submitted at/)
      element.remove()
      localStorage.clear()
    }
  })

  it('submits no other request if the page shows another one meanwhile', async () => {
    const { element, backend } = await show()
    type(element, complete)
    await element.save()
    const own = element.packageId
    const { entry } = created(backend)[0]!
    const { id } = await backend.other.createPackage({
      params: { formId: 6025 },
      body: { state: 'PRE_ROUTING', entry: { ...entry, purpose: 'Another' } },
    })
    const release = holdChange(backend)
    type(element, { purpose: 'Typed later' })
    press(element, 'ROUTING')
    await waitUntil(() => writes(backend).at(-1)?.startsWith('PUT'))
    element.packageId = id
    await waitUntil(() => element.value?.found?.id === id)
    release()
    await settled(element)
    await waitUntil(() => control(element, 'purpose').value === 'Another')
    const { packages } = backend.emulator
    expect(packages.test.get(id)!.state).to.equal('PRE_ROUTING')
    expect(packages.test.get(own)!.entry['purpose']).to.equal('Typed later')
    expect(packages.test.get(own)!.state).to.equal('PRE_ROUTING')
    expect(textOf(element)).not.to.match(/Submitted/)
  })

  it('shows no outcome and no answers of another request', async () => {
    const { element, backend } = await show({ attributes: { review: '' } })
    type(element, complete)
    press(element, 'ROUTING')
    await waitUntil(() => part(element, 'review-title'))
    await settled(element)
    expect(textOf(element)).to.match(/Saved at/)
    const { entry } = created(backend)[0]!
    const { id } = await backend.other.createPackage({
      params: { formId: 6025 },
      body: { state: 'PRE_ROUTING', entry: { ...entry, purpose: 'Another' } },
    })
    element.packageId = id
    await waitUntil(() => control(element, 'purpose').value === 'Another')
    await settled(element)
    expect(part(element, 'review-title') === null).to.equal(true)
    expect(textOf(element)).not.to.match(/Saved at/)
  })

  it('starts no new request meanwhile', async () => {
    const before = await show()
    type(before.element, complete)
    await before.element.save()
    before.element.remove()

    const { element, backend } = await show({ backend: before.backend })
    await waitUntil(() => button(element, 'Start a new request'))
    const release = holdChange(backend)
    type(element, { purpose: 'Typed later' })
    press(element, 'ROUTING')
    await waitUntil(() => writes(backend).at(-1)?.startsWith('PUT'))
    await settled(element)
    expect(button(element, 'Start a new request')!.ariaDisabled).to.equal('true')
    button(element, 'Start a new request')!.click()
    release()
    await waitUntil(() => created(backend)[0]!.state === 'ROUTING')
    expect(created(backend)).to.have.length(1)
    expect(created(backend)[0]!.entry['purpose']).to.equal('Typed later')
  })

  it('shows the answers afterwards if they are to be checked', async () => {
    const { element, release } = await saving({ autosave: '', review: '' })
    press(element, 'ROUTING')
    release()
    await waitUntil(() => part(element, 'review-title'))
    await settled(element)
    expect(element.shadowRoot!.activeElement).to.equal(part(element, 'review-title'))
  })

  it('saves what is typed meanwhile too', async () => {
    const { element, backend, release } = await saving({ autosave: '' })
    type(element, { purpose: 'Typed even later' })
    await outlast(autosaveDelay)
    expect(created(backend)[0]!.entry['purpose']).to.equal('Field work')
    release()
    await waitUntil(() => created(backend)[0]!.entry['purpose'] === 'Typed even later', '', { timeout: 5000 })
    await settled(element)
    expect(element.isChanged).to.equal(false)
  })

  it('saves an input that was undone meanwhile', async () => {
    const { element, backend, release } = await saving({ autosave: '' })
    type(element, { purpose: 'Field work' })
    release()
    await waitUntil(() => writes(backend).length === 3, 'it is saved again', { timeout: 5000 })
    await settled(element)
    expect(created(backend)[0]!.entry['purpose']).to.equal('Field work')
  })

  it('saves nothing by itself if nothing has changed', async () => {
    const { element } = await show({ attributes: { autosave: '' } })
    type(element, complete)
    await element.save()
    let saved = 0
    element.addEventListener('wf-form-saved', () => saved++)
    // As the choice of a file in the documents does.
    control(element, 'purpose').dispatchEvent(new Event('input', { bubbles: true, composed: true }))
    await outlast(autosaveDelay)
    await settled(element)
    expect(saved).to.equal(0)
    type(element, { purpose: 'Changed' })
    await waitUntil(() => saved === 1)
  })
})
