import { expect } from '@open-wc/testing'
import { type Backend, createBackend } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { refuseBefore } from '../refuse-before.ts'
import { button, complete, created, part, press, show, textOf, type, writes } from './form.ts'

/** Carries out the next changes of a method, and loses the responses. */
function loseResponses(backend: Backend, method: string, count = Infinity): void {
  let lost = 0
  backend.intercept = (request) =>
    request.method === method && lost++ < count
      ? backend.emulator.fetch(request).then(() => Promise.reject(new TypeError('reset')))
      : undefined
}

const patience = { timeout: 20_000 }

describe('<wf-form> if no confirmation arrives', () => {
  it('repeats a creation with the same key only, and says that the outcome is unknown', async function () {
    this.timeout(40_000)
    const { element, backend } = await show()
    loseResponses(backend, 'POST')
    type(element, complete)
    press(element, 'ROUTING')
    await settled(element)

    expect(writes(backend), 'the proxy has not repeated it').to.have.length(1)
    expect(created(backend).map(({ state }) => state)).to.deep.equal(['PRE_ROUTING'])
    expect(textOf(element)).to.include('No confirmation arrived, so this may or may not be saved.')
    expect(textOf(element)).not.to.match(/Saved at|Submitted|Not saved/)
    backend.intercept = () => undefined
    button(element, 'Check again')!.click()
    await element.updateComplete
    await settled(element)
    expect(created(backend), 'still nothing is known, so nothing else is created').to.have.length(1)
    expect(textOf(element)).to.include('may or may not be saved')

    button(element, 'Save as a new draft')!.click()
    await waitUntil(() => created(backend).some(({ state }) => state === 'ROUTING'), '', patience)
    expect(created(backend).map(({ state }) => state)).to.deep.equal(['PRE_ROUTING', 'ROUTING'])
  })

  for (const [status, text] of [
    [413, 'Not saved. A server between this page and the service refused access (413).'],
    [
      403,
      'No confirmation arrived, so this may or may not be saved. A server between this page and the service refused access (403).',
    ],
  ] as const) {
    it(`says that a server in between refused it with ${status}`, async function () {
      this.timeout(40_000)
      const { element, backend } = await show()
      refuseBefore(backend, 'POST', status)
      type(element, complete)
      press(element, 'PRE_ROUTING')
      await waitUntil(() => textOf(element).includes(`(${status})`), '', patience)
      expect(textOf(element)).to.include(text)
    })
  }

  it('says that nothing was saved, and when to try again, if a limit refuses the creation', async () => {
    const backend = createBackend(undefined, {}, [6025], { packagesPerHour: 1 })
    const { element: first } = await show({ backend })
    type(first, complete)
    await first.save()
    first.remove()
    localStorage.clear()

    const { element } = await show({ backend })
    type(element, complete)
    press(element, 'ROUTING')
    await settled(element)
    expect(textOf(element)).to.match(
      /^Not saved\. You have reached a limit of this site\. Try again after \d+:\d\d.[AP]M\. Try again/,
    )
    expect(textOf(element)).not.to.include('No confirmation arrived')
    expect(button(element, 'Save as a new draft') === undefined).to.equal(true)
    expect(created(backend)).to.have.length(1)
  })

  it('reads whether routing has started if the response is lost', async function () {
    this.timeout(40_000)
    const { element, backend } = await show()
    loseResponses(backend, 'PUT')
    type(element, complete)
    press(element, 'ROUTING')
    await settled(element)
    expect(created(backend).map(({ state }) => state)).to.deep.equal(['ROUTING'])
    expect(writes(backend)).to.have.length(2)
    expect(textOf(element)).to.match(/Submitted at/)
  })

  it('starts routing again only after a read has shown that it has not started', async function () {
    this.timeout(40_000)
    const { element, backend } = await show()
    let count = 0
    backend.intercept = (request) =>
      request.method === 'PUT' && count++ === 0 ? Promise.reject(new TypeError('reset')) : undefined
    type(element, complete)
    press(element, 'ROUTING')
    await settled(element)
    expect(created(backend).map(({ state }) => state)).to.deep.equal(['ROUTING'])
    expect(textOf(element)).to.match(/Submitted at/)
  })

  it('says that the draft is saved if only the start of routing is uncertain', async function () {
    this.timeout(40_000)
    const { element, backend } = await show()
    backend.intercept = (request) =>
      request.method === 'PUT' ? Promise.reject(new TypeError('reset')) : undefined
    type(element, complete)
    press(element, 'ROUTING')
    await settled(element)
    expect(textOf(element)).to.include(
      'It is saved, but no confirmation arrived, so it may or may not be submitted.',
    )
    expect(button(element, 'Save as a new draft') === undefined).to.equal(true)
    expect(element.shadowRoot!.activeElement?.part.value).to.equal('problem')
  })

  it('reads whether an edit was saved if the response is lost', async function () {
    this.timeout(40_000)
    const backend = createBackend()
    const pkg = backend.emulator.packages.test.get(42)!
    Object.assign(pkg, { state: 'PRE_ROUTING', inbox: [] })
    const { element } = await show({ backend, packageId: 42 })
    loseResponses(backend, 'PUT')
    type(element, { nights: '8' })
    await element.save()
    expect(pkg.entry).to.deep.include({ nights: 8 })
    expect(writes(backend)).to.have.length(1)
    expect(textOf(element)).to.match(/Saved at/)
    expect(element.isChanged).to.equal(false)
  })

  it('settles a creation after a reload with the same key and body, then saves what was typed since', async function () {
    this.timeout(40_000)
    // The first page is closed while the service still works.
    const backend = createBackend()
    const { element } = await show({ backend })
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    backend.intercept = (request) =>
      request.method === 'POST'
        ? backend.emulator.fetch(request).then(async (response) => (await held, response))
        : undefined
    type(element, complete)
    press(element, 'PRE_ROUTING')
    await waitUntil(() => created(backend).length === 1)
    type(element, { purpose: 'Typed while it was being saved' })
    element.remove()
    const { element: again } = await show({ backend })
    release()
    await waitUntil(
      () => created(backend)[0]!.entry['purpose'] === 'Typed while it was being saved',
      '',
      patience,
    )
    await settled(again)
    expect(created(backend)).to.have.length(1)
    expect(textOf(again)).to.match(/Saved at/)
    expect(part(again, 'problem') === null).to.equal(true)
  })
})
