import { expect } from '@open-wc/testing'
import { autosaveDelay } from '../../../src/elements/wf-form/action-runner.ts'
import { keyOf, LocalCopies } from '../../../src/elements/wf-form/kept/local-copy.ts'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { outlast, settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { button, complete, control, created, part, press, show, textOf, type, writes } from './form.ts'

/** Removes the element, as if the tab were closed. */
function close({ element }: { readonly element: HTMLElement }): void {
  element.remove()
}

/** The local copies as another tab of the browser writes them. */
function otherTab(): LocalCopies {
  const frame = document.createElement('iframe')
  document.body.append(frame)
  return new LocalCopies({ storage: () => frame.contentWindow!.localStorage })
}

const scope = (backend: Backend, packageId = 0) => ({
  person: backend.person!,
  endpoint: '',
  formId: 6025,
  packageId,
})

function isGuarded(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

describe('<wf-form> when something goes wrong', () => {
  afterEach(() => document.querySelectorAll('iframe').forEach((frame) => frame.remove()))

  it('keeps what is typed in the browser, and shows it after a reload @engines', async () => {
    const first = await show()
    type(first.element, complete)
    await first.element.updateComplete
    expect(textOf(first.element)).to.match(/Kept in this browser at .*\. Not saved yet\.$/)
    close(first)
    const { element } = await show({ backend: first.backend })
    expect(control(element, 'purpose').value).to.equal('Field work')
    expect(control(element, 'cost').value).to.equal('1,250.50')
    expect(textOf(element)).to.match(/^Restored: what you typed until/)
    button(element, 'Discard it')!.click()
    await element.updateComplete
    expect(control(element, 'purpose').value).to.equal('')
    expect(localStorage).to.have.length(0)
  })

  it('restores an edit on top of what somebody else has saved meanwhile', async () => {
    const backend = createBackend()
    const pkg = backend.emulator.packages.test.get(42)!
    Object.assign(pkg, { state: 'PRE_ROUTING', inbox: [] })
    const first = await show({ backend, packageId: 42 })
    type(first.element, { nights: '9' })
    close(first)
    pkg.entry = { ...pkg.entry, purpose: 'Theirs' }
    const { element } = await show({ backend, packageId: 42 })
    expect(control(element, 'nights').value).to.equal('9')
    await element.save()
    expect(pkg.entry).to.deep.include({ nights: 9, purpose: 'Theirs' })
    expect(localStorage).to.have.length(0)
  })

  it('continues with the package that it created after a reload, or starts a new request', async () => {
    const first = await show()
    type(first.element, complete)
    await first.element.save()
    close(first)
    const { element, backend } = await show({ backend: first.backend })
    await waitUntil(() => control(element, 'purpose').value === 'Field work')
    expect(textOf(element)).to.match(/^You are continuing the draft that you saved as request \d+\./)
    expect(element.isChanged).to.equal(false)
    type(element, { purpose: 'More field work' })
    await element.save()
    expect(created(backend)).to.have.length(1)
    expect(created(backend)[0]!.entry).to.deep.include({ purpose: 'More field work' })

    button(element, 'Start a new request')!.click()
    await waitUntil(() => control(element, 'purpose').value === '')
    await waitUntil(() => element.value && !element.value.found)
    type(element, complete)
    await element.save()
    expect(created(backend)).to.have.length(2)
  })

  it('keeps what is typed if the page moves the element @engines', async () => {
    const { element, backend } = await show({ packageId: 42, backend: createBackend(people.firstApprover) })
    type(element, { nights: '9' })
    element.parentElement!.append(element)
    await element.updateComplete
    expect(part(element, 'form')!.hidden).to.equal(false)
    expect(control(element, 'nights').value).to.equal('9')
    await element.save()
    expect(backend.emulator.packages.test.get(42)!.entry).to.deep.include({ nights: 9 })
  })

  it('forgets the package of a request that was submitted', async () => {
    const first = await show()
    type(first.element, complete)
    await first.element.submit()
    close(first)
    const { element } = await show({ backend: first.backend })
    expect(control(element, 'purpose').value).to.equal('')
    expect(element.packageId).to.equal(0)
    expect(localStorage).to.have.length(0)
  })

  it('does not show what one person typed to the next one, in the page or after a reload', async () => {
    const { element, backend } = await show()
    type(element, complete)
    backend.person = people.outsider
    await element.refresh()
    await waitUntil(() => control(element, 'purpose').value === '')
    expect(localStorage).to.have.length(0)

    type(element, { purpose: 'Of the next one' })
    close({ element })
    backend.person = people.initiator
    const { element: again } = await show({ backend: createBackend() })
    expect(control(again, 'purpose').value).to.equal('')
    expect(localStorage).to.have.length(0)
  })

  it('keeps everything if the person is signed out, and goes on after a sign-in', async () => {
    const { element, backend } = await show()
    type(element, complete)
    backend.person = null
    press(element, 'ROUTING')
    await settled(element)
    expect(textOf(element)).to.include('Not saved. You are signed out. Open another tab to sign in')
    expect(control(element, 'purpose').value).to.equal('Field work')
    expect(created(backend)).to.deep.equal([])
    backend.person = people.initiator
    button(element, 'Try again')!.click()
    await waitUntil(() => created(backend)[0]?.state === 'ROUTING')
    expect(created(backend)).to.have.length(1)
  })

  it('asks before the page is left, only while something is not saved @engines', async () => {
    const { element } = await show()
    expect(isGuarded()).to.equal(false)
    type(element, complete)
    await element.updateComplete
    expect(isGuarded()).to.equal(true)
    await element.save()
    await element.updateComplete
    expect(isGuarded()).to.equal(false)
    type(element, { purpose: 'Other' })
    await element.updateComplete
    expect(isGuarded()).to.equal(true)
    element.remove()
    expect(isGuarded()).to.equal(false)
  })

  it('says that the browser cannot keep what is typed', async () => {
    const { element } = await show()
    // The site itself has used all of its storage.
    for (let size = 2 ** 22; size >= 1; size /= 2) {
      try {
        localStorage.setItem(`filler ${size}`, 'x'.repeat(size))
      } catch {
        // Only a smaller item fits.
      }
    }
    type(element, { purpose: 'Annual meeting of the Society for Freshwater Science' })
    await element.updateComplete
    expect(textOf(element)).to.include('This browser cannot keep what you type')
  })

  it('saves a draft by itself if the page asks for that, but creates none', async () => {
    const { element, backend } = await show({ attributes: { autosave: '' } })
    type(element, complete)
    await outlast(autosaveDelay)
    await settled(element)
    expect(writes(backend)).to.deep.equal([])
    await element.save()
    control(element, 'purpose').focus()
    type(element, { purpose: 'Typed later' })
    await waitUntil(() => created(backend)[0]!.entry['purpose'] === 'Typed later')
    await settled(element)
    expect(textOf(element)).to.match(/Saved at/)
    expect(document.activeElement === control(element, 'purpose')).to.equal(true)

    type(element, { cost: '' })
    await waitUntil(() => part(element, 'unfinished'), 'the missing cost is named')
    expect(document.activeElement === control(element, 'purpose'), 'focus stays').to.equal(true)
  })

  it('shows in a second tab what is typed and created in the first @engines', async () => {
    const { element, backend } = await show()
    const tab = otherTab()
    tab.write(scope(backend), { entry: { purpose: 'Typed in the first tab' }, savedAt: Date.now() })
    await waitUntil(() => control(element, 'purpose').value === 'Typed in the first tab')
    type(element, complete)
    const { id } = await backend.other.createPackage({
      params: { formId: 6025 },
      body: {
        state: 'PRE_ROUTING',
        entry: { ...backend.emulator.packages.test.get(42)!.entry, purpose: 'Created' },
      },
    })
    tab.write(scope(backend), { entry: {}, packageId: id, savedAt: Date.now() })
    await waitUntil(() => element.packageId === id)
    await waitUntil(() => control(element, 'nights').value === '4')
    expect(control(element, 'purpose').value, 'what is typed here stays').to.equal(complete.purpose)
    await backend.other.routePackage({ params: { formId: 6025, packageId: id }, body: { state: 'ROUTING' } })
    tab.remove(scope(backend, id))
    tab.write(scope(backend, id), { entry: {}, savedAt: 1 })
    tab.remove(scope(backend, id))
    await waitUntil(() => textOf(element).includes('You can view this request, but not change it.'))
    expect(created(backend)).to.have.length(1)
  })

  it('sends nothing while another tab sends the same request, and says so @engines', async () => {
    const { element, backend } = await show()
    type(element, complete)
    let release = () => {}
    const name = keyOf(scope(backend))
    const held = new Promise<void>((resolve) => (release = resolve))
    const lock = navigator.locks.request(name, () => held)
    press(element, 'ROUTING')
    await waitUntil(() => textOf(element).includes('This request is being sent from another tab.'))
    expect(writes(backend)).to.deep.equal([])
    release()
    await lock
    button(element, 'Try again')!.click()
    await waitUntil(() => created(backend)[0]?.state === 'ROUTING')
  })
})
