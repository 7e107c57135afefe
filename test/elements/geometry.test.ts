import { expect, fixture, html } from '@open-wc/testing'
import { setViewport } from '@web/test-runner-commands'
import '../../src/define/fs-files.ts'
import '../../src/define/fs-shares.ts'
import '../../src/define/index.ts'
import '../../src/define/wf-overrides.ts'
import type { FsUploader } from '../../src/elements/fs-uploader/fs-uploader.ts'
import { createBackend, people } from '../../stories/backend.ts'
import { createOverrideBackend, replace } from '../../stories/overrides.ts'
import { returnIt, sign } from '../../stories/routing.ts'
import { settled } from '../../stories/settled.ts'
import { createFilesBackend, directory, share, storeFiles } from '../../stories/stored-files.ts'
import { emulateMedia } from '../media.ts'
import { waitUntil } from '../wait-until.ts'
import { describeBox, flawsOf, partsOf, tolerance } from './flaws.ts'

/** The ways in which a page may show an element. Light and dark differ only in colors. */
const modes = [
  { name: 'wide', width: 800, dir: 'ltr' },
  { name: 'narrow', width: 320, dir: 'ltr' },
  { name: 'right to left', width: 800, dir: 'rtl' },
  { name: 'narrow, right to left', width: 320, dir: 'rtl' },
  { name: 'forced colors', width: 320, dir: 'ltr', forcedColors: 'active' },
  { name: 'dark', width: 800, dir: 'ltr', colorScheme: 'dark' },
] as const

describe('The geometry of elements @engines', () => {
  afterEach(async () => {
    await setViewport({ width: 800, height: 600 })
    document.documentElement.dir = ''
  })

  it('has no overlap, no overflow and no small target: a package in routing', async () => {
    const backend = createBackend(people.initiator)
    await sign(backend, people.firstApprover)
    const page = await fixture(html`
      <wf-context .client=${backend.client} form-id="6025" package-id="42">
        <wf-package-status sign-url="/sign" edit-url="/edit"></wf-package-status>
        <wf-history></wf-history>
        <wf-comments></wf-comments>
        <wf-attachments></wf-attachments>
        <fs-uploader max-size="1000"></fs-uploader>
      </wf-context>
    `)
    const uploader = page.querySelector<FsUploader>('fs-uploader')!
    uploader.add([
      new File(['%PDF-1.7'], 'a.pdf'),
      new File([new Uint8Array(2000)], `${'long '.repeat(12)}.pdf`),
    ])
    await waitUntil(() => uploader.shadowRoot!.querySelector('[part=outcome]'))
    await waitUntil(() => partsOf(page, '[part=event], [part=type], [part=lead]').length > 5)
    await expectGoodGeometry(page)
  }).timeout(30_000)

  it('has no overlap, no overflow and no small target: a package that came back', async () => {
    const backend = createBackend(people.initiator)
    await returnIt(backend)
    const page = await fixture(html`
      <wf-context .client=${backend.client} form-id="6025" package-id="42">
        <wf-package-status edit-url="/edit"></wf-package-status>
        <wf-history></wf-history>
        <wf-comments></wf-comments>
      </wf-context>
    `)
    await waitUntil(() => partsOf(page, '[part=reason], [part=event], [part=comment]').length > 4)
    await expectGoodGeometry(page)
  }).timeout(30_000)

  it('has no overlap, no overflow and no small target: dialogs and errors', async () => {
    const backend = createBackend(people.initiator)
    const page = await fixture(html`
      <wf-context .client=${backend.client} form-id="6025" package-id="42">
        <wf-package-status></wf-package-status>
        <wf-history .history=${'{}'}></wf-history>
        <wf-comments package-id="4711"></wf-comments>
        <wf-attachments endpoint="https://elsewhere.test/api" .client=${undefined}></wf-attachments>
      </wf-context>
    `)
    await waitUntil(() => partsOf(page, '[part=action]').length > 0)
    partsOf(page, '[data-action=voidPackage]')[0]!.click()
    await waitUntil(() => partsOf(page, 'dialog[open] [type=submit]').length > 0)
    partsOf(page, 'dialog[open] [type=submit]')[0]!.click()
    await waitUntil(() => partsOf(page, 'dialog[open] .error')[0]?.textContent.includes('Choose a reason.'))
    await expectGoodGeometry(page)
  }).timeout(30_000)

  it('has no overlap, no overflow and no small target: a history of 300 events', async () => {
    const page = await fixture(html`<div><wf-history .history=${longHistory}></wf-history></div>`)
    partsOf(page, '[part=all]')[0]!.click()
    await waitUntil(() => partsOf(page, '[part=event]').length === 300)
    await expectGoodGeometry(page)
    for (const { width, dir } of modes) {
      await setViewport({ width, height: 600 })
      document.documentElement.dir = dir
      await settled(page)
      expect(gapsOfRail(page), `${width} ${dir}`).to.deep.equal([])
    }
    // The check notices one wrong row among 300.
    partsOf(page, '[part=event]')[150]!.style.marginBlockStart = '-2em'
    expect(flawsOf(page).join('\n')).to.match(/overlaps/)
  }).timeout(60_000)

  it('has no overlap, no overflow and no small target: 30 attachments and 60 comments', async () => {
    const backend = createBackend(people.firstApprover)
    const { attachments, comments } = backend.emulator.packages.test.get(42)!
    for (let id = 1; id <= 30; id++)
      attachments.push({
        id: 500 + id,
        type: [1, 2, 99][id % 3] ?? 1,
        fileName: longName(id),
        description:
          id % 4 ? '' : 'The second page was scanned again, because the first scan was not readable',
        person: people.initiator,
        uploadTimestamp: '2026-11-16T09:40:00',
        contentType: 'application/pdf',
        fileSize: 48_213 * id,
        object: 'seed',
      })
    for (let id = 1; id <= 60; id++)
      comments.push({
        id,
        comment: 'The amount of the second flight is missing. '.repeat(1 + (id % 9) * 3),
        approversOnly: id % 5 === 0,
        createdAt: '2026-11-16T10:00:00',
        person: people.firstApprover,
        state: id % 7 ? 'ACTIVE' : 'INACTIVE',
      })
    const page = await fixture(html`
      <wf-context .client=${backend.client} form-id="6025" package-id="42">
        <wf-attachments></wf-attachments>
        <wf-comments></wf-comments>
      </wf-context>
    `)
    await waitUntil(() => partsOf(page, '[part=comment]').length === 60)
    await waitUntil(() => partsOf(page, '[part=file]').length === 30, 'no attachments')
    await expectGoodGeometry(page)
    partsOf(page, '[part=comment]')[30]!.style.marginBlockStart = '-3em'
    expect(flawsOf(page).join('\n'), 'control').to.match(/overlaps/)
  }).timeout(60_000)

  it('has no overlap, no overflow and no small target: 30 stored files and their shares', async () => {
    const backend = createFilesBackend(people.administrator)
    const uuids = storeFiles(
      backend,
      Array.from({ length: 30 }, (_, index) => ({
        filename: longName(index),
        owner: people.administrator,
        age: index === 7 ? 40 : 5,
        metadata: index % 5 ? {} : { purpose: 'travel', 'cost center of the department': '11-0420-0010' },
      })),
    )
    for (const [index, uuid] of uuids.slice(0, 20).entries())
      share(backend, index % 3 ? 'partner-app' : 'unknown-application', uuid, index)
    share(backend, 'storage-admin', null)
    const page = await fixture(html`
      <wf-context .client=${backend.client}>
        <fs-files value=${uuids.join(' ')}></fs-files>
        <fs-shares files=${uuids.join(' ')} .grantees=${directory}></fs-shares>
      </wf-context>
    `)
    await waitUntil(() => partsOf(page, '.edit').length >= 29, 'no files')
    await waitUntil(() => partsOf(page, '[part=share]').length >= 19, 'no shares')
    partsOf(page, '.edit')[2]!.click()
    partsOf(page, '.delete')[5]!.click()
    await waitUntil(() => partsOf(page, '[part=editor]').length === 1)
    await waitUntil(() => partsOf(page, '.undo').length === 1)
    await expectGoodGeometry(page)
    partsOf(page, '[part=file]')[20]!.style.marginBlockStart = '-3em'
    expect(flawsOf(page).join('\n'), 'control').to.match(/overlaps/)
  }).timeout(60_000)

  it('has no overlap, no overflow and no small target: replaced people, and the form for another', async () => {
    const backend = createOverrideBackend([
      replace(people.firstApprover, people.viewer),
      replace(people.secondApprover, people.outsider, 'CHANGE'),
    ])
    const page = await fixture(html`
      <div>
        <wf-overrides .client=${backend.client} form-id="6025" package-id="42"></wf-overrides>
      </div>
    `)
    await waitUntil(() => partsOf(page, '[part=override]').length === 2)
    await expectGoodGeometry(page)
    partsOf(page, '[part=add]')[0]!.click()
    await waitUntil(() => partsOf(page, 'dialog[open] [type=submit]').length > 0)
    partsOf(page, 'dialog[open] [type=submit]')[0]!.click()
    await waitUntil(() => partsOf(page, '#subject-error')[0]?.textContent !== '')
    await expectGoodGeometry(page)
  }).timeout(60_000)

  it('aligns the buttons of a list in forced colors, which show all borders', async () => {
    const backend = createBackend(people.initiator)
    const page = await fixture(html`
      <wf-context .client=${backend.client} form-id="6025" package-id="42"
        ><wf-attachments></wf-attachments
      ></wf-context>
    `)
    await waitUntil(() => partsOf(page, '[part=add]').length > 1)
    const edges = () =>
      new Set(partsOf(page, '[part=add]').map((one) => Math.round(one.getBoundingClientRect().right)))
    expect(edges().size, 'borders that are not shown do not count (control)').to.be.greaterThan(1)
    await emulateMedia({ forcedColors: 'active' })
    await settled(page)
    expect(edges().size).to.equal(1)
  })

  it('connects the marks of a history with one rail', async () => {
    const backend = createBackend()
    await sign(backend, people.firstApprover)
    const page = await fixture<HTMLElement>(html`
      <div><wf-history .client=${backend.client} form-id="6025" package-id="42"></wf-history></div>
    `)
    await waitUntil(() => partsOf(page, '[part=event]').length > 3)
    for (const { width, dir } of modes) {
      await setViewport({ width, height: 600 })
      document.documentElement.dir = dir
      await settled(page)
      expect(gapsOfRail(page), `${width} ${dir}`).to.deep.equal([])
    }
    // Where a page is divided, as in columns and on paper.
    page.style.columnCount = '1'
    await settled(page)
    expect(gapsOfRail(page), 'in columns').to.deep.equal([])
    // The check notices a gap.
    const [, row] = partsOf(page, '[part=event]')
    row!.style.marginBlockStart = '5px'
    expect(gapsOfRail(page)).to.have.length(1)
  })

  it('finds what is wrong (control)', async () => {
    const page = await fixture(html`<div style="width: 200px"><wf-history .history=${[]}></wf-history></div>`)
    const base = page.querySelector('wf-history')!.shadowRoot!.querySelector('[part=base]')!
    const text = base.querySelector('p')!
    text.style.whiteSpace = 'nowrap'
    text.textContent = 'wide '.repeat(100)
    base.append(
      Object.assign(document.createElement('button'), {
        textContent: '×',
        style: 'min-block-size: 0; padding: 0; block-size: 10px',
      }),
    )
    const over = Object.assign(document.createElement('p'), { textContent: 'over' })
    over.style.marginBlockStart = '-4em'
    base.append(over)
    const row = document.createElement('div')
    for (const textContent of ['Back', 'Next'])
      row.append(
        Object.assign(document.createElement('button'), {
          textContent,
          style: 'border: 1px solid; margin: 0',
        }),
      )
    base.append(row)
    const flaws = flawsOf(page).join('\n')
    expect(flaws).to.match(/is wider/)
    expect(flaws).to.match(/target/)
    expect(flaws).to.match(/overlaps/)
    expect(flaws).to.match(/touches/)
  })
})

/** Signatures at 30 stops, with names and titles of different lengths. */
const longHistory = Array.from({ length: 300 }, (_, index) => ({
  '@class': 'signature',
  actionDate: `2026-11-${String(1 + Math.floor(index / 20)).padStart(2, '0')}T10:00:00`,
  person: {
    displayName: `Approver ${'of a long name '.repeat(index % 4)}${index}`,
    title: index % 3 ? 'Department Administrator' : null,
  },
  stop: { name: `Department ${Math.floor(index / 10)}`, stopNumber: 1 + Math.floor(index / 10) },
  permission: 'SIGNATURE_REQUIRED',
  state: 'APPROVED',
}))

function longName(index: number): string {
  return `${'receipt-'.repeat(1 + (index % 8))}${index}.pdf`
}

async function expectGoodGeometry(page: Element): Promise<void> {
  await settled(page)
  renderAll(page)
  for (const { name, width, dir, ...media } of modes) {
    await emulateMedia(media)
    await setViewport({ width, height: 600 })
    document.documentElement.dir = dir
    await settled(page)
    expect(flawsOf(page), name).to.deep.equal([])
  }
}

/** Lets the browser lay out also what is far below: it skips that, and then guesses its size. */
function renderAll(page: Element): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { content-visibility: visible !important }')
  for (const { shadowRoot } of page.querySelectorAll('*')) shadowRoot?.adoptedStyleSheets.push(sheet)
}

/** Returns the marks between which the rail has a gap: its pieces fill each row from edge to edge. */
function gapsOfRail(page: Element): string[] {
  const rows = partsOf(page, '[part=base] > [part=list] [part=event]')
  return rows.flatMap((row, index) => {
    const next = rows[index + 1]
    if (!next) return []
    const mark = row.querySelector('svg')!.getBoundingClientRect()
    const nextMark = next.querySelector('svg')!.getBoundingClientRect()
    const below = getComputedStyle(row, '::after')
    const above = getComputedStyle(next, '::before')
    const box = row.getBoundingClientRect()
    const nextBox = next.getBoundingClientRect()
    const reach =
      parseFloat(below.blockSize) + mark.bottom + (nextBox.top - box.bottom) + parseFloat(above.blockSize)
    const isTouching = Math.abs(mark.bottom + parseFloat(below.blockSize) - box.bottom) <= tolerance
    const isReaching = Math.abs(reach - nextMark.top) <= tolerance && nextBox.top - box.bottom <= tolerance
    const isAligned = Math.abs(mark.left - nextMark.left) <= tolerance
    return isTouching && isReaching && isAligned ? [] : [`${describeBox(row)} ${mark.bottom} ${nextMark.top}`]
  })
}
