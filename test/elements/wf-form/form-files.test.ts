import { expect } from '@open-wc/testing'
import { html } from 'lit'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
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
  type ShowOptions,
  textOf,
  travelForm,
  type,
  writes,
} from './form.ts'

/** A form with a file input, and a chosen file or none. */
async function withFile(attributes: Readonly<Record<string, string>>, isChosen: boolean) {
  const shown = await show({ form: travelForm(html`<label>Bill <input name="bill" type="file" /></label>`) })
  const input = control(shown.element, 'bill')
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value)
  if (isChosen) {
    const files = new DataTransfer()
    files.items.add(new File(['x'], 'bill.pdf', { type: 'application/pdf' }))
    input.files = files.files
  }
  type(shown.element, complete)
  return { ...shown, input }
}

describe('<wf-form> and a file input of the page', () => {
  for (const [attributes, isChosen] of [
    [{}, true],
    [{ required: '' }, false],
  ] as const)
    it(`is not submitted without the file: ${isChosen ? 'chosen' : 'required'}`, async () => {
      const { element, backend, input } = await withFile(attributes, isChosen)
      press(element, 'ROUTING')
      await settled(element)
      expect(created(backend)).to.deep.equal([])
      expect(textOf(element)).to.include('This page can’t send files from “Bill”.')
      element.shadowRoot!.querySelector<HTMLElement>('[part=problems] a')!.click()
      expect(document.activeElement === input).to.equal(true)
      expect(input.hasAttribute('tabindex')).to.equal(false)
    })

  it('is submitted if no file is chosen or needed, or if it is a matter of the page', async () => {
    for (const [attributes, isChosen] of [
      [{}, false],
      [{ 'data-kind': 'none' }, true],
    ] as const) {
      const { element, backend } = await withFile(attributes, isChosen)
      await element.submit()
      expect(created(backend).map(({ state }) => state)).to.deep.equal(['ROUTING'])
      element.remove()
      localStorage.clear()
    }
  })
})

/** A travel request with a file input for attachments of a type. */
async function withAttachments(
  attributes: Readonly<Record<string, string>>,
  { backend = createBackend(), ...options }: ShowOptions = {},
) {
  const shown = await show({
    backend,
    form: travelForm(html`<label>Bill <input name="bill" type="file" /></label>`),
    ...options,
  })
  const input = control(shown.element, 'bill')
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value)
  if (!options.packageId) type(shown.element, complete)
  // As the focus of a person does.
  input.dispatchEvent(new FocusEvent('focusin', { bubbles: true, composed: true }))
  return { ...shown, input }
}

const pdf = (name: string, content = 'x') =>
  new File([`%PDF-1.7\n${content}`], name, { type: 'application/pdf' })

function choose(input: HTMLInputElement, ...files: readonly File[]): void {
  const chosen = new DataTransfer()
  for (const file of files) chosen.items.add(file)
  input.files = chosen.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

const chosenIn = ({ files }: HTMLInputElement) => [...(files ?? [])].map(({ name }) => name)

/** The names and types of the attachments of the new requests. */
const attachmentsOf = (backend: Backend) =>
  created(backend).flatMap((pkg) =>
    pkg.attachments.map(({ fileName, type: typeId }) => `${fileName} ${typeId}`),
  )

const statesOf = (backend: Backend) => created(backend).map(({ state }) => state)

/** The texts of the list of files. */
const rows = (element: HTMLElement) =>
  [...element.shadowRoot!.querySelectorAll<HTMLElement>('[part=files] [part=file]')].map(({ innerText }) =>
    innerText.replace(/\s+/g, ' ').trim(),
  )

const waits =
  'Uploaded when you save or submit. This browser cannot keep the file until then, so leave this page open. Remove'

/** Whether the browser would ask before it leaves the page. */
const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

const isUpload = ({ method, url }: Request) => method === 'POST' && url.includes('/attachments/')

/** The service refuses uploads, until this is undone. */
function refuseUploads(backend: Backend): () => void {
  backend.intercept = (request) =>
    isUpload(request) ? Promise.resolve(new Response('', { status: 400 })) : undefined
  return () => (backend.intercept = () => undefined)
}

describe('<wf-form> and the rows of chosen files @engines', () => {
  it('put their buttons beside the text, or below it where that is narrow', async () => {
    const { element, input } = await withAttachments({ 'data-attachment-type': 'itinerary' })
    choose(input, pdf('bill.pdf'))
    await waitUntil(() => rows(element).length)
    const inRow = (name: string) => part(element, 'file')!.querySelector(name)!.getBoundingClientRect()
    for (const [width, isBelow] of [
      ['700px', false],
      ['300px', true],
    ] as const) {
      element.style.width = width
      expect(inRow('.actions').top >= inRow('.facts').bottom, width).to.equal(isBelow)
    }
  })
})

describe('<wf-form> and a file input with data-attachment-type', () => {
  for (const key of ['itinerary', '1'])
    it(`uploads the file once, when the request is saved: ${key}`, async () => {
      const { element, backend, input } = await withAttachments({ 'data-attachment-type': key })
      choose(input, pdf('bill.pdf'))
      await waitUntil(() => rows(element).length)
      expect(rows(element)).to.deep.equal([`bill.pdf 10 bytes ${waits}`])
      expect(asks(), 'it would be lost').to.equal(true)
      expect(writes(backend)).to.deep.equal([])
      await element.save()
      expect(attachmentsOf(backend)).to.deep.equal(['bill.pdf 1'])
      expect(chosenIn(input)).to.deep.equal([])
      await element.updateComplete
      expect(rows(element)).to.deep.equal(['bill.pdf 10 bytes 1 uploaded'])
      expect(textOf(element)).to.match(/Saved at .* as request/)
      expect(asks()).to.equal(false)
      await element.save()
      await element.submit()
      expect(attachmentsOf(backend)).to.deep.equal(['bill.pdf 1'])
      expect(statesOf(backend)).to.deep.equal(['ROUTING'])
    })

  it('uploads each of several files, also one that is chosen meanwhile, before it submits', async () => {
    const { element, backend, input } = await withAttachments({
      'data-attachment-type': 'other',
      multiple: '',
    })
    choose(input, pdf('a.pdf'), pdf('b.pdf', 'bb'))
    let isChosen = false
    backend.intercept = (request) => {
      if (isUpload(request) && !isChosen) {
        isChosen = true
        choose(input, ...input.files!, pdf('c.pdf', 'ccc'))
      }
      return undefined
    }
    await element.submit()
    expect(attachmentsOf(backend).sort()).to.deep.equal(['a.pdf 3', 'b.pdf 3', 'c.pdf 3'])
    expect(statesOf(backend)).to.deep.equal(['ROUTING'])
    const isRouting = (line: string) => /PUT .*[/]packages[/]\d+$/.test(line)
    expect(writes(backend).findIndex(isRouting), writes(backend).join()).to.equal(writes(backend).length - 1)
  })

  it('does not submit the request without the file, and tries again', async () => {
    const { element, backend, input } = await withAttachments({ 'data-attachment-type': 'itinerary' })
    choose(input, pdf('bill.pdf'))
    const allowUploads = refuseUploads(backend)
    await element.submit()
    expect(statesOf(backend)).to.deep.equal(['PRE_ROUTING'])
    expect(part(element, 'problem')!.innerText).to.equal(
      '“bill.pdf” was not uploaded. Try again or remove it.',
    )
    expect(rows(element)).to.deep.equal([
      'bill.pdf 10 bytes Not uploaded: the service rejected the file. Remove',
    ])
    expect(chosenIn(input), 'nothing is lost').to.deep.equal(['bill.pdf'])
    allowUploads()
    await element.submit()
    expect(attachmentsOf(backend)).to.deep.equal(['bill.pdf 1'])
    expect(statesOf(backend)).to.deep.equal(['ROUTING'])
    expect(part(element, 'problem')).to.equal(null)
  })

  it('sends another file instead of one that was refused, or none', async () => {
    const { element, backend, input } = await withAttachments({ 'data-attachment-type': 'itinerary' })
    choose(input, new File(['x'], 'bill.txt', { type: 'text/plain' }))
    await element.submit()
    expect(rows(element)).to.deep.equal([
      'bill.txt 1 byte Not uploaded: only PDF files are accepted. Save the file as a PDF and choose it again. Remove',
    ])
    choose(input, pdf('bill.pdf'))
    await waitUntil(() => rows(element)[0]?.startsWith('bill.pdf'))
    button(element, 'Remove')!.focus()
    button(element, 'Remove')!.click()
    expect(chosenIn(input)).to.deep.equal([])
    expect(document.activeElement === input, 'the focus stays').to.equal(true)
    await waitUntil(() => rows(element).length === 0)
    choose(input, pdf('ticket.pdf'))
    await element.submit()
    expect(attachmentsOf(backend)).to.deep.equal(['ticket.pdf 1'])
    expect(statesOf(backend)).to.deep.equal(['ROUTING'])
  })

  it('accepts what the input accepts', async () => {
    const { element, backend, input } = await withAttachments({
      'data-attachment-type': 'other',
      accept: '.png',
    })
    choose(input, pdf('bill.pdf'))
    await element.submit()
    expect(rows(element)[0]).to.match(/this type of file is not accepted/)
    expect(statesOf(backend)).to.deep.equal(['PRE_ROUTING'])
    input.accept = '.pdf'
    await element.submit()
    expect(statesOf(backend)).to.deep.equal(['ROUTING'])
  })

  it('stops for a type that the form does not have, and without a required file', async () => {
    const { element, backend, input } = await withAttachments({ 'data-attachment-type': 'map', required: '' })
    await element.submit()
    expect(created(backend)).to.deep.equal([])
    expect(part(element, 'problem')!.innerText).to.equal('Upload the required document: Bill.')
    choose(input, pdf('bill.pdf'))
    await element.submit()
    expect(statesOf(backend)).to.deep.equal(['PRE_ROUTING'])
    expect(part(element, 'problem')!.innerText).to.match(/^This page can’t send files from “Bill”\./)
    expect(rows(element), 'no promise').to.deep.equal(['bill.pdf 10 bytes Remove'])
    input.dataset['attachmentType'] = 'itinerary'
    await element.submit()
    expect(statesOf(backend)).to.deep.equal(['ROUTING'])
    expect(attachmentsOf(backend)).to.deep.equal(['bill.pdf 1'])
  })

  it('stops for a type that the service takes only after routing has started', async () => {
    const backend = createBackend()
    const types = backend.emulator.forms.test.get(6025)!.attachmentTypes
    for (const one of types) if (one.naturalKey === 'other') Object.assign(one, { visiblePreRouting: false })
    const { element, input } = await withAttachments({ 'data-attachment-type': 'other' }, { backend })
    choose(input, pdf('bill.pdf'))
    await element.submit()
    expect(statesOf(backend)).to.deep.equal(['PRE_ROUTING'])
    expect(part(element, 'problem')!.innerText).to.match(/^This page can’t send files from “Bill”\./)
    expect(attachmentsOf(backend)).to.deep.equal([])
  })

  it('accepts that a required file was uploaded earlier, also if the list of the service lags behind', async () => {
    const attributes = { 'data-attachment-type': 'itinerary', required: '' }
    const { element, backend, input } = await withAttachments(attributes)
    const types = backend.emulator.forms.test.get(6025)!.attachmentTypes
    for (const one of types)
      if (one.naturalKey === 'itinerary') Object.assign(one, { requiredPreRouting: true })
    await element.save()
    expect(statesOf(backend)).to.deep.equal(['PRE_ROUTING'])
    await element.submit()
    expect(part(element, 'problem')!.innerText).to.equal('Upload the required document: Bill.')
    choose(input, pdf('bill.pdf'))
    backend.intercept = ({ method, url }) =>
      method === 'GET' && url.endsWith('/attachments') ? Promise.resolve(Response.json([])) : undefined
    await element.save()
    expect(attachmentsOf(backend)).to.deep.equal(['bill.pdf 1'])
    await element.submit()
    // The emulator itself knows the attachment.
    expect(statesOf(backend)).to.deep.equal(['ROUTING'])
    expect(attachmentsOf(backend)).to.deep.equal(['bill.pdf 1'])
  })

  it('names the files to choose again after a reload, until they are, or the person goes on without', async () => {
    const attributes = { 'data-attachment-type': 'itinerary' }
    const { element, backend, input } = await withAttachments(attributes)
    choose(input, pdf('bill.pdf'))
    element.remove()
    const again = await withAttachments(attributes, { backend })
    const text = 'Browsers cannot keep files. Choose again: bill.pdf.'
    await waitUntil(() => part(again.element, 'upload-again')?.innerText === text)
    choose(again.input, pdf('bill.pdf'))
    await waitUntil(() => !part(again.element, 'upload-again'))
    again.element.remove()
    const third = await withAttachments(attributes, { backend })
    await waitUntil(() => part(third.element, 'upload-again')?.innerText === text)
    await third.element.save()
    await waitUntil(() => !part(third.element, 'upload-again'))
    third.element.remove()
    const last = await withAttachments(attributes, { backend })
    await waitUntil(() => last.element.packageId && last.element.value?.found)
    await last.element.updateComplete
    expect(part(last.element, 'upload-again')).to.equal(null)
    expect(attachmentsOf(backend)).to.deep.equal([])
  })

  it('forgets the file if the form is reset, or another person signs in', async () => {
    const { element, backend, input } = await withAttachments({ 'data-attachment-type': 'itinerary' })
    const form = element.querySelector('form')!
    choose(input, pdf('bill.pdf'))
    await waitUntil(() => rows(element).length)
    form.reset()
    await waitUntil(() => !rows(element).length)
    expect(asks()).to.equal(false)
    expect(Object.values(localStorage).join()).not.to.include('bill.pdf')
    choose(input, pdf('secret.pdf'))
    await waitUntil(() => rows(element).length)
    backend.person = people.firstApprover
    await element.refresh()
    await waitUntil(() => !rows(element).length)
    expect(chosenIn(input)).to.deep.equal([])
    type(element, complete)
    await element.submit()
    expect(attachmentsOf(backend)).to.deep.equal([])
  })

  it('asks the page first, and sends nothing if it cancels', async () => {
    const { element, backend, input } = await withAttachments({ 'data-attachment-type': 'itinerary' })
    choose(input, pdf('bill.pdf'))
    const bodies: unknown[] = []
    const refuse = (event: Event) => {
      const { operation, body } = event as unknown as { operation: string; body: Record<string, unknown> }
      if (operation !== 'uploadAttachment') return
      bodies.push([(body['file'] as File).name, body['attachmentTypeId']])
      event.preventDefault()
    }
    element.addEventListener('wf-before-change', refuse)
    await element.submit()
    expect(bodies).to.deep.equal([['bill.pdf', 1]])
    expect(statesOf(backend)).to.deep.equal(['PRE_ROUTING'])
    expect(attachmentsOf(backend)).to.deep.equal([])
    expect(chosenIn(input)).to.deep.equal(['bill.pdf'])
    element.removeEventListener('wf-before-change', refuse)
    await element.submit()
    expect(statesOf(backend)).to.deep.equal(['ROUTING'])
  })

  it('does not upload a file by itself, because nobody can delete it', async () => {
    const { element, backend, input } = await withAttachments(
      { 'data-attachment-type': 'itinerary' },
      { attributes: { autosave: '' } },
    )
    await element.save()
    choose(input, pdf('bill.pdf'))
    type(element, { purpose: 'More field work' })
    await waitUntil(() => created(backend)[0]!.entry['purpose'] === 'More field work')
    await waitUntil(() => !isBusy(element))
    expect(attachmentsOf(backend)).to.deep.equal([])
    expect(chosenIn(input)).to.deep.equal(['bill.pdf'])
    await element.save()
    expect(attachmentsOf(backend)).to.deep.equal(['bill.pdf 1'])
  })

  it('is locked for people who may only read the request, and open for those who may change it', async () => {
    const attributes = { 'data-attachment-type': 'itinerary' }
    const reader = await withAttachments(attributes, { packageId: 42 })
    await reader.element.refresh()
    expect(reader.input.disabled).to.equal(true)
    reader.element.remove()
    const backend = createBackend(people.firstApprover)
    const { element, input } = await withAttachments(attributes, { backend, packageId: 42 })
    await element.refresh()
    expect(input.disabled).to.equal(false)
    choose(input, pdf('bill.pdf'))
    await element.save()
    const attachments = backend.emulator.packages.test.get(42)!.attachments
    expect(attachments.map(({ fileName }) => fileName)).to.include('bill.pdf')
  })

  it('takes no file of one request into another', async () => {
    const { element, backend, input } = await withAttachments({ 'data-attachment-type': 'itinerary' })
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'PRE_ROUTING' })
    choose(input, pdf('bill.pdf'))
    await waitUntil(() => rows(element).length)
    element.packageId = 42
    await waitUntil(() => control(element, 'purpose').value.startsWith('Annual meeting'))
    await waitUntil(() => !rows(element).length)
    expect(chosenIn(input)).to.deep.equal([])
  })
})
