import { expect, fixture, html } from '@open-wc/testing'
import { LitElement } from 'lit'
import type { PageClient } from '../../../src/client/index.ts'
import type { Attachment, AttachmentType } from '../../../src/contract/schemas/attachments.ts'
import { Announcer } from '../../../src/elements/notices/announcer.ts'
import { FileIntake } from '../../../src/elements/upload/file-intake.ts'
import { actionOf } from '../../../src/elements/upload/file-row.ts'
import { UploadList } from '../../../src/elements/upload/upload-list.ts'
import {
  type AttachmentDetails,
  type AttachmentItem,
  type ChecklistView,
  renderChecklist,
} from '../../../src/elements/wf-attachments/checklist.ts'
import { waitUntil } from '../../wait-until.ts'
import { pasteEvent } from '../../paste.ts'
import { attachments } from '../../../src/locales/en-attachments.ts'
import { files } from '../../../src/locales/en-upload.ts'
import { outline } from '../outline.ts'
import { textsOf } from '../texts.ts'

/** Shows a checklist. Records the files for each type, and what is sent. */
class XChecklist extends LitElement {
  view: Partial<ChecklistView> = {}
  readonly received: string[] = []
  readonly sent: string[] = []
  readonly intake: FileIntake<number> = new FileIntake<number>(this, 0, {
    accepts: () => true,
    onFiles: (type, files) => this.received.push(`${type}: ${files.map(({ file }) => file.name).join()}`),
  })
  readonly uploads: UploadList<Attachment, AttachmentDetails> = new UploadList<Attachment, AttachmentDetails>(
    this,
    new Announcer(this),
    {
      send: async ({ name, details: { type, description } }) => {
        await Promise.resolve(this.sent.push(`${name}: ${description}`))
        return attachment({ id: 76 + this.sent.length, fileName: name, attachmentType: type })
      },
      onChange: () => {},
    },
  )

  protected override willUpdate(): void {
    this.uploads.showNextSlice()
  }

  override render() {
    return renderChecklist({
      uploads: this.uploads,
      intake: this.intake,
      messages: textsOf(attachments),
      fileMessages: textsOf(files),
      someone: 'Someone',
      types: [],
      attachments: [],
      listed: new Set([1]),
      state: 'DRAFT',
      mayContribute: true,
      maxSize: 2000,
      formatting: { language: 'en' },
      canAdd: () => false,
      accept: () => '.txt',
      href: ({ id }) => `/attachments/${id}`,
      onAction: (event) => {
        this.uploads.dispatch({ type: 'cancel', key: Number(actionOf(event).key) })
      },
      onDescribe: ({ target }) => {
        const input = target as HTMLInputElement
        const key = Number(input.closest<HTMLElement>('[data-key]')!.dataset['key'])
        this.uploads.dispatch({ type: 'describe', key, details: { description: input.value } })
      },
      onSend: (event) => {
        event.preventDefault()
        const row = (event.target as HTMLElement).closest<HTMLElement>('[data-key]')!
        this.uploads.dispatch({ type: 'start', key: Number(row.dataset['key']) })
      },
      ...this.view,
    })
  }

  choose(of: AttachmentType, ...names: string[]): readonly AttachmentItem[] {
    const known = this.uploads.items.length
    const details = { target: [{} as PageClient, 1, 2] as const, type: of, older: new Set<number>() }
    this.uploads.dispatch({
      type: 'add',
      files: names.map((name) => ({
        file: new File(['x'], name),
        name,
        details: { ...details, description: `About ${name}` },
      })),
      hold: 'start',
    })
    return this.uploads.items.slice(known)
  }

  stateOf({ key }: AttachmentItem): string | undefined {
    return this.uploads.items.find((item) => item.key === key)?.state.kind
  }

  get lines(): readonly string[] {
    return outline(this.renderRoot)
  }

  /** The lines of the entry of a type. */
  entry(id: number): readonly string[] {
    return outline(this.renderRoot.querySelector(`[part=type][data-key="${id}"]`)!)
  }

  find<Found extends HTMLElement>(selector: string): Found {
    return this.renderRoot.querySelector<Found>(selector)!
  }
}
customElements.define('x-checklist', XChecklist)

const head = (title: string, ...rest: string[]) => [
  'div class="head"',
  '  span class="detail"',
  '    svg',
  '  div',
  '    strong',
  '      bdi',
  `        "${title}"`,
  ...rest,
]

describe('renderChecklist()', () => {
  it('has an entry for each type, and one for attachments of unknown types', async () => {
    const element = await show({
      types: [type({ id: 1, visiblePreRouting: true })],
      attachments: [
        attachment({ id: 1, uploadTimestamp: '2026-11-16T09:40:00' }),
        attachment({ id: 2, attachmentType: type({ id: 9 }), fileSize: null }),
        attachment({ id: 3, attachmentType: null, fileName: null, description: '', person: null }),
      ],
    })
    const file = (...lines: string[]) => lines.map((line) => `      ${line}`)
    expect(element.lines).to.deep.equal([
      'div class="list"',
      '  ul aria-label="Attachments" part="types" tabindex="-1"',
      '    li class data-key="1" part="type"',
      '      div class="head"',
      '        span class="there"',
      '          svg',
      '        div',
      '          strong',
      '            bdi',
      '              "Plan"',
      '          span class="detail"',
      '            "Optional"',
      '      ul part="files"',
      ...file(
        '  li data-key="1" part="file"',
        '    span class="mark file"',
        '      svg',
        '    div class="facts"',
        '      div class="title"',
        '        a aria-label="Download plan.pdf" class="name" download href="/attachments/1" part="download"',
        '          bdi',
        '            "plan.pdf"',
        '        bdi class="detail"',
        '          "1,000 bytes"',
        '      p',
        '        bdi',
        '          "The plan"',
        '      div class="detail"',
        '        span',
        '          "Uploaded Nov 16, 2026, 9:40 AM"',
        '          "·"',
        '        span',
        '          bdi',
        '            "Daniel Reyes"',
      ),
      '    li part="type"',
      '      strong',
      `        "Other attachments"`,
      '      ul part="files"',
      ...file(
        '  li data-key="2" part="file"',
        '    span class="mark file"',
        '      svg',
        '    div class="facts"',
        '      div class="title"',
        '        bdi class="name" tabindex="-1"',
        '          "plan.pdf"',
        '        bdi class="detail"',
        '      p',
        '        bdi',
        '          "The plan"',
        '      div class="detail"',
        '        span',
        '          bdi',
        '            "Daniel Reyes"',
        '          "·"',
        '        span',
        '          "Uploaded, still being processed"',
        '  li data-key="3" part="file"',
        '    span class="mark file"',
        '      svg',
        '    div class="facts"',
        '      div class="title"',
        '        bdi class="name" tabindex="-1"',
        '          "Unnamed file"',
        '        bdi class="detail"',
        '          "1,000 bytes"',
        '      div class="detail"',
        '        span',
        '          bdi',
        '            "Someone"',
        '          "·"',
        '        span',
        '          "Uploaded, still being processed"',
      ),
      '  input aria-label="Attachments" hidden multiple type="file"'.trimStart(),
    ])
  })

  it('marks what is needed, and when, until it is uploaded', async () => {
    const needed = (text: string, kind = 'needed') => [`    span class="${kind}"`, `      "${text}"`]
    const before = { requiredPreRouting: true }
    const end = { requiredBeforeComplete: true }
    for (const [fields, state, lines] of [
      [before, 'DRAFT', needed('Needed before routing')],
      [before, 'ROUTING', needed('Missing', 'error')],
      [end, 'ROUTING', needed('Needed before completion')],
      [end, 'COMPLETE', needed('Missing', 'error')],
      [before, 'VOID', []],
    ] as const) {
      const element = await show({ types: [type({ ...fields, visiblePreRouting: true })], state })
      expect(element.entry(1), state).to.deep.equal(head('Plan', '    span class="detail"', ...lines))
    }
    const there = await show({ types: [type(before)], attachments: [attachment()] })
    expect(there.find('.needed') === null && there.find('.error') === null).to.equal(true)
    expect(there.find('.head > span').className).to.equal('there')
  })

  it('says which files a type accepts, and that it opens later', async () => {
    const later = type({ id: 1, mimeTypeRestrictions: { pdf: true } })
    const rules = ['    span class="detail"', '      "Optional · PDF only"']
    const text = ['    div class="detail"', '      "You can add this after routing starts."']
    const element = await show({ types: [later] })
    expect(element.entry(1)).to.deep.equal(head('Plan', ...rules, ...text))
    for (const view of [{ mayContribute: false }, { state: 'ROUTING' }, { state: 'VOID' }])
      expect((await show({ types: [later], ...view })).entry(1)).to.have.length(9)
    for (const open of [{ visiblePreRouting: true }, { requiredPreRouting: true }])
      expect((await show({ types: [type(open)] })).entry(1).join()).not.to.include('    div class="detail"')
  })

  it('counts the required documents, and names the limit if anything can be added', async () => {
    const required = [1, 2, 3].map((id) => type({ id, requiredBeforeComplete: true }))
    const header = (element: XChecklist) => {
      const { lines } = element
      const until = lines.findIndex((line) => line.startsWith('  ul'))
      return lines.slice(1, until)
    }
    const box = '  div class="header"'
    const count = ['    strong part="required"', '      "2 of 3 required documents"']
    const hint = ['    p class="hint"', '      "Drop or paste files onto an entry · up to 2 kB each"']
    const attachments = [1, 1, 2].map((id, index) => attachment({ id: index, attachmentType: type({ id }) }))
    const types = [...required, type({ id: 4 })]
    const view = { types, attachments, maxSize: 2048 }
    expect(header(await show({ ...view, canAdd: ({ id }) => id === 4 }))).to.deep.equal([
      box,
      ...count,
      ...hint,
    ])
    const known = await show(view)
    expect(header(known)).to.deep.equal([box, ...count])
    expect(known.lines.join(), 'all types are known').not.to.include('Other attachments')
    expect(header(await show({ types, state: 'VOID' })), 'nothing is demanded').to.deep.equal([])
    expect(header(await show({ types: [type()], maxSize: 2048, canAdd: () => true }))).to.deep.equal([
      box,
      ...hint,
    ])
  })

  it('has a button for each type that files can be added to', async () => {
    const types = [
      type({ id: 1, requiredBeforeComplete: true }),
      type({ id: 2, title: 'Map' }),
      type({ id: 3 }),
    ]
    const element = await show({ types, canAdd: ({ id }) => id < 3, accept: ({ id }) => `.${id}` })
    const buttons = [...element.renderRoot.querySelectorAll<HTMLElement>('[part=add]')]
    expect(
      buttons.map((button) => [button.ariaLabel, button.className, button.textContent.trim()]),
    ).to.deep.equal([
      ['Add file Plan', '', 'Add file'],
      ['Add file Map', 'quiet', 'Add file'],
    ])
    const input = element.find<HTMLInputElement>('input[type=file]')
    const opened: string[] = []
    input.addEventListener('click', (event) => {
      event.preventDefault()
      opened.push(input.accept)
    })
    for (const button of buttons) button.click()
    expect(opened).to.deep.equal(['.1', '.2'])
  })

  it('takes files that are dropped or pasted onto a type, and marks the type meanwhile', async () => {
    const element = await show({ types: [type({ id: 1 }), type({ id: 2 })] })
    const rows = [...element.renderRoot.querySelectorAll<HTMLElement>('[part=type]')]
    const data = new DataTransfer()
    data.items.add(new File(['x'], 'a.pdf'))
    const drag = async (kind: string) => {
      rows[1]!.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }))
      await element.updateComplete
      return rows.map(({ className }) => className)
    }
    expect(await drag('dragover')).to.deep.equal(['', 'over'])
    expect(await drag('dragleave')).to.deep.equal(['', ''])
    await drag('drop')
    rows[0]!.dispatchEvent(pasteEvent(data))
    expect(element.received).to.deep.equal(['2: a.pdf', '1: a.pdf'])
  })

  it('asks for a description of each chosen file, and sends it once', async () => {
    const plan = type({ id: 1 })
    const element = await show({ types: [plan, type({ id: 2 })] })
    const [item] = element.choose(plan, 'draft.pdf')
    await element.updateComplete
    const lines = element.entry(1)
    expect(lines.slice(lines.indexOf('ul part="files"'))).to.deep.equal([
      'ul part="files"',
      `  li data-key="${item!.key}" part="file"`,
      '    form',
      '      span class="mark file"',
      '        svg',
      '      div class="facts"',
      '        div class="title"',
      '          bdi class="name" tabindex="-1"',
      '            "draft.pdf"',
      '          bdi class="detail"',
      '            "1 byte"',
      '        label',
      '          "Description (optional)"',
      '          input maxlength="1000" (About draft.pdf)',
      '        p class="detail"',
      `          "You can’t change or delete the file or its description after you upload it."`,
      '      div class="actions"',
      '        button aria-label="Upload draft.pdf" class="send solid" data-action="send" part="choose" type="submit"',
      '          "Upload"',
      '        button aria-label="Cancel draft.pdf" class="cancel" data-action="cancel" type="button"',
      '          "Cancel"',
    ])
    expect(element.entry(2).join()).not.to.include('draft.pdf')
    const input = element.find<HTMLInputElement>('label input')
    input.value = 'The draft'
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    const isSubmitted = !element
      .find('form')
      .dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
    expect(isSubmitted, 'the page stays').to.equal(true)
    await waitUntil(() => element.stateOf(item!) === 'stored')
    expect(element.sent).to.deep.equal(['draft.pdf: The draft'])
    await element.updateComplete
    expect(element.entry(1).join(), 'it is an attachment now').not.to.include('draft.pdf')
    element.view = { ...element.view, attachments: [attachment({ id: 77 })], listed: new Set([77]) }
    element.requestUpdate()
    await element.updateComplete
    expect(
      element.find(`[part=file][data-key="${item!.key}"] [part=download]`).getAttribute('href'),
    ).to.equal('/attachments/77')
  })

  it('keeps the row of each file that has become an attachment, also if they change places', async () => {
    const plan = type({ id: 1 })
    const element = await show({ types: [plan], listed: new Set([5, 77, 78]) })
    const items = element.choose(plan, 'a.pdf', 'b.pdf', 'c.pdf')
    for (const item of items.slice(0, 2)) {
      element.uploads.dispatch({ type: 'start', key: item.key })
      await waitUntil(() => element.stateOf(item) === 'stored')
    }
    const [a, b, c] = items.map(({ key }) => `${key}`)
    const rows = () => [...element.renderRoot.querySelectorAll<HTMLElement>('[part=file]')]
    const list = async (...ids: number[]) => {
      element.view = { ...element.view, attachments: ids.map((id) => attachment({ id })) }
      element.requestUpdate()
      await element.updateComplete
      return rows().map((row) => row.dataset['key'])
    }
    expect(await list(5, 77, 78)).to.deep.equal(['5', a, b, c])
    const [, before] = rows()
    expect(await list(78, 77, 5)).to.deep.equal([b, a, '5', c])
    expect(rows()[1] === before, 'the same element').to.equal(true)
  })

  it('removes a chosen file if it is cancelled', async () => {
    const plan = type({ id: 1 })
    const element = await show({ types: [plan] })
    element.choose(plan, 'a.pdf', 'b.pdf')
    await element.updateComplete
    element.find('[aria-label="Cancel a.pdf"]').click()
    await element.updateComplete
    expect(element.uploads.items.map(({ name }) => name)).to.deep.equal(['b.pdf'])
    expect(element.renderRoot.querySelectorAll('form')).to.have.length(1)
  })
})

function type(fields: Partial<AttachmentType> = {}): AttachmentType {
  return {
    id: 1,
    naturalKey: 'PLAN',
    title: 'Plan',
    visiblePreRouting: false,
    requiredPreRouting: false,
    requiredBeforeComplete: false,
    mimeTypeRestrictions: null,
    ...fields,
  }
}

function attachment(fields: Partial<Attachment> = {}): Attachment {
  return {
    id: 1,
    fileName: 'plan.pdf',
    description: 'The plan',
    attachmentType: type(),
    person: { univid: '7', displayName: 'Daniel Reyes' } as unknown as Attachment['person'],
    fileSize: 1000,
    uploadTimestamp: null,
    ...fields,
  }
}

async function show(view: Partial<ChecklistView>): Promise<XChecklist> {
  return await fixture<XChecklist>(html`<x-checklist lang="en" .view=${view}></x-checklist>`)
}
