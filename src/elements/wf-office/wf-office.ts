import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { NoProxyError, SignedOutError } from '../../client/index.ts'
import type { Office } from '../../contract/schemas/offices.ts'
import { office } from '../../locales/en-office.ts'
import type { Texts } from '../../locales/messages.ts'
import { controlStyles } from '../element/controls.styles.ts'
import { property, state } from 'lit/decorators.js'
import { WfErrorEvent, WfSignedOutEvent } from '../element/events.ts'
import { type FieldProblem, FormField } from '../element/form-field.ts'
import { messagesFor } from '../text/messages.ts'
import { RouteslipElement } from '../element/routeslip-element.ts'
import { submitImplicitly } from './implicit-submission.ts'
import { ListOpener } from './list-opener.ts'
import { exampleKeys, keyOf, levelOf, type OfficeLevel, readOfficeText, searchableKey } from './office-key.ts'
import { OfficeLookup } from './office-lookup.ts'
import type { OfficeOption } from './office-options.ts'
import { levelText, type OfficeTextContext, textProblem } from './office-texts.ts'
import { describe, type OfficeView, renderField, renderTexts } from './office-view.ts'
import { officeStyles } from './wf-office.styles.ts'

/**
 * A form field for an office: people enter its number, or choose it from a list that opens while they type. The value is
 * the key of the office, such as `11-0420`; `110420` and `11 – 0420` mean the same.
 *
 * The service can search for offices only by number. A text that is not a number filters the names of the offices that the
 * page has loaded so far, and the list states this. A text that is not an office stays, and the form shows why it cannot be
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
 * @csspart list - The list.
 * @csspart option - One office in the list.
 * @csspart note - The note below the offices, such as how many there are.
 * @csspart name - The name of the office, or the state of its check.
 * @csspart error - The reason why the text is not valid.
 * @csspart sign-in - The link to the sign-in page.
 * @csspart hint - The sentence that describes what to enter. The name or an error takes its place.
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
  /** Whether the reason why the text is not valid is shown: not while people type. */
  @state() private _isJudged = false
  @state() private _custom = ''
  /** Whether screen readers have read the name of the office as an option, and the field still has the focus. */
  @state() private _isNameRead = false

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

  readonly #opener: ListOpener = new ListOpener({
    element: this,
    isEditable: () => !this.isDisabled && !this.readOnly,
    texts: () => this.#texts,
    label: () => this.#label,
    listText: () => this.#listText,
    announce: (text) => this.announcer.announce(text),
    onOpen: () => this.#lookup.retry(),
    onChoose: (option) => this.#onChoose(option),
  })

  constructor() {
    super()
    this.addEventListener('invalid', () => (this._isJudged = true))
    this.addEventListener('focus', () => this.#onFocus())
    this.addEventListener('blur', () => {
      this._isNameRead = false
      this.#commit()
    })
    // A form marks its fields by these attributes. They do not reach the text field by themselves.
    new MutationObserver(() => this.requestUpdate()).observe(this, {
      attributeFilter: ['aria-invalid', 'aria-describedby', 'aria-label'],
    })
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#opener.close()
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
    describe(this, this.renderRoot, this.#input, this._isNameRead)
    this.#updateForm()
    this.showStates(this.configurationProblem() ? ['not-configured'] : this.#lookup.states)
    this.renderRoot.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }

  protected override render(): TemplateResult {
    const problem = this.configurationProblem()
    const { error } = this.#lookup
    const view = this.#view
    return html`
      <div part="base" class=${this.#opener.isOpen ? 'open' : ''} lang=${this.textLanguage}>
        ${renderField(view)} ${renderTexts(view)}
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

  get #view(): OfficeView {
    // The page describes a field that it marks itself.
    const isMarked = this.getAttribute('aria-invalid') === 'true'
    const reason = this._isJudged && !isMarked ? this.#problem?.message : undefined
    return {
      texts: this.#texts,
      opener: this.#opener,
      text: this._text,
      label: this.#label,
      key: keyOf(readOfficeText(this._text)),
      name: this.#name,
      reason,
      isInvalid: isMarked || reason !== undefined,
      isRequired: this.required,
      isDisabled: this.isDisabled,
      isReadOnly: this.readOnly,
      onInput: this.#onInput,
      onKeyDown: this.#onKeyDown,
    }
  }

  get #messages(): Texts['office'] {
    return messagesFor(this, 'office', office)
  }

  get #input(): HTMLInputElement {
    return this.renderRoot.querySelector('input') as HTMLInputElement
  }

  get #label(): string {
    const labels = [...(this.internals.labels ?? [])].map(({ textContent }) => textContent?.trim())
    return this.getAttribute('aria-label') ?? (labels.join(' ') || this.#messages.label)
  }

  get #level(): OfficeLevel | undefined {
    return Object.hasOwn(exampleKeys, this.level) ? (this.level as OfficeLevel) : undefined
  }

  get #texts(): OfficeTextContext {
    const facts = { messages: this.#messages, common: this.common, level: this.#level }
    return { ...facts, lookup: this.#lookup, signInUrl: this.settings.get('signInUrl') }
  }

  /** The key to search for now. */
  get #wanted(): string {
    const text = readOfficeText(this.#listText)
    const key = searchableKey(text.digits)
    if (this.#opener.isOpen) return key || this.within
    // Without a list, only the name of the office is of interest.
    return key === this.value && this.#lookup.offices.has(key) ? '' : key
  }

  /** The text whose offices are listed. For a chosen office, those beside it are of interest too. */
  get #listText(): string {
    const { value } = this
    return this.#opener.isOpen && !this.#isEdited && levelOf(value)
      ? value.replace(/-?\d+$/, '')
      : this._text || this.within
  }

  get #name(): string {
    const { key, name = '' } = this.#restored
    return this.office?.name ?? (key === this.value ? name : '')
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
    this.internals.setFormValue?.(value, JSON.stringify({ text: this._text, ...known } satisfies KeptState))
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
    this.#opener.close()
    this.#updateForm()
  }

  /** Takes the text as the value. A text that is neither a number nor a known name stays as it is. */
  #commit(): void {
    const { list, isOpen } = this.#opener
    const active = isOpen ? list?.active : undefined
    if (active?.isChoice) this._text = active.key
    const text = readOfficeText(this._text)
    const named = text.words ? list?.named(text) : undefined
    this._text = named?.key ?? keyOf(text) ?? this._text
    this._isJudged ||= this.#isEdited
    this.#isEdited = false
    this.#opener.close()
    const { value } = this
    if (value === this.#committed) return
    this.#committed = value
    this.#isChecking = keyOf(text) !== undefined && !this.#lookup.hasSearched(value)
    this.#updateForm()
    this.dispatchEvent(new CustomEvent('change', { bubbles: true }))
  }

  #onChoose({ key, isChoice }: OfficeOption): void {
    this._text = key
    this._custom = ''
    this.#isDirty = true
    this._isNameRead = false
    this.#updateForm()
    this.dispatchEvent(new CustomEvent('input', { bubbles: true, composed: true }))
    if (isChoice) this.#commit()
    else this.#isEdited = true
  }

  #onFocus(): void {
    this.#lookup.retry()
    void this.#opener.load()
  }

  readonly #onInput = (event: InputEvent): void => {
    this._text = (event.target as HTMLInputElement).value
    this._custom = ''
    this._isJudged = false
    this._isNameRead = false
    this.#isEdited = true
    this.#isDirty = true
    this.#updateForm()
    this.#opener.list?.leave()
    void this.#opener.openAloud()
  }

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    // An input method uses these keys itself.
    if (event.isComposing) return
    const { key } = event
    const { list } = this.#opener
    // Nobody sees a list whose code has not loaded.
    const isOpen = this.#opener.isOpen && list !== undefined
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      void this.#opener.onArrow(event)
    } else if (key === 'Enter') {
      event.preventDefault()
      if (isOpen && list.choose()) return void (this._isNameRead = true)
      this.#commit()
      if (!isOpen) submitImplicitly(this.form)
    } else if (key === 'Escape' && isOpen) {
      // Otherwise, a dialog around the field would close too.
      event.preventDefault()
      event.stopPropagation()
      this.#opener.close()
    } else if (/^(?:ArrowLeft|ArrowRight|Home|End)$/.test(key)) {
      list?.leave()
    }
  }
}

/** The state that the browser keeps of a field when people leave the page. */
interface KeptState {
  readonly text: string
  readonly key?: string | undefined
  readonly name?: string | undefined
}

declare global {
  interface HTMLElementTagNameMap {
    'wf-office': WfOffice
  }
}
