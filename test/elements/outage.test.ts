import { aTimeout, expect, fixture, html } from '@open-wc/testing'
import '../../src/define/fs-uploader.ts'
import '../../src/define/wf-comments.ts'
import '../../src/define/wf-history.ts'
import '../../src/define/wf-package-status.ts'
import type { FsUploader } from '../../src/elements/fs-uploader/fs-uploader.ts'
import { type Backend, createBackend } from '../../stories/backend.ts'
import { waitUntil } from '../wait-until.ts'

describe('An outage', () => {
  it('is announced once for the page, with the names of what it affects, and its end once', async () => {
    const backend = createBackend(undefined, { interval: 60, maxBackoff: 60 })
    const { elements, announced } = await show(backend)
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => elements.every((element) => part(element, 'stale')), 'all elements are stale')
    await waitUntil(() => announced.length > 0, 'nothing was announced')
    // Longer than the announcements of two elements are apart.
    await aTimeout(500)
    expect(announced).to.have.length(1)
    const [names = '', text] = announced[0]!.split(': ')
    expect(names.split(', ').toSorted()).to.deep.equal(['Comments', 'Files', 'Routing history', 'Status'])
    expect(text).to.equal("This may be out of date. The latest version couldn't be loaded.")

    backend.intercept = () => undefined
    await waitUntil(() => announced.length > 1, 'the end was not announced')
    await aTimeout(500)
    expect(announced.slice(1)).to.deep.equal(['Up to date again.'])

    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => announced.length > 2, 'the next outage is announced too')
  }).timeout(20_000)

  it('is shown before everything else in each element', async () => {
    const backend = createBackend(undefined, { interval: 60, maxBackoff: 60 })
    const { elements } = await show(backend)
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => elements.every((element) => part(element, 'stale')))
    for (const element of elements) {
      expect(part(element, 'base')!.firstElementChild, element.localName).to.equal(part(element, 'stale'))
    }
  })

  it('is not announced for an element that has left the page', async () => {
    const backend = createBackend(undefined, { interval: 60, maxBackoff: 60 })
    const { elements, announced } = await show(backend)
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => elements.every((element) => part(element, 'stale')))
    elements.find(({ localName }) => localName === 'wf-comments')!.remove()
    await waitUntil(() => announced.length > 0, 'nothing was announced')
    expect(announced[0]).to.include('Routing history').and.not.include('Comments')
  })
})

async function show({ client }: Backend) {
  const page = await fixture(html`
    <div>
      <wf-package-status .client=${client} form-id="6025" package-id="42"></wf-package-status>
      <wf-history .client=${client} form-id="6025" package-id="42"></wf-history>
      <wf-comments .client=${client} form-id="6025" package-id="42"></wf-comments>
      <fs-uploader .client=${client}></fs-uploader>
    </div>
  `)
  const elements = [...page.children]
  const uploader = page.querySelector<FsUploader>('fs-uploader')!
  uploader.add([new File(['%PDF-1.7'], 'a.pdf', { type: 'application/pdf' })])
  await waitUntil(() => part(page.querySelector('wf-package-status')!, 'state'))
  await waitUntil(() => part(page.querySelector('wf-history')!, 'event'))
  await waitUntil(() => page.querySelector('wf-comments')!.value)
  await waitUntil(() => uploader.assets.length === 1)
  // The announcement of the upload belongs to another test.
  const region = uploader.shadowRoot!.querySelector('[role=status]')!
  await waitUntil(() => region.textContent !== '')
  await waitUntil(() => region.textContent === '', '', { timeout: 10_000 })
  const announced: string[] = []
  for (const element of elements) {
    const status = element.shadowRoot!.querySelector('[role=status]')!
    new MutationObserver(() => status.textContent && announced.push(status.textContent)).observe(status, {
      childList: true,
      characterData: true,
      subtree: true,
    })
  }
  return { elements, announced }
}

function part(element: Element, name: string): Element | null {
  return element.shadowRoot!.querySelector(`[part=${name}]`)
}
