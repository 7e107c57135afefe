import { aTimeout, expect, fixture, html, oneEvent, waitUntil } from '@open-wc/testing'
import { emulateMedia } from '@web/test-runner-commands'
import '../../src/define/fs-uploader.ts'
import type { UploadRequest } from '../../src/client/index.ts'
import {
  FsBeforeChangeEvent,
  FsChangeEvent,
  FsErrorEvent,
} from '../../src/elements/fs-uploader/fs-uploader.events.ts'
import type { FsUploader } from '../../src/elements/fs-uploader/fs-uploader.ts'
import { type Backend, createBackend, people } from '../../stories/backend.ts'

describe('<fs-uploader>', () => {
  it('stores a chosen file and shows its reference and a link', async () => {
    const { element, backend } = await show(createBackend())
    const changed = oneEvent<FsChangeEvent>(element, FsChangeEvent.type)
    const file = pdf('itinerary.pdf')
    choose(element, [file])
    const { asset } = await changed
    await element.updateComplete

    expect(asset).to.include({ filename: 'itinerary.pdf', fileSize: 2000, contentType: 'application/pdf' })
    expect(element.assets).to.deep.equal([asset])
    expect(textOf(element)).to.include(`itinerary.pdf 2 kB Uploaded`)
    expect(textOf(element)).to.include(asset.uuid)
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

  it('opens the file dialog by its button, and takes the same file twice', async () => {
    const { element } = await show(createBackend())
    const input = element.shadowRoot!.querySelector('input')!
    let opened = 0
    input.addEventListener('click', (event) => {
      event.preventDefault()
      opened++
    })
    element.shadowRoot!.querySelector<HTMLElement>('[part=choose]')!.click()
    expect(opened).to.equal(1)

    choose(element, [pdf('a.pdf')])
    expect(input.files).to.have.length(0)
    choose(element, [pdf('a.pdf')])
    await waitUntil(() => element.assets.length === 2)
  })

  it('says how long a file is available', async () => {
    const { element } = await show(createBackend())
    element.add([pdf('a.pdf')])
    await waitUntil(() => /Available until \w{3} \d+, \d{4}/.test(textOf(element)))
  })

  it('announces all outcomes of a moment together, and leaves time to hear them', async () => {
    const { element } = await show(createBackend(undefined, { interval: 50 }))
    element.maxSize = 5000
    element.add([pdf('a.pdf'), pdf('b.pdf'), pdf('big.pdf', 9000)])
    const region = element.shadowRoot!.querySelector('[role=status]')!
    await waitUntil(() => region.textContent.includes('a.pdf was uploaded.'))

    expect(region).to.contain.text('b.pdf was uploaded.')
    expect(region).to.contain.text('big.pdf: Not uploaded')
    await aTimeout(400)
    expect(region).to.contain.text('a.pdf was uploaded.')
  })

  it('sends neither what is empty nor what cannot be read (F48)', async () => {
    const { element, backend } = await show(createBackend())
    const folder = pdf('folder')
    folder.slice = () => {
      const part = new Blob()
      part.arrayBuffer = () => Promise.reject(new DOMException('', 'NotFoundError'))
      return part
    }
    element.add([pdf('empty.pdf', 0), folder])
    await waitUntil(() => textOf(element).includes('empty.pdf 0 bytes Not uploaded: it is empty.'))
    await waitUntil(() => /folder .* Not uploaded: it cannot be read\./.test(textOf(element)))

    expect(uploadsOf(backend)).to.deep.equal([])
  })

  it('takes a limit that is none for the usual one', async () => {
    const { element } = await show(createBackend())
    for (const [given, limit] of [
      ['2048', 2048],
      ['50MB', 52_428_800],
      ['-1', 52_428_800],
      ['', 52_428_800],
    ] as const) {
      element.setAttribute('max-size', given)
      expect(element.maxSize, given).to.equal(limit)
    }
  })

  it('keeps files until there is a proxy to send them to', async () => {
    const { client } = createBackend()
    const element = await fixture<FsUploader>(html`<fs-uploader></fs-uploader>`)
    element.add([pdf('a.pdf')])
    await aTimeout(20)
    element.client = client
    await waitUntil(() => element.assets.length === 1)
  })

  it('keeps the focus in the row when the control under it goes away', async () => {
    const uploads = manualUploads()
    const { element } = await show(createBackend(undefined, { upload: uploads.upload }))
    element.add([pdf('a.pdf')])
    await waitUntil(() => uploads.requests.length === 1)
    button(element, 'Cancel the upload of a.pdf').focus()
    uploads.answer(0)
    await waitUntil(() => element.assets.length === 1)
    await element.updateComplete

    expect(element.shadowRoot!.activeElement).to.have.class('name')
  })

  it('takes dropped files', async () => {
    const { element } = await show(createBackend())
    const data = new DataTransfer()
    data.items.add(pdf('a.pdf'))
    data.items.add(pdf('b.pdf'))
    const zone = element.shadowRoot!.querySelector('[part=zone]')!
    const over = new DragEvent('dragover', { dataTransfer: data, bubbles: true, cancelable: true })
    zone.dispatchEvent(over)
    expect(over.defaultPrevented).to.equal(true)
    zone.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    await waitUntil(() => element.assets.length === 2)

    expect(element.assets.map(({ filename }) => filename)).to.deep.equal(['a.pdf', 'b.pdf'])
  })

  it('shows progress that is true, and says when it only waits for the answer', async () => {
    const uploads = manualUploads()
    const { element } = await show(createBackend(undefined, { upload: uploads.upload }))
    element.add([pdf('a.pdf', 1000)])
    await waitUntil(() => uploads.requests.length === 1)
    uploads.requests[0]!.onProgress?.(500, 1100)
    await element.updateComplete

    const bar = element.shadowRoot!.querySelector('progress')!
    expect(bar.value).to.be.closeTo(500 / 1100, 0.001)
    expect(bar).to.have.attribute('aria-label', 'Upload of a.pdf')
    expect(textOf(element)).to.include('45%')

    uploads.requests[0]!.onProgress?.(1100, 1100)
    await element.updateComplete
    expect(textOf(element)).to.include('Sent. Waiting for confirmation…')
    expect(textOf(element)).not.to.include('100%')
    await expect(element).to.be.accessible()
  })

  it('lets three files travel at once and the others wait', async () => {
    const uploads = manualUploads()
    const { element } = await show(createBackend(undefined, { upload: uploads.upload }))
    element.add(['a', 'b', 'c', 'd', 'e'].map((name) => pdf(name)))
    await waitUntil(() => uploads.requests.length === 3)
    await aTimeout(30)
    expect(uploads.requests).to.have.length(3)

    uploads.answer(0)
    await waitUntil(() => uploads.requests.length === 4)
  })

  it('cancels what is on its way', async () => {
    const uploads = manualUploads()
    const { element } = await show(createBackend(undefined, { upload: uploads.upload }))
    const failures: unknown[] = []
    element.addEventListener(FsErrorEvent.type, (event) => failures.push(event.error))
    element.add([pdf('a.pdf'), pdf('b.pdf')])
    await waitUntil(() => uploads.requests.length === 2)
    button(element, 'Cancel the upload of a.pdf').click()
    await aTimeout(0)
    expect(failures, 'to cancel is no failure').to.deep.equal([])

    expect(uploads.requests[0]!.signal?.aborted).to.equal(true)
    expect(uploads.requests[1]!.signal?.aborted).to.equal(false)
    expect(textOf(element)).not.to.include('a.pdf')
    expect(element.shadowRoot!.activeElement?.textContent).to.equal('b.pdf')
    button(element, 'Cancel the upload of b.pdf').click()
    expect(element.shadowRoot!.activeElement).to.have.attribute('part', 'choose')
  })

  it('keeps a file that failed, and sends it again on demand', async () => {
    const { element, backend } = await show(createBackend())
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    const failed = oneEvent<FsErrorEvent>(element, FsErrorEvent.type)
    element.add([pdf('a.pdf')])
    expect((await failed).file?.name).to.equal('a.pdf')
    await element.updateComplete
    expect(textOf(element)).to.include('All of it was sent, but there was no confirmation.')
    await expect(element).to.be.accessible()

    backend.intercept = () => undefined
    button(element, 'Try again to upload a.pdf').focus()
    button(element, 'Try again to upload a.pdf').click()
    await waitUntil(() => element.assets.length === 1)
    expect(element.shadowRoot!.activeElement?.textContent).to.equal('a.pdf')
  })

  it('tells the difference between not sent and not confirmed', async () => {
    const { element } = await show(
      createBackend(undefined, { upload: () => Promise.reject(new TypeError('No network')) }),
    )
    element.add([pdf('a.pdf')])
    await waitUntil(() => textOf(element).includes('Not uploaded: the connection or the service failed.'))
  })

  it('refuses a file over the limit before a byte is sent, with the numbers (F32)', async () => {
    const { element, backend } = await show(createBackend())
    element.maxSize = 1024
    element.add([pdf('big.pdf', 2000), pdf('small.pdf', 10)])
    await waitUntil(() => element.assets.length === 1)

    expect(textOf(element)).to.include('big.pdf 2 kB Not uploaded: it is larger than 1 kB.')
    expect(uploadsOf(backend)).to.have.length(1)
  })

  it('shows the reason when the proxy refuses', async () => {
    const { element } = await show(
      createBackend(undefined, {
        upload: () =>
          Promise.resolve(Response.json({ title: 'x', status: 413, detail: 'Too big.' }, { status: 413 })),
      }),
    )
    element.add([pdf('a.pdf')])
    await waitUntil(() => textOf(element).includes('Too big.'))
  })

  it('says when nobody is signed in, and keeps the file (F15)', async () => {
    const { element, backend } = await show(createBackend(null))
    element.add([pdf('a.pdf')])
    await waitUntil(() => textOf(element).includes('you are signed out'))

    backend.person = people.initiator
    button(element, 'Try again to upload a.pdf').click()
    await waitUntil(() => element.assets.length === 1)
  })

  it('lets the page refuse a file', async () => {
    const { element, backend } = await show(createBackend())
    element.addEventListener(FsBeforeChangeEvent.type, (event) => {
      if (event.file.name.endsWith('.exe')) event.preventDefault()
    })
    element.add([pdf('virus.exe'), pdf('a.pdf')])
    await waitUntil(() => element.assets.length === 1)

    expect(textOf(element)).not.to.include('virus.exe')
    expect(uploadsOf(backend)).to.have.length(1)
  })

  it('marks a stored file that is no longer there (F31)', async () => {
    const { element, backend } = await show(createBackend(undefined, { interval: 60 }))
    element.add([pdf('a.pdf')])
    await waitUntil(() => element.assets.length === 1)
    const stored = [...backend.emulator.files.test]
    backend.emulator.files.test.clear()
    await waitUntil(() => textOf(element).includes('Not available to you any more'))

    expect(element.shadowRoot!.querySelector('[part=download]')).to.equal(null)
    for (const [uuid, file] of stored) backend.emulator.files.test.set(uuid, file)
    await waitUntil(() => element.shadowRoot!.querySelector('[part=download]'), 'it is looked for again')

    backend.emulator.files.test.clear()
    await waitUntil(() => textOf(element).includes('Not available to you any more'))
    button(element, 'Remove a.pdf from the list').click()
    await waitUntil(() => !textOf(element).includes('a.pdf'))
  })

  it('goes stale when the service does, keeps the list, and recovers (F01)', async () => {
    const { element, backend } = await show(createBackend(undefined, { interval: 60, longestBackoff: 100 }))
    element.add([pdf('a.pdf')])
    await waitUntil(() => element.assets.length === 1)
    backend.intercept = () => Promise.reject(new TypeError('refused'))
    await waitUntil(() => textOf(element).includes('This may be out of date'))
    expect(textOf(element)).to.include('a.pdf 2 kB Uploaded')

    backend.intercept = () => undefined
    await waitUntil(() => !textOf(element).includes('This may be out of date'))
  })

  it('keeps uploading when it is moved, and stops when it is removed (F38)', async () => {
    const uploads = manualUploads()
    const { element } = await show(createBackend(undefined, { upload: uploads.upload }))
    element.add([pdf('a.pdf')])
    await waitUntil(() => uploads.requests.length === 1)
    const elsewhere = await fixture<HTMLElement>(html`<div></div>`)
    elsewhere.append(element)
    await aTimeout(10)
    expect(uploads.requests[0]!.signal?.aborted).to.equal(false)

    element.remove()
    await aTimeout(10)
    expect(uploads.requests[0]!.signal?.aborted).to.equal(true)
  })

  it('tells its author what is not configured', async () => {
    const element = await fixture<FsUploader>(html`<fs-uploader></fs-uploader>`)

    expect(textOf(element)).to.equal('<fs-uploader> needs endpoint to show anything.')
  })

  it('shows names as text, whatever they hold (T20)', async () => {
    const name = '<img src=x onerror=alert(1)>.pdf'
    const backend = createBackend()
    // The proxy stores no such name; other applications may have.
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

  for (const [name, scheme, direction] of [
    ['light', 'light', 'ltr'],
    ['dark', 'dark', 'ltr'],
    ['right-to-left', 'light', 'rtl'],
  ] as const) {
    it(`is accessible empty and full, ${name}`, async () => {
      await emulateMedia({ colorScheme: scheme })
      const { element } = await show(createBackend())
      element.dir = direction
      await expect(element).to.be.accessible()
      element.maxSize = 5000
      element.add([pdf('a.pdf'), pdf('big.pdf', 9000)])
      await waitUntil(() => element.assets.length === 1)
      await expect(element).to.be.accessible()
      await emulateMedia({ colorScheme: 'light' })
    })
  }
})

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

function uploadsOf({ journal }: Backend): string[] {
  return journal.filter((line) => line.startsWith('POST '))
}

/** Uploads that go on only when the test says so. */
function manualUploads() {
  const requests: UploadRequest[] = []
  const resolvers: ((response: Response) => void)[] = []
  return {
    requests,
    upload: (request: UploadRequest) =>
      new Promise<Response>((resolve, reject) => {
        requests.push(request)
        resolvers.push(resolve)
        request.signal?.addEventListener('abort', () => reject(request.signal?.reason as Error))
      }),
    answer: (index: number) =>
      resolvers[index]!(Response.json({ uuid: crypto.randomUUID(), filename: 'stored' })),
  }
}
