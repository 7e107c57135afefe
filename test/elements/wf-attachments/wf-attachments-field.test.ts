import { expect, fixture, html, oneEvent } from '@open-wc/testing'
import '../../../src/define/wf-attachments.ts'
import { UnavailableError } from '../../../src/client/index.ts'
import { WfChangeEvent, WfErrorEvent } from '../../../src/elements/element/events.ts'
import type { WfAttachments } from '../../../src/elements/wf-attachments/wf-attachments.ts'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { attach } from './attach.ts'

const itinerary = 1
const receipt = 2
const other = 3

describe('<wf-attachments> and the proxy', () => {
  it('reads the types, the attachments, the package, the session and the rights in one request', async () => {
    const backend = createBackend()
    const paths = recordRequests(backend)
    await show(backend)
    expect(paths).to.deep.equal([
      'GET /forms/6025/packages/42/page?part=getActions&part=getAttachmentTypes&part=getAttachments&part=getPackage&part=getSession',
    ])
  })

  it('shows at once what another element has read, while it reads again', async () => {
    const backend = createBackend()
    const first = await show(backend)
    backend.intercept = () => new Promise(() => {})
    const second = await fixture<WfAttachments>(html`
      <wf-attachments .client=${backend.client} form-id="6025" package-id="42"></wf-attachments>
    `)
    expect(types(first)).to.have.length(3)
    expect(types(second)).to.deep.equal(types(first))
    const other = await fixture<WfAttachments>(html`
      <wf-attachments .client=${backend.client} form-id="6025" package-id="43"></wf-attachments>
    `)
    expect(types(other), 'nothing of another package').to.deep.equal([])
  })

  it('works without the session and the rights, and leaves the decision to the service', async () => {
    const backend = createBackend()
    const fail = () => Promise.reject(new UnavailableError('getSession', 'got no usable response'))
    const client = { ...backend.client, getSession: fail, getActions: fail }
    const element = await show({ ...backend, client })
    expect([element.value!.session, element.value!.actions]).to.deep.equal([undefined, undefined])
    expect(adds(element)).to.have.length(3)
    expect(text(element, '.hint')).to.equal('Drop or paste files onto an entry · up to 50 MB each')
    const changed = oneEvent<WfChangeEvent>(element, WfChangeEvent.type)
    element.add(other, [pdf('a.pdf')])
    await submit(element)
    expect(((await changed).value as { fileName: string }).fileName).to.equal('a.pdf')
  })

  it('offers the extensions that the proxy allows, and only PDF files if the type accepts no others', async () => {
    const backend = createBackend(people.initiator, {}, [6025], {
      extensions: ['pdf', 'png'],
      maxFileSize: 2048,
    })
    const element = await show(backend)
    const input = element.shadowRoot!.querySelector<HTMLInputElement>('input[type=file]')!
    const opened: string[] = []
    input.addEventListener('click', (event) => {
      event.preventDefault()
      opened.push(input.accept)
    })
    for (const button of adds(element)) button.click()
    expect(opened).to.deep.equal(['.pdf', '.pdf,.png', '.pdf,.png'])
    expect(text(element, '.hint')).to.equal('Drop or paste files onto an entry · up to 2 kB each')
  })
})

describe('<wf-attachments> as people add files', () => {
  it('moves the focus to the description, and back to the button if the file is cancelled @engines', async () => {
    const element = await show(createBackend())
    element.add(other, [pdf('a.pdf'), pdf('b.pdf')])
    await waitUntil(() => focused(element)?.localName === 'input')
    expect(focused(element) === element.shadowRoot!.querySelector('form input'), 'the first').to.equal(true)
    const cancel = element.shadowRoot!.querySelector<HTMLElement>('[aria-label="Cancel b.pdf"]')!
    cancel.focus()
    cancel.click()
    await waitUntil(() => focused(element)?.ariaLabel?.startsWith('Add file'))
    expect(element.shadowRoot!.querySelectorAll('form')).to.have.length(1)
  })

  it('adds nothing to a type that the form does not have, and no file moves no focus', async () => {
    const element = await show(createBackend())
    element.add(99, [pdf('a.pdf')])
    element.add(other, [])
    await element.updateComplete
    expect(element.shadowRoot!.querySelectorAll('[part=file]')).to.have.length(0)
    expect(focused(element) === null).to.equal(true)
    const without = await fixture<WfAttachments>(html`<wf-attachments></wf-attachments>`)
    without.add(other, [pdf('a.pdf')])
    expect(without.validationMessage).to.equal('')
  })

  it('lists the files that failed, and fires an event for each', async () => {
    const backend = createBackend()
    const element = await show(backend)
    const errors: string[] = []
    element.addEventListener(WfErrorEvent.type, ({ error }) => errors.push(error.name))
    element.add(other, [new File([], 'empty.pdf')])
    await waitUntil(() => element.failedFiles.length === 1)
    const [failed] = element.failedFiles
    expect(failed!.name).to.equal('empty.pdf')
    expect(errors).to.deep.equal(['FileProblem'])
    await element.updateComplete
    expect(element.failedFiles[0]!.row?.textContent.trim()).to.equal('empty.pdf')
    element.shadowRoot!.querySelector<HTMLElement>('[aria-label="Remove empty.pdf"]')!.click()
    expect(element.failedFiles).to.deep.equal([])
  })

  it('moves the focus to the list if the only file has gone from the service', async () => {
    const backend = createBackend()
    attach(backend, { type: other, fileName: 'a.pdf' })
    const element = await show(backend)
    backend.emulator.packages.test.get(42)!.attachments.pop()
    element.shadowRoot!.querySelector<HTMLElement>('[part=file] .name')!.focus()
    await element.refresh()
    await waitUntil(() => !element.shadowRoot!.querySelector('[part=file]'))
    expect(focused(element)?.getAttribute('part')).to.equal('types')
  })

  it('sums up the uploads of which some failed', async () => {
    const element = await show(createBackend())
    element.add(other, [new File([], 'empty.pdf'), new File([], 'blank.pdf')])
    await waitUntil(() => text(element, '[part=outcome]') === '2 failed: empty.pdf, blank.pdf')
  })
})

describe('<wf-attachments> in a form @engines', () => {
  it('shows a file that waits for its description', async () => {
    const { form, element } = await inForm(createBackend())
    element.add(itinerary, [pdf('a.pdf')])
    element.add(receipt, [pdf('b.pdf')])
    await element.updateComplete
    await element.updateComplete
    expect(element.validationMessage).to.equal('Finish or cancel 2 uploads first.')
    ;(document.activeElement as HTMLElement | null)?.blur()
    expect(form.reportValidity()).to.equal(false)
    expect(focused(element) === element.shadowRoot!.querySelector('form input')).to.equal(true)
  })
})

function types(element: WfAttachments): readonly (string | null)[] {
  return [...element.shadowRoot!.querySelectorAll('[part=type]')].map(({ textContent }) => textContent)
}

async function show(backend: Backend): Promise<WfAttachments> {
  const element = await fixture<WfAttachments>(html`
    <wf-attachments .client=${backend.client} form-id="6025" package-id="42"></wf-attachments>
  `)
  await waitUntil(() => element.shadowRoot!.querySelector('[part=types]'))
  await settled(element)
  return element
}

async function inForm(backend: Backend): Promise<{ form: HTMLFormElement; element: WfAttachments }> {
  Object.assign(backend.emulator.packages.test.get(42)!, { state: 'ROUTING', inbox: [] })
  const form = await fixture<HTMLFormElement>(html`
    <form>
      <wf-attachments .client=${backend.client} form-id="6025" package-id="42"></wf-attachments>
    </form>
  `)
  const element = form.querySelector('wf-attachments')!
  await waitUntil(() => element.shadowRoot!.querySelector('[part=types]'))
  await settled(element)
  return { form, element }
}

/** Sends the first chosen file. */
async function submit(element: WfAttachments): Promise<void> {
  await element.updateComplete
  element.shadowRoot!.querySelector('form')!.requestSubmit()
}

/** Records the requests of the page, without the part of the address that all have. */
function recordRequests(backend: Backend): string[] {
  const paths: string[] = []
  const { send } = backend
  backend.send = async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    paths.push(`${request.method} ${pathname.replace('/api/wf', '')}${search}`)
    return await send(request)
  }
  return paths
}

function adds(element: WfAttachments): HTMLElement[] {
  return [...element.shadowRoot!.querySelectorAll<HTMLElement>('[part=add]')]
}

function text(element: WfAttachments, selector: string): string {
  return element.shadowRoot!.querySelector(selector)?.textContent.replace(/\s+/g, ' ').trim() ?? ''
}

function focused(element: WfAttachments): Element | null {
  return element.shadowRoot!.activeElement
}

function pdf(name: string): File {
  return new File(['%PDF-1.7'], name, { type: 'application/pdf' })
}
