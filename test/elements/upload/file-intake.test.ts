import { expect, fixture, html } from '@open-wc/testing'
import { LitElement, type TemplateResult } from 'lit'
import { FileIntake } from '../../../src/elements/upload/file-intake.ts'
import type { DroppedFiles } from '../../../src/elements/upload/incoming-files.ts'
import { pasteEvent } from '../../paste.ts'
import { nextTurn } from '../../next-turn.ts'

/** Two targets. Records the files for each. */
class XIntake extends LitElement {
  readonly received: string[] = []
  isOpen = true
  reading: Promise<DroppedFiles> | undefined

  readonly intake: FileIntake<'one' | 'two'> = new FileIntake<'one' | 'two'>(this, 'one', {
    accepts: () => this.isOpen,
    readFolders: () => this.reading,
    onFiles: (target, files, skipped) =>
      this.received.push(`${target}: ${[...files.map(({ file }) => file.name), ...skipped].join()}`),
  })

  override render(): TemplateResult {
    return html`${(['one', 'two'] as const).map(
      (target) =>
        html`<div
          id=${target}
          class=${this.intake.hovered === target ? 'over' : ''}
          @dragover=${(event: DragEvent) => this.intake.onDragOver(event, target)}
          @dragleave=${(event: DragEvent) => this.intake.onDragLeave(event)}
          @drop=${(event: DragEvent) => this.intake.onDrop(event, target)}
          @paste=${(event: ClipboardEvent) => this.intake.onPaste(event, target)}
        >
          <p>Drop here</p>
          <textarea></textarea>
        </div>`,
    )}
    ${this.intake.renderInput({ label: 'Files', isMultiple: true, accept: '.pdf' })}`
  }

  find<Found extends HTMLElement>(selector: string): Found {
    return this.renderRoot.querySelector<Found>(selector)!
  }
}
customElements.define('x-intake', XIntake)

describe('FileIntake @engines', () => {
  it('delivers chosen, dropped and pasted files to their target', async () => {
    const element = await show()
    choose(element)
    drag(element.find('#two'), 'drop')
    paste(element.find('#one p'))
    expect(element.received).to.deep.equal(['one: a.pdf', 'two: a.pdf', 'one: a.pdf'])
  })

  it('opens the file dialog for a target, with its accepted files', async () => {
    const element = await show()
    const input = element.find<HTMLInputElement>('input')
    const opened: string[] = []
    input.addEventListener('click', (event) => {
      event.preventDefault()
      opened.push(`${input.accept} ${input.webkitdirectory}`)
    })
    element.intake.openDialog('two')
    element.intake.openDialog('two', { accept: '.txt', isFolder: true })
    expect(opened).to.deep.equal(['.pdf false', '.txt true'])
    choose(element)
    expect(element.received).to.deep.equal(['two: a.pdf'])
    expect(input.files, 'ready for the same file again').to.have.length(0)

    element.isOpen = false
    element.intake.openDialog('two')
    expect(opened).to.have.length(2)
  })

  it('accepts nothing while its target is closed, and leaves the events to the page', async () => {
    const element = await show()
    element.isOpen = false
    choose(element)
    expect(drag(element.find('#one'), 'dragover').dataTransfer!.dropEffect, 'the browser refuses').to.equal(
      'none',
    )
    expect(element.intake.hovered).to.equal(undefined)
    const reached: boolean[] = []
    element.addEventListener('drop', (event) => reached.push(event.defaultPrevented))
    element.addEventListener('paste', (event) => reached.push(event.defaultPrevented))
    drag(element.find('#one'), 'drop')
    paste(element.find('#one'))
    expect(reached).to.deep.equal([false, false])
    expect(element.received).to.deep.equal([])
  })

  it('drops what folders hold if the target closes while they are read', async () => {
    const element = await show()
    const skipped = { files: [], skipped: ['trip/empty'] }
    element.reading = Promise.resolve(skipped)
    drag(element.find('#one'), 'drop')
    await element.reading
    await nextTurn()
    expect(element.received).to.deep.equal(['one: trip/empty'])
    drag(element.find('#one'), 'drop')
    element.isOpen = false
    await nextTurn()
    expect(element.received).to.have.length(1)
  })

  it('leaves drops and pastes that the page has handled, and pastes into text', async () => {
    const element = await show()
    const prevent = (event: Event) => event.preventDefault()
    window.addEventListener('drop', prevent, { capture: true, once: true })
    drag(element.find('#one'), 'drop')
    window.addEventListener('paste', prevent, { capture: true, once: true })
    paste(element.find('#one'))
    paste(element.find('#one textarea'))
    expect(element.received).to.deep.equal([])
  })

  it('marks the target that files are over until they leave it, not when they move onto a child', async () => {
    const element = await show()
    const one = element.find('#one')
    drag(one, 'dragover')
    await element.updateComplete
    expect(one.className).to.equal('over')
    expect(element.find('#two').className).to.equal('')
    drag(one, 'dragleave', element.find('#one p'))
    await element.updateComplete
    expect(one.className, 'onto a child').to.equal('over')
    drag(one, 'dragleave', element.find('#two'))
    await element.updateComplete
    expect(one.className, 'onto the other target').to.equal('')

    drag(one, 'dragover')
    drag(one, 'drop')
    await element.updateComplete
    expect(one.className, 'after a drop').to.equal('')
    drag(one, 'dragover')
    element.remove()
    expect(element.intake.hovered, 'after it is removed').to.equal(undefined)
  })

  it('keeps the page from showing dropped files as long as any element accepts some', async () => {
    const first = await show()
    const second = await show()
    expect(drag(document.body, 'drop').defaultPrevented).to.equal(true)
    first.remove()
    expect(drag(document.body, 'drop').defaultPrevented, 'one is left').to.equal(true)
    second.remove()
    expect(drag(document.body, 'drop').defaultPrevented, 'none is left').to.equal(false)
  })
})

async function show(): Promise<XIntake> {
  return await fixture<XIntake>(html`<x-intake></x-intake>`)
}

function choose(element: XIntake): void {
  const input = element.find<HTMLInputElement>('input')
  input.files = onePdf().files
  input.dispatchEvent(new Event('change'))
}

function drag(target: Element, type: string, relatedTarget: Element | null = null): DragEvent {
  const event = new DragEvent(type, {
    dataTransfer: onePdf(),
    relatedTarget,
    bubbles: true,
    composed: true,
    cancelable: true,
  })
  target.dispatchEvent(event)
  return event
}

function paste(target: Element): void {
  target.dispatchEvent(pasteEvent(onePdf()))
}

function onePdf(): DataTransfer {
  const data = new DataTransfer()
  data.items.add(new File(['%PDF-1.7'], 'a.pdf', { type: 'application/pdf' }))
  return data
}
