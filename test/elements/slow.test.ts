import { expect, fixture, html } from '@open-wc/testing'
import '../../src/define/fs-uploader.ts'
import '../../src/define/wf-comments.ts'
import '../../src/define/wf-context.ts'
import '../../src/define/wf-history.ts'
import '../../src/define/wf-package-status.ts'
import type { FsUploader } from '../../src/elements/fs-uploader/fs-uploader.ts'
import type { PackageElement } from '../../src/elements/element/package-element.ts'
import { type Backend, createBackend, people } from '../../stories/backend.ts'
import { nextTurn } from '../next-turn.ts'
import { waitUntil } from '../wait-until.ts'
import { dialog, choose, openDialog, show, submit, textOf, writes } from './wf-package-status/element.ts'

describe('Slow services (F03)', () => {
  it('show a placeholder at once, and the content when it arrives, whatever comes first', async () => {
    const backend = createBackend()
    const held = holdAll(backend)
    const page = await fixture(html`
      <wf-context .client=${backend.client} form-id="6025" package-id="42">
        <wf-package-status></wf-package-status><wf-history></wf-history><wf-comments></wf-comments>
      </wf-context>
    `)
    const elements = [...page.children] as PackageElement<unknown>[]
    for (const { shadowRoot, localName } of elements) {
      const placeholder = shadowRoot!.querySelector('[part=loading]')
      expect(placeholder, localName).to.have.attribute('aria-label', 'Loading…')
      expect(placeholder!.getBoundingClientRect().height, localName).to.be.above(0)
    }
    // The last request gets its response first.
    while (elements.some(({ value }) => value === undefined)) {
      await waitUntil(() => held.length > 0 || elements.every(({ value }) => value !== undefined))
      held.pop()?.()
    }
    for (const { shadowRoot } of elements) expect(shadowRoot!.querySelector('[part=loading]')).to.equal(null)
  })

  it('keep the content and its height in place while it is loaded again @engines', async () => {
    const backend = createBackend()
    const { element } = await show(backend)
    await waitUntil(() => textOf(element).includes('Waiting for Daniel Reyes'))
    // The environment comes with the session, which has a request of its own.
    await waitUntil(() => textOf(element).includes('Test'))
    const before = { text: textOf(element), height: element.offsetHeight }
    const held = holdAll(backend)
    let isOver = false
    void element.refresh().then(() => (isOver = true))
    await waitUntil(() => held.length > 0)
    expect({ text: textOf(element), height: element.offsetHeight }).to.deep.equal(before)
    while (!isOver) {
      for (const respond of held.splice(0)) respond()
      await nextTurn()
    }
    expect({ text: textOf(element), height: element.offsetHeight }).to.deep.equal(before)
  })

  it('get one request for a change, whose button is busy until the response arrives', async () => {
    const backend = createBackend()
    const { element } = await show(backend)
    await openDialog(element)
    choose(element, 'INCORRECT_FORM')
    const held = holdAll(backend)
    for (let clicks = 0; clicks < 5; clicks++) submit(element)
    const button = () => element.shadowRoot!.querySelector<HTMLButtonElement>('button[type=submit]')
    await waitUntil(() => held.length > 0)
    expect(button()!.getAttribute('aria-disabled') ?? String(button()!.disabled)).to.equal('true')
    while (dialog(element).open) {
      for (const respond of held.splice(0)) respond()
      await nextTurn()
    }
    expect(writes(backend)).to.have.length(1)
    expect(backend.emulator.packages.test.get(42)!.state).to.equal('VOID')
  })

  it('leave a file unconfirmed until they respond, and never claim that it is uploaded', async () => {
    const backend = createBackend(people.initiator)
    const element = await fixture<FsUploader>(html`<fs-uploader .client=${backend.client}></fs-uploader>`)
    await waitUntil(() => element.shadowRoot!.querySelector('[part~=choose]'))
    const held = holdAll(backend)
    element.add([new File(['hello'], 'slow.txt')])
    await waitUntil(() => held.length > 0)
    await waitUntil(() => element.shadowRoot!.textContent.includes('Waiting for confirmation'))
    const progress = element.shadowRoot!.querySelector('[role=progressbar], progress')
    expect(progress?.hasAttribute('value') || progress?.hasAttribute('aria-valuenow')).to.equal(false)
    expect(element.value).to.deep.equal([])
    while (element.value.length === 0) {
      for (const respond of held.splice(0)) respond()
      await nextTurn()
    }
    expect(backend.emulator.files.test.size).to.equal(1)
  })
})

/** Holds all responses of the services from now on. Returns the functions that let them arrive. */
function holdAll(backend: Backend): (() => void)[] {
  const held: (() => void)[] = []
  backend.intercept = async (request) => {
    await new Promise<void>((resolve) => held.push(resolve))
    return await backend.emulator.fetch(request)
  }
  return held
}
