import { expect, fixture, html, oneEvent } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import '../../../src/define/fs-uploader.ts'
import { FsBeforeChangeEvent, FsChangeEvent } from '../../../src/elements/fs-uploader/fs-uploader.events.ts'
import { breakDown } from '../../../stories/backend.ts'
import {
  createFilesBackend,
  directory,
  sampleUuids,
  share,
  storeFiles,
} from '../../../stories/stored-files.ts'
import { waitUntil } from '../../wait-until.ts'
import { announcement } from '../notices/announcements.ts'
import { button, deletions, focused, row, show, textOf } from './element.ts'

const [first = '', second = '', third = ''] = sampleUuids

describe('<fs-files>', () => {
  it('leaves a file whose upload failed in the uploader that it follows', async () => {
    const { client } = createFilesBackend()
    const page = await fixture(html`
      <div>
        <fs-files for="receipts" .client=${client}></fs-files>
        <fs-uploader id="receipts" accept=".pdf" value=${first} .client=${client}></fs-uploader>
      </div>
    `)
    const element = page.querySelector('fs-files')!
    const uploader = page.querySelector('fs-uploader')!
    await waitUntil(() => element.shadowRoot!.textContent.includes('itinerary.pdf'))
    uploader.add([new File(['text'], 'notes.txt')])
    await waitUntil(() => uploader.failedFiles.length === 1)
    button(element, 'Delete itinerary.pdf').click()
    await element.updateComplete
    button(element, 'Delete now itinerary.pdf').click()
    await waitUntil(() => uploader.value.length === 0)
    expect(uploader.failedFiles.map(({ name }) => name)).to.deep.equal(['notes.txt'])
  })

  it('lists files without their uuids, and opens only safe types in a tab', async () => {
    const { element } = await show()
    expect(textOf(element, '[part=header]')).to.equal('3 files')
    expect(row(element, 1)).to.match(
      /^itinerary\.pdf 209 kB Uploaded .* · kept until .* purpose: travel trip: Tucson/,
    )
    for (const uuid of sampleUuids)
      expect(element.shadowRoot!.querySelector<HTMLElement>('[part=base]')!.innerText).not.to.include(uuid)

    const links = [...element.shadowRoot!.querySelectorAll('a')].map(
      ({ href, target, download, ariaLabel }) => [
        ariaLabel,
        href.replace(/.*\/files\//, ''),
        target || download,
      ],
    )
    expect(links).to.deep.equal([
      ['Open itinerary.pdf in a new tab', `${first}/download?inline=true`, '_blank'],
      ['Download itinerary.pdf', `${first}/download`, ''],
      ['Open lodging-receipt.png in a new tab', `${second}/download?inline=true`, '_blank'],
      ['Download lodging-receipt.png', `${second}/download`, ''],
      ['Download expenses.xlsx', `${third}/download`, ''],
    ])
  })

  it('changes by keyboard what was edited, and nothing else @engines', async () => {
    const { element, backend } = await show()
    const bodies: unknown[] = []
    backend.intercept = (request) => {
      if (request.method === 'PUT')
        void request
          .clone()
          .json()
          .then((body) => bodies.push(body))
      return undefined
    }
    button(element, 'Edit itinerary.pdf').focus()
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => focused(element)?.id === `stem-${first}`)
    element.shadowRoot!.querySelector<HTMLInputElement>('[name=stem]')!.select()
    await sendKeys({ type: 'Flight' })
    const [trip] = [...element.shadowRoot!.querySelectorAll<HTMLInputElement>('[name=value]')].slice(-1)
    trip!.value = ''
    const changed = oneEvent<FsChangeEvent>(element, FsChangeEvent.type)
    await sendKeys({ press: 'Enter' })
    const { operation, asset } = await changed
    expect([operation, asset.filename]).to.deep.equal(['updateFileMeta', 'Flight.pdf'])
    expect(bodies).to.deep.equal([{ filename: 'Flight.pdf', metadata: { trip: '' } }])
    await waitUntil(() => focused(element)?.ariaLabel === 'Edit Flight.pdf')
    expect(row(element, 1)).to.match(/^Flight\.pdf 209 kB Uploaded .* purpose: travel Download/)
    await waitUntil(() => announcement() === 'Saved: Flight.pdf')
  })

  it('sends a deletion only when it is confirmed, and keeps the row @engines', async () => {
    const { element, backend } = await show({ grantees: directory })
    share(backend, 'partner-app', first)
    button(element, 'Delete itinerary.pdf').focus()
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => focused(element)?.ariaLabel === 'Undo itinerary.pdf')
    await waitUntil(() => row(element, 1).includes('Also lost for: Library archive.'))
    expect(element.value).to.deep.equal([second, third])
    button(element, 'Undo itinerary.pdf').click()
    await waitUntil(() => row(element, 1).includes('Edit'))
    expect(element.value).to.deep.equal(sampleUuids)
    expect(deletions(backend), 'nothing was sent').to.deep.equal([])

    const changed = oneEvent<FsChangeEvent>(element, FsChangeEvent.type)
    button(element, 'Delete itinerary.pdf').click()
    await element.updateComplete
    button(element, 'Delete now itinerary.pdf').click()
    expect((await changed).operation).to.equal('deleteFile')
    expect(deletions(backend)).to.have.length(1)
    await waitUntil(() => row(element, 1) === 'itinerary.pdf 209 kB Deleted.')
    expect(textOf(element, '[part=header]')).to.equal('3 files 1 is not available')
  })

  it('reports a deletion that fails, and asks the page before each change', async () => {
    const { element, backend } = await show()
    breakDown(backend)
    button(element, 'Delete itinerary.pdf').click()
    await element.updateComplete
    button(element, 'Delete now itinerary.pdf').click()
    await waitUntil(() => row(element, 1).includes('Couldn’t be deleted. Try again.'))
    expect(element.value).to.deep.equal(sampleUuids)

    element.addEventListener(FsBeforeChangeEvent.type, (event) => event.preventDefault())
    button(element, 'Delete lodging-receipt.png').click()
    await element.updateComplete
    expect(row(element, 2)).not.to.include('Undo')
  })

  it('sends a deletion when the list is removed, because nobody can undo it any more', async () => {
    const { element, backend } = await show()
    button(element, 'Delete itinerary.pdf').click()
    const { parentElement } = element
    parentElement!.append(element)
    await element.updateComplete
    expect(row(element, 1), 'it only moved').to.include('Undo')
    element.remove()
    await waitUntil(() => backend.emulator.files.test.get(first)!.isDeleted)
  })

  it('keeps files that are not available in the list, and says why', async () => {
    const missing = '0f5e0000-0000-4000-8000-000000000009'
    const { element, backend } = await show({ value: [first, second, missing] })
    expect(row(element, 3)).to.match(/^Unnamed file Not available\. It may have expired or been deleted/)
    expect(element.shadowRoot!.querySelector('[part=reference]')).to.have.text(missing)
    storeFiles(backend, [{ filename: 'itinerary.pdf', owner: '10000099' }])
    await element.refresh()
    await waitUntil(() => row(element, 1).includes('No longer available.'))
    expect(textOf(element, '[part=header]')).to.equal('3 files 2 are not available')
  })

  it('is a field of its form @engines', async () => {
    const { client } = createFilesBackend()
    const form = await fixture<HTMLFormElement>(html`
      <form><fs-files name="files" required value="${first} ${second}" .client=${client}></fs-files></form>
    `)
    const element = form.querySelector('fs-files')!
    expect(new FormData(form).getAll('files')).to.deep.equal([first, second])
    element.value = ''
    await element.updateComplete
    expect(form.checkValidity()).to.equal(false)
    expect(element.validationMessage).to.equal('Add a file.')
    form.reset()
    await element.updateComplete
    expect(new FormData(form).getAll('files')).to.deep.equal([first, second])
  })

  it('follows an uploader, and removes from it what it deletes', async () => {
    const { client } = createFilesBackend()
    const page = await fixture(html`
      <div>
        <fs-files for="receipts" .client=${client}></fs-files>
        <fs-uploader id="receipts" value=${first} .client=${client}></fs-uploader>
      </div>
    `)
    const element = page.querySelector('fs-files')!
    const uploader = page.querySelector('fs-uploader')!
    await waitUntil(() => row(element, 1).includes('itinerary.pdf'))
    uploader.add([new File(['%PDF-1.7'], 'new.pdf', { type: 'application/pdf' })])
    await waitUntil(() => row(element, 2).includes('new.pdf'))
    button(element, 'Delete itinerary.pdf').click()
    await element.updateComplete
    button(element, 'Delete now itinerary.pdf').click()
    await waitUntil(() => uploader.value.length === 1)
    expect(uploader.assets[0]!.filename).to.equal('new.pdf')
  })
})
