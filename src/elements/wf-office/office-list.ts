import { html, nothing, type TemplateResult } from 'lit'
import type { Texts } from '../../locales/messages.ts'
import { failureText } from '../loading/loadable.ts'
import { readOfficeText, searchableKey } from './office-key.ts'
import type { OfficeOption, OfficeOptions } from './office-options.ts'
import type { OfficeTextContext } from './office-texts.ts'

interface OfficeListContext {
  readonly messages: Texts['officeList']
  readonly label: string
  readonly isOpen: boolean
  /** Whether the list is above the field. */
  readonly opensUp: boolean
  readonly options: readonly OfficeOption[]
  /** The option that the arrow keys have reached; -1 without one. */
  readonly active: number
  readonly note: unknown
  readonly onChoose: (option: OfficeOption) => void
}

/** Renders the list of offices, and the note below it. The text field refers to its ids. */
export function renderOfficeList({
  messages,
  label,
  isOpen,
  opensUp,
  options,
  active,
  note,
  onChoose,
}: OfficeListContext): TemplateResult {
  const renderOption = (option: OfficeOption, index: number) =>
    // eslint-disable-next-line lit-a11y/click-events-have-key-events -- The text field has the focus and handles the keys.
    html`<div
      id="option-${index}"
      part="option"
      role="option"
      aria-selected=${index === active}
      @click=${() => onChoose(option)}
    >
      <span class="name"><bdi>${option.name}</bdi></span> <span class="key">${option.key}</span>
      ${option.isChoice ? nothing : html`<span class="step">${messages.open}</span>`}
    </div>`
  // Browsers make a scrolling box a stop for Tab if it has no `tabindex`.
  return html`<div part="list" class=${opensUp ? 'up' : nothing} ?hidden=${!isOpen}>
    <div id="options" role="listbox" tabindex="-1" aria-label=${label} ?hidden=${options.length === 0}>
      ${options.map(renderOption)}
    </div>
    <p part="note">${note}</p>
  </div>`
}

/** Returns what to know about the listed offices, for the text that they match: sentences, that of an error first. */
export function listNotes(
  typed: string,
  { options, total }: OfficeOptions,
  messages: Texts['officeList'],
  { common, lookup }: OfficeTextContext,
): readonly string[] {
  const { busy, error, offices } = lookup
  if (busy) return [common.loading]
  const { digits, words } = readOfficeText(typed)
  const shown = options.length
  const isNoNumber = shown === 0 && !words && !error && searchableKey(digits) !== ''
  const foundText = shown < total ? messages.foundMore(total, shown) : messages.found(total)
  const notes = [
    error ? failureText(error, common) : '',
    words && offices.size > 0 && shown === 0 ? messages.noName : '',
    shown > 0 ? foundText : '',
    isNoNumber ? messages.none(typed.trim()) : '',
    words && offices.size > 0 ? messages.amongLoaded(offices.size) : '',
  ]
  const known = notes.filter(Boolean)
  return known.length > 0 ? known : [messages.start]
}
