import { html, type TemplateResult } from 'lit'
import { property } from 'lit/decorators.js'
import { NoProxyError } from '../../client/index.ts'
import type { Package } from '../../contract/schemas/workflow.ts'
import { form } from '../../locales/en-form.ts'
import { controlStyles } from '../element/controls.styles.ts'
import { fillUrl } from '../text/fill-url.ts'
import { messagesFor } from '../text/messages.ts'
import { slotOf } from '../loading/loadable.ts'
import { setNoValidate, submitButtonsOf, writtenForms } from '../element/form-element.ts'
import { idConverter } from '../element/package-element.ts'
import { RouteslipElement } from '../element/routeslip-element.ts'
import { renderSignedOut, renderSignIn } from '../notices/signed-out.ts'
import { guardUnload } from '../upload/unload-guard.ts'
import { ActionRunner } from './action-runner.ts'
import type { FormContent, FormTarget } from './state/form-content.ts'
import { editEvents, purposesOf } from './fields/form-buttons.ts'
import type { FormControl } from './fields/form-controls.ts'
import { FormDraft } from './draft/form-draft.ts'
import { FormLoader } from './draft/form-loader.ts'
import { type FormTexts, statusText, timeText } from './state/form-texts.ts'
import { renderAbove, renderDocuments, renderSlot } from './state/form-view.ts'
import { InnerConfiguration } from './inner-configuration.ts'
import { loadRequestCopy } from './late.ts'
import type { RequestCopy } from './draft/request-copy.ts'
import { type Intent, RequestState } from './state/request-state.ts'
import { WfFormSubmittedEvent } from './wf-form.events.ts'
import { formStyles } from './wf-form.styles.ts'

/**
 * Saves and submits the `<form>` of a page as a request. The form keeps its own markup, labels and styles. The `name` of a
 * control, or its `data-field`, is the natural key of its field, and its kind is `data-kind` or follows from the type of the input.
 * The files of `<input type="file">` with `data-attachment-type` become attachments.
 *
 * The first save creates a package that nobody gets yet. Elements inside then have its id, so `<wf-attachments>` works. A button
 * with `data-wf="save"` or the value `PRE_ROUTING` saves. One with `data-wf="submit"` or the value `ROUTING`, or the only button, saves,
 * checks what is required and starts routing. All other buttons stay the page's. If the form shows an existing package, only the
 * fields on the page are changed, and the person decides if somebody else changed them too.
 *
 * With `review`, people check their answers before they submit them: after the request is saved, a list takes the place of
 * the form, with the documents and the elements in the slot `review` below it, such as `<wf-route>`.
 *
 * The browser keeps input until it is saved, even if the page is closed. The sign-out page of the site should therefore send
 * `Clear-Site-Data: "storage"`. Without the script, the form posts to its own `action`.
 *
 * ```html
 * <wf-form endpoint="/api/wf" form-id="6025" success-url="/requests/{packageId}">
 *   <form id="travel" action="/travel" method="post">
 *     <label>Purpose <input name="purpose" required /></label>
 *     <label>Cost <input name="cost" data-kind="currency" required /></label>
 *   </form>
 *   <wf-attachments slot="documents"></wf-attachments>
 *   <p slot="actions">
 *     <button form="travel" value="PRE_ROUTING">Save</button>
 *     <button form="travel" value="ROUTING">Submit</button>
 *   </p>
 * </wf-form>
 * ```
 *
 * @element wf-form
 *
 * @slot - The form of the page.
 * @slot documents - Elements that need a package, such as `<wf-attachments>`. Before the first save, a button replaces them.
 * @slot actions - Buttons that come after the documents. Their `form` attribute contains the id of the form.
 * @slot review - Elements for the step in which people check their answers, such as `<wf-route>`. Hidden before.
 * @slot forbidden - Shown to people without rights.
 * @slot missing - Shown if the package does not exist.
 * @slot signed-out - Shown to people who are not signed in.
 *
 * @fires {WfLoadEvent<FormContent>} wf-load - The package, or for a new request the session, was loaded.
 * @fires {WfBeforeChangeEvent} wf-before-change - A change is about to be sent: `operation` is `createPackage`, `updateEntry`,
 *   `uploadAttachment`, `routePackage` or `reinitiatePackage`, and `body` is its body. Cancelable.
 * @fires {WfChangeEvent} wf-change - The package was created or submitted, or a file of the page was uploaded. `value` is the package or
 *   the attachment.
 * @fires {WfFormSavedEvent} wf-form-saved - The service has saved what the person entered.
 * @fires {WfFormSubmittedEvent} wf-form-submitted - Routing has started. If it is canceled, the page does not go to
 *   `success-url`.
 * @fires {WfErrorEvent} wf-error - Loading, saving or submitting failed.
 * @fires {WfSignedOutEvent} wf-signed-out - The session has ended.
 *
 * @csspart base - The whole element.
 * @csspart problems - The summary of what is not valid.
 * @csspart problems-title - Its heading.
 * @csspart problem - An entry of the summary, or the reason why nothing was saved or submitted.
 * @csspart unfinished - What is missing before the service saves a draft.
 * @csspart conflicts - The fields that somebody else changed too.
 * @csspart restored - The notice that the screen shows what was typed earlier.
 * @csspart copied - The notice about values from an earlier request, or the question about them.
 * @csspart left-out - The list of fields that were not filled in.
 * @csspart upload-again - The documents to upload again, or the files to choose again.
 * @csspart files - The list of files.
 * @csspart file - One file.
 * @csspart progress - The progress bar of a file.
 * @csspart download - The link to a stored file.
 * @csspart outcome - The summary of several files, some of which failed.
 * @csspart read-only - The sentence that the person may not change the request.
 * @csspart not-submitted - The reason why the request cannot be submitted here.
 * @csspart form - The box of the form.
 * @csspart documents - The box of the documents.
 * @csspart save - The button that saves the request before documents are added.
 * @csspart review - The list of answers that people check before they submit them.
 * @csspart checks - What is missing before the next step, or could not be checked.
 * @csspart review-title - The heading of the list of answers.
 * @csspart answer - One answer, with its label and the button to change it.
 * @csspart submit - The button below the answers that submits the request.
 * @csspart back - The button that returns to the form.
 * @csspart actions - The box of the buttons after the documents.
 * @csspart mail - The sentence about who gets an email.
 * @csspart status - When the request was saved or submitted.
 * @csspart draft - The address at which a saved draft is continued.
 * @csspart failure - The notice that the content could not be loaded.
 * @csspart try-again - The button in either notice.
 * @csspart forbidden - The message for people without rights.
 * @csspart missing - The message that the package does not exist.
 * @csspart signed-out - The message for people who are not signed in.
 * @csspart sign-in - The link to the sign-in page.
 * @csspart not-configured - The message for the page author.
 * @csspart no-proxy - The message for the page author that no proxy was found.
 *
 * @cssprop [--wf-accent] - Color of the choices in a conflict, and of the button that submits the answers.
 * @cssprop [--wf-on-accent] - Text color of the button that submits the answers.
 * @cssprop [--wf-focus] - Color of the focus ring.
 * @cssprop [--wf-danger] - Color of problems, also of the messages at the fields.
 * @cssprop [--wf-line] - Color of borders.
 * @cssprop [--wf-success] - Color of the mark of uploaded files.
 * @cssprop [--wf-radius=0.5em] - Corner radius.
 * @cssprop [--wf-space=1em] - Distance between blocks.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text color of notices.
 * @cssprop [--wf-notice-line] - Border color of notices.
 *
 * @cssState loading - The package has not loaded yet.
 * @cssState loaded - The form can be used.
 * @cssState busy - A request is in progress.
 * @cssState failed - The package could not be loaded.
 * @cssState forbidden - The person may not see the package, or not create one.
 * @cssState missing - The package does not exist.
 * @cssState signed-out - The person is not signed in.
 * @cssState not-configured - A setting or the form is missing; the element shows which.
 * @cssState no-proxy - No proxy was found at the endpoint.
 */
export class WfForm extends RouteslipElement {
  static override styles = [controlStyles, formStyles]

  /** Id of the form in the service. If absent, the nearest `<wf-context>` or the page configures it. */
  @property({ attribute: 'form-id', converter: idConverter }) formId = 0

  /**
   * Id of the package to edit. If absent, the nearest `<wf-context>` or the page configures it; otherwise, the first save
   * creates a package, whose id this property then has.
   */
  @property({ attribute: 'package-id', converter: idConverter }) packageId = 0

  /**
   * Id of an earlier request from which a new one is filled in. Nothing is created before the person saves. Dates, files, the text
   * in emails and controls with `data-no-copy`, or inside an element with it, are left out, and a notice names them. If absent, a
   * new request begins empty.
   */
  @property({ attribute: 'copy-from', converter: idConverter }) copyFrom = 0

  /** Sub-type of the request, if the form in the service has sub-types. */
  @property({ attribute: 'sub-type' }) subType = ''

  /** Name of the control that contains the sub-type, instead of `sub-type`. The control is not a field of the entry. */
  @property({ attribute: 'sub-type-name' }) subTypeName = ''

  /** Name of the control whose text is part of the email about an edit. The control is not a field of the entry. */
  @property({ attribute: 'summary-name' }) summaryName = ''

  /**
   * Name of the control whose text is part of each email to approvers, if the policy of the proxy allows it. An empty text
   * keeps the present one. The control is not a field of the entry.
   */
  @property({ attribute: 'details-name' }) detailsName = ''

  /**
   * Whether approvers get an email if the data is changed while the request is in routing: `always`, `never`, or if absent, if
   * the data has changed. Nobody gets an email about a draft.
   */
  @property() notify: 'always' | 'never' | '' = ''

  /** Whether changes to a saved draft are saved by themselves, one second after the last change. */
  @property({ type: Boolean }) autosave = false

  /** Whether people check their answers before they submit them. */
  @property({ type: Boolean }) review = false

  /**
   * URL of the page that follows a submission, with the placeholders `{formId}` and `{packageId}`. If absent, the page
   * stays.
   */
  @property({ attribute: 'success-url' }) successUrl = ''

  /**
   * URL of the page on which a saved draft is continued, with the placeholders `{formId}` and `{packageId}`, such as
   * `?request={packageId}`. After a save, people see it, and the address bar shows it. A page that is opened under such an address
   * continues the draft, unless it has a `package-id`.
   */
  @property({ attribute: 'draft-url' }) draftUrl = ''

  /**
   * URL of the page of the service where people submit a request again that was returned to them, with the placeholders
   * `{formId}` and `{packageId}`. The link appears if the service refuses the request. If absent, a sentence refers to the service.
   */
  @property({ attribute: 'resubmit-url' }) resubmitUrl = ''

  /** Ends the listeners in the page. */
  #listening = new AbortController()
  /** Whether the latest press of one of our buttons has not reached us. */
  #isStopped = false
  readonly #observer = new MutationObserver(() => this.#onMutation())
  readonly #state = new RequestState()
  /** Fills in a new request from an earlier one; `undefined` without one. */
  #copy: RequestCopy | undefined
  readonly #form: FormDraft = new FormDraft({
    element: this,
    state: this.#state,
    content: () => this.value,
    scope: () => ({
      person: this.#loader.person ?? '',
      endpoint: this.settings.get('endpoint') ?? '',
      formId: this.settings.get('formId') ?? 0,
    }),
    subTypeName: () => this.subTypeName,
    isReadOnly: () => this.#isReadOnly,
    draftUrl: () => this.draftUrl,
    onEdit: () => this.#onEdit(),
    onUnsettled: () => void this.#actions.run('save'),
  })
  readonly #loader: FormLoader = new FormLoader({
    element: this,
    announcer: this.announcer,
    state: this.#state,
    form: this.#form,
    target: () => this.#target,
    texts: () => this.#texts,
    loadParts: async () => {
      if (this.copyFrom)
        this.#copy ??= new (await loadRequestCopy())({
          element: this,
          state: this.#state,
          form: this.#form,
          target: () => this.#target,
          texts: () => this.#texts,
          announce: (text) => this.announcer.announce(text),
          onStartNew: () => this.#startNew(),
        })
    },
    onShown: () => this.#copy?.offer(this.copyFrom),
    onOtherPerson: () => {
      this.#copy?.clear()
      this.#form.clear()
      this.#actions.clear()
    },
    onLost: () => {
      this.#copy?.clear()
      this.#startNew()
    },
  })
  readonly #actions: ActionRunner = new ActionRunner({
    element: this,
    state: this.#state,
    form: this.#form,
    target: () => this.#target,
    isReadOnly: () => this.#isReadOnly || this.#problem !== '',
    texts: () => this.#texts,
    draftUrl: () => this.#urlOf(this.draftUrl, this.packageId),
    announcer: this.announcer,
    onEnd: () => {
      this.#refill()
      this.#form.keep()
    },
    onSubmitted: (found) => this.#onSubmitted(found),
  })

  constructor() {
    super()
    new InnerConfiguration(this)
    this.addEventListener('focusin', () => this.#onFocus())
  }

  /** The loaded content; `undefined` before it has loaded. */
  get value(): FormContent | undefined {
    return this.#loader.value
  }

  /** Whether the screen differs from what the service has. */
  get isChanged(): boolean {
    return this.#form.isChanged
  }

  /** Loads the package again, and keeps unsaved input. Never rejects: errors fire `wf-error`. */
  async refresh(): Promise<void> {
    await this.#loader.refresh()
  }

  /** Saves what is entered, like a button with the value `PRE_ROUTING`. Never rejects: errors fire `wf-error`. */
  async save(): Promise<void> {
    await this.#actions.run('save')
  }

  /**
   * Submits the request, like a button with the value `ROUTING`. With `review`, the first call shows the answers. Never
   * rejects: errors fire `wf-error`.
   */
  async submit(): Promise<void> {
    await this.#actions.run('submit')
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#observer.observe(this, { childList: true, subtree: true })
    this.#listen()
    this.#form.findForm()
    this.#refill()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#observer.disconnect()
    this.#listening.abort()
    this.#form.close()
    this.#actions.stopTimer()
    guardUnload(this, false)
  }

  protected override render(): TemplateResult {
    const problem = this.#problem
    const isHidden = this.#isHidden
    const review = isHidden ? undefined : this.#actions.renderReview()
    const isReplaced = isHidden || review !== undefined
    return html`
      <div part="base" aria-busy=${this.#state.busy !== undefined}>
        <div class="own" lang=${this.textLanguage}>
          ${problem ? this.renderConfigurationProblem(problem) : this.#renderTop()}
        </div>
        <div part="form" ?hidden=${isReplaced}><slot></slot></div>
        ${review?.answers}
        <div part="documents" ?hidden=${isHidden || !this.querySelector(':scope > [slot=documents]')}>
          ${renderDocuments(this.#texts, this.#state.found !== undefined, this.textLanguage, () => void this.save())}
        </div>
        <div part="actions" ?hidden=${isReplaced}><slot name="actions"></slot></div>
        ${review?.end}
        <div class="own" lang=${this.textLanguage}>
          <p part="status" ?hidden=${isHidden}>${this.#statusText}</p>
          ${this.#actions.renderBelow()}
        </div>
      </div>
      ${this.announcer.render()}
    `
  }

  protected override updated(): void {
    this.showStates(this.#problem ? ['not-configured'] : this.#loader.states)
    guardUnload(this, this.isConnected && (this.isChanged || this.#state.busy !== undefined))
  }

  #renderTop() {
    const { error, errorText } = this.#loader
    const { restoredAt, isContinued, isFilled, submittedAt } = this.#form
    const slot = slotOf(error)
    const isSignedOut = slot === 'signed-out'
    const signIn = renderSignedOut(this.common, this.settings.get('signInUrl'))
    if (slot && !isFilled && !this.#loader.isUnreadable)
      return renderSlot(slot, isSignedOut ? signIn : errorText)
    if (error instanceof NoProxyError && !isFilled)
      return this.renderConfigurationProblem(errorText, 'no-proxy')
    return renderAbove({
      texts: this.#texts,
      errorText: error && this.#state.outcome?.kind !== 'failed' ? errorText : '',
      isSignedOut,
      isIncomplete: this.#actions.isIncomplete,
      problems: [this.#actions.render(), this.#copy?.render()],
      hints: this.#form.code?.renderHints({
        element: this,
        texts: this.#texts,
        content: this.value,
        restoredAt: this.isChanged ? restoredAt : undefined,
        isContinued,
        submittedAt,
        packageId: this.packageId,
        url: this.#urlOf(submittedAt === undefined ? this.draftUrl : this.successUrl, this.packageId),
        resubmitUrl: this.#urlOf(this.resubmitUrl, this.packageId),
        isReadOnly: this.#isReadOnly,
        fields: this.#form.fields,
        keeper: this.#form.keeper,
        notify: this.notify,
        isBusy: this.#state.busy !== undefined,
        onDiscard: () => this.#form.discard(),
        onStartNew: () => this.#startNew(),
      }),
      onRefresh: () => void this.refresh(),
      onAgain: () => void this.#actions.again(),
    })
  }

  get #texts(): FormTexts {
    const { common, formatting } = this
    return {
      messages: messagesFor(this, 'form', form),
      common,
      language: formatting.language,
      timeOf: (time) => timeText(time, formatting),
      signIn: renderSignIn(common, this.settings.get('signInUrl')),
    }
  }

  get #target(): FormTarget | undefined {
    const client = this.currentClient
    const formId = this.settings.get('formId')
    return client && formId ? [client, formId, this.settings.get('packageId') || 0, this.copyFrom] : undefined
  }

  /** The problem with the settings, for the page author; empty if there is none. */
  get #problem(): string {
    const formId = this.settings.get('formId')
    return (
      this.configurationProblem([...(formId ? [] : ['form-id']), ...(this.#form.form ? [] : ['a <form>'])]) ||
      (this.#loader.isUnserved ? this.#texts.messages.notServed(`${formId}`) : '')
    )
  }

  /** Whether the page's form is hidden, because the person may not see it or its values are not known yet. */
  get #isHidden(): boolean {
    if (this.#problem) return false
    if (this.#loader.isDenied) return true
    return !this.#form.isFilled && (this.settings.get('packageId') || 0) > 0
  }

  get #isReadOnly(): boolean {
    const { actions } = this.value ?? {}
    return actions !== undefined && !actions.canEdit
  }

  get #statusText(): string {
    return statusText(this.#state, this.#form, this.#texts)
  }

  #startNew(): void {
    this.#form.startNew()
    this.#actions.clear()
  }

  /** Shows the package if the element was moved in the page, or if the package has changed while something was sent. */
  #refill(): void {
    if (this.isConnected && this.value) this.#form.refill(this.value, this.settings.get('packageId') || 0)
  }

  #onMutation(): void {
    this.#form.findForm()
    this.#form.look()
    this.#copy?.follow()
    this.requestUpdate()
  }

  /** Listens around the element: its form, and controls of the form, may be there. */
  #listen(): void {
    const root = this.getRootNode()
    this.#listening = new AbortController()
    const { signal } = this.#listening
    const early = { capture: true, signal }
    root.addEventListener('click', (event) => this.#onClick(event), early)
    root.addEventListener('submit', (event) => this.#onSubmit(event), early)
    root.addEventListener('reset', (event) => this.#isOurs(event) && this.#form.onReset(event), early)
    window.addEventListener('pageshow', ({ persisted }) => persisted && this.#form.shownAgain(), { signal })
    for (const type of editEvents) root.addEventListener(type, (event) => this.#onInput(event), { signal })
  }

  /** Also for controls outside of the element that belong to its form. */
  #onInput({ target, isTrusted }: Event): void {
    const { form, isInside } = this.#form
    const control = target as FormControl
    const isOutside = !isInside && form !== undefined && control.form === form
    if (!isOutside && !this.contains(control)) return
    if (isTrusted) this.#form.used(control)
    this.#onEdit()
  }

  #isOurs({ target }: Event): boolean {
    return target === this.#form.form
  }

  /** A person begins to edit. Drafts may be incomplete, so the browser does not check them. */
  #onFocus(): void {
    const { form, isInside } = this.#form
    if (form && !isInside) setNoValidate(form, true)
    void this.#actions.load()
  }

  /** Returns what the buttons of the form are for, as far as they are ours. */
  #purposeOf(button: Element): Intent | undefined {
    const { form, isInside } = this.#form
    if (!form || (isInside && !this.contains(button))) return undefined
    return purposesOf(submitButtonsOf(form)).get(button)
  }

  /** Before the browser checks the form: for buttons of the page, it has to. */
  #onClick({ target }: Event): void {
    const { form } = this.#form
    const button = target instanceof Element ? target.closest('button, input') : null
    if (!form || !button || !submitButtonsOf(form).includes(button as HTMLButtonElement)) return
    this.#form.fields?.press.note()
    setNoValidate(form, this.#purposeOf(button) !== undefined)
  }

  /** Decides when all listeners of the page have been called: what the page has cancelled is left alone. */
  #onSubmit(event: Event): void {
    if (!this.#isOurs(event)) return
    event.composedPath().at(-1)?.addEventListener('submit', this.#onSubmitEnd, { once: true })
    this.#isStopped = this.#intentOf(event) !== undefined
    setTimeout(() => {
      if (this.#isStopped) void this.#actions.onStopped()
      this.#isStopped = false
    })
  }

  #intentOf(event: Event): Intent | undefined {
    const { submitter } = event as SubmitEvent
    const { fields, isInside } = this.#form
    if (submitter) return this.#purposeOf(submitter)
    return isInside ? undefined : fields?.scriptedPurpose
  }

  readonly #onSubmitEnd = (event: Event): void => {
    if (event.defaultPrevented || !this.#isOurs(event)) return
    this.#isStopped = false
    const intent = this.#intentOf(event)
    if (!intent) return
    event.preventDefault()
    this.#form.dispatch({ type: 'submitting' })
    this.#form.fields?.press.begin()
    void this.#actOn(intent)
  }

  async #actOn(intent: Intent): Promise<void> {
    await this.#actions.run(intent)
    this.#form.fields?.press.end(this.#state.outcome?.kind === 'submitted')
  }

  #onEdit(): void {
    const { form } = this.#form
    if (form && writtenForms.has(form)) return
    this.#form.keep()
    this.#actions.stopTimer()
    // What is being sent now may differ from the input, even if it was undone.
    const isUnsaved = this.isChanged || this.#state.busy !== undefined
    if (this.autosave && this.#state.isDraft && isUnsaved) this.#actions.saveLater()
  }

  #urlOf(template: string, packageId: number): string | undefined {
    return fillUrl(template, { formId: this.settings.get('formId'), packageId })
  }

  #onSubmitted(found: Package): void {
    this.#form.submitted(found)
    const url = this.#urlOf(this.successUrl, found.id)
    if (!this.dispatchEvent(new WfFormSubmittedEvent(found, url)) || !url) return
    guardUnload(this, false)
    location.assign(url)
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'wf-form': WfForm
  }
}
