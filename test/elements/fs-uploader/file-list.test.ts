import { expect, fixture, html } from '@open-wc/testing'
import { english } from '../../../src/locales/english.ts'
import '../../../src/define/fs-uploader.ts'
import { NotFoundError, type PageClient, UnavailableError } from '../../../src/client/index.ts'
import type { FileAsset } from '../../../src/contract/schemas/storage.ts'
import { factsOf } from '../../../src/elements/fs-uploader/file-list.ts'
import {
  FsBeforeChangeEvent,
  FsChangeEvent,
  FsErrorEvent,
} from '../../../src/elements/fs-uploader/fs-uploader.events.ts'
import type { FsUploader } from '../../../src/elements/fs-uploader/fs-uploader.ts'
import { unreadAsset } from '../../../src/elements/fs-uploader/storage-status.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { announcements } from '../notices/announcements.ts'

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

/** An uploader with stored files. The test sets what the proxy allows and how deletions end. */
class FileListWorld {
  element!: FsUploader
  readonly deleted: string[] = []
  readonly events: unknown[] = []
  readonly gone = new Set<string>()
  readonly operations = new Set(['uploadFile', 'deleteFile'])
  respond = (): Promise<unknown> => Promise.resolve()
  /** Tells the element that the files may have changed. */
  changed: (why: 'changed') => void = () => {}
  readonly #client = {
    getSession: async () => ({
      univid: '1',
      allows: { operations: [...this.operations], maxFileSize: 1000 },
    }),
    watch: (_scope: string, changed: (why: 'changed') => void) => {
      this.changed = changed
      return () => {}
    },
    invalidate: () => {},
    extend: () => this.#client as unknown as PageClient,
    href: (operation: string, { uuid }: { readonly uuid: string }, query: { readonly inline?: true }) =>
      `/${operation}/${uuid}${query.inline ? '?inline' : ''}`,
    getFileMeta: async ({ params: { uuid } }: { readonly params: { readonly uuid: string } }) => {
      if (this.gone.has(uuid)) throw lost
      return { ...plan, uuid, ...(uuid !== 'a' && { filename: `${uuid}.pdf` }) }
    },
    uploadFile: ({ file: { name } }: { readonly file: File }) =>
      name.startsWith('bad') ? Promise.reject(down) : Promise.resolve({ ...plan, filename: name }),
    deleteFile: async ({ params: { uuid } }: { readonly params: { readonly uuid: string } }) => {
      this.deleted.push(uuid)
      await this.respond()
    },
  }

  async show(assets: readonly FileAsset[]): Promise<void> {
    const client = this.#client as unknown as PageClient
    this.element = await fixture<FsUploader>(
      html`<fs-uploader lang="en" .client=${client} .assets=${assets}></fs-uploader>`,
    )
    const { element } = this
    for (const { type } of [FsBeforeChangeEvent, FsChangeEvent])
      element.addEventListener(type, ({ operation, asset }) =>
        this.events.push([type, operation, asset?.uuid]),
      )
    element.addEventListener(FsErrorEvent.type, ({ error, file }) => this.events.push([error, file]))
    await waitUntil(() => element.matches(':state(loaded)'))
    await settled(element)
  }

  async poll(): Promise<void> {
    this.changed('changed')
    await settled(this.element)
  }

  get texts(): readonly string[] {
    return [...this.element.renderRoot.querySelectorAll('li')].map((row) =>
      row.textContent.replace(/\s+/g, ' ').trim(),
    )
  }

  /** The links and the buttons of the first row: their accessible names, and their addresses or states. */
  get controls(): readonly (readonly string[])[] {
    return [...this.element.renderRoot.querySelectorAll('li:first-child :is(a, button)')].map((control) => [
      control.getAttribute('aria-label') ?? '',
      ...['part', 'href', 'aria-describedby', 'aria-disabled'].flatMap(
        (name) => control.getAttribute(name) ?? [],
      ),
    ])
  }

  get focused(): Element | null {
    return this.element.shadowRoot!.activeElement
  }

  button(label: string): HTMLButtonElement | null {
    return this.element.renderRoot.querySelector<HTMLButtonElement>(`button[aria-label="${label}"]`)
  }

  async choose(label: string): Promise<void> {
    this.button(label)!.click()
    await this.element.updateComplete
  }
}

const links = [
  ['Open plan.pdf in a new tab', 'open', '/presignFile/a?inline'],
  ['Download plan.pdf', 'download', '/presignFile/a'],
]

describe('the list of <fs-uploader>', () => {
  it('is absent without files', async () => {
    const { element } = await show()
    expect(element.renderRoot.querySelector('.list')).to.equal(null)
  })

  it('has the number of files, and the facts and buttons of each', async () => {
    const world = await show(plan)
    expect(world.element.renderRoot.querySelector('[part=count]')).to.have.text('1 uploaded')
    expect(world.texts).to.deep.equal([
      'plan.pdf 1,000 bytes Uploaded Jan 10, 2026, 12:00 PM · kept until Feb 9, 2126 a Download Delete…',
    ])
    expect(world.controls).to.deep.equal([...links, ['Delete… plan.pdf']])
    await expect(world.element).to.be.accessible()
  })

  it('removes a file only from the list if the proxy does not serve deletions', async () => {
    const world = new FileListWorld()
    world.operations.delete('deleteFile')
    await world.show([{ ...plan, expirationDate: null }])
    const { element } = world
    expect(world.controls.at(-1)).to.deep.equal(['Remove plan.pdf'])
    expect(world.texts.join()).to.include('no end date')
    element.addEventListener(FsBeforeChangeEvent.type, (event) => event.preventDefault(), { once: true })
    await world.choose('Remove plan.pdf')
    expect(element.assets).to.have.length(1)
    await world.choose('Remove plan.pdf')
    expect(world.events).to.deep.equal([
      [FsBeforeChangeEvent.type, 'removeFile', 'a'],
      [FsBeforeChangeEvent.type, 'removeFile', 'a'],
      [FsChangeEvent.type, 'removeFile', 'a'],
    ])
    expect([element.assets, world.deleted]).to.deep.equal([[], []])
  })

  it('only has links while it is disabled', async () => {
    const world = await show(plan)
    world.element.disabled = true
    await settled(world.element)
    expect(world.controls).to.deep.equal(links)
  })

  it('shows that a file is gone or is not known, and offers to remove it', async () => {
    const world = new FileListWorld()
    for (const uuid of ['a', 'b', 'd']) world.gone.add(uuid)
    const past = { ...plan, uuid: 'd', filename: 'old.pdf', expirationDate: '2026-02-09T12:00:00.000000' }
    await world.show([plan, unreadAsset('b'), unreadAsset('c'), past])
    await waitUntil(() => world.texts.join().includes('c.pdf'))
    for (let poll = 0; poll < 3; poll++) await world.poll()
    expect(world.texts.map((text) => text.replace(/Uploaded .* c/, '… c'))).to.deep.equal([
      'plan.pdf 1,000 bytes No longer available. It may have been deleted, or you may have lost access. Remove',
      'Unnamed file Not available. It may have expired or been deleted, or belong to someone else. Remove',
      'c.pdf 1,000 bytes … c Download Delete…',
      'old.pdf 1,000 bytes No longer available. It may have been deleted, or you may have lost access. Remove',
    ])
    expect(world.element.renderRoot.querySelector('[part=count]')).to.have.text('1 uploaded')
    world.gone.add('c')
    for (let poll = 0; poll < 4; poll++) await world.poll()
    expect(world.element.renderRoot.querySelector('[part=count]'), 'nothing to count').to.equal(null)
  })

  it('sums up uploads of which some failed', async () => {
    const { element } = await show()
    element.add(['a', 'bad'].map((name) => new File(['x'], name)))
    const outcome = () => element.renderRoot.querySelector('[part=outcome]')?.textContent.trim()
    await waitUntil(() => outcome() === '1 uploaded, 1 failed: bad')
    expect([...element.renderRoot.querySelectorAll('li')].map(({ className }) => className)).to.deep.equal([
      'failed',
      '',
    ])
  })
})

describe('a deletion in <fs-uploader>', () => {
  it('is confirmed first', async () => {
    const world = await show(plan)
    await world.choose('Delete… plan.pdf')
    const question = world.element.renderRoot.querySelector('.attention')!
    expect(question).to.have.text(english.uploader.deleteQuestion)
    expect(world.controls).to.deep.equal([
      ...links,
      ['Keep file plan.pdf', question.id],
      ['Delete plan.pdf', question.id],
    ])
    await world.choose('Keep file plan.pdf')
    expect(world.controls).to.deep.equal([...links, ['Delete… plan.pdf']])
    expect([world.deleted, world.events]).to.deep.equal([[], []])
  })

  it('is sent once, and then removes the file', async () => {
    const world = await show(plan)
    const announced = announcements()
    let release: (value?: unknown) => void = () => {}
    const response = new Promise((resolve) => (release = resolve))
    world.respond = () => response
    await world.choose('Delete… plan.pdf')
    await world.choose('Delete plan.pdf')
    expect(world.texts[0]).to.include('Deleting…')
    expect(world.controls.slice(2)).to.deep.equal([
      ['Keep file plan.pdf', 'true'],
      ['Delete plan.pdf', 'true'],
    ])
    await world.choose('Delete plan.pdf')
    await world.choose('Keep file plan.pdf')
    press(world, 'Escape')
    release()
    await waitUntil(() => world.element.assets.length === 0)
    expect(world.deleted).to.deep.equal(['a'])
    expect(world.events).to.deep.equal([
      [FsBeforeChangeEvent.type, 'deleteFile', 'a'],
      [FsChangeEvent.type, 'deleteFile', 'a'],
    ])
    await waitUntil(() => announced.includes('plan.pdf was deleted.'))
  })

  it('ignores a second click and other keys than Escape', async () => {
    const world = await show(plan)
    const reached: string[] = []
    world.element.addEventListener('keydown', ({ key }) => reached.push(key))
    press(world, 'Escape')
    await world.choose('Delete… plan.pdf')
    world.button('Delete plan.pdf')!.dispatchEvent(new MouseEvent('click', { detail: 2 }))
    press(world, 'Enter')
    await world.element.updateComplete
    expect([world.deleted, world.button('Delete plan.pdf') === null]).to.deep.equal([[], false])
    press(world, 'Escape')
    await world.element.updateComplete
    expect(world.button('Delete plan.pdf') === null).to.equal(true)
    expect(reached, 'the page does not close a dialog with it').to.deep.equal(['Escape', 'Enter'])
  })

  it('is announced if it fails, and can be tried again', async () => {
    const world = await show(plan)
    const announced = announcements()
    world.respond = () => Promise.reject(down)
    await world.choose('Delete… plan.pdf')
    world.button('Delete plan.pdf')!.focus()
    await world.choose('Delete plan.pdf')
    await waitUntil(() => announced.includes('plan.pdf: Couldn’t be deleted. Try again.'))
    expect(world.events).to.deep.equal([
      [FsBeforeChangeEvent.type, 'deleteFile', 'a'],
      [down, undefined],
    ])
    expect(world.texts[0]).to.include('Couldn’t be deleted. Try again.')
    expect(world.controls.at(-1)).to.deep.equal(['Delete… plan.pdf'])
    await waitUntil(() => world.focused === world.button('Delete… plan.pdf'))
  })

  it('keeps a file that the service did not find, and says so', async () => {
    const world = await show(plan)
    const announced = announcements()
    world.respond = () => Promise.reject(lost)
    await world.choose('Delete… plan.pdf')
    world.button('Delete plan.pdf')!.focus()
    await world.choose('Delete plan.pdf')
    const gone = english.files.ends.lost
    await waitUntil(() => announced.includes(`plan.pdf: ${gone}`))
    expect(world.texts[0]).to.include(gone)
    expect(world.controls).to.deep.equal([['Remove plan.pdf']])
    await waitUntil(() => world.focused === world.button('Remove plan.pdf'))
    expect(
      world.events.filter((event) => Array.isArray(event) && event[0] === FsChangeEvent.type),
    ).to.deep.equal([])
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

async function show(...assets: readonly FileAsset[]): Promise<FileListWorld> {
  const world = new FileListWorld()
  await world.show(assets)
  return world
}

function press({ element: { renderRoot } }: FileListWorld, key: string): void {
  const target = renderRoot.querySelector('li button')!
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }))
}
