import { expect } from '@open-wc/testing'
import { nothing, render } from 'lit'
import type { FileAsset } from '../../../src/contract/schemas/storage.ts'
import type { DeletionState } from '../../../src/elements/fs-files/file-deletions.ts'
import { endOf, type ListedFile, storedRow } from '../../../src/elements/fs-files/stored-row.ts'
import { renderFileRow } from '../../../src/elements/upload/file-row.ts'
import { storedFiles } from '../../../src/locales/en-files.ts'
import { files } from '../../../src/locales/en-upload.ts'
import { common } from '../../../src/locales/en.ts'
import { outline } from '../outline.ts'
import { textsOf } from '../texts.ts'

const messages = textsOf(storedFiles)
const fileMessages = textsOf(files)
const context = { messages, fileMessages, common: textsOf(common), formatting: { language: 'en' } }

const asset: FileAsset = {
  uuid: 'a',
  filename: 'plan.pdf',
  fileSize: 2000,
  contentType: 'application/pdf',
  uploadDate: '2026-01-10T12:00:00.000000',
  expirationDate: '2126-02-09T12:00:00.000000',
  metadata: { trip: 'Tucson', purpose: 'travel' },
}
const available = { asset, gone: undefined }
const title = [
  '    bdi class="name" tabindex="-1"',
  '      "plan.pdf"',
  '    bdi class="detail"',
  '      "2 kB"',
]

describe('storedRow()', () => {
  it('has a link, the facts and the buttons of a file that opens in the browser', () => {
    const { lines, called, click } = show()
    expect(lines).to.deep.equal([
      'span class="mark file"',
      '  svg',
      'div class="facts"',
      '  div class="title"',
      '    a aria-label="Open plan.pdf in a new tab" class="name" href="/inline" part="open" rel="noopener" target="_blank"',
      '      bdi',
      '        "plan.pdf"',
      '    bdi class="detail"',
      '      "2 kB"',
      '  div class="detail"',
      '    span',
      '      "Uploaded Jan 10, 2026, 12:00 PM"',
      '      "·"',
      '    span',
      '      "kept until Feb 9, 2126"',
      '  div class="detail" part="labels"',
      '    bdi',
      '      "trip: Tucson"',
      '    bdi',
      '      "purpose: travel"',
      'div class="actions"',
      '  a aria-label="Download plan.pdf" class="button quiet" download href="/attached" part="download"',
      '    "Download"',
      '  button aria-label="Edit plan.pdf" class="edit quiet" data-action="edit" type="button"',
      '    "Edit"',
      '  button aria-label="Delete plan.pdf" class="delete danger quiet" data-action="delete" type="button"',
      '    "Delete"',
    ])
    click('Edit plan.pdf')
    click('Delete plan.pdf')
    expect(called).to.deep.equal(['edit', 'delete'])
  })

  it('downloads a file of any other type by its name', () => {
    const other = { ...asset, contentType: 'text/html', metadata: null, fileSize: null, uploadDate: null }
    const { lines } = show({
      facts: { ...available, asset: { ...other, expirationDate: null } },
      isEditable: false,
      isDeletable: false,
    })
    expect(lines.slice(3)).to.deep.equal([
      '  div class="title"',
      '    a aria-label="Download plan.pdf" class="name" download href="/attached" part="download"',
      '      bdi',
      '        "plan.pdf"',
      '    bdi class="detail"',
      '  div class="detail"',
      '    span',
      '      "no end date"',
    ])
  })

  it('offers only what the person may do', () => {
    const buttons = (row: Partial<ListedFile>) =>
      show(row).lines.flatMap((line) => /^ +button .*class="([^"]*)"/.exec(line)?.[1] ?? [])
    expect(buttons({ isEditable: false })).to.deep.equal(['delete danger quiet'])
    expect(buttons({ isDeletable: false })).to.deep.equal(['edit quiet'])
  })

  it('shows that a file loads', () => {
    const { lines } = show({ facts: undefined })
    expect(lines).to.deep.equal([
      'span class="mark file"',
      '  svg',
      'div class="facts"',
      '  div class="title"',
      '    bdi class="name" tabindex="-1"',
      '      "Unnamed file"',
      '    bdi class="detail"',
      '  div class="detail"',
      '    "Loading…"',
    ])
  })

  it('shows until when a deletion can be undone, and who loses the file', () => {
    const { lines, called, click } = show({
      deletion: 'waiting',
      grantees: ['Library archive', 'Records office', 'Travel desk'],
    })
    expect(lines.slice(4)).to.deep.equal([
      ...title,
      '  div class="attention" part="undo"',
      '    "Will be deleted when you leave this page."',
      '    "Also lost for: Library archive, Records office, and Travel desk."',
      'div class="actions"',
      '  button aria-label="Undo plan.pdf" class="undo" data-action="undo" type="button"',
      '    "Undo"',
      '  button aria-label="Delete now plan.pdf" class="delete danger quiet" data-action="delete" type="button"',
      '    "Delete now"',
    ])
    click('Undo plan.pdf')
    click('Delete now plan.pdf')
    expect(called).to.deep.equal(['undo', 'delete'])
    expect(show({ deletion: 'waiting' }).lines).not.to.include('    "Also lost for: ."')
  })

  it('offers nothing while a file is deleted', () => {
    expect(show({ deletion: 'deleting' }).lines.slice(4)).to.deep.equal([
      ...title,
      '  div class="detail"',
      '    "Deleting…"',
    ])
  })

  it('shows below the facts that a deletion failed, and offers it again', () => {
    const { lines } = show({ deletion: 'failed' })
    expect(lines[4], 'it can still be opened').to.include('part="open"')
    const at = lines.indexOf('  div class="error"')
    expect(lines.slice(at - 1, at + 3)).to.deep.equal([
      '      "purpose: travel"',
      '  div class="error"',
      `    "Couldn’t be deleted. Try again."`,
      'div class="actions"',
    ])
    expect(lines.slice(-2)).to.deep.equal([
      '  button aria-label="Delete plan.pdf" class="delete danger quiet" data-action="delete" type="button"',
      '    "Delete"',
    ])
  })

  it('has the open form instead of the buttons', () => {
    const { lines } = show({ editor: 'The form' })
    expect(lines.at(-1)).to.equal('"The form"')
    expect(lines.join()).not.to.include('actions')
    expect(lines[4]).to.include('part="open"')
  })

  it('shows why a file is not available, with its reference for support', () => {
    const support = [
      '  details part="support"',
      '    summary',
      '      "For support"',
      '    p class="detail"',
      '      "Reference"',
      '      code dir="ltr" part="reference"',
      '        "a"',
    ]
    const lost = show({ facts: { asset, gone: 'missing' }, editor: 'The form' })
    expect(lost.lines).to.deep.equal([
      'span class="mark gone"',
      '  svg',
      'div class="facts"',
      '  div class="title"',
      ...title,
      '  div class="detail" part="end"',
      '    "No longer available. It may have been deleted, or you may have lost access."',
      ...support,
    ])
    const expired = { ...asset, expirationDate: '2026-02-09T12:00:00.000000' }
    const { lines } = show({ facts: { asset: expired, gone: undefined } })
    expect(lines.slice(8)).to.deep.equal([
      '  div class="detail" part="end"',
      '    "Expired on Feb 9, 2026. Upload it again if it is still needed."',
      ...support,
    ])
    const missing = show({ facts: { asset: undefined, gone: 'missing' } })
    expect(missing.lines.slice(4)).to.deep.equal([
      '    bdi class="name" tabindex="-1"',
      '      "Unnamed file"',
      '    bdi class="detail"',
      '  div class="detail" part="end"',
      '    "Not available. It may have expired or been deleted, or belong to someone else."',
      ...support,
    ])
    expect(show({ deletion: 'deleted' }).lines.slice(8)).to.deep.equal([
      '  div class="detail" part="end"',
      '    "Deleted."',
    ])
  })
})

describe('endOf()', () => {
  const past = { ...asset, expirationDate: '2026-02-09T12:00:00.000000' }
  const end = (facts: ListedFile['facts'], deletion?: DeletionState) => endOf({ facts, deletion }, 'UTC')

  it('names the reason, and what was deleted first', () => {
    expect(end(undefined)).to.equal(undefined)
    expect(end(undefined, 'deleted')).to.equal('deleted')
    expect(end({ asset: past, gone: 'missing' }, 'deleted')).to.equal('deleted')
    expect(end(available)).to.equal(undefined)
    expect(end(available, 'failed')).to.equal(undefined)
    expect(end({ asset: past, gone: undefined })).to.equal('expired')
    expect(end({ asset: past, gone: 'missing' })).to.equal('expired')
    expect(end({ asset, gone: 'missing' })).to.equal('lost')
    expect(end({ asset: undefined, gone: 'missing' })).to.equal('missing')
    for (const gone of ['forbidden', 'unread'] as const) {
      expect(end({ asset: past, gone })).to.equal(gone)
      expect(end({ asset: undefined, gone })).to.equal(gone)
    }
  })
})

/** Renders a row. Returns its content, and what its buttons have called. */
function show(fields: Partial<ListedFile> = {}) {
  const called: unknown[] = []
  const file: ListedFile = {
    uuid: 'a',
    facts: available,
    deletion: undefined,
    grantees: [],
    isEditable: true,
    isDeletable: true,
    links: {
      save: '/attached',
      open: fields.facts?.asset?.contentType === 'text/html' ? undefined : '/inline',
    },
    editor: nothing,
    ...fields,
  }
  const onAction = ({ currentTarget }: Event) => called.push((currentTarget as HTMLElement).dataset['action'])
  const container = document.createElement('div')
  render(renderFileRow({ ...storedRow(file, context), onAction }, fileMessages, 'en'), container)
  const click = (label: string) => container.querySelector<HTMLElement>(`[aria-label="${label}"]`)!.click()
  return { lines: outline(container), called, click }
}
