import { expect, fixture, html, oneEvent } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import { english } from '../../src/locales/english.ts'
import '../../src/define/fs-uploader.ts'
import type { UploadRequest } from '../../src/client/index.ts'
import { WfSignedOutEvent } from '../../src/elements/element/events.ts'
import {
  FsBeforeChangeEvent,
  FsChangeEvent,
  FsErrorEvent,
} from '../../src/elements/fs-uploader/fs-uploader.events.ts'
import type { FsUploader } from '../../src/elements/fs-uploader/fs-uploader.ts'
import { type Backend, createBackend, people } from '../../stories/backend.ts'
import { held, settled } from '../../stories/settled.ts'
import { pasteEvent } from '../paste.ts'
import { waitUntil } from '../wait-until.ts'

describe('<fs-uploader>', () => {
  it('stores a chosen file and shows its reference and a link @engines', async () => {
    const { element, backend } = await show(createBackend())
    const changed = oneEvent<FsChangeEvent>(element, FsChangeEvent.type)
    const file = pdf('itinerary.pdf')
    choose(element, [file])
    const { asset } = await changed
    await element.updateComplete

    expect(asset).to.include({ filename: 'itinerary.pdf', fileSize: 2000, contentType: 'application/pdf' })
    expect(element.assets).to.deep.equal([asset])
    expect(textOf(element)).to.include(`itinerary.pdf 2 kB Uploaded`)
    expect(textOf(element), 'people do not see the uuid').not.to.include(asset.uuid)
    expect(element.shadowRoot!.querySelector('[part=reference]')).to.have.text(asset.uuid)
    expect(element.shadowRoot!.querySelector('[part=count]')).to.have.text('1 uploaded')
    const link = element.shadowRoot!.querySelector<HTMLAnchorElement>('[part=download]')!
    expect(link.href).to.equal(`https://northfield.test/api/wf/files/${asset.uuid}/download`)
    expect(link).to.have.attribute('aria-label', 'Download itinerary.pdf')

    const stored = backend.emulator.files.test.get(asset.uuid)!
    expect(await new Response(await backend.emulator.objects.get(stored.object)).text()).to.equal(
      await file.text(),
    )
    expect(stored.asset.metadata, 'the proxy notes the owner').to.deep.equal({
      'routeslip-owner': people.initiator,
    })
    expect(asset.metadata, 'and keeps it from pages').to.deep.equal({})
  })

  it('shows at what time a file expires that is available for minutes', async () => {
    const { element } = await show(createBackend())
    element.expiresIn = '5m'
    element.add([pdf('a.pdf')])
    await waitUntil(() => /kept until \w{3} \d+, \d{4}, \d+:\d\d\s[AP]M/.test(textOf(element)))
  })

  it('names the first failures only, and keeps the focus in a row that moves to the top @engines', async () => {
    const { element } = await show(createBackend())
    element.maxSize = 5000
    element.add([pdf('a.pdf')])
    await waitUntil(() => element.assets.length === 1)
    await settled(element)
    button(element, 'Remove a.pdf')?.focus()
    const focused = element.shadowRoot!.activeElement ?? button(element, 'Delete… a.pdf')
    ;(focused as HTMLElement).focus()
    element.add(['b.pdf', 'c.pdf', 'd.pdf', 'e.pdf'].map((name) => pdf(name, 9000)))
    await waitUntil(() => textOf(element).includes('1 uploaded, 4 failed: b.pdf, c.pdf, d.pdf…'))
    expect(element.shadowRoot!.activeElement).to.equal(focused)
  })

  it('sends neither empty nor unreadable files (F48)', async () => {
    const { element, backend } = await show(createBackend())
    const folder = pdf('folder')
    folder.slice = () => {
      const part = new Blob()
      part.arrayBuffer = () => Promise.reject(new DOMException('', 'NotFoundError'))
      return part
    }
    element.add([pdf('empty.pdf', 0), folder])
    await waitUntil(() => textOf(element).includes('empty.pdf 0 bytes Not uploaded: the file is empty.'))
    await waitUntil(() => /folder .* Not uploaded: the file can’t be read\./.test(textOf(element)))

    expect(uploadsOf(backend)).to.deep.equal([])
  })

  it("applies the smaller of its own limit and the proxy's", async () => {
    const { element } = await show(createBackend())
    for (const [given, limit] of [
      ['2048', '2 kB'],
      ['99999999999', '50 MB'],
      ['50MB', '50 MB'],
      ['-1', '50 MB'],
      ['', '50 MB'],
    ] as const) {
      element.setAttribute('max-size', given)
      await element.updateComplete
      expect(textOf(element), given).to.include(`Up to ${limit} each.`)
    }
  })

  it('keeps files until an endpoint is configured', async () => {
    const { client } = createBackend()
    const element = await fixture<FsUploader>(html`<fs-uploader></fs-uploader>`)
    element.add([pdf('a.pdf')])
    await settled(element)
    element.client = client
    await waitUntil(() => element.assets.length === 1)
  })

  it('keeps the focus in the row when the focused button disappears @engines', async () => {
    const uploads = manualUploads()
    const { element } = await show(createBackend(undefined, { upload: uploads.upload }))
    element.add([pdf('a.pdf')])
    await waitUntil(() => uploads.requests.length === 1)
    button(element, 'Cancel a.pdf').focus()
    uploads.respond(0)
    await waitUntil(() => element.assets.length === 1)
    await settled(element)

    expect(element.shadowRoot!.activeElement).to.have.class('name')
  })

  it('keeps the rows and the focus when a file between them leaves or another one is added @engines', async () => {
    const uploads = manualUploads()
    const { element } = await show(createBackend(undefined, { upload: uploads.upload }))
    const rows = () => [...element.shadowRoot!.querySelectorAll('[part=file]')]
    element.add([pdf('a.pdf'), pdf('b.pdf'), pdf('c.pdf')])
    await waitUntil(() => uploads.requests.length === 3)
    const [first, , third] = rows()
    const cancel = button(element, 'Cancel a.pdf')
    cancel.focus()
    button(element, 'Cancel b.pdf').click()
    await element.updateComplete
    const isKept = () => rows()[0] === first && rows()[1] === third
    expect(isKept()).to.equal(true)
    expect(element.shadowRoot!.activeElement).to.equal(cancel)

    element.add([pdf('d.pdf')])
    await element.updateComplete
    expect(rows()).to.have.length(3)
    expect(isKept()).to.equal(true)
    expect(element.shadowRoot!.activeElement).to.equal(cancel)
    expect(textOf(element)).to.match(/a\.pdf.*c\.pdf.*d\.pdf/)
  })

  it('shows the progress of the upload, and then that it waits for confirmation @engines', async () => {
    const uploads = manualUploads()
    const { element } = await show(createBackend(undefined, { upload: uploads.upload }))
    element.add([pdf('a.pdf', 1000)])
    await waitUntil(() => uploads.requests.length === 1)
    uploads.requests[0]!.onProgress?.(500, 1100)
    await element.updateComplete

    const bar = element.shadowRoot!.querySelector('progress')!
    expect(bar.value).to.be.closeTo(500 / 1100, 0.001)
    expect(bar).to.have.attribute('aria-label', 'Uploading a.pdf')
    expect(textOf(element)).to.include('45%')

    uploads.requests[0]!.onProgress?.(1100, 1100)
    await element.updateComplete
    expect(textOf(element)).to.include('Sent. Waiting for confirmation…')
    expect(textOf(element)).not.to.include('100%')
    await expect(element).to.be.accessible()
  })

  it('sends the next file while a response is read', async () => {
    const urls: string[] = []
    const endless = () => Promise.resolve(new Response(new ReadableStream()))
    const { element } = await show(
      createBackend(undefined, { upload: ({ url }) => (urls.push(url), endless()) }),
    )
    element.add(['a', 'b', 'c', 'd'].map((name) => pdf(name)))
    await waitUntil(() => urls.length === 4)
  })

  it('cancels running uploads @engines', async () => {
    const uploads = manualUploads()
    const { element } = await show(createBackend(undefined, { upload: uploads.upload }))
    const failures: unknown[] = []
    element.addEventListener(FsErrorEvent.type, (event) => failures.push(event.error))
    element.add([pdf('a.pdf'), pdf('b.pdf')])
    await waitUntil(() => uploads.requests.length === 2)
    button(element, 'Cancel a.pdf').focus()
    button(element, 'Cancel a.pdf').click()
    await settled(element)
    expect(failures, 'to cancel is no failure').to.deep.equal([])

    expect(uploads.of('a.pdf').request.signal?.aborted).to.equal(true)
    expect(uploads.of('b.pdf').request.signal?.aborted).to.equal(false)
    expect(textOf(element)).not.to.include('a.pdf')
    expect(element.shadowRoot!.activeElement?.textContent).to.equal('b.pdf')
    button(element, 'Cancel b.pdf').focus()
    button(element, 'Cancel b.pdf').click()
    await element.updateComplete
    expect(element.shadowRoot!.activeElement).to.have.attribute('part', 'choose')
  })

  it('keeps a failed file, and sends it again on request', async () => {
    const { element, backend } = await show(createBackend())
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    const failed = oneEvent<FsErrorEvent>(element, FsErrorEvent.type)
    element.add([pdf('a.pdf')])
    expect((await failed).file?.name).to.equal('a.pdf')
    await element.updateComplete
    expect(textOf(element)).to.include('trying again may store it twice')
    await expect(element).to.be.accessible()

    backend.intercept = () => undefined
    button(element, 'Try again a.pdf').focus()
    button(element, 'Try again a.pdf').click()
    await waitUntil(() => element.assets.length === 1)
    expect(element.shadowRoot!.activeElement?.textContent).to.equal('a.pdf')
  })

  it('rejects a file over the limit before sending it, with both sizes (F32)', async () => {
    const { element, backend } = await show(createBackend())
    element.maxSize = 1024
    element.add([pdf('big.pdf', 2000), pdf('small.pdf', 10)])
    await waitUntil(() => element.assets.length === 1)

    expect(textOf(element)).to.include('big.pdf 2 kB Not uploaded: the file is larger than 1 kB.')
    expect(uploadsOf(backend)).to.have.length(1)
  })

  it('says that a server in between refused the upload, and whether the file may be stored', async () => {
    let isSent = false
    const { element } = await show(
      createBackend(undefined, {
        upload: async ({ onProgress }) => {
          if (isSent) onProgress?.(1, 2)
          return new Response('<html>Blocked', { status: 403, headers: { 'content-type': 'text/html' } })
        },
      }),
    )
    await waitUntil(() => element.matches(':state(loaded)'))
    element.add([pdf('a.pdf')])
    const text = 'Not uploaded: a server between this page and the service refused the file.'
    await waitUntil(() => textOf(element).includes(text))
    expect(element.matches(':state(forbidden)')).to.equal(false)
    await expect(element).to.be.accessible()

    isSent = true
    button(element, 'Try again a.pdf').click()
    await waitUntil(() => textOf(element).includes('so the file may or may not be uploaded'))
    expect(element.failedFiles).to.have.length(1)
  })

  it('pauses when the session ends, and continues when the same person signs in (F15)', async () => {
    const backend = createBackend(undefined, { interval: 40 })
    const sent = countSent(backend)
    const { element } = await show(backend)
    await waitUntil(() => element.matches(':state(loaded)'))
    const calls: string[] = []
    element.addEventListener(WfSignedOutEvent.type, () => calls.push('sign in'))
    backend.person = null
    element.add([pdf('a.pdf'), pdf('b.pdf')])
    await waitUntil(() => textOf(element).includes('Paused: you are signed out.'))
    await waitUntil(() =>
      /^2 paused$/.test(element.shadowRoot!.querySelector('[part=count]')?.textContent ?? ''),
    )
    await sent(4)
    expect(uploadsOf(backend), 'nothing has reached the service').to.deep.equal([])
    expect(calls, 'the page hears of it once').to.deep.equal(['sign in'])
    expect(element.matches(':state(signed-out)')).to.equal(true)
    await expect(element).to.be.accessible()

    backend.person = people.initiator
    await waitUntil(() => element.assets.length === 2)
    expect(uploadsOf(backend)).to.have.length(2)
  })

  it('continues with its button after a sign-in', async () => {
    const { element, backend } = await show(createBackend(null))
    element.add([pdf('a.pdf')])
    await waitUntil(() => button(element, 'Continue a.pdf'))
    backend.person = people.initiator
    button(element, 'Continue a.pdf').click()
    await waitUntil(() => element.assets.length === 1)
  })

  it('neither shows nor uploads the files of another person', async () => {
    const backend = createBackend(undefined, { interval: 40 })
    const { element } = await show(backend)
    element.add([pdf('a.pdf')])
    await waitUntil(() => element.assets.length === 1)
    backend.person = null
    element.add([pdf('b.pdf')])
    await waitUntil(() => textOf(element).includes('Paused'))
    const announced = element.shadowRoot!.querySelector('.announcement')!
    await waitUntil(() => announced.textContent.includes('b.pdf'))
    backend.person = people.outsider
    await waitUntil(() => !textOf(element).includes('.pdf'))
    expect(announced.textContent).not.to.include('.pdf')

    expect(uploadsOf(backend)).to.have.length(1)
    expect(element.value).to.deep.equal([])
  })

  it('marks a stored file that is gone (F31)', async () => {
    const { element, backend } = await show(createBackend(undefined, { interval: 60 }))
    element.add([pdf('a.pdf')])
    await waitUntil(() => element.assets.length === 1)
    const stored = [...backend.emulator.files.test]
    backend.emulator.files.test.clear()
    await waitUntil(() => textOf(element).includes('No longer available'))

    expect(element.shadowRoot!.querySelector('[part=download]')).to.equal(null)
    for (const [uuid, file] of stored) backend.emulator.files.test.set(uuid, file)
    await waitUntil(() => element.shadowRoot!.querySelector('[part=download]'), 'it is looked for again')

    backend.emulator.files.test.clear()
    await waitUntil(() => textOf(element).includes('No longer available'))
    button(element, 'Remove a.pdf').click()
    await waitUntil(() => !textOf(element).includes('a.pdf'))
  })

  it('announces an outage once, however often it is polled', async () => {
    const { element, backend } = await show(createBackend(undefined, { interval: 20, maxBackoff: 20 }))
    element.add([pdf('a.pdf')])
    await waitUntil(() => element.assets.length === 1)
    const region = element.shadowRoot!.querySelector('[role=status]')!
    let failures = 0
    element.addEventListener(FsErrorEvent.type, () => failures++)
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => region.textContent.includes('This may be out of date'), 'it is announced')
    const before = failures
    // To announce the same text again, the region is emptied first.
    const changes: string[] = []
    const observer = new MutationObserver(() => changes.push(region.textContent))
    observer.observe(region, { childList: true, characterData: true, subtree: true })
    await waitUntil(() => failures >= before + 3, 'it fails three more times')
    await settled(element)
    observer.disconnect()
    expect(changes).to.deep.equal([])
  })

  it('keeps uploading when it is moved, and stops when it is removed (F38) @engines', async () => {
    const uploads = manualUploads()
    const { element } = await show(createBackend(undefined, { upload: uploads.upload }))
    element.add([pdf('a.pdf')])
    await waitUntil(() => uploads.requests.length === 1)
    const elsewhere = await fixture<HTMLElement>(html`<div></div>`)
    elsewhere.append(element)
    await settled(element)
    expect(uploads.requests[0]!.signal?.aborted).to.equal(false)

    element.remove()
    await waitUntil(() => uploads.requests[0]!.signal?.aborted)
  })

  it('shows the page author which setting is missing', async () => {
    const element = await fixture<FsUploader>(html`<fs-uploader></fs-uploader>`)

    expect(textOf(element)).to.equal('<fs-uploader> needs endpoint to show anything.')
  })

  it('shows names as text, whatever they hold (T20)', async () => {
    const name = '<img src=x onerror=alert(1)>.pdf'
    const backend = createBackend()
    // The proxy does not store such a name, but other applications may.
    backend.intercept = (request) =>
      request.method === 'POST'
        ? backend.emulator
            .fetch(request)
            .then(async (response) =>
              Response.json({ ...((await response.json()) as object), filename: name }),
            )
        : undefined
    const { element } = await show(backend)
    element.add([pdf(name)])
    await waitUntil(() => element.assets.length === 1)

    expect(element.shadowRoot!.querySelector('img')).to.equal(null)
    expect(textOf(element)).to.include(name)
  })

  describe('when it accepts files', () => {
    it('accepts no more than max-files, and shows how many were not added', async () => {
      const { element } = await show(createBackend())
      element.maxFiles = 2
      element.add(['a', 'b', 'c', 'd'].map((name) => pdf(`${name}.pdf`)))
      await waitUntil(() => element.assets.length === 2)
      expect(textOf(element)).to.include('2 files were not added: the list is full.')
      const choose = element.shadowRoot!.querySelector('[part=choose]')!
      expect(choose).to.have.attribute('aria-disabled', 'true')

      button(element, 'Delete… a.pdf').click()
      await element.updateComplete
      button(element, 'Delete a.pdf').click()
      await waitUntil(() => element.assets.length === 1)
      await settled(element)
      expect(choose, 'there is room again').to.have.attribute('aria-disabled', 'false')
      expect(textOf(element)).not.to.include('not added')
    })

    it('accepts pasted files, but not the picture that comes with pasted text @engines', async () => {
      const { element } = await show(createBackend())
      const paste = () => {
        const clipboardData = new DataTransfer()
        clipboardData.items.add(pdf('pasted.pdf'))
        return pasteEvent(clipboardData)
      }
      const field = document.createElement('input')
      element.append(field)
      field.dispatchEvent(paste())
      element.shadowRoot!.querySelector('[part=choose]')!.dispatchEvent(paste())
      await waitUntil(() => element.assets.length === 1)
      await settled(element)
      expect(element.assets).to.have.length(1)
    })

    it('accepts the files of a folder with their paths @engines', async () => {
      const { element, backend } = await show(createBackend())
      element.folder = true
      await element.updateComplete
      const input = element.shadowRoot!.querySelector('input')!
      let isForFolders: boolean | undefined
      input.addEventListener('click', (event) => {
        event.preventDefault()
        isForFolders = input.webkitdirectory
      })
      element.shadowRoot!.querySelector<HTMLElement>('[part=choose-folder]')!.click()
      expect(isForFolders).to.equal(true)
      element.shadowRoot!.querySelector<HTMLElement>('[part=choose]')!.click()
      expect(isForFolders).to.equal(false)

      const file = pdf('a.pdf')
      Object.defineProperty(file, 'webkitRelativePath', { value: 'trip/receipts/a.pdf' })
      const hidden = pdf('.DS_Store')
      Object.defineProperty(hidden, 'webkitRelativePath', { value: 'trip/.DS_Store' })
      element.add([hidden, file])
      await waitUntil(() => element.assets.length === 1)
      expect(element.shadowRoot!.querySelector('[part=left-out]')).to.have.trimmed.text(
        'One hidden file left out.',
      )
      const { asset } = backend.emulator.files.test.get(element.assets[0]!.uuid)!
      expect(asset.metadata).to.include({ path: 'trip/receipts/a.pdf' })
      expect(textOf(element)).to.include('trip/receipts/a.pdf')
    })

    it('sends expiry, metadata and another name, and shows the page author which setting is not valid', async () => {
      const { element, backend } = await show(createBackend())
      element.setAttribute('expires-in', '2d')
      element.setAttribute('metadata', '{"term":"fall"}')
      element.rename = (file) => `2026-${file.name}`
      element.add([pdf('a.pdf')])
      await waitUntil(() => element.assets.length === 1)
      const { asset } = backend.emulator.files.test.get(element.assets[0]!.uuid)!
      expect(asset.filename).to.equal('2026-a.pdf')
      expect(asset.metadata).to.include({ term: 'fall' })
      const days = (text: string | null) => Date.parse(`${text}Z`) / 86_400_000
      expect(days(asset.expirationDate) - days(asset.uploadDate)).to.be.closeTo(2, 0.001)

      element.setAttribute('expires-in', 'soon')
      await element.updateComplete
      expect(textOf(element)).to.equal('expires-in="soon" is not a duration such as 30d, 12h or PT45M.')
      element.setAttribute('expires-in', '30d')
      for (const wrong of ['{term}', '{"n":1}', '["fall"]', '"fall"', 'null']) {
        element.setAttribute('metadata', wrong)
        await element.updateComplete
        expect(textOf(element), wrong).to.equal('metadata must be a JSON object of strings.')
      }
    })

    it('stays usable with 200 files', async () => {
      const upload = () => Promise.resolve(Response.json({ uuid: crypto.randomUUID(), filename: 'stored' }))
      const { element } = await show(createBackend(undefined, { upload }))
      let updates = 0
      element.addController({ hostUpdated: () => updates++ })
      element.add(Array.from({ length: 200 }, (_, index) => pdf(`${index}.pdf`, 10)))
      await waitUntil(() => element.assets.length === 200, 'all are stored', { timeout: 20_000 })
      await settled(element)
      expect(element.shadowRoot!.querySelectorAll('li')).to.have.length(200)
      expect(updates, 'several changes are one update').to.be.below(400)
    }).timeout(30_000)
  })

  describe('when it sends files', () => {
    it('pauses while the browser is offline, and continues when it is online (F12) @engines', async () => {
      const uploads = manualUploads()
      const { element } = await show(createBackend(undefined, { upload: uploads.upload }))
      element.add([pdf('a.pdf')])
      await waitUntil(() => uploads.requests.length === 1)
      uploads.requests[0]!.onProgress?.(1000, 2000)
      window.dispatchEvent(new Event('offline'))
      await waitUntil(() => textOf(element).includes('Paused: you’re offline.'))
      await expect(element).to.be.accessible()
      window.dispatchEvent(new Event('online'))
      await waitUntil(() => uploads.requests.length === 2)
    })

    it('shows that a file changed on disk during the upload (F48) @engines', async () => {
      const file = pdf('a.pdf')
      const { element } = await show(
        createBackend(undefined, {
          upload: () => {
            file.slice = () => {
              const part = new Blob()
              part.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'))
              return part
            }
            return Promise.reject(new TypeError('changed'))
          },
        }),
      )
      element.add([file])
      await waitUntil(() => textOf(element).includes('it was moved or changed.'))
    })
  })

  describe('with files of an earlier visit in its value', () => {
    const unknown = '00000000-0000-4000-8000-000000000000'

    async function store(backend: Backend, names: readonly string[]): Promise<string[]> {
      const assets = names.map(
        async (name) => (await backend.client.uploadFile({ file: pdf(name), body: {} }, {})).uuid,
      )
      return await Promise.all(assets)
    }

    it('shows them, submits them with the form, and returns to them when the form is reset @engines', async () => {
      const backend = createBackend()
      const uuids = await store(backend, ['a.pdf', 'b.pdf'])
      const form = await fixture<HTMLFormElement>(html`
        <form>
          <fs-uploader name="files" required .client=${backend.client} value=${uuids.join(' ')}></fs-uploader>
        </form>
      `)
      const element = form.querySelector('fs-uploader')!
      expect(new FormData(form).getAll('files'), 'before the names have loaded').to.deep.equal(uuids)
      await waitUntil(() => textOf(element).includes('b.pdf 2 kB'))
      expect(textOf(element)).to.include('a.pdf 2 kB')
      expect(element.assets.map(({ filename }) => filename)).to.deep.equal(['a.pdf', 'b.pdf'])
      expect(form.checkValidity()).to.equal(true)
      await expect(element).to.be.accessible()

      element.value = uuids
      expect(textOf(element), 'the same value changes nothing').to.include('a.pdf 2 kB')
      element.value = uuids[0]!
      await waitUntil(() => !textOf(element).includes(uuids[1]!))
      expect(new FormData(form).getAll('files')).to.deep.equal(uuids.slice(0, 1))
      form.reset()
      await waitUntil(() => textOf(element).includes('b.pdf 2 kB'))
      expect(new FormData(form).getAll('files')).to.deep.equal(uuids)
    })

    it('marks a file that cannot be shown, and keeps it until it is removed', async () => {
      const backend = createBackend()
      const [known = ''] = await store(backend, ['a.pdf'])
      const element = await fixture<FsUploader>(html`
        <fs-uploader .client=${backend.client} value="${known}, ${unknown} nonsense ${known}"></fs-uploader>
      `)
      await waitUntil(() => textOf(element).includes('Unnamed file Not available.'))
      await waitUntil(() => textOf(element).includes('a.pdf 2 kB'))
      expect(element.value).to.deep.equal([known, unknown])
      expect(textOf(element), 'no uuid as a name').not.to.include(unknown)
      button(element, 'Remove Unnamed file').click()
      await element.updateComplete
      expect(element.value).to.deep.equal([known])
    })

    it('keeps the value during an outage, and loads the names after it', async () => {
      const backend = createBackend(undefined, { interval: 60, maxBackoff: 60 })
      const uuids = await store(backend, ['a.pdf'])
      backend.intercept = () => Promise.reject(new TypeError('refused'))
      const element = await fixture<FsUploader>(html`
        <fs-uploader .client=${backend.client} value=${uuids.join()}></fs-uploader>
      `)
      await waitUntil(() => element.shadowRoot!.querySelector('[part=stale]'))
      expect(element.value).to.deep.equal(uuids)
      backend.intercept = () => undefined
      await waitUntil(() => textOf(element).includes('a.pdf 2 kB'))
    })
  })

  describe('when it removes files', () => {
    it('keeps a file if people press Escape or the page cancels the event @engines', async () => {
      const { element, backend } = await show(createBackend())
      element.add([pdf('a.pdf')])
      await waitUntil(() => element.assets.length === 1)
      await settled(element)
      button(element, 'Delete… a.pdf').focus()
      button(element, 'Delete… a.pdf').click()
      await element.updateComplete
      await sendKeys({ press: 'Escape' })
      await element.updateComplete
      expect(textOf(element)).not.to.include(english.uploader.deleteQuestion)
      const isAskFocused = () => element.shadowRoot!.activeElement === button(element, 'Delete… a.pdf')
      await waitUntil(isAskFocused, 'the focus did not return to the button')

      element.addEventListener(FsBeforeChangeEvent.type, (event) => event.preventDefault())
      button(element, 'Delete… a.pdf').click()
      await element.updateComplete
      button(element, 'Delete a.pdf').click()
      await settled(element)
      expect(element.assets).to.have.length(1)
      expect(backend.journal.filter((line) => line.startsWith('DELETE'))).to.deep.equal([])
    })

    it('keeps the focus in place while a file is deleted, and does nothing more meanwhile @engines', async () => {
      const { element, backend } = await show(createBackend())
      element.add([pdf('a.pdf'), pdf('b.pdf')])
      await waitUntil(() => element.assets.length === 2)
      await settled(element)
      let respond = () => {}
      const held = new Promise<void>((resolve) => (respond = resolve))
      backend.intercept = (request) =>
        request.method === 'DELETE' ? held.then(() => backend.emulator.fetch(request)) : undefined
      button(element, 'Delete… a.pdf').focus()
      button(element, 'Delete… a.pdf').click()
      await element.updateComplete
      expect(element.shadowRoot!.activeElement?.className, 'the safe choice').to.equal('keep')
      const confirm = button(element, 'Delete a.pdf')
      confirm.focus()
      confirm.click()
      await waitUntil(() => textOf(element).includes('Deleting…'))
      expect(element.shadowRoot!.activeElement).to.equal(confirm)
      expect(confirm.ariaDisabled).to.equal('true')
      button(element, 'Keep file a.pdf').click()
      await element.updateComplete
      expect(textOf(element)).to.include('Deleting…')
      respond()
      await waitUntil(() => element.assets.length === 1)
      await settled(element)
      expect(element.shadowRoot!.activeElement?.textContent).to.equal('b.pdf')
      expect([...backend.emulator.files.test.values()].map(({ isDeleted }) => isDeleted)).to.have.members([
        true,
        false,
      ])
    })
  })

  it('shows that the person may not upload', async () => {
    const { element } = await show(withSession([]))
    await waitUntil(() => textOf(element) === 'You don’t have permission to upload files here.')
    expect(element.matches(':state(forbidden)')).to.equal(true)
    await expect(element).to.be.accessible()
  })

  describe('in a form @engines', () => {
    async function inForm(backend: Backend, attributes: { required?: boolean; name?: string } = {}) {
      const form = await fixture<HTMLFormElement>(
        html`<form>
          <fieldset>
            <fs-uploader
              .client=${backend.client}
              name=${attributes.name ?? 'files'}
              ?required=${attributes.required}
            ></fs-uploader>
          </fieldset>
        </form>`,
      )
      return { form, element: form.querySelector('fs-uploader')! }
    }

    it('has the uuids of the stored files as its value', async () => {
      const { form, element } = await inForm(createBackend())
      let atChange: unknown
      element.addEventListener(FsChangeEvent.type, () => (atChange = new FormData(form).getAll('files')))
      element.add([pdf('a.pdf')])
      await waitUntil(() => element.assets.length === 1)
      expect(atChange, 'already when the page hears of it').to.deep.equal([...element.value])
      element.add([pdf('b.pdf')])
      await waitUntil(() => element.assets.length === 2)

      expect(element.form).to.equal(form)
      expect(new FormData(form).getAll('files')).to.deep.equal(element.assets.map(({ uuid }) => uuid))
    })

    it('cancels uploads and becomes empty when the form is reset', async () => {
      const uploads = manualUploads()
      const { form, element } = await inForm(createBackend(undefined, { upload: uploads.upload }))
      element.add([pdf('a.pdf')])
      await waitUntil(() => uploads.requests.length === 1)
      form.reset()
      expect(uploads.requests[0]!.signal?.aborted).to.equal(true)
      await element.updateComplete
      expect(textOf(element)).not.to.include('a.pdf')
      expect(form.checkValidity()).to.equal(true)
    })

    it('accepts no chosen, dropped or pasted file while it or its fieldset is disabled', async () => {
      const { form, element } = await inForm(createBackend())
      element.add([pdf('a.pdf')])
      await waitUntil(() => element.assets.length === 1)
      form.querySelector('fieldset')!.disabled = true
      await element.updateComplete
      const data = new DataTransfer()
      data.items.add(pdf('b.pdf'))
      const options = { bubbles: true, composed: true, cancelable: true }
      const zone = element.shadowRoot!.querySelector('[part=zone]')!
      choose(element, [pdf('b.pdf')])
      zone.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: data }))
      zone.dispatchEvent(pasteEvent(data))
      // An added file counts as unfinished at once.
      expect(element.validationMessage).to.equal('')
      await element.updateComplete
      expect(element.shadowRoot!.querySelectorAll('[part=file]')).to.have.length(1)
      expect(element.assets).to.have.length(1)
      expect(button(element, 'Delete… a.pdf')).to.equal(null)
      expect([...new FormData(form)]).to.deep.equal([])
      await expect(element).to.be.accessible()
    })

    it('shows the files that the browser restores, if the same person stored them', async () => {
      const backend = createBackend()
      const { element: before } = await inForm(backend)
      before.add([pdf('a.pdf')])
      await waitUntil(() => before.assets.length === 1)
      const { form, element } = await inForm(backend)
      const { assets } = before
      element.formStateRestoreCallback(JSON.stringify({ univid: people.outsider, assets }))
      await settled(element)
      expect(element.assets, 'those of someone else').to.deep.equal([])
      element.formStateRestoreCallback(JSON.stringify({ univid: people.initiator, assets }))
      await waitUntil(() => element.assets.length > 0)
      await settled(element)

      expect(element.assets).to.deep.equal(before.assets)
      expect(new FormData(form).getAll('files')).to.deep.equal([...before.value])
      expect(textOf(element)).to.include('a.pdf 2 kB Uploaded')
    })
  })
})

/** Creates a backend whose proxy serves only these operations. */
function withSession(operations: string[]): Backend {
  const backend = createBackend()
  const allows = { operations, maxFileSize: 5000, extensions: null, resubmit: null }
  return {
    ...backend,
    client: { ...backend.client, getSession: async () => ({ univid: '1', env: 'test', forms: [], allows }) },
  }
}

async function show(backend: Backend) {
  const element = await fixture<FsUploader>(html`<fs-uploader .client=${backend.client}></fs-uploader>`)
  return { element, backend }
}

function pdf(name: string, size = 2000): File {
  return new File(['%PDF-1.7'.slice(0, size).padEnd(size, 'x')], name, { type: 'application/pdf' })
}

function choose(element: FsUploader, files: readonly File[]): void {
  const data = new DataTransfer()
  for (const file of files) data.items.add(file)
  const input = element.shadowRoot!.querySelector('input')!
  input.files = data.files
  input.dispatchEvent(new Event('change'))
}

function button(element: FsUploader, label: string): HTMLElement {
  return element.shadowRoot!.querySelector<HTMLElement>(`button[aria-label="${label}"]`)!
}

function textOf(element: FsUploader): string {
  return element.shadowRoot!.querySelector<HTMLElement>('[part=base]')!.innerText.replace(/\s+/g, ' ').trim()
}

/** Counts the calls of the proxy. The returned function waits for this many more. */
function countSent(backend: Backend): (more: number) => Promise<void> {
  const { send } = backend
  let sent = 0
  backend.send = (...request) => {
    sent++
    return send(...request)
  }
  return async (more) => {
    const before = sent
    await waitUntil(() => sent >= before + more, 'it does not poll')
  }
}

function uploadsOf({ journal }: Backend): string[] {
  return journal.filter((line) => line.startsWith('POST '))
}

/** Creates uploads that continue only when the test calls a function. */
function manualUploads() {
  const requests: UploadRequest[] = []
  const resolvers: ((response: Response) => void)[] = []
  const respond = (index: number) =>
    resolvers[index]!(Response.json({ uuid: crypto.randomUUID(), filename: 'stored' }))
  return {
    requests,
    respond,
    /** The request for a file. Files are read at the same time, so their requests come in any order. */
    of: (name: string) => {
      const isOfFile = ({ body }: UploadRequest) =>
        [...body.values()].some((value) => value instanceof File && value.name === name)
      const index = requests.findIndex(isOfFile)
      return { request: requests[index]!, respond: () => respond(index) }
    },
    upload: (request: UploadRequest) =>
      held(
        new Promise<Response>((resolve, reject) => {
          requests.push(request)
          resolvers.push(resolve)
          request.signal?.addEventListener('abort', () => reject(request.signal?.reason as Error))
        }),
      ),
  }
}
