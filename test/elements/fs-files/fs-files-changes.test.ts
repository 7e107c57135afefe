import { expect, fixture, html } from '@open-wc/testing'
import { english } from '../../../src/locales/english.ts'
import '../../../src/define/fs-uploader.ts'
import { NotFoundError, UnavailableError } from '../../../src/client/index.ts'
import type { FsFiles } from '../../../src/elements/fs-files/fs-files.ts'
import {
  FsBeforeChangeEvent,
  FsChangeEvent,
  FsErrorEvent,
} from '../../../src/elements/fs-uploader/fs-uploader.events.ts'
import { breakDown, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import {
  createFilesBackend,
  directory,
  sampleUuids,
  share,
  storeFiles,
} from '../../../stories/stored-files.ts'
import { waitUntil } from '../../wait-until.ts'
import { announcements } from '../notices/announcements.ts'
import { button, deletions, row, show, textOf } from './element.ts'

const [first = '', second = '', third = ''] = sampleUuids

describe('a deletion in <fs-files>', () => {
  it('is announced at each step', async () => {
    const { element } = await show()
    const announced = announcements()
    await click(element, 'Delete itinerary.pdf')
    await waitUntil(() => announced.includes('itinerary.pdf: Will be deleted when you leave this page.'))
    await click(element, 'Undo itinerary.pdf')
    await waitUntil(() => announced.includes('itinerary.pdf stays.'))
    await click(element, 'Delete itinerary.pdf')
    await click(element, 'Delete now itinerary.pdf')
    await waitUntil(() => announced.at(-1)?.endsWith('itinerary.pdf was deleted.'))
  })

  it('is announced if it fails, with its reason', async () => {
    const { element, backend } = await show()
    const announced = announcements()
    const errors: unknown[] = []
    element.addEventListener(FsErrorEvent.type, (event) => errors.push(event.error, event.file))
    breakDown(backend)
    await click(element, 'Delete itinerary.pdf')
    await click(element, 'Delete now itinerary.pdf')
    await waitUntil(() =>
      announced.some((text) => text.includes('itinerary.pdf: Couldn’t be deleted. Try again.')),
    )
    expect([errors[0] instanceof UnavailableError, errors.slice(1)]).to.deep.equal([true, [undefined]])

    backend.intercept = () => undefined
    storeFiles(backend, [{ filename: 'itinerary.pdf', owner: '10000099' }])
    await click(element, 'Delete itinerary.pdf')
    await click(element, 'Delete now itinerary.pdf')
    const gone = english.files.ends.lost
    await waitUntil(() => announced.some((text) => text.includes(`itinerary.pdf: ${gone}`)))
    expect(errors, 'the file has ended as the person wished').to.have.length(2)
  })

  it('asks the page with the file, and reports the deleted file', async () => {
    const { element, backend } = await show()
    const events: unknown[] = []
    const note = (event: FsBeforeChangeEvent | FsChangeEvent) =>
      events.push([event.type, event.operation, event.asset?.filename, event.cancelable])
    const parent = element.parentElement!
    for (const { type } of [FsBeforeChangeEvent, FsChangeEvent])
      parent.addEventListener(type, (event) => note(event))
    await click(element, 'Delete itinerary.pdf')
    expect(events).to.deep.equal([['fs-before-change', 'deleteFile', 'itinerary.pdf', true]])
    await click(element, 'Delete now itinerary.pdf')
    await waitUntil(() => events.length === 2)
    expect(events[1]).to.deep.equal(['fs-change', 'deleteFile', 'itinerary.pdf', false])
    expect(deletions(backend)).to.have.length(1)
  })

  it('names each application that loses the file once, and only those of the directory', async () => {
    const { element, backend } = await show({ grantees: directory })
    for (const application of ['storage-admin', 'partner-app', 'unknown-app'])
      share(backend, application, first)
    share(backend, 'partner-app', null)
    await click(element, 'Delete itinerary.pdf')
    await waitUntil(() => row(element, 1).includes('Also lost for'))
    const [, names = ''] = /Also lost for: (.*?)\./.exec(row(element, 1)) ?? []
    expect(names.split(' and ').sort()).to.deep.equal(['Library archive', 'Records office'])
    expect(backend.journal.filter((line) => line.includes('/shares'))).to.have.length(1)
  })

  it('names no application if the shares cannot be read, or if the proxy does not serve them', async () => {
    const { element, backend } = await show({ grantees: directory })
    const errors: unknown[] = []
    element.addEventListener(FsErrorEvent.type, ({ error }) => errors.push(error))
    share(backend, 'partner-app', first)
    let isRefused = false
    backend.intercept = ({ url }) => {
      if (!url.includes('/shares')) return undefined
      isRefused = true
      return Promise.resolve(new Response('', { status: 500 }))
    }
    await click(element, 'Delete itinerary.pdf')
    await waitUntil(() => isRefused)
    await settled(element)
    expect(row(element, 1)).to.match(/Will be deleted when you leave this page\. Undo/)
    expect(errors).to.deep.equal([])

    const unserved = createFilesBackend(people.initiator)
    const { send } = unserved
    unserved.send = async (input, init) => {
      const request = new Request(input, init)
      const response = await send(request)
      if (!request.url.endsWith('/session')) return response
      const session = (await response.json()) as { allows: { operations: string[] } }
      session.allows.operations = session.allows.operations.filter((name) => name === 'deleteFile')
      return new Response(JSON.stringify(session), { headers: response.headers })
    }
    const { element: other } = await show({ grantees: directory }, unserved)
    expect(button(other, 'Edit itinerary.pdf') === null, 'not served either').to.equal(true)
    await click(other, 'Delete itinerary.pdf')
    expect(row(other, 1)).to.include('Undo')
    expect(unserved.journal.filter((line) => line.includes('/shares'))).to.deep.equal([])
  })
})

describe('the value of <fs-files>', () => {
  it('accepts a list or a text of uuids', async () => {
    const { element } = await show()
    for (const [value, uuids] of [
      [`${first}, ${second}`, [first, second]],
      [
        [third, `${first} ${second}`],
        [third, first, second],
      ],
      ['', []],
      [[], []],
    ] as const) {
      element.value = value
      expect(element.value).to.deep.equal(uuids)
    }
    await element.updateComplete
    expect(textOf(element, '[part=empty]')).to.equal('No files yet.')
  })

  it('is sent with the form without the files that will be deleted, and only under a name', async () => {
    const { form, element } = await inForm(html`
      <fs-files name="files" value="${first} ${second}" .client=${client()}></fs-files>
    `)
    const sent = () => [...new FormData(form)].map(([name, value]) => `${name}=${value as string}`)
    expect(sent()).to.deep.equal([`files=${first}`, `files=${second}`])
    await click(element, 'Delete itinerary.pdf')
    expect(sent()).to.deep.equal([`files=${second}`])
    await click(element, 'Undo itinerary.pdf')
    element.name = ''
    await element.updateComplete
    expect(sent()).to.deep.equal([])
  })

  it('is restored by the browser, and returns to the default with the form', async () => {
    const { form, element } = await inForm(html`
      <fs-files name="files" value=${first} .client=${client()}></fs-files>
    `)
    element.formStateRestoreCallback(`${third} ${second}`)
    await element.updateComplete
    expect(element.value).to.deep.equal([third, second])
    await waitUntil(() => row(element, 2).includes('lodging-receipt.png'))
    form.reset()
    await element.updateComplete
    expect(element.value).to.deep.equal([first])
    expect(textOf(element, '[part=header]')).to.equal('1 file')
  })
})

describe('<fs-files> that follows an uploader', () => {
  it('finds it in the same shadow tree, also if it comes later', async () => {
    const host = await fixture(html`<div></div>`)
    const root = host.attachShadow({ mode: 'open' })
    const element = Object.assign(document.createElement('fs-files'), { client: client(), for: 'up' })
    root.append(element)
    await element.updateComplete
    expect(element.value).to.deep.equal([])
    element.remove()
    const uploader = document.createElement('fs-uploader')
    Object.assign(uploader, { client: client(), id: 'up', defaultValue: first })
    root.append(uploader, element)
    await waitUntil(() => row(element, 1).startsWith('itinerary.pdf'))
    expect(element.value).to.deep.equal([first])
    const [asset] = uploader.assets
    uploader.removeFile(first)
    uploader.dispatchEvent(new FsChangeEvent('removeFile', asset!))
    await waitUntil(() => textOf(element, '[part=empty]') === 'No files yet.')
  })

  it('follows no other element of that id', async () => {
    const page = await fixture(html`
      <div>
        <div id="other" value=${first}></div>
        <fs-files for="other" value=${second} .client=${client()}></fs-files>
      </div>
    `)
    const element = page.querySelector('fs-files')!
    await waitUntil(() => textOf(element, '[part=empty]') === 'No files yet.')
    expect(element.value).to.deep.equal([])
  })
})

describe('<fs-files> with a proxy that does not know it', () => {
  it('fires no event for a session that is not found', async () => {
    const { element, backend } = await show()
    const errors: unknown[] = []
    element.addEventListener(FsErrorEvent.type, ({ error }) => errors.push(error))
    const { send } = backend
    backend.send = async (input, init) => {
      const request = new Request(input, init)
      return request.url.endsWith('/session')
        ? Response.json({ type: 'about:blank', title: 'Not found', status: 404 }, { status: 404 })
        : await send(request)
    }
    await element.refresh()
    expect(errors.some((error) => error instanceof NotFoundError)).to.equal(false)
  })
})

function client() {
  return createFilesBackend().client
}

async function click(element: FsFiles, label: string): Promise<void> {
  button(element, label).click()
  await element.updateComplete
}

async function inForm(content: unknown): Promise<{ form: HTMLFormElement; element: FsFiles }> {
  const form = await fixture<HTMLFormElement>(html`<form>${content}</form>`)
  const element = form.querySelector('fs-files')!
  await waitUntil(() => element.matches(':state(loaded)'))
  await settled(element)
  return { form, element }
}
