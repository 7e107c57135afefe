import { expect, fixture, html } from '@open-wc/testing'
import '../../../src/define/fs-uploader.ts'
import { FsBeforeChangeEvent, FsErrorEvent } from '../../../src/elements/fs-uploader/fs-uploader.events.ts'
import type { FsUploader } from '../../../src/elements/fs-uploader/fs-uploader.ts'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { createFilesBackend, sampleUuids } from '../../../stories/stored-files.ts'
import { waitUntil } from '../../wait-until.ts'

const [first = '', second = '', third = ''] = sampleUuids

describe('the value of <fs-uploader>', () => {
  it('is the one that the page sets before the first update, not the default @engines', async () => {
    const element = document.createElement('fs-uploader')
    Object.assign(element, { client: createFilesBackend().client, defaultValue: first })
    element.value = [second, `${third} ${second}`]
    const parent = await fixture<HTMLElement>(html`<div></div>`)
    parent.append(element)
    await element.updateComplete
    expect(element.value).to.deep.equal([second, third])
    await waitUntil(() => textOf(element).includes('expenses.xlsx'))
    expect(textOf(element)).not.to.include('itinerary.pdf')
  })

  it('may be set again as it is without a change to files on their way', async () => {
    const element = await show(createFilesBackend(), { defaultValue: first })
    await waitUntil(() => textOf(element).includes('itinerary.pdf'))
    element.add([pdf('new.pdf')])
    element.value = [first]
    expect(element.validationMessage).to.equal('Wait for the upload to finish.')
    element.value = second
    expect([element.value, element.validationMessage]).to.deep.equal([[second], ''])
    element.value = ''
    expect(element.value).to.deep.equal([])
  })

  it('loses one file at a time, and none that it does not have', async () => {
    const element = await show(createFilesBackend(), { defaultValue: sampleUuids.join(' ') })
    element.removeFile('0f5e0000-0000-4000-8000-000000000009')
    expect(element.value).to.deep.equal(sampleUuids)
    element.removeFile(second)
    expect(element.value).to.deep.equal([first, third])
  })

  it('is sent under the name of the field only @engines', async () => {
    const form = await fixture<HTMLFormElement>(html`
      <form>
        <fs-uploader value="${first} ${second}" .client=${createFilesBackend().client}></fs-uploader>
      </form>
    `)
    const element = form.querySelector('fs-uploader')!
    const sent = () => [...new FormData(form)].map(([name, value]) => `${name}=${value as string}`)
    expect(sent()).to.deep.equal([])
    element.name = 'files'
    await element.updateComplete
    expect(sent()).to.deep.equal([`files=${first}`, `files=${second}`])
    element.name = 'receipts'
    await element.updateComplete
    expect(sent()).to.deep.equal([`receipts=${first}`, `receipts=${second}`])
  })

  it('is not valid while uploads run, and if it is required and empty @engines', async () => {
    const element = await show(createFilesBackend())
    expect([element.checkValidity(), element.validationMessage]).to.deep.equal([true, ''])
    element.add([pdf('a.pdf'), pdf('b.pdf')])
    expect(element.validationMessage).to.equal('Wait for 2 uploads to finish.')
    expect(element.validity.customError).to.equal(true)
    await waitUntil(() => element.assets.length === 2)
    expect(element.validationMessage).to.equal('')
    element.required = true
    await element.updateComplete
    expect(element.validationMessage).to.equal('')
    element.value = ''
    await element.updateComplete
    expect([element.validationMessage, element.validity.valueMissing]).to.deep.equal(['Upload a file.', true])
  })
})

describe('the rules of <fs-uploader>', () => {
  it('are those of the proxy, unless the page accepts less', async () => {
    const element = await show(withLimits({ extensions: ['pdf', 'png'], maxFileSize: 2048 }))
    const zone = () => [
      element.shadowRoot!.querySelector('#hint')!.textContent.replace(/\s+/g, ' ').trim(),
      element.shadowRoot!.querySelector('input')!.accept,
    ]
    await waitUntil(() => element.matches(':state(loaded)'))
    await settled(element)
    expect(zone()).to.deep.equal(['Up to 2 kB each. Types: .pdf, .png.', '.pdf,.png'])
    Object.assign(element, { accept: '.pdf', maxSize: 1024, maxFiles: 3 })
    await element.updateComplete
    expect(zone()).to.deep.equal(['Up to 1 kB each. Types: .pdf. Up to 3 files.', '.pdf'])
  })

  it('hold for files that are added before they are known', async () => {
    const backend = withLimits({ extensions: ['pdf'], maxFileSize: 50 })
    const element = await fixture<FsUploader>(html`<fs-uploader .client=${backend.client}></fs-uploader>`)
    const problems: unknown[] = []
    element.addEventListener(FsErrorEvent.type, ({ error, file }) =>
      problems.push([file?.name, 'kind' in error ? error.kind : error.name]),
    )
    element.add([new File(['x'], 'a.exe'), pdf('b.pdf', 51), pdf('c.pdf', 50)])
    await waitUntil(() => element.assets.length + problems.length === 3)
    expect(problems.sort()).to.deep.equal([
      ['a.exe', 'wrongType'],
      ['b.pdf', 'tooLarge'],
    ])
    expect(element.failedFiles.map(({ name }) => name).sort()).to.deep.equal(['a.exe', 'b.pdf'])
    expect(uploads(backend)).to.equal(1)
  })

  it('say how many files were not added, until the next change', async () => {
    const element = await show(createFilesBackend(), { maxFiles: 1 })
    const leftOut = () => element.shadowRoot!.querySelector('[part=left-out]')?.textContent.trim() ?? ''
    element.add([pdf('a.pdf'), pdf('b.pdf'), pdf('c.pdf')])
    await element.updateComplete
    expect(leftOut()).to.equal('2 files were not added: the list is full.')
    await waitUntil(() => element.assets.length === 1)
    element.add([pdf('d.pdf')])
    await element.updateComplete
    expect(leftOut()).to.equal('One file was not added: the list is full.')
    element.removeFile(element.value[0]!)
    await element.updateComplete
    expect(leftOut()).to.equal('')
  })
})

describe('<fs-uploader> and its page', () => {
  it('asks the page before each upload, with the file', async () => {
    const backend = createFilesBackend()
    const element = await show(backend)
    const asked: unknown[] = []
    const file = pdf('a.pdf')
    element.addEventListener(FsBeforeChangeEvent.type, (event) => {
      asked.push([event.operation, event.file === file, event.asset, event.bubbles, event.composed])
      event.preventDefault()
    })
    element.add([file])
    await waitUntil(() => asked.length === 1 && !textOf(element).includes('a.pdf'))
    expect(asked).to.deep.equal([['uploadFile', true, undefined, true, true]])
    expect([uploads(backend), element.validationMessage]).to.deep.equal([0, ''])
  })

  it('fails an upload if the page removes the endpoint while the file waits', async () => {
    const backend = createFilesBackend()
    const element = await show(backend)
    const errors: string[] = []
    element.addEventListener(FsErrorEvent.type, ({ error }) => errors.push(error.message))
    element.addEventListener(FsBeforeChangeEvent.type, () => (element.client = undefined))
    element.add([pdf('a.pdf')])
    await waitUntil(() => errors.length === 1)
    expect(errors).to.deep.equal(['uploadFile has no endpoint'])
    expect(uploads(backend)).to.equal(0)
    await waitUntil(() => element.matches(':state(not-configured)'))
  })
})

async function show(backend: Backend, properties: Partial<FsUploader> = {}): Promise<FsUploader> {
  const element = await fixture<FsUploader>(
    html`<fs-uploader .client=${backend.client} value=${properties.defaultValue ?? ''}></fs-uploader>`,
  )
  Object.assign(element, properties)
  await waitUntil(() => element.matches(':state(loaded)'))
  return element
}

function withLimits(limits: { readonly extensions: readonly string[]; readonly maxFileSize: number }) {
  return createBackend(people.initiator, {}, [6025], limits)
}

function pdf(name: string, size = 20): File {
  return new File(['%PDF-1.7'.padEnd(size, 'x')], name, { type: 'application/pdf' })
}

function uploads({ journal }: Backend): number {
  return journal.filter((line) => line.startsWith('POST ')).length
}

function textOf(element: FsUploader): string {
  return element.shadowRoot!.querySelector<HTMLElement>('[part=base]')!.innerText.replace(/\s+/g, ' ').trim()
}
