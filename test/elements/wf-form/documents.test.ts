import { expect } from '@open-wc/testing'
import { html } from 'lit'
import '../../../src/define/fs-uploader.ts'
import '../../../src/define/wf-attachments.ts'
import '../../../src/define/wf-package-status.ts'
import {
  type WfFormSubmittedEvent,
  WfFormSubmittedEvent as Submitted,
} from '../../../src/elements/wf-form/wf-form.events.ts'
import type { FsUploader } from '../../../src/elements/fs-uploader/fs-uploader.ts'
import type { WfForm } from '../../../src/elements/wf-form/wf-form.ts'
import type { WfAttachments } from '../../../src/elements/wf-attachments/wf-attachments.ts'
import { createBackend } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { button, complete, control, created, press, show, textOf, travelForm, type, writes } from './form.ts'

const attachments = html`<wf-attachments slot="documents"></wf-attachments>`

/** A backend whose form requires an itinerary before routing. */
function requiring() {
  const backend = createBackend()
  const [first] = backend.emulator.forms.test.get(6025)!.attachmentTypes
  Object.assign(first!, { requiredPreRouting: true })
  return backend
}

/** Saves a complete request, and waits until documents can be added. */
async function saved(element: WfForm): Promise<WfAttachments> {
  type(element, complete)
  await element.save()
  const field = element.querySelector<WfAttachments>('wf-attachments')!
  await waitUntil(() => field.value)
  return field
}

function file(name = 'itinerary.pdf'): File {
  return new File(['%PDF-1.7'], name, { type: 'application/pdf' })
}

/** A backend whose form has a field for the uuids of files. */
function withReceipts() {
  const backend = createBackend()
  const form = backend.emulator.forms.test.get(6025)!
  Object.assign(form, { fields: [...form.fields, { naturalKey: 'receipts', kind: 'text', required: false }] })
  return backend
}

const receipts = () => travelForm(html`<fs-uploader name="receipts"></fs-uploader>`)

function uploaderOf(element: WfForm): FsUploader {
  return element.querySelector('fs-uploader')!
}

describe('<wf-form> with documents', () => {
  it('shows them when the request is saved, which a button does, and gives them its package', async () => {
    const { element, backend } = await show({ more: attachments })
    const field = element.querySelector<WfAttachments>('wf-attachments')!
    expect(field.checkVisibility()).to.equal(false)
    type(element, complete)
    button(element, 'Save and add documents')!.click()
    await waitUntil(() => field.value)

    expect(created(backend)).to.have.length(1)
    expect(field.checkVisibility()).to.equal(true)
    expect(button(element, 'Save and add documents')?.checkVisibility()).to.equal(false)
    field.add(1, [file()])
    await waitUntil(() => field.shadowRoot!.querySelector('[part=choose]'))
    field.shadowRoot!.querySelector<HTMLElement>('[part=choose]')!.click()
    await waitUntil(() => created(backend)[0]!.attachments.length === 1)
  })

  it('does not submit while a required document is missing, and names it, with or without an upload field', async () => {
    for (const more of [attachments, '']) {
      const backend = requiring()
      const { element } = await show({ backend, more })
      type(element, complete)
      press(element, 'ROUTING')
      await settled(element)

      expect(created(backend).map(({ state }) => state)).to.deep.equal(['PRE_ROUTING'])
      expect(textOf(element)).to.include('Upload the required document: Itinerary.')
      expect(textOf(element), 'the draft is saved').to.match(/Saved at/)
      localStorage.clear()
    }
  })

  it('submits when the document is there (control)', async () => {
    const backend = requiring()
    const { element } = await show({ backend })
    type(element, complete)
    await element.save()
    const params = { formId: 6025, packageId: element.packageId, attachmentTypeId: 1 }
    await backend.client.uploadAttachment({ params, file: file() })
    await element.submit()
    expect(created(backend).map(({ state }) => state)).to.deep.equal(['ROUTING'])
  })

  it('does not submit while an upload is not finished', async () => {
    const { element, backend } = await show({ more: attachments })
    const field = await saved(element)
    field.add(1, [file()])
    press(element, 'ROUTING')
    await settled(element)

    expect(created(backend).map(({ state }) => state)).to.deep.equal(['PRE_ROUTING'])
    expect(textOf(element)).to.include(field.validationMessage)
    const link = element.shadowRoot!.querySelector<HTMLElement>('a[part=problem]')!
    link.click()
    expect(document.activeElement === field).to.equal(true)
  })

  it('does not submit while a file has failed, names it, and links to its row', async () => {
    const { element, backend } = await show({ more: attachments })
    const field = await saved(element)
    // The first is refused by the service, the second by its own checks.
    backend.intercept = (request) =>
      request.method === 'POST' ? Promise.resolve(new Response('{}', { status: 422 })) : undefined
    field.add(1, [file('itinerary.pdf')])
    await waitUntil(() => field.shadowRoot!.querySelector('[part=choose]'))
    field.shadowRoot!.querySelector<HTMLElement>('[part=choose]')!.click()
    await waitUntil(() => field.failedFiles.length === 1)
    field.add(1, [file('notes.txt')])
    await waitUntil(() => field.failedFiles.length === 2)
    backend.intercept = () => undefined
    expect(field.validity.valid, 'a form without <wf-form> may be sent').to.equal(true)
    await field.updateComplete
    press(element, 'ROUTING')
    await settled(element)

    expect(created(backend).map(({ state }) => state)).to.deep.equal(['PRE_ROUTING'])
    const links = [...element.shadowRoot!.querySelectorAll<HTMLElement>('a[part=problem]')]
    expect(links.map(({ innerText }) => innerText)).to.deep.equal([
      '“itinerary.pdf” was not uploaded. Try again or remove it.',
      '“notes.txt” was not uploaded. Try again or remove it.',
    ])
    links[1]!.click()
    const row = field.shadowRoot!.activeElement?.closest<HTMLElement>('[part=file]')
    expect(row?.innerText).to.include('notes.txt')

    for (const one of [...field.shadowRoot!.querySelectorAll<HTMLElement>('[part=file] button')])
      if (one.innerText.trim() === 'Remove') one.click()
    press(element, 'ROUTING')
    await settled(element)
    expect(created(backend).map(({ state }) => state)).to.deep.equal(['ROUTING'])
  })

  it('does not submit if a file fails while the form is being saved', async () => {
    const { element, backend } = await show({ more: attachments })
    const field = await saved(element)
    type(element, { purpose: 'Another purpose' })
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    backend.intercept = (request) =>
      request.method === 'PUT'
        ? backend.emulator.fetch(request).then(async (response) => (await held, response))
        : undefined
    press(element, 'ROUTING')
    await waitUntil(() => writes(backend).some((line) => line.startsWith('PUT ')))
    field.add(1, [file('notes.txt')])
    await waitUntil(() => field.failedFiles.length === 1)
    release()
    await settled(element)
    expect(created(backend).map(({ state }) => state)).to.deep.equal(['PRE_ROUTING'])
    expect(textOf(element)).to.include('“notes.txt” was not uploaded.')
  })
})

describe('<wf-form> and the page', () => {
  it('sends the sub-type of the attribute or of a control, which is not a field', async () => {
    for (const [attributes, form] of [
      [{ 'sub-type': 'FOREIGN' }, travelForm()],
      [
        { 'sub-type-name': 'kind' },
        travelForm(
          html`<select name="kind">
            <option>DOMESTIC</option>
            <option selected>FOREIGN</option>
          </select>`,
        ),
      ],
    ] as const) {
      const backend = createBackend()
      Object.assign(backend.emulator.forms.test.get(6025)!, { subTypes: ['DOMESTIC', 'FOREIGN'] })
      const { element } = await show({ backend, attributes, form })
      type(element, complete)
      await element.submit()
      expect(created(backend).map(({ state, subType }) => [state, subType])).to.deep.equal([
        ['ROUTING', 'FOREIGN'],
      ])
      expect(created(backend)[0]!.entry).not.to.have.property('kind')
    }
  })

  it('offers the address of the next page with the ids, and never runs a script from it', async () => {
    for (const [template, expected] of [
      ['/requests/{packageId}?form={formId}', `${location.origin}/requests/1000?form=6025`],
      ['javascript:alert({packageId})', undefined],
    ] as const) {
      const { element } = await show({ attributes: { 'success-url': template } })
      let url: string | undefined = 'no event'
      element.addEventListener(Submitted.type, (event: WfFormSubmittedEvent) => {
        url = event.url
        event.preventDefault()
      })
      type(element, complete)
      await element.submit()
      expect(url).to.equal(expected)
    }
  })

  it('posts to its own action without the script, and asks the browser for nothing with it', async () => {
    const { element } = await show()
    const form = element.querySelector('form')!
    expect(form.getAttribute('action')).to.equal('/travel')
    form.querySelector('input')!.focus()
    expect(form.noValidate).to.equal(true)
    press(element, 'ROUTING')
    await settled(element)
    expect(textOf(element)).to.match(/There is a problem Enter purpose\. .* Enter cost\./)
    expect(element.shadowRoot!.activeElement?.getAttribute('part')).to.equal('problems')
    expect(control(element, 'cost').getAttribute('aria-invalid')).to.equal('true')
  })
})

describe('<wf-form> with a field of files', () => {
  it('saves a stored file by itself, as it does with what is typed', async () => {
    const { element, backend } = await show({
      backend: withReceipts(),
      form: receipts(),
      attributes: { autosave: '' },
    })
    type(element, complete)
    await element.save()
    uploaderOf(element).add([file()])
    await waitUntil(() => uploaderOf(element).value.length === 1)
    await waitUntil(
      () => created(backend)[0]!.entry['receipts'] === uploaderOf(element).value[0],
      'not saved',
      {
        timeout: 5000,
      },
    )
  })

  it('starts a new request without the files of the earlier one', async () => {
    const backend = withReceipts()
    const first = await show({ backend, form: receipts() })
    type(first.element, complete)
    uploaderOf(first.element).add([file()])
    await waitUntil(() => uploaderOf(first.element).value.length === 1)
    await first.element.save()
    first.element.remove()

    const { element } = await show({ backend, form: receipts() })
    await waitUntil(() => uploaderOf(element).value.length === 1, 'it continues with the draft')
    button(element, 'Start a new request')!.click()
    await waitUntil(() => control(element, 'purpose').value === '')
    await waitUntil(() => element.value && !element.value.found)
    expect(uploaderOf(element).value).to.deep.equal([])
  })

  it('shows the files of another request if the page changes to it', async () => {
    const backend = withReceipts()
    const { element } = await show({ backend, form: receipts() })
    type(element, complete)
    uploaderOf(element).add([file()])
    await waitUntil(() => uploaderOf(element).value.length === 1)
    await element.save()
    const { entry } = created(backend)[0]!
    const { id } = await backend.other.createPackage({
      params: { formId: 6025 },
      body: { state: 'PRE_ROUTING', entry: { ...entry, receipts: null } },
    })
    element.packageId = id
    await waitUntil(() => element.value?.found?.id === id)
    expect(uploaderOf(element).value).to.deep.equal([])
  })

  it('shows the files of the entry instead of those in the markup', async () => {
    const backend = withReceipts()
    const entry = { ...backend.emulator.packages.test.get(42)!.entry, receipts: null }
    const { id } = await backend.other.createPackage({
      params: { formId: 6025 },
      body: { state: 'PRE_ROUTING', entry },
    })
    const uuid = '00000000-0000-4000-8000-000000000001'
    const { element } = await show({
      backend,
      packageId: id,
      form: travelForm(html`<fs-uploader name="receipts" value=${uuid}></fs-uploader>`),
    })
    await waitUntil(() => control(element, 'purpose').value !== '')
    expect(uploaderOf(element).value).to.deep.equal([])
  })
})
