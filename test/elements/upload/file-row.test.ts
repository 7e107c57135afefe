import { expect } from '@open-wc/testing'
import { html, render } from 'lit'
import { controlStyles } from '../../../src/elements/element/controls.styles.ts'
import { fileRowStyles } from '../../../src/elements/upload/file-row.styles.ts'
import { renderFacts, renderFileRow, type RowAction } from '../../../src/elements/upload/file-row.ts'
import { files } from '../../../src/locales/en-upload.ts'
import { textsOf } from '../texts.ts'

describe('renderFileRow()', () => {
  let host: HTMLElement
  beforeEach(() => {
    host = document.body.appendChild(document.createElement('div'))
    const root = host.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [controlStyles, fileRowStyles].map(({ styleSheet }) => styleSheet!)
  })
  afterEach(() => host.remove())

  /** Shows a row in a list of this width with buttons of these texts. */
  function show(width: number, facts: readonly string[], ...buttons: readonly string[]) {
    Object.assign(host.style, { width: `${width}px`, font: '16px/1.5 monospace' })
    const actions = buttons.map((text): RowAction => ({ action: 'edit', text, kind: 'quiet' }))
    const row = {
      name: 'plan.pdf',
      mark: 'file',
      detail: renderFacts(facts),
      actions,
      onAction() {},
    } as const
    const content = renderFileRow(row, textsOf(files), 'en')
    render(
      html`<div part="base">
        <ul part="files">
          <li part="file" data-key="a">${content}</li>
        </ul>
      </div>`,
      host.shadowRoot!,
    )
    const boxOf = (selector: string) => host.shadowRoot!.querySelector(selector)!.getBoundingClientRect()
    return { facts: boxOf('.facts'), button: boxOf('button'), boxOf }
  }

  it('has the buttons beside the texts if both fit, and otherwise below, in line with the texts', () => {
    const beside = show(600, ['uploaded today'], 'Load', 'Edit', 'Delete')
    expect(beside.button.top).to.be.lessThan(beside.facts.bottom)
    expect(beside.button.left).to.be.at.least(beside.facts.right)

    const below = show(600, ['uploaded today'], 'Herunterladen', 'Bearbeiten', 'Endgültig löschen')
    expect(below.button.top).to.be.at.least(below.facts.bottom)
    expect(below.facts.width).to.be.greaterThan(500)
    // A quiet button begins with its padding of half a letter.
    expect(below.button.left + 8).to.be.closeTo(below.facts.left, 1)
  })

  it('has the facts in the order of the page', () => {
    const facts = ['رُفع اليوم', 'يُحفظ حتى الغد']
    const distance = () => {
      const { boxOf } = show(600, facts, 'Edit')
      return boxOf('.detail > span:last-child').left - boxOf('.detail > span:first-child').left
    }
    expect(distance()).to.be.greaterThan(0)
    host.dir = 'rtl'
    expect(distance()).to.be.lessThan(0)
  })
})
