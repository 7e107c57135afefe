import { html, nothing, type TemplateResult } from 'lit'
import type { Messages } from '../../locales/messages.ts'
import type { OfficeOption } from './office-options.ts'

export interface OfficeListContext {
  readonly messages: Messages['office']
  readonly label: string
  readonly isOpen: boolean
  readonly options: readonly OfficeOption[]
  /** The option that the arrow keys have reached; -1 without one. */
  readonly active: number
  readonly note: string
  readonly onChoose: (index: number) => void
}

/** Renders the list of offices, and the note below it. The text field refers to its ids. */
export function renderOfficeList({
  messages,
  label,
  isOpen,
  options,
  active,
  note,
  onChoose,
}: OfficeListContext): TemplateResult {
  const renderOption = ({ key, name, isChoice }: OfficeOption, index: number) =>
    // eslint-disable-next-line lit-a11y/click-events-have-key-events -- The text field has the focus and handles the keys.
    html`<div
      id="option-${index}"
      part="option"
      role="option"
      aria-selected=${index === active}
      @click=${() => onChoose(index)}
    >
      <span class="key">${key}</span> <span class="name"><bdi>${name}</bdi></span>
      ${isChoice ? nothing : html`<span class="step">${messages.open}</span>`}
    </div>`
  return html`<div part="list" ?hidden=${!isOpen} @mousedown=${keepFocus}>
    <div id="options" role="listbox" aria-label=${label} ?hidden=${options.length === 0}>
      ${options.map(renderOption)}
    </div>
    <p part="note">${note}</p>
  </div>`
}

/** A press on the list must not end the editing of the text. */
export function keepFocus(event: Event): void {
  event.preventDefault()
}
