import { expect, fixture, html } from '@open-wc/testing'
import { LitElement } from 'lit'
import { NotFoundError, type PageClient, UnavailableError } from '../../../src/client/index.ts'
import type { FileAsset } from '../../../src/contract/schemas/storage.ts'
import { Announcer } from '../../../src/elements/notices/announcer.ts'
import { factsOf, FileList, type UploaderDetails } from '../../../src/elements/fs-uploader/file-list.ts'
import {
  FsBeforeChangeEvent,
  FsChangeEvent,
  FsErrorEvent,
} from '../../../src/elements/fs-uploader/fs-uploader.events.ts'
import { type StorageStatus, unreadAsset } from '../../../src/elements/fs-uploader/storage-status.ts'
import { UploadQueue } from '../../../src/elements/upload/upload-queue.ts'
import { waitUntil } from '../../wait-until.ts'
import { announcements } from '../notices/announcements.ts'
import { outline } from '../outline.ts'

const plan: FileAsset = {
  uuid: 'a',
  filename: 'plan.pdf',
  fileSize: 1000,
  contentType: 'application/pdf',
  uploadDate: '2026-01-10T12:00:00.000000',
  expirationDate: '2126-02-09T12:00:00.000000',
  metadata: null,
}
const down = new UnavailableError('deleteFile', 'got no usable response')
const lost = new NotFoundError('deleteFile', 'found nothing')

/** Shows a list of stored files. The test sets what the proxy allows and how deletions end. */
class XFileList extends LitElement {
  hasClient = true
  isDisabled = false
  canDelete = true
  gone = new Set<string>()
  version = {}
  deleted: string[] = []
  respond = (): Promise<void> => Promise.resolve()
  readonly events: unknown[] = []
  readonly announcer = new Announcer(this)
  readonly #client = {
    href: (operation: string, { uuid }: { readonly uuid: string }) => `/${operation}/${uuid}`,
    deleteFile: async ({ params: { uuid } }: { readonly params: { readonly uuid: string } }) => {
      this.deleted.push(uuid)
      await this.respond()
    },
  }
  readonly queue: UploadQueue<FileAsset, UploaderDetails> = new UploadQueue<FileAsset, UploaderDetails>(
    this,
    this.announcer,
    {
      rules: () => ({ maxSize: 1000 }),
      confirm: () => true,
      send: ({ name }) =>
        name.startsWith('bad') ? Promise.reject(down) : Promise.resolve({ ...plan, filename: name }),
      maxSize: () => 1000,
      onChange: () => {},
      onStored: () => {},
      onFailed: () => {},
    },
  )
  readonly #list = new FileList(this, this.announcer, {
    queue: this.queue,
    status: Object.defineProperty(
      {
        serves: () => this.canDelete,
        isGone: (uuid: string) => this.gone.has(uuid),
        lose: (uuid: string) => {
          this.gone.add(uuid)
          this.version = {}
        },
      },
      'version',
      { get: () => this.version },
    ) as unknown as StorageStatus,
    client: () => (this.hasClient ? (this.#client as unknown as PageClient) : undefined),
    isDisabled: () => this.isDisabled,
  })

  constructor() {
    super()
    for (const { type } of [FsBeforeChangeEvent, FsChangeEvent])
      this.addEventListener(type, ({ operation, asset }) => this.events.push([type, operation, asset?.uuid]))
    this.addEventListener(FsErrorEvent.type, ({ error, file }) => this.events.push([error, file]))
  }

  protected override willUpdate(): void {
    this.queue.showNextSlice()
  }

  override render() {
    return html`<div>${this.#list.render()}</div>
      ${this.announcer.render()}`
  }

  store(...assets: readonly FileAsset[]): void {
    this.queue.restore(assets.map((asset) => ({ ...factsOf(asset), details: { path: '' } })))
  }

  async have(fields: Partial<XFileList>): Promise<void> {
    Object.assign(this, fields)
    this.requestUpdate()
    await this.updateComplete
  }

  get lines(): readonly string[] {
    return outline(this.renderRoot.querySelector('div')!)
  }

  button(label: string): HTMLButtonElement | null {
    return this.renderRoot.querySelector<HTMLButtonElement>(`button[aria-label="${label}"]`)
  }

  async choose(label: string): Promise<void> {
    this.button(label)!.click()
    await this.updateComplete
  }
}
customElements.define('x-file-list', XFileList)

const link = [
  '        a aria-label="Download plan.pdf" class="button quiet" download href="/presignFile/a" part="download"',
  '          "Download"',
]
const button = (label: string, text: string, kind: string, more = '') => [
  `        button ${more}aria-label="${label}" class="${kind}" type="button"`,
  `          "${text}"`,
]

describe('FileList', () => {
  it('is absent without files', async () => {
    expect((await show()).lines).to.deep.equal([])
  })

  it('has the number of files, and the facts and buttons of each', async () => {
    const element = await show(plan)
    const key = element.queue.items[0]!.key
    expect(element.lines).to.deep.equal([
      'div class="list"',
      '  p class="header" part="count"',
      '    "1 uploaded"',
      '  ul aria-label="Files" part="files"',
      `    li class data-key="${key}" part="file"`,
      '      div',
      '        span class="name" tabindex="-1"',
      '          bdi',
      '            "plan.pdf"',
      '        bdi class="detail"',
      '          "1,000 bytes"',
      '        div',
      '          span class="stored"',
      '            svg',
      '            "Uploaded"',
      '          span class="detail"',
      '            "·"',
      '            "Available until Feb 9, 2126"',
      '          code dir="ltr" part="reference"',
      '            "a"',
      '      div class="actions"',
      ...link,
      ...button('Delete… plan.pdf', 'Delete…', 'quiet delete'),
    ])
  })

  it('removes a file only from the list if the proxy does not serve deletions', async () => {
    const element = await show({ ...plan, expirationDate: null })
    await element.have({ canDelete: false, version: {} })
    expect(element.lines.slice(-2)).to.deep.equal(button('Remove plan.pdf', 'Remove', 'quiet'))
    expect(element.lines.join()).not.to.include('Available until')
    element.addEventListener(FsBeforeChangeEvent.type, (event) => event.preventDefault(), { once: true })
    await element.choose('Remove plan.pdf')
    expect(element.queue.items).to.have.length(1)
    await element.choose('Remove plan.pdf')
    expect(element.events).to.deep.equal([
      [FsBeforeChangeEvent.type, 'removeFile', 'a'],
      [FsBeforeChangeEvent.type, 'removeFile', 'a'],
      [FsChangeEvent.type, 'removeFile', 'a'],
    ])
    expect([element.queue.items, element.deleted]).to.deep.equal([[], []])
  })

  it('only has links while it is disabled, also without an address', async () => {
    const element = await show(plan)
    await element.have({ isDisabled: true, hasClient: false })
    expect(element.lines.slice(-3)).to.deep.equal([
      '      div class="actions"',
      '        a aria-label="Download plan.pdf" class="button quiet" download href part="download"',
      '          "Download"',
    ])
  })

  it('shows that a file is gone or not known, and offers to remove it', async () => {
    const element = await show(plan, unreadAsset('b'), unreadAsset('c'))
    await element.have({ gone: new Set(['a', 'b']), version: {} })
    const texts = [...element.renderRoot.querySelectorAll('li')].map((row) =>
      row.textContent.replace(/\s+/g, ' ').trim(),
    )
    expect(texts).to.deep.equal([
      'plan.pdf 1,000 bytes No longer available. It may have expired or been deleted, or you may have lost access. Remove',
      'Unavailable file Not available. It may have expired or been deleted, or belong to someone else. Remove',
      'Loading… Uploaded c Download Delete…',
    ])
    expect(element.lines[2]).to.equal('    "1 uploaded"')
    await element.have({ gone: new Set(['a', 'b', 'c']), version: {} })
    expect(element.lines[1], 'nothing to count').to.equal('  ul aria-label="Files" part="files"')
  })

  it('sums up uploads of which some failed', async () => {
    const element = await show()
    for (const item of element.queue.add(
      ['a', 'bad'].map((name) => ({ file: new File(['x'], name), name, details: { path: '' } })),
    ))
      element.queue.start(item)
    await waitUntil(() => element.lines[1] === '  p class="header" part="outcome"')
    expect(element.lines[2]).to.equal('    "1 uploaded, 1 failed: bad"')
    expect([...element.renderRoot.querySelectorAll('li')].map(({ className }) => className)).to.deep.equal([
      'failed',
      '',
    ])
  })
})

describe('a deletion in FileList', () => {
  it('is confirmed first', async () => {
    const element = await show(plan)
    const question = `question${element.queue.items[0]!.key}`
    await element.choose('Delete… plan.pdf')
    expect(element.lines.slice(11)).to.deep.equal([
      '        div',
      `          span class="attention" id="${question}"`,
      '            "Delete this file permanently?"',
      '      div class="actions"',
      ...button('Keep file plan.pdf', 'Keep file', 'keep', `aria-describedby="${question}" `),
      ...button('Delete plan.pdf', 'Delete', 'danger solid', `aria-describedby="${question}" `),
    ])
    await element.choose('Keep file plan.pdf')
    expect(element.lines.slice(-4)).to.deep.equal([
      ...link,
      ...button('Delete… plan.pdf', 'Delete…', 'quiet delete'),
    ])
    expect([element.deleted, element.events]).to.deep.equal([[], []])
  })

  it('is sent once, and then removes the file', async () => {
    const element = await show(plan)
    const announced = announcements(element)
    let release = () => {}
    element.respond = () => new Promise((resolve) => (release = resolve))
    await element.choose('Delete… plan.pdf')
    await element.choose('Delete plan.pdf')
    expect(element.lines.slice(11)).to.deep.equal([
      '        div',
      '          span class="detail"',
      '            "Deleting…"',
      '      div class="actions"',
      ...button('Keep file plan.pdf', 'Keep file', 'keep', 'aria-disabled="true" '),
      ...button('Delete plan.pdf', 'Delete', 'danger solid', 'aria-disabled="true" '),
    ])
    await element.choose('Delete plan.pdf')
    await element.choose('Keep file plan.pdf')
    press(element, 'Escape')
    release()
    await waitUntil(() => element.queue.items.length === 0)
    expect(element.deleted).to.deep.equal(['a'])
    expect(element.events).to.deep.equal([
      [FsBeforeChangeEvent.type, 'deleteFile', 'a'],
      [FsChangeEvent.type, 'deleteFile', 'a'],
    ])
    await waitUntil(() => announced.includes('plan.pdf was deleted.'))
  })

  it('can be refused by the page', async () => {
    const element = await show(plan)
    element.addEventListener(FsBeforeChangeEvent.type, (event) => event.preventDefault())
    await element.choose('Delete… plan.pdf')
    await element.choose('Delete plan.pdf')
    expect(element.lines.slice(-2)).to.deep.equal(button('Delete… plan.pdf', 'Delete…', 'quiet delete'))
    expect(element.deleted).to.deep.equal([])
  })

  it('ignores a second click and other keys than Escape', async () => {
    const element = await show(plan)
    const reached: string[] = []
    element.addEventListener('keydown', ({ key }) => reached.push(key))
    press(element, 'Escape')
    await element.choose('Delete… plan.pdf')
    element.button('Delete plan.pdf')!.dispatchEvent(new MouseEvent('click', { detail: 2 }))
    press(element, 'Enter')
    await element.updateComplete
    expect([element.deleted, element.button('Delete plan.pdf') === null]).to.deep.equal([[], false])
    press(element, 'Escape')
    await element.updateComplete
    expect(element.button('Delete plan.pdf') === null).to.equal(true)
    expect(reached, 'the page does not close a dialog with it').to.deep.equal(['Escape', 'Enter'])
  })

  it('is announced if it fails, and can be tried again', async () => {
    const element = await show(plan)
    const announced = announcements(element)
    element.respond = () => Promise.reject(down)
    await element.choose('Delete… plan.pdf')
    await element.choose('Delete plan.pdf')
    await waitUntil(() => announced.includes("plan.pdf: The file couldn't be deleted. Try again."))
    expect(element.events).to.deep.equal([
      [FsBeforeChangeEvent.type, 'deleteFile', 'a'],
      [down, undefined],
    ])
    const { lines } = element
    expect(lines.slice(lines.indexOf('            "a"') + 1)).to.deep.equal([
      '          div class="error"',
      `            "The file couldn't be deleted. Try again."`,
      '      div class="actions"',
      ...link,
      ...button('Delete… plan.pdf', 'Delete…', 'quiet delete'),
    ])
  })

  it('keeps a file that the service did not find, and says so', async () => {
    const element = await show(plan)
    const announced = announcements(element)
    element.respond = () => Promise.reject(lost)
    await element.choose('Delete… plan.pdf')
    await element.choose('Delete plan.pdf')
    const gone = 'No longer available. It may have expired or been deleted, or you may have lost access.'
    await waitUntil(() => announced.includes(`plan.pdf: ${gone}`))
    expect(element.lines.slice(9)).to.deep.equal([
      '        div',
      '          span class="error"',
      `            "${gone}"`,
      '      div class="actions"',
      ...button('Remove plan.pdf', 'Remove', 'quiet'),
    ])
  })
})

describe('factsOf()', () => {
  it('prefers the path of a file, and knows no size if the service does not', () => {
    const name = (fields: Partial<FileAsset>) => factsOf({ ...plan, ...fields }).name
    expect(factsOf(plan)).to.deep.equal({ value: plan, name: 'plan.pdf', size: 1000 })
    expect(name({ metadata: { path: 'trip/plan.pdf' } })).to.equal('trip/plan.pdf')
    expect(name({ metadata: { kind: 'plan' } })).to.equal('plan.pdf')
    expect(name({ filename: null })).to.equal('a')
    expect(factsOf({ ...plan, fileSize: null }).size).to.deep.equal(Number.NaN)
    expect(factsOf({ ...plan, fileSize: 0 }).size).to.equal(0)
  })
})

async function show(...assets: readonly FileAsset[]): Promise<XFileList> {
  const element = await fixture<XFileList>(html`<x-file-list lang="en"></x-file-list>`)
  element.store(...assets)
  await element.updateComplete
  return element
}

function press(element: XFileList, key: string): void {
  const target = element.renderRoot.querySelector('li button') ?? element.renderRoot.querySelector('li')!
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }))
}
