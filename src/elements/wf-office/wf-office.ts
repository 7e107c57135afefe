import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { NoProxyError, SignedOutError } from '../../client/index.ts'
import type { Office } from '../../contract/offices.ts'
import { office } from '../../locales/en-office.ts'
import type { Messages } from '../../locales/messages.ts'
import { controlStyles } from '../controls.styles.ts'
import { property, state } from '../decorators.ts'
import { WfErrorEvent, WfSignedOutEvent } from '../events.ts'
import { type FieldProblem, FormField } from '../form-field.ts'
import { renderIcon } from '../icon.ts'
import { messagesFor } from '../messages.ts'
import { type ElementState, RouteslipElement } from '../routeslip-element.ts'
import { exampleKeys, keyOf, levelOf, type OfficeLevel, readOfficeText, searchableKey } from './office-key.ts'
import { keepFocus, renderOfficeList } from './office-list.ts'
import { OfficeLookup } from './office-lookup.ts'
import { type OfficeOptions, officeNamed, optionsFor } from './office-options.ts'
import { checkText, levelText, listNote, type OfficeTextContext, textProblem } from './office-texts.ts'
import { officeStyles } from './wf-office.styles.ts'

/**
 * A form field for an office: people enter its number, or choose it from a list that opens while they type. The value is
 * the key of the office, such as `11-0420`; `110420` and `11 – 0420` mean the same.
 *
 * The service can search for offices only by number. A text that is not a number filters the names of the offices that the
 * page has loaded so far, and the list says so. A text that is not an office stays, and the form shows why it cannot be
 * sent. If the search is not available, a number of the right form is accepted unchecked.
 *
 * As on every field, `input` fires while the text changes, and `change` when another office or text has been entered.
 *
 * ```html
 * <label>
 *   Department
 *   <wf-office name="department" level="department" endpoint="/api/wf" required></wf-office>
 * </label>
 * ```
 *
 * @element wf-office
 *
 * @fires {WfErrorEvent} wf-error - The search failed.
 * @fires {WfSignedOutEvent} wf-signed-out - The session has ended.
 *
 * @csspart base - The whole element.
 * @csspart input - The text field.
 * @csspart toggle - The button that opens and closes the list.
 * @csspart list - The list with its note.
 * @csspart option - One office in the list.
 * @csspart note - The note below the offices: how many there are, and how to find others.
 * @csspart name - The name of the office, or the state of its check.
 * @csspart error - The reason why the text is not valid.
 * @csspart hint - The sentence that describes what to enter. The name or an error takes its place, so that nothing moves.
 * @csspart not-configured - The message for the page author.
 * @csspart no-proxy - The message for the page author that no proxy was found.
 *
 * @cssprop [--wf-focus] - Color of the focus ring.
 * @cssprop [--wf-danger] - Color of errors.
 * @cssprop [--wf-surface] - Background of the list.
 * @cssprop [--wf-text] - Text color of the list.
 * @cssprop [--wf-line] - Color of borders.
 * @cssprop [--wf-radius=0.5em] - Corner radius.
 * @cssprop [--wf-space=1em] - Distance between blocks.
 *
 * @cssState busy - A search is in progress.
 * @cssState failed - The latest search failed.
 * @cssState signed-out - The person is not signed in.
 * @cssState not-configured - A setting is missing or invalid; the element shows which.
 * @cssState no-proxy - No proxy was found at the endpoint.
 */
export class WfOffice extends FormField(RouteslipElement) {
  static override styles = [controlStyles, officeStyles]

  static shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true }

  /** Name of the field in a form. */
  @property({ reflect: true }) name = ''

  /** Key of the office to show at first. A reset of the form returns to it. */
  @property({ attribute: 'value' }) defaultValue = ''

  /** Level of the offices that the field accepts: `org`, `department` or `sub_department`. Absent: any. */
  @property() level = ''

  /** Key of an office whose offices the list contains before anything has been typed. It excludes no other. */
  @property() within = ''

  /** Whether a form needs an office. */
  @property({ type: Boolean, reflect: true }) required = false

  /** Whether people can read but not change the value. */
  @property({ attribute: 'readonly', type: Boolean, reflect: true }) readOnly = false

  @state() private _text = ''
  @state() private _isOpen = false
  /** The option that the arrow keys have reached; -1 without one. */
  @state() private _active = -1
  /** Whether the reason why the text is not valid is shown: not while people type. */
  @state() private _isJudged = false
  @state() private _custom = ''

  /** Whether the text has changed since it was committed. */
  #isEdited = false
  /** Whether people or the page have replaced the default value. */
  #isDirty = false
  /** The value that the page knows. */
  #committed = ''
  /** The office that the browser restored, in case that the search is not available. */
  #restored: { readonly key?: string | undefined; readonly name?: string | undefined } = {}
  /** Whether the committed number has not been checked yet. */
  #isChecking = false
  #announcement: ReturnType<typeof setTimeout> | undefined

  readonly #lookup = new OfficeLookup(this, {
    client: () => this.currentClient,
    wanted: () => this.#wanted,
    onSearched: (key) => {
      // The person has left the field before the response arrived.
      if (this.#isChecking && key === this.value && this.#problem)
        this.announcer.announce(this.#problem.message)
      this.#isChecking = false
    },
    onError: (error) => {
      this.dispatchEvent(new WfErrorEvent(error))
      if (error instanceof SignedOutError) this.dispatchEvent(new WfSignedOutEvent())
    },
  })

  constructor() {
    super()
    this.addEventListener('invalid', () => (this._isJudged = true))
    this.addEventListener('focus', () => this.#lookup.retry())
    this.addEventListener('blur', () => this.#commit())
    // A form marks its fields by these attributes. They do not reach the text field by themselves.
    new MutationObserver(() => this.requestUpdate()).observe(this, {
      attributeFilter: ['aria-invalid', 'aria-describedby', 'aria-label'],
    })
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#announcement)
  }

  /** Key of the office; the text as it was typed if that is not the number of an office; empty without a text. */
  get value(): string {
    const text = this.#isDirty || this.hasUpdated ? this._text : this.defaultValue
    return keyOf(readOfficeText(text)) ?? text.trim()
  }

  set value(value: string) {
    this.#isDirty = true
    this.#show(value)
  }

  /** The office, if the search has found it. */
  get office(): Office | undefined {
    return this.#lookup.offices.get(this.value)
  }

  /** Shows a message of the page or of a server as the reason why the value is not valid, until the text changes. */
  setCustomValidity(message: string): void {
    this._custom = message
    this._isJudged = message !== ''
    this.#updateForm()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // A message that the page has set before the first update stays.
    if (changed.has('defaultValue') && !this.#isDirty)
      this.#show(this.defaultValue, this.hasUpdated ? '' : this._custom)
  }

  protected override updated(): void {
    const input = this.#input
    // References to elements reach out of the shadow root, where ids do not.
    const ids = (this.isConnected && this.getAttribute('aria-describedby')?.split(/\s+/)) || []
    const outside = ids.map((id) => (this.getRootNode() as Document | ShadowRoot).getElementById(id))
    const inside = ['error', 'name', 'hint'].map((id) => this.renderRoot.querySelector(`#${id}`))
    input.ariaDescribedByElements = [...outside, ...inside].filter((element) => element !== null)
    this.#updateForm()
    this.showStates(this.#states)
    this.renderRoot.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }

  protected override render(): TemplateResult {
    const t = this.#messages
    const problem = this.configurationProblem()
    const { error } = this.#lookup
    const listed = this.#options
    const isOpen = this._isOpen && this.#isEditable
    const isListed = isOpen && listed.options.length > 0
    const reason = this._isJudged && !this.#isMarked ? this.#problem?.message : undefined
    const key = keyOf(readOfficeText(this._text))
    const check = key === undefined || this._isOpen || this.#name ? '' : checkText(key, this.#texts)
    const name = this.#name || check
    return html`
      <div part="base" class=${isOpen ? 'open' : ''} lang=${this.textLanguage}>
        <div class="field">
          <input
            part="input"
            role="combobox"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            aria-autocomplete="list"
            aria-controls="options"
            aria-describedby="error name hint"
            aria-activedescendant=${isListed && this._active >= 0 ? `option-${this._active}` : nothing}
            aria-expanded=${isListed}
            aria-invalid=${this.#isMarked || reason !== undefined}
            aria-label=${this.#label}
            aria-required=${this.required}
            ?disabled=${this.isDisabled}
            ?readonly=${this.readOnly}
            .value=${this._text}
            @input=${this.#onInput}
            @keydown=${this.#onKeyDown}
            @click=${this.#onInputClick}
          />
          <button
            type="button"
            part="toggle"
            tabindex="-1"
            aria-label=${t.list}
            aria-controls="options"
            aria-expanded=${isListed}
            ?hidden=${!this.#isEditable}
            @mousedown=${keepFocus}
            @click=${this.#onToggle}
          >
            ${arrow}
          </button>
          ${renderOfficeList({
            messages: t,
            label: this.#label,
            isOpen,
            options: isOpen ? listed.options : [],
            active: this._active,
            note: isOpen ? this.#note(listed) : '',
            onChoose: this.#choose,
          })}
        </div>
        <div class="texts">
          <p id="error" part="error" class="error" ?hidden=${!reason}>${reason}</p>
          <p id="name" part="name" class=${check ? 'check' : ''} ?hidden=${reason || !name}>
            <bdi>${name}</bdi>
          </p>
          <p id="hint" part="hint" class=${reason || name ? 'covered' : ''}>
            ${t.hint(...levelText(this.#texts))}
          </p>
        </div>
        ${
          problem
            ? this.renderConfigurationProblem(problem)
            : error instanceof NoProxyError
              ? this.renderConfigurationProblem(this.common.noProxy(error.endpoint), 'no-proxy')
              : nothing
        }
      </div>
      ${this.announcer.render()}
    `
  }

  protected override reset(): void {
    this.#isDirty = false
    this.#show(this.defaultValue)
    this._isJudged = false
  }

  protected override restore(state: string): void {
    const { text, ...restored } = JSON.parse(state) as KeptState
    this.#restored = restored
    this.value = text
  }

  get #messages(): Messages['office'] {
    return messagesFor(this, 'office', office)
  }

  get #input(): HTMLInputElement {
    return this.renderRoot.querySelector('input') as HTMLInputElement
  }

  get #isEditable(): boolean {
    return !this.isDisabled && !this.readOnly
  }

  /** Whether the page marks the field as invalid, and describes the reason itself. */
  get #isMarked(): boolean {
    return this.getAttribute('aria-invalid') === 'true'
  }

  get #label(): string {
    const labels = [...this.internals.labels].map(({ textContent }) => textContent?.trim())
    return this.getAttribute('aria-label') ?? (labels.join(' ') || this.#messages.label)
  }

  get #level(): OfficeLevel | undefined {
    return Object.hasOwn(exampleKeys, this.level) ? (this.level as OfficeLevel) : undefined
  }

  get #texts(): OfficeTextContext {
    return { messages: this.#messages, common: this.common, level: this.#level, lookup: this.#lookup }
  }

  /** The key to search for now. */
  get #wanted(): string {
    const text = readOfficeText(this.#listText)
    const key = searchableKey(text.digits)
    if (this._isOpen) return key || this.within
    // Without a list, only the name of the office is of interest.
    return key === this.value && this.#lookup.offices.has(key) ? '' : key
  }

  /** The text whose offices are listed. For a chosen office, those beside it are of interest too. */
  get #listText(): string {
    const { value } = this
    return this._isOpen && !this.#isEdited && levelOf(value)
      ? value.replace(/-?\d+$/, '')
      : this._text || this.within
  }

  get #options(): OfficeOptions {
    return optionsFor(this.#lookup.offices.values(), readOfficeText(this.#listText), this.#level)
  }

  get #name(): string {
    const { key, name = '' } = this.#restored
    return this.office?.name ?? (key === this.value ? name : '')
  }

  #note(listed: OfficeOptions): string {
    return listNote(this.#listText, listed, this.#texts)
  }

  get #states(): readonly ElementState[] {
    if (this.configurationProblem()) return ['not-configured']
    const { busy, error } = this.#lookup
    if (busy) return ['busy']
    if (error instanceof NoProxyError) return ['no-proxy']
    return error ? [error instanceof SignedOutError ? 'signed-out' : 'failed'] : []
  }

  /** Why the value is not valid. */
  get #problem(): Omit<FieldProblem, 'anchor'> | undefined {
    const message = this._custom || textProblem(this._text, this.#texts)
    if (message) return { kind: 'customError', message }
    return this.required && !this._text.trim()
      ? { kind: 'valueMissing', message: this.#messages.missing(...levelText(this.#texts)) }
      : undefined
  }

  #updateForm(): void {
    const { value } = this
    const known = { key: value, name: this.office?.name ?? this.#restored.name }
    this.internals.setFormValue(value, JSON.stringify({ text: this._text, ...known } satisfies KeptState))
    const problem = this.#problem
    this.setProblem(problem && { ...problem, anchor: this.hasUpdated ? this.#input : null })
  }

  /** Shows a value that people did not type, and the message of the page about it. */
  #show(value: string, custom = ''): void {
    const text = value.trim()
    this._text = keyOf(readOfficeText(text)) ?? text
    this._custom = custom
    this._isJudged = (text || custom) !== ''
    this.#isEdited = false
    this.#committed = this.value
    this.#close()
    this.#updateForm()
  }

  #close(): void {
    this._isOpen = false
    this._active = -1
    clearTimeout(this.#announcement)
  }

  #open(): void {
    if (!this.#isEditable) return
    this.#lookup.retry()
    this._isOpen = true
  }

  /** Takes the text as the value. What is not a number or a known name stays as it is. */
  #commit(): void {
    const active = this.#options.options[this._active]
    if (this._isOpen && active?.isChoice) this._text = active.key
    const text = readOfficeText(this._text)
    const named = text.words ? officeNamed(this.#options, text) : undefined
    this._text = named?.key ?? keyOf(text) ?? this._text
    this._isJudged ||= this.#isEdited
    this.#isEdited = false
    this.#close()
    const { value } = this
    if (value === this.#committed) return
    this.#committed = value
    this.#isChecking = keyOf(text) !== undefined && !this.#lookup.hasSearched(value)
    this.#updateForm()
    this.dispatchEvent(new Event('change', { bubbles: true }))
  }

  readonly #choose = (index: number): void => {
    const option = this.#options.options[index]
    if (!option) return
    this._text = option.key
    this._custom = ''
    this._active = -1
    this.#isDirty = true
    this.#updateForm()
    this.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
    if (option.isChoice) return this.#commit()
    this.#isEdited = true
    this.#announceNote()
  }

  #onInput(event: Event): void {
    this._text = (event.target as HTMLInputElement).value
    this._custom = ''
    this._isJudged = false
    this._active = -1
    this.#isEdited = true
    this.#isDirty = true
    this.#updateForm()
    this.#open()
    this.#announceNote()
  }

  #onInputClick(): void {
    if (!this._text) this.#open()
  }

  #onToggle(): void {
    if (this._isOpen) this.#close()
    else this.#open()
    this.#input.focus()
  }

  #onKeyDown(event: KeyboardEvent): void {
    // An input method uses these keys itself.
    if (event.isComposing) return
    const { key, altKey } = event
    const { length } = this.#options.options
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (key === 'ArrowUp' && altKey) return this.#close()
      const step = key === 'ArrowDown' ? 1 : -1
      if (!this._isOpen) {
        this.#open()
        this.#announceNote()
      }
      if (altKey) return
      const from = this._active < 0 && step < 0 ? length : this._active
      this._active = length === 0 ? -1 : (from + step + length) % length
    } else if (key === 'Enter') {
      event.preventDefault()
      if (!this._isOpen) return this.#submit()
      if (this._active >= 0) this.#choose(this._active)
      else this.#commit()
    } else if (key === 'Escape' && this._isOpen) {
      // Otherwise, a dialog around the field would close too.
      event.preventDefault()
      event.stopPropagation()
      this.#close()
    } else if (/^(?:ArrowLeft|ArrowRight|Home|End)$/.test(key)) {
      this._active = -1
    }
  }

  /** Does what Enter does in a native field: presses the submit button of the form. */
  #submit(): void {
    this.#commit()
    const button = [...(this.form?.elements ?? [])].find(
      (control): control is HTMLButtonElement => (control as HTMLButtonElement).type === 'submit',
    )
    if (button) button.click()
    else this.form?.requestSubmit()
  }

  /** Announces the note of the list when the typing has paused. */
  #announceNote(): void {
    clearTimeout(this.#announcement)
    this.#announcement = setTimeout(() => {
      this.announcer.announce(this.#note(this.#options))
    }, announcementDelay)
  }
}

/** Milliseconds without typing until the note of the list is announced: before, screen readers read the typed characters. */
const announcementDelay = 1400

/** The state that the browser keeps of a field when people leave the page. */
interface KeptState {
  readonly text: string
  readonly key?: string | undefined
  readonly name?: string | undefined
}

const arrow = renderIcon('M5 9l7 7 7-7')

declare global {
  interface HTMLElementTagNameMap {
    'wf-office': WfOffice
  }
}
