import { expect, fixture, html, oneEvent } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import '../../src/define/wf-attachments.ts'
import type { UploadRequest } from '../../src/client/index.ts'
import type { PackageState } from '../../src/contract/values/values.ts'
import { WfBeforeChangeEvent, WfChangeEvent } from '../../src/elements/element/events.ts'
import type { WfAttachments } from '../../src/elements/wf-attachments/wf-attachments.ts'
import { type Backend, createBackend, people } from '../../stories/backend.ts'
import { held, never, settled } from '../../stories/settled.ts'
import { waitUntil } from '../wait-until.ts'
import { announcement } from './notices/announcements.ts'
import { attach } from './wf-attachments/attach.ts'

const itinerary = 1
const receipt = 2
const other = 3

describe('<wf-attachments>', () => {
  it('shows which documents are required and when, which are uploaded and which are missing', async () => {
    const backend = createBackend()
    attach(backend, { type: itinerary, fileName: 'plan.pdf', description: 'By train' })
    const { element } = await show(backend)

    expect(textOf(element)).to.match(/^0 of 1 required document /)
    expect(kind(element, itinerary)).to.match(
      /^Itinerary Optional · PDF only Add file plan.pdf 47 kB By train Uploaded Nov 16, 2026, 9:40.AM · Amara Okafor$/,
    )
    expect(kind(element, receipt)).to.equal('Receipt Needed before completion Add file')
    attach(backend, { type: receipt })
    await element.refresh()
    await waitUntil(() => textOf(element).startsWith('1 of 1 required document '))
    expect(kind(element, receipt)).not.to.match(/Needed|Missing/)
  })

  it('counts unreadable entries (F25)', async () => {
    const backend = createBackend()
    backend.intercept = (request) =>
      request.url.endsWith('/attachments') ? Promise.resolve(Response.json([{}, { id: 5 }])) : undefined
    const { element } = await show(backend)
    expect(textOf(element)).to.match(/Unnamed file Someone.*1 entry couldn’t be read\./)
  })

  it('uploads a chosen file with its description, and shows the attachment in the same row @engines', async () => {
    const { element, backend } = await show(createBackend())
    const changed = oneEvent<WfChangeEvent>(element, WfChangeEvent.type)
    element.add(receipt, [pdf('receipt.pdf')])
    await waitUntil(() => element.shadowRoot!.activeElement === description(element))
    expect(kind(element, receipt)).to.match(/receipt\.pdf 2 kB Description \(optional\).*Upload Cancel/)
    expect(uploadsOf(backend), 'not yet').to.equal(0)
    const row = part(element, 'file')
    await sendKeys({ type: 'Two nights' })
    await sendKeys({ press: 'Enter' })

    const { value } = await changed
    expect(value).to.include({ fileName: 'receipt.pdf', description: 'Two nights' })
    await waitUntil(() => part(element, 'download'))
    expect(kind(element, receipt)).to.match(/receipt\.pdf 2 kB Two nights Uploaded .* · Amara Okafor$/)
    expect(part(element, 'file'), 'the same list item').to.equal(row)
    expect(element.shadowRoot!.activeElement, 'the focus').to.have.class('name')
    expect(stored(backend)).to.deep.equal(['receipt.pdf'])
    await waitUntil(() => announcement().includes('receipt.pdf was uploaded.'))
  })

  it('rejects files before sending them, and shows why (F32, F48)', async () => {
    const { element, backend } = await show(createBackend())
    backend.emulator.packages.test.get(42)!.attachments.length = 0
    element.add(itinerary, [new File(['x'], 'plan.docx')])
    element.add(other, [new File([], 'empty.txt'), sized('huge.zip', 60_000_000)])
    await waitUntil(() =>
      kind(element, itinerary).includes('only PDF files are accepted. Save the file as a PDF'),
    )
    await waitUntil(() => kind(element, other).includes('the file is empty'))
    await waitUntil(() => kind(element, other).includes('larger than 50 MB'))
    expect(uploadsOf(backend)).to.equal(0)

    button(element, 'Remove plan.docx').focus()
    button(element, 'Remove plan.docx').click()
    await element.updateComplete
    expect(kind(element, itinerary)).not.to.include('plan.docx')
    expect(element.shadowRoot!.activeElement).to.equal(button(element, 'Add file Itinerary'))
  })

  it('shows that the right to upload was withdrawn after the file was chosen (F17)', async () => {
    const { element, backend } = await show(createBackend(people.firstApprover))
    backend.intercept = (request) =>
      request.method === 'POST' ? Promise.resolve(new Response('{}', { status: 403 })) : undefined
    await upload(element, other, pdf('a.pdf'))
    await waitUntil(() =>
      kind(element, other).includes('Not uploaded: you don’t have permission to upload here.'),
    )
  })

  it('sends one file once, however often its button is clicked (F37)', async () => {
    const { element, backend } = await show(createBackend())
    element.add(other, [pdf('a.pdf')])
    await element.updateComplete
    const form = element.shadowRoot!.querySelector('form')!
    for (let click = 0; click < 10; click++) form.requestSubmit()
    await waitUntil(() => part(element, 'download'))
    expect(stored(backend)).to.deep.equal(['a.pdf'])
  })

  it('sends nothing if the page cancels the event', async () => {
    const { element, backend } = await show(createBackend())
    let body: unknown
    element.addEventListener(WfBeforeChangeEvent.type, (event) => {
      body = event.body
      expect(event.operation).to.equal('uploadAttachment')
      event.preventDefault()
    })
    const file = pdf('a.pdf')
    await upload(element, other, file, 'Why')
    await waitUntil(() => body)
    expect(body).to.deep.equal({ file, attachmentTypeId: other, description: 'Why' })
    await waitUntil(() => !kind(element, other).includes('a.pdf'))
    expect(uploadsOf(backend)).to.equal(0)
  })

  it('probes the list after a lost response, and sends nothing twice (F06, F09)', async () => {
    const { element, backend } = await show(createBackend())
    backend.intercept = (request) =>
      request.method === 'POST'
        ? backend.emulator.fetch(request).then(() => Promise.reject(new TypeError('reset')))
        : undefined
    // Someone else uploaded the same file before.
    attach(backend, { type: other, fileName: 'a.pdf', fileSize: 2000 })
    await element.refresh()
    const changed = oneEvent<WfChangeEvent>(element, WfChangeEvent.type)
    await upload(element, other, pdf('a.pdf'))
    await changed
    await waitUntil(() => [...all(element, 'download')].length === 2)
    expect(stored(backend)).to.deep.equal(['a.pdf', 'a.pdf'])
    expect(uploadsOf(backend)).to.equal(1)
  })

  it('shows a stored attachment that the list lacks, and only once when the list has it (F28)', async () => {
    const { element, backend } = await show(createBackend())
    backend.intercept = (request) =>
      request.method === 'GET' && request.url.endsWith('/attachments')
        ? Promise.resolve(Response.json([]))
        : undefined
    const changed = oneEvent(element, WfChangeEvent.type)
    await upload(element, receipt, pdf('a.pdf'))
    await changed
    await waitUntil(() => kind(element, receipt).includes('still being processed'))
    expect(part(element, 'download') === null).to.equal(true)
    expect(textOf(element), 'it counts').to.include('1 of 1 required document')

    backend.intercept = () => undefined
    await waitUntil(() => part(element, 'download'), 'it repeats the request by itself', { timeout: 9000 })
    expect(all(element, 'file')).to.have.length(1)
  }).timeout(12_000)

  it('keeps the file through a sign-out, and continues after the next sign-in (F15)', async () => {
    const { element, backend } = await show(createBackend())
    element.add(other, [pdf('a.pdf')])
    await element.updateComplete
    backend.person = null
    element.shadowRoot!.querySelector('form')!.requestSubmit()
    await waitUntil(() => element.shadowRoot!.querySelector('slot[name=signed-out]'))
    backend.person = people.initiator
    await element.refresh()
    await waitUntil(() => part(element, 'download'))
    expect(stored(backend)).to.deep.equal(['a.pdf'])
  })

  it('sends nothing while it is unknown who signed in', async () => {
    let isHidden = false
    const backend = createBackend(people.initiator)
    const { element } = await show({
      ...backend,
      client: Object.assign(Object.create(backend.client) as Backend['client'], {
        getSession: (options?: object) =>
          isHidden ? Promise.reject(new Error('no response')) : backend.client.getSession(options),
      }),
    })
    element.add(other, [pdf('a.pdf')])
    await element.updateComplete
    backend.person = null
    element.shadowRoot!.querySelector('form')!.requestSubmit()
    await waitUntil(() => element.shadowRoot!.querySelector('slot[name=signed-out]'))
    isHidden = true
    backend.person = people.firstApprover
    await element.refresh()
    await waitUntil(() => part(element, 'types'))
    await settled(element)
    expect(stored(backend)).to.deep.equal([])

    isHidden = false
    backend.person = people.initiator
    await element.refresh()
    await element.refresh()
    await waitUntil(() => part(element, 'download'))
    expect(stored(backend)).to.deep.equal(['a.pdf'])
  })

  it("does not show one person's files to the next", async () => {
    const { element, backend } = await show(createBackend())
    element.add(other, [pdf('a.pdf')])
    await element.updateComplete
    backend.person = people.firstApprover
    await element.refresh()
    await waitUntil(() => element.value?.session?.univid === people.firstApprover, 'the next person')
    await settled(element)
    expect(part(element, 'add'), 'the list is shown').to.not.equal(null)
    expect(textOf(element)).not.to.include('a.pdf')
  })

  it('drops files that were chosen for another package (F39)', async () => {
    const backend = createBackend()
    const { packages } = backend.emulator
    packages.test.set(43, { ...packages.test.get(42)!, id: 43, attachments: [] })
    const { element } = await show(backend)
    element.add(other, [pdf('a.pdf')])
    await element.updateComplete
    const loaded = oneEvent(element, 'wf-load')
    element.packageId = 43
    await loaded
    await settled(element)
    expect(part(element, 'add'), 'the list is shown').to.not.equal(null)
    expect(textOf(element)).not.to.include('a.pdf')
    expect(leave(), 'nothing is unfinished').to.equal(true)
  })

  it('ignores an upload for another package that ends late', async () => {
    let respond!: (response: Response) => void
    const backend = createBackend(people.initiator, {
      upload: ({ onProgress }) => {
        onProgress?.(2000, 2000)
        return new Promise((resolve) => (respond = resolve))
      },
    })
    const { packages } = backend.emulator
    packages.test.set(43, { ...packages.test.get(42)!, id: 43, attachments: [] })
    const { element } = await show(backend)
    const changes: unknown[] = []
    element.addEventListener(WfChangeEvent.type, (event) => changes.push(event))
    await upload(element, other, pdf('a.pdf'))
    await waitUntil(() => respond)
    element.packageId = 43
    await waitUntil(() => part(element, 'add') && !textOf(element).includes('a.pdf'))
    const id = attach(backend, { type: other, fileName: 'a.pdf', fileSize: 2000 })
    respond(Response.json({ id, fileName: 'a.pdf', fileSize: 2000 }))
    await settled(element)
    expect(textOf(element)).not.to.include('a.pdf')
    expect(changes).to.deep.equal([])
  })

  it('finds each of two files with the same name and size (F09)', async () => {
    const { element, backend } = await show(createBackend())
    backend.intercept = (request) =>
      request.method === 'POST'
        ? backend.emulator.fetch(request).then(() => Promise.reject(new TypeError('reset')))
        : undefined
    element.add(other, [pdf('a.pdf'), pdf('a.pdf')])
    await element.updateComplete
    for (const form of [...element.shadowRoot!.querySelectorAll('form')]) form.requestSubmit()
    await waitUntil(() => all(element, 'download').length === 2)
    expect(stored(backend)).to.deep.equal(['a.pdf', 'a.pdf'])
    expect(uploadsOf(backend)).to.equal(2)
  })

  describe('in a form @engines', () => {
    it('is not valid while a required document is missing', async () => {
      const { element, form } = await inForm(createBackend())
      expect(form.checkValidity()).to.equal(false)
      expect(element.validationMessage).to.equal('Upload the required document: Receipt.')
      expect(form.reportValidity()).to.equal(false)
      expect(element.shadowRoot!.activeElement).to.equal(button(element, 'Add file Receipt'))

      await upload(element, receipt, pdf('a.pdf'))
      await waitUntil(() => part(element, 'download'))
      expect(form.checkValidity()).to.equal(true)
      expect([...new FormData(form)]).to.deep.equal([])
    })

    it('is not valid, and asks before the page is left, while an upload is not finished', async () => {
      const uploads: UploadRequest[] = []
      const { element, form } = await inForm(
        createBackend(people.initiator, {
          upload: (request) => {
            uploads.push(request)
            return new Promise(() => {})
          },
        }),
        'DRAFT',
      )
      expect(form.checkValidity(), 'nothing is required before routing').to.equal(true)
      expect(leave()).to.equal(true)
      element.add(other, [pdf('a.pdf')])
      await element.updateComplete
      expect(element.validationMessage).to.equal('Finish or cancel the upload first.')
      expect(leave()).to.equal(false)
      await upload(element, other, pdf('b.pdf'))
      await waitUntil(() => uploads.length === 1)
      expect(element.validationMessage).to.equal('Finish or cancel 2 uploads first.')

      for (const name of ['a.pdf', 'b.pdf']) button(element, `Cancel ${name}`).click()
      await waitUntil(() => form.checkValidity())
      expect(leave()).to.equal(true)
    })

    it('is not valid until it is loaded, and is valid if that fails', async () => {
      const backend = createBackend()
      const failures: ((error: unknown) => void)[] = []
      backend.intercept = () => held(new Promise((_, reject) => failures.push(reject)))
      const { form, element } = await inForm(backend, 'ROUTING', '[part=loading]')
      await waitUntil(() => failures.length > 0)
      expect(form.checkValidity()).to.equal(false)
      backend.intercept = () => Promise.reject(new TypeError('down'))
      for (const fail of failures) fail(new TypeError('down'))
      await waitUntil(() => part(element, 'failure'))
      await waitUntil(() => form.checkValidity())
    })

    it('offers nothing and accepts no file while it is disabled', async () => {
      const { element } = await inForm(createBackend())
      const drop = () => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(pdf('a.pdf'))
        element
          .shadowRoot!.querySelector(`[part=type][data-key="${other}"]`)!
          .dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
      }
      element.toggleAttribute('disabled', true)
      await element.updateComplete
      expect(adds(element)).to.deep.equal([])
      drop()
      await element.updateComplete
      expect(kind(element, other)).not.to.include('a.pdf')

      element.disabled = false
      await element.updateComplete
      await element.updateComplete
      drop()
      await element.updateComplete
      expect(kind(element, other)).to.include('a.pdf')
    })

    it('drops the files that are not uploaded when the form is reset', async () => {
      const backend = createBackend()
      attach(backend, { type: itinerary, fileName: 'plan.pdf' })
      const { element, form } = await inForm(backend)
      element.add(other, [pdf('a.pdf')])
      expect(leave()).to.equal(false)
      form.reset()
      expect(leave()).to.equal(true)
      await element.updateComplete
      expect(textOf(element)).not.to.include('a.pdf')
      expect(textOf(element), 'an attachment stays').to.include('plan.pdf')
    })
  })

  it('keeps chosen files through an outage, and recovers (F01)', async () => {
    const { element, backend } = await show(createBackend(people.initiator, { interval: 60 }))
    element.add(other, [pdf('a.pdf')])
    await element.updateComplete
    description(element)!.value = 'Kept'
    description(element)!.dispatchEvent(new Event('input'))
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => part(element, 'stale'))
    backend.intercept = () => undefined
    part(element, 'stale')!.querySelector('button')!.click()
    await waitUntil(() => !part(element, 'stale'))
    expect(description(element)!.value).to.equal('Kept')
  })

  it('cancels uploads when it is removed, not when it is moved (F38) @engines', async () => {
    const uploads: UploadRequest[] = []
    const { element } = await show(
      createBackend(people.initiator, {
        upload: (request) => {
          uploads.push(request)
          return never()
        },
      }),
    )
    await upload(element, other, pdf('a.pdf'))
    await waitUntil(() => uploads.length === 1)
    const elsewhere = await fixture<HTMLElement>(html`<div></div>`)
    elsewhere.append(element)
    await settled(element)
    expect(uploads[0]?.signal?.aborted).to.equal(false)
    element.remove()
    await waitUntil(() => uploads[0]?.signal?.aborted)
    expect(leave()).to.equal(true)
  })
})

function inState(backend: Backend, state: PackageState): void {
  Object.assign(backend.emulator.packages.test.get(42)!, { state, inbox: [] })
}

async function show(backend: Backend, until = '[part=types]', packageId = 42) {
  const element = await fixture<WfAttachments>(html`
    <wf-attachments .client=${backend.client} form-id="6025" package-id=${packageId}></wf-attachments>
  `)
  await waitUntil(() => element.shadowRoot!.querySelector(until), `${until} did not appear`)
  return { element, backend }
}

async function inForm(backend: Backend, state: PackageState = 'ROUTING', until = '[part=types]') {
  inState(backend, state)
  const form = await fixture<HTMLFormElement>(html`<form></form>`)
  const { element } = await show(backend, until)
  form.append(element)
  await waitUntil(() => element.shadowRoot!.querySelector(until))
  await settled(element)
  return { element, form }
}

async function upload(element: WfAttachments, type: number, file: File, text = ''): Promise<void> {
  element.add(type, [file])
  await element.updateComplete
  const row = [...all(element, 'file')].find(
    (one) => one.textContent.includes(file.name) && one.querySelector('form'),
  )!
  const input = row.querySelector('input')!
  input.value = text
  input.dispatchEvent(new Event('input'))
  row.querySelector('form')!.requestSubmit()
}

function pdf(name: string, size = 2000): File {
  return new File(['%PDF-1.7', new Uint8Array(size - 8)], name, { type: 'application/pdf' })
}

/** Creates a file that reports a given size. */
function sized(name: string, size: number): File {
  return Object.defineProperty(new File(['PK'], name), 'size', { value: size })
}

/** Whether the browser leaves the page without a question. */
function leave(): boolean {
  return window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

function uploadsOf({ journal }: Backend): number {
  return journal.filter((line) => line.startsWith('POST ')).length
}

function stored(backend: Backend): string[] {
  return backend.emulator.packages.test.get(42)!.attachments.map(({ fileName }) => fileName)
}

function description(element: WfAttachments): HTMLInputElement | null {
  return element.shadowRoot!.querySelector('form input')
}

function button(element: WfAttachments, name: string): HTMLElement {
  return [...element.shadowRoot!.querySelectorAll('button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.innerText) === name,
  )!
}

function adds(element: WfAttachments): string[] {
  return [...all(element, 'add')].map((one) => `${one.ariaLabel}`)
}

function kind(element: WfAttachments, type: number): string {
  return oneLine(element.shadowRoot!.querySelector(`[part=type][data-key="${type}"]`))
}

function textOf(element: WfAttachments): string {
  return oneLine(part(element, 'base'))
}

function oneLine(element: Element | null): string {
  return (element as HTMLElement).innerText.replace(/\s+/g, ' ').trim()
}

function all(element: WfAttachments, name: string): NodeListOf<Element> {
  return element.shadowRoot!.querySelectorAll(`[part="${name}"]`)
}

function part<Found extends Element = Element>(element: WfAttachments, name: string): Found | null {
  return element.shadowRoot!.querySelector<Found>(`[part="${name}"]`)
}
