import { expect, fixture, html } from '@open-wc/testing'
import { LitElement } from 'lit'
import { type DropZone, renderDropZone } from '../../../src/elements/fs-uploader/drop-zone.ts'
import { FileIntake } from '../../../src/elements/upload/file-intake.ts'
import { uploader } from '../../../src/locales/en-uploader.ts'
import { outline } from '../outline.ts'
import { textsOf } from '../texts.ts'

/** Shows a drop zone, and records the files for it. */
class XZone extends LitElement {
  zone: Partial<DropZone> = {}
  isFull = false
  readonly received: string[] = []
  readonly intake: FileIntake<'zone'> = new FileIntake<'zone'>(this, 'zone', {
    accepts: () => !this.isFull,
    onFiles: (_target, files) => this.received.push(...files.map(({ file }) => file.name)),
  })

  override render() {
    return renderDropZone(this.intake, {
      host: this,
      messages: textsOf(uploader),
      maxSize: 2000,
      maxFiles: Infinity,
      accept: '',
      hasFolderButton: false,
      isDisabled: false,
      leftOut: '',
      ...this.zone,
    })
  }

  get area(): HTMLElement {
    return this.renderRoot.querySelector<HTMLElement>('[part=zone]')!
  }

  get hint(): string {
    return this.renderRoot.querySelector('#hint')!.textContent.replace(/ +/g, ' ').trim()
  }

  async drag(type: string): Promise<DragEvent> {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['x'], 'a.pdf'))
    const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
    this.area.dispatchEvent(event)
    await this.updateComplete
    return event
  }
}
customElements.define('x-zone', XZone)

describe('renderDropZone()', () => {
  it('has a button, its limits, and the input of the file dialog @engines', async () => {
    const element = await show()
    expect(outline(element.renderRoot)).to.deep.equal([
      'div aria-label="Upload files" class part="zone" role="group"',
      '  button aria-describedby="hint" aria-disabled="false" class="solid" part="choose" type="button"',
      '    "Choose files"',
      '  span',
      '    "or drop or paste here"',
      '  p class="hint" id="hint"',
      '    "Up to 2 kB each."',
      '  input accept aria-label="Choose files" hidden multiple type="file"',
    ])
  })

  it('names the only file, offers folders, and does nothing while it is disabled', async () => {
    const element = await show({ maxFiles: 1, hasFolderButton: true, isDisabled: true, accept: '.pdf, .png' })
    expect(outline(element.renderRoot)).to.deep.equal([
      'div aria-label="Upload files" class part="zone" role="group"',
      '  button aria-describedby="hint" aria-disabled="true" class="solid" part="choose" type="button"',
      '    "Choose a file"',
      '  button aria-disabled="true" part="choose-folder" type="button"',
      '    "Choose a folder"',
      '  span hidden',
      '    "or drop or paste here"',
      '  p class="hint" id="hint"',
      '    "Up to 2 kB each. Types: .pdf, .png. One file only."',
      '  input accept=".pdf, .png" aria-label="Choose a file" hidden type="file"',
    ])
  })

  it('lists extensions, but no media types', async () => {
    for (const [accept, text] of [
      ['', 'Up to 2 kB each.'],
      [' .pdf ,.png,  .gif ', 'Up to 2 kB each. Types: .pdf, .png, .gif.'],
      ['image/*', 'Up to 2 kB each.'],
      ['.pdf,image/png', 'Up to 2 kB each.'],
    ] as const)
      expect((await show({ accept })).hint, accept).to.equal(text)
  })

  it('names the maximum number of files', async () => {
    expect((await show({ maxFiles: 2 })).hint).to.equal('Up to 2 kB each. Up to 2 files.')
  })

  it('is marked while files are over it, and takes them when they are dropped @engines', async () => {
    const element = await show()
    const over = await element.drag('dragover')
    expect([over.defaultPrevented, element.area.className]).to.deep.equal([true, 'over'])
    await element.drag('dragleave')
    expect(element.area.className).to.equal('')
    await element.drag('dragover')
    await element.drag('drop')
    expect([element.area.className, element.received]).to.deep.equal(['', ['a.pdf']])
  })

  it('opens the dialog for files or for a folder @engines', async () => {
    const element = await show({ hasFolderButton: true })
    const input = element.renderRoot.querySelector('input')!
    const opened: boolean[] = []
    input.addEventListener('click', (event) => {
      event.preventDefault()
      opened.push(input.webkitdirectory)
    })
    for (const part of ['choose', 'choose-folder', 'choose'])
      element.renderRoot.querySelector<HTMLElement>(`[part=${part}]`)!.click()
    expect(opened).to.deep.equal([false, true, false])
    element.isFull = true
    element.renderRoot.querySelector<HTMLElement>('[part=choose]')!.click()
    expect(opened).to.have.length(3)
  })
})

async function show(zone: Partial<DropZone> = {}): Promise<XZone> {
  return await fixture<XZone>(html`<x-zone lang="en" .zone=${zone}></x-zone>`)
}
