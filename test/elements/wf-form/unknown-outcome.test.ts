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
    expect(element.shadowRoot!.activeElement?.part.value).to.equal('problem')
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
