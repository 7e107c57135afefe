import { html, nothing, type TemplateResult } from 'lit'
import { renderIcon } from '../element/icon.ts'
import type { ListOpener } from './list-opener.ts'
import { levelText, type OfficeTextContext, renderCheck } from './office-texts.ts'

/** The text field with its list, and the texts below it. */
export interface OfficeView {
  readonly texts: OfficeTextContext
  readonly opener: ListOpener
  readonly text: string
  readonly label: string
  /** Number of the office; `undefined` if the text is not one. */
  readonly key: string | undefined
  /** Name of the office; empty if it is not known. */
  readonly name: string
  /** Why the text is not valid; `undefined` if that is not shown. */
  readonly reason: string | undefined
  readonly isInvalid: boolean
  readonly isRequired: boolean
  readonly isDisabled: boolean
  readonly isReadOnly: boolean
  readonly onInput: (event: InputEvent) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** Renders the text field with its list. */
export function renderField(view: OfficeView): TemplateResult {
  const { texts, opener, text, label, isDisabled, isReadOnly } = view
  const { list, isOpen } = opener
  const isListed = isOpen && list?.isEmpty === false
  return html`<div class="field" @mousedown=${onPress}>
    <input
      part="input"
      role="combobox"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      aria-autocomplete="list"
      aria-controls="options"
      aria-describedby="error name hint"
      aria-activedescendant=${(isListed && list.activeId) || nothing}
      aria-expanded=${isListed}
      aria-invalid=${view.isInvalid}
      aria-label=${label}
      aria-required=${view.isRequired}
      ?disabled=${isDisabled}
      ?readonly=${isReadOnly}
      .value=${text}
      @input=${view.onInput}
      @keydown=${view.onKeyDown}
      @click=${() => text || opener.open()}
    />
    <button
      type="button"
      part="toggle"
      tabindex="-1"
      aria-label=${texts.messages.list}
      aria-controls="options"
      aria-expanded=${isListed}
      ?hidden=${isDisabled || isReadOnly}
      @click=${() => opener.toggle()}
    >
      ${arrow}
    </button>
    ${list?.render(isOpen)}
  </div>`
}

/** Renders the name of the office, why the text is not valid, or what to enter. They take the same place. */
export function renderTexts({ texts, opener, key, name, reason }: OfficeView): TemplateResult {
  const check = key === undefined || opener.isOpen || name ? '' : renderCheck(key, texts)
  const fact = name || check
  return html`<div class="texts">
    <p id="error" part="error" class="error" ?hidden=${!reason}>${reason}</p>
    <p id="name" part="name" class=${check ? 'check' : ''} ?hidden=${reason || !fact}>
      <bdi>${fact}</bdi>
    </p>
    <p id="hint" part="hint" class=${reason || fact ? 'covered' : ''}>
      ${texts.messages.hint(...levelText(texts))}
    </p>
  </div>`
}

/**
 * Lets the texts below the field, and the elements outside that describe the host, describe the text field. Without the name
 * of the office if screen readers have read it already: they repeat a description that changes.
 */
export function describe(
  host: HTMLElement,
  root: ParentNode,
  input: HTMLInputElement,
  isNameRead: boolean,
): void {
  // References to elements reach out of the shadow root, where ids do not.
  const ids = (host.isConnected && host.getAttribute('aria-describedby')?.split(/\s+/)) || []
  const outside = ids.map((id) => (host.getRootNode() as Document | ShadowRoot).getElementById(id))
  const inside = ['error', isNameRead ? '' : 'name', 'hint'].map((id) => id && root.querySelector(`#${id}`))
  input.ariaDescribedByElements = [...outside, ...inside].filter((element) => element instanceof Element)
}

/** A press on the list or its button must not end the editing of the text. */
function onPress(event: Event): void {
  if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
}

const arrow = renderIcon('M5 9l7 7 7-7')
