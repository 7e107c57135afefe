import { html, nothing } from 'lit'
import { type FieldErrors, fieldErrorsOf, type PageClient, RefusedError } from '../../../client/index.ts'
import type { Package } from '../../../contract/schemas/workflow.ts'
import { latestStart, removalOf } from '../../wf-package-status/card-reads.ts'
import { attachments } from '../../../locales/en-attachments.ts'
import { formHints } from '../../../locales/en-form-hints.ts'
import { formOutcome } from '../../../locales/en-form-outcome.ts'
import type { Texts } from '../../../locales/messages.ts'
import { WfBeforeChangeEvent, WfChangeEvent, WfErrorEvent } from '../../element/events.ts'
import { fillUrl } from '../../text/fill-url.ts'
import { joinTexts } from '../../text/join-texts.ts'
import { messagesFor } from '../../text/messages.ts'
import { addStyles } from '../../element/late-styles.ts'
import type { RouteslipElement } from '../../element/routeslip-element.ts'
import type { Announcer } from '../../notices/announcer.ts'
import { AuthorHints } from '../draft/author-hints.ts'
import { missingDocuments, readMissing, uploadProblems } from '../files/documents.ts'
import type { Choices } from './conflict-list.ts'
import { enterDraft } from '../kept/page-history.ts'
import { screenOf } from '../state/field-state.ts'
import type { MissingFacts } from '../../wf-package-status/missing.ts'
import { captionOf, labelOf, textOf } from '../fields/field-captions.ts'
import { FieldProblems, goTo, type OtherProblem } from '../fields/field-problems.ts'
import { type ExtraSettings, extrasOf } from '../state/extras.ts'
import { summaryStyles } from '../fields/field-problems.styles.ts'
import { fileInputsOf, isForAttachments } from '../fields/form-controls.ts'
import { fileProblems, type FileTexts, refusedByPage } from '../files/form-files.ts'
import type { FormTarget } from '../state/form-content.ts'
import { formClient } from '../state/form-client.ts'
import type { FormDraft } from '../draft/form-draft.ts'
import { renderOutcome } from './form-notices.ts'
import { isUnshown } from '../state/form-state.ts'
import { loadPageFiles } from '../files/late-files.ts'
import type { FilesTarget, PageFiles } from '../files/page-files.ts'
import type { FormTexts } from '../state/form-texts.ts'
import type { Intent, RequestState } from '../state/request-state.ts'
import type { Review, ReviewHost } from './review.ts'
import { senderStyles } from './sender.styles.ts'
import { type Extras, route, type RoutingStart, save, type Stop } from '../state/submission.ts'
import { refusalOf, renderUnfinished } from './unfinished.ts'
import { WfFormSavedEvent } from '../wf-form.events.ts'

/** The other settings of the form. See the attributes of `<wf-form>`. */
export interface SenderSettings {
  readonly review: boolean
  readonly resubmitUrl: string
}

/** The form that a sender belongs to. */
export interface SenderHost {
  readonly element: RouteslipElement & ExtraSettings & SenderSettings
  readonly state: RequestState
  readonly form: FormDraft
  readonly target: () => FormTarget | undefined
  readonly texts: () => FormTexts
  readonly announcer: Announcer
  /** Returns the address at which the draft is continued; `undefined` without one. */
  readonly draftUrl: () => string | undefined
  /** Called when the package, or the creation whose outcome is unknown, has changed. */
  readonly onChange: () => void
  readonly onSubmitted: (found: Package) => void
  /** Called if the person asks for the last action again. */
  readonly onAgain: () => void
  /** Called if the person has checked the answers. */
  readonly onSubmit: () => void
}

/**
 * Checks, saves and submits a form, one step after the other, and shows what keeps it from that. The form itself makes sure
 * that there is one attempt at a time.
 */
export class Sender {
  static readonly styles = [summaryStyles, senderStyles]

  readonly #host: SenderHost
  readonly #problems: FieldProblems
  /** Shows the answers before they are submitted; `undefined` if the form does not do that. */
  review: Review | undefined
  /** Checks again what the request lacks; `undefined` until that was checked. */
  #check: (() => Promise<MissingFacts>) | undefined
  readonly hints: AuthorHints
  /** Uploads the files in inputs of the page; `undefined` if there is none for attachments. */
  #files: PageFiles | undefined
  /** How the next attempt starts the routing. */
  #start: RoutingStart = 'routePackage'

  constructor(host: SenderHost) {
    this.#host = host
    // Documents can be uploaded during the review.
    host.element.addEventListener(WfChangeEvent.type, () => void this.#checkAgain())
    this.#problems = new FieldProblems(host.element, () => host.form.fields)
    this.hints = new AuthorHints(host.element, host.form, host.state)
    this.hints.nameOtherButtons()
  }

  /** Loads what uploads the files in inputs of the page, if there is one for attachments. Few forms have it. */
  async loadFiles(): Promise<void> {
    if (this.#files || !this.#fileInputs.some(isForAttachments)) return
    const Files = await loadPageFiles()
    const { element, announcer } = this.#host
    const inputs = () => this.#fileInputs.filter(isForAttachments)
    this.#files ??= new Files({ element, announcer, inputs, texts: () => this.#fileTexts })
    addStyles(element, Files.styles)
    element.requestUpdate()
  }

  /**
   * Returns whether an attempt was made. If not, the summary shows what is not valid. `isQuiet`: the person has not asked for it, so
   * no file is uploaded.
   */
  async run(intent: Intent, client: PageClient, formId: number, isQuiet: boolean): Promise<boolean> {
    const { form, state } = this.#host
    const start = this.#start
    this.#start = 'routePackage'
    form.read()
    if (this.#showProblems(intent)) return false
    const isMine = await form.exclusively(() => this.#attempt(intent, client, formId, start, isQuiet))
    if (!isMine) state.outcome = { kind: 'elsewhere' }
    const draftUrl = this.#host.draftUrl()
    if (state.isDraft && draftUrl) enterDraft(draftUrl)
    return true
  }

  /** Forgets what is not valid. */
  clear(): void {
    this.#problems.clear()
    this.#files?.clear()
  }

  /** Renders what is not valid, and what kept the latest attempt from succeeding. */
  render(): unknown {
    const { element, state, form, texts, onAgain } = this.#host
    return [
      this.#problems.render(),
      this.#renderUnfinished(),
      renderOutcome({
        ...texts(),
        reasons: this.#reasons,
        hints: messagesFor(element, 'formHints', formHints),
        outcome: state.outcome,
        mayStartOver: state.creation !== undefined,
        resubmitUrl: this.#resubmitUrl,
        labelOf: (name) => (form.fields ? labelOf(form.fields, name) : name),
        onAgain,
        onStartOver: () => {
          state.creation = undefined
          onAgain()
        },
        onReinitiate: () => {
          this.#start = 'reinitiatePackage'
          onAgain()
        },
        onChoose: (choices) => {
          this.#settle(choices)
          onAgain()
        },
        onCancel: () => {
          // Neither the changes of others nor the input on the screen are touched.
          state.outcome = undefined
          element.requestUpdate()
        },
      }),
    ]
  }

  /** Renders the files in inputs of the page, and where the draft is continued, after it was saved. */
  renderBelow(): unknown {
    const { state, draftUrl } = this.#host
    const url = state.isDraft && state.outcome?.kind === 'saved' ? draftUrl() : undefined
    return [
      this.#files?.render(state.found?.id ?? 0),
      url ? html`<p part="draft">${this.#reasons.elsewhere} <a href=${url}>${url}</a></p>` : nothing,
    ]
  }

  /** Renders the step before a submission, in two parts; `undefined` if the form is shown. */
  renderReview(): { readonly answers: unknown; readonly end: unknown } | undefined {
    const { element, state, form, texts, onSubmit } = this.#host
    const { fields } = form
    if (!state.isReviewing || !this.review || !fields) return undefined
    const host: ReviewHost = {
      element,
      fields,
      language: texts().language,
      join: (entries) => joinTexts(element, entries),
      isBusy: state.busy !== undefined,
      labelOf: (name) => textOf(captionOf(fields, name)) || labelOf(fields, name),
      textOf: ({ labels }) => textOf(labels?.[0]),
      onBack: (name) => void this.#endReview(name),
      onSubmit,
    }
    return { answers: this.review.renderAnswers(host), end: this.review.renderEnd(host) }
  }

  /** Moves the focus to what is shown, if anything is. */
  async focus(): Promise<void> {
    if (this.#problems.count > 0) return await this.#problems.focus()
    const { renderRoot } = this.#host.element
    renderRoot
      .querySelector<HTMLElement>('[part~=problem], [part=unfinished], [part=conflicts], [part=review-title]')
      ?.focus()
  }

  /** Shows what keeps the form from being sent. Returns whether there is anything. A draft may be incomplete. */
  #showProblems(intent: Intent): boolean {
    const isDraft = intent === 'save'
    const { fields, known } = this.#host.form
    const unshown = [...known.fields].flatMap(([name, field]) => (isUnshown(field) ? [name] : []))
    const all = Object.entries(fields?.problems(unshown) ?? {})
    const found = all.filter(([, codes]) => !isDraft || !codes.includes('validation.required'))
    return this.#show(Object.fromEntries(found), isDraft ? [] : this.#uploadProblems)
  }

  get #uploadProblems(): readonly OtherProblem[] {
    const { element, form, state } = this.#host
    const texts = this.#fileTexts
    return [
      ...(form.fields?.refused ?? []).map((control) => refusedByPage(control, texts)),
      ...fileProblems(this.#fileInputs, !state.found, texts),
      ...uploadProblems(element, form.fields?.names ?? [], this.#reasons),
    ]
  }

  get #fileInputs(): readonly HTMLInputElement[] {
    const { element, form } = this.#host
    const inputs = form.form ? fileInputsOf(form.form) : []
    return inputs.filter((input) => !form.isInside || element.contains(input))
  }

  get #fileTexts(): FileTexts {
    const { element, texts } = this.#host
    return {
      reasons: this.#reasons,
      attachments: messagesFor(element, 'attachments', attachments),
      common: texts().common,
    }
  }

  get #reasons(): Texts['formOutcome'] {
    return messagesFor(this.#host.element, 'formOutcome', formOutcome)
  }

  get #resubmitUrl(): string | undefined {
    const { element, target } = this.#host
    const [, formId, packageId] = target() ?? []
    return fillUrl(element.resubmitUrl, { formId, packageId })
  }

  get #extras(): Extras {
    const { element, state, form } = this.#host
    return extrasOf(element, screenOf(form.known.fields), state.found?.subType ?? null)
  }

  #show(errors: FieldErrors, others?: readonly OtherProblem[]): boolean {
    this.#problems.show(errors, others)
    if (this.#problems.count === 0) return false
    this.#host.state.isReviewing = false
    return true
  }

  /** Shows what the service refuses. Returns whether there is anything. What a draft lacks so far is not a problem. */
  #showRefused(errors: FieldErrors, intent: Intent): boolean {
    const { state, form } = this.#host
    if (intent === 'submit' || !form.fields) return this.#show(errors)
    const { errors: wrong, unfinished } = refusalOf(errors, form.fields, form.known.fields)
    if (unfinished.length > 0) state.outcome = { kind: 'unfinished', names: unfinished }
    return this.#show(wrong) || unfinished.length > 0
  }

  #renderUnfinished(): unknown {
    const { state, form } = this.#host
    const { outcome } = state
    if (outcome?.kind !== 'unfinished' || !form.fields) return nothing
    return renderUnfinished({
      names: outcome.names,
      fields: form.fields,
      known: form.known.fields,
      isKept: form.isChanged && Boolean(form.keptAt),
      messages: this.#reasons,
    })
  }

  /** Returns to the form, and to the field to change. */
  async #endReview(name?: string): Promise<void> {
    const { element, state, form } = this.#host
    const { fields } = form
    state.isReviewing = false
    element.requestUpdate()
    await element.updateComplete
    const control = fields?.controlOf(name ?? fields.names[0] ?? '')
    if (fields && control) goTo(control, (name && captionOf(fields, name)) || control)
  }

  /** Settles the conflicts of the latest attempt. */
  #settle(choices: Choices): void {
    const { state, form } = this.#host
    if (state.outcome?.kind !== 'conflict') return
    const { theirs } = state.outcome
    form.dispatch({ type: 'chosen', theirs, choices })
    state.outcome = undefined
  }

  async #attempt(
    intent: Intent,
    client: PageClient,
    formId: number,
    start: RoutingStart,
    isQuiet: boolean,
  ): Promise<void> {
    const { element, state } = this.#host
    let isSaved = false
    state.outcome = undefined
    try {
      const saved = await this.#save(client, formId)
      if ('why' in saved) return this.#stop(saved)
      isSaved = true
      element.dispatchEvent(new WfFormSavedEvent(saved.id))
      const { found } = state
      // The page shows another package by now, so nobody sees what would be submitted.
      if (found?.id !== saved.id) return
      state.outcome = { kind: 'saved', at: Date.now() }
      if (!isQuiet && !(await this.#sendFiles({ client, formId, found }, intent))) return
      if (intent === 'submit') await this.#submit(client, formId, found, start)
    } catch (error) {
      const errors = fieldErrorsOf(error)
      if (!errors || !this.#showRefused(errors, intent)) {
        const mayReinitiate = isSaved && !errors && (await this.#mayReinitiate(error, client, formId))
        state.outcome = { kind: 'failed', error, isSaved, mayReinitiate }
      }
      element.dispatchEvent(new WfErrorEvent(error))
    }
  }

  /** Uploads the files in inputs of the page. Returns whether the request has what it needs, and the page still shows it. */
  async #sendFiles(target: FilesTarget, intent: Intent): Promise<boolean> {
    const { state, form } = this.#host
    // The person goes on without files that the browser could not keep.
    if (form.keeper) form.keeper.lostFiles = []
    if (!this.#files) return true
    const problems = await this.#files.send(target, intent === 'submit')
    return problems !== undefined && !this.#show({}, problems) && state.found?.id === target.found.id
  }

  /** Returns the package that was saved, or why it was not. */
  async #save(client: PageClient, formId: number): Promise<Package | Stop> {
    const { element, state, form, onChange } = this.#host
    const { subTypeName, summaryName, detailsName } = element
    let saved = state.found
    if (!form.fields) return { why: 'canceled' }
    const stop = await save({
      ...this.#request(client, formId),
      fields: () => form.known.fields,
      sending: () => form.known.sending,
      controls: form.fields,
      dispatch: (event) => form.dispatch(event),
      extraNames: [subTypeName, summaryName, detailsName],
      subTypeName,
      extras: this.#extras,
      found: state.found,
      creation: state.creation,
      remember: (creation) => {
        state.creation = creation
        onChange()
      },
      created: (found) => {
        saved = found
        state.creation = undefined
        state.found = found
        onChange()
        element.dispatchEvent(new WfChangeEvent(found))
      },
    })
    return stop ?? saved ?? { why: 'canceled' }
  }

  /**
   * Whether a request that the service refuses to route can be re-initiated instead: it was withdrawn, and the person may do that.
   * Re-initiation takes neither another sub-type nor a text for emails.
   */
  async #mayReinitiate(error: unknown, client: PageClient, formId: number): Promise<boolean> {
    const { found } = this.#host.state
    const isRefused = error instanceof RefusedError && error.refusedBy === 'service'
    if (!isRefused || found?.state !== 'PRE_ROUTING') return false
    const { subType, packageDetails } = this.#extras
    if (subType !== (found.subType ?? null) || packageDetails !== null) return false
    try {
      const [getHistory, [actions]] = await Promise.all([
        client.getHistory({ params: { formId, packageId: found.id } }),
        client.getActions({ params: { formId }, query: { id: [found.id] } }),
      ])
      return removalOf({ getHistory }) !== undefined && actions?.tools?.includes('reinitiatePackage') === true
    } catch {
      return false
    }
  }

  async #submit(client: PageClient, formId: number, found: Package, start: RoutingStart): Promise<void> {
    const { element, state, form, onSubmitted } = this.#host
    if (!state.isDraft) return
    const isReturned = found.state === 'DRAFT' && (await wasStarted(client, formId, found.id))
    if (found.state === 'DRAFT' && (await client.getSession()).allows.resubmit === 'link') {
      state.outcome = { kind: 'resubmit', isReturned, isRefused: false }
      return
    }
    this.#check = () =>
      readMissing(element, client, formId, found, element.review, this.#files?.storedIn(found))
    const missing = await this.#check()
    // Files may have been added since the form was checked.
    const problems = [...this.#uploadProblems, ...missingDocuments(element, missing)]
    if (problems.length > 0) return void this.#show({}, problems)
    if (element.review && this.review && form.fields && !state.isReviewing) {
      this.review.begin(form.fields)
      this.review.missing = missing
      state.isReviewing = true
      return
    }
    const typed = screenOf(form.known.fields)
    const request = { ...this.#request(client, formId), extras: this.#extras }
    const routed = await route(request, found, start).catch((error: unknown) => {
      // The service does not say whether it refuses all drafts, or only this one.
      const isRefused =
        found.state === 'DRAFT' && error instanceof RefusedError && error.refusedBy === 'service'
      if (!isRefused || fieldErrorsOf(error)) throw error
      state.outcome = { kind: 'resubmit', isReturned, isRefused, detail: error.detail }
      state.isReviewing = false
      element.dispatchEvent(new WfErrorEvent(error))
      return undefined
    })
    if (!routed) return
    if ('why' in routed) return this.#stop(routed)
    const { subTypeName } = element
    const isSent = Object.hasOwn(typed, subTypeName)
    if (isSent) form.dispatch({ type: 'stored', entry: {}, sent: { [subTypeName]: typed[subTypeName] } })
    state.loaded(routed)
    state.outcome = { kind: 'submitted', at: Date.now() }
    element.dispatchEvent(new WfChangeEvent(routed, found.state, routed.state))
    onSubmitted(routed)
  }

  async #checkAgain(): Promise<void> {
    const { element, state } = this.#host
    const check = this.#check
    if (!state.isReviewing || !this.review || !check) return
    const missing = await check()
    if (check !== this.#check) return
    this.review.missing = missing
    element.requestUpdate()
  }

  #request(client: PageClient, formId: number) {
    const { element } = this.#host
    return {
      client: formClient(client),
      formId,
      confirm: (operation: WfBeforeChangeEvent['operation'], body: unknown) =>
        element.dispatchEvent(new WfBeforeChangeEvent(operation, body)),
    }
  }

  #stop(stop: Stop): void {
    if (stop.why !== 'conflict') return
    this.#host.state.outcome = { ...stop, kind: 'conflict' }
    this.#host.state.isReviewing = false
  }
}

/** Whether a package was in routing before. False if that is not known. */
async function wasStarted(client: PageClient, formId: number, packageId: number): Promise<boolean> {
  const getHistory = await client.getHistory({ params: { formId, packageId } }).catch(() => undefined)
  return latestStart({ getHistory }) !== undefined
}
