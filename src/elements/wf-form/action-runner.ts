import type { Package } from '../../contract/schemas/workflow.ts'
import { addStyles } from '../element/late-styles.ts'
import type { RouteslipElement } from '../element/routeslip-element.ts'
import type { Announcer } from '../notices/announcer.ts'
import type { ExtraSettings } from './state/extras.ts'
import type { FormTarget } from './state/form-content.ts'
import type { FormDraft } from './draft/form-draft.ts'
import { type FormTexts, statusText } from './state/form-texts.ts'
import { loadReview, loadSender } from './late.ts'
import type { Intent, RequestState } from './state/request-state.ts'
import type { Sender, SenderSettings } from './sending/sender.ts'

/** The form whose actions run. */
interface ActionHost {
  readonly element: RouteslipElement & ExtraSettings & SenderSettings
  readonly state: RequestState
  readonly form: FormDraft
  readonly target: () => FormTarget | undefined
  readonly isReadOnly: () => boolean
  readonly texts: () => FormTexts
  /** Returns the address at which the draft is continued; `undefined` without one. */
  readonly draftUrl: () => string | undefined
  readonly announcer: Announcer
  /** Called after an attempt, before its outcome is announced. */
  readonly onEnd: () => void
  readonly onSubmitted: (found: Package) => void
}

/** Milliseconds after the last change until a draft is saved by itself. */
export const autosaveDelay = 1000

/** Runs the actions of a form, one at a time. Loads the code that saves when a person begins to edit. */
export class ActionRunner {
  readonly #host: ActionHost
  #timer: ReturnType<typeof setTimeout> | undefined
  /** `undefined` until its code has loaded. */
  #sender: Sender | undefined
  /** The latest action. */
  #latest: { readonly isQuiet: boolean; readonly end: Promise<void> } | undefined
  /** Whether the code that saves could not be loaded for the latest action. */
  isIncomplete = false

  constructor(host: ActionHost) {
    this.#host = host
  }

  /** Loads the code that saves. It is large, and people who only read a request do not need it. */
  async load(): Promise<Sender | undefined> {
    const { element, form } = this.#host
    const parts = Promise.all([loadSender(), element.review ? loadReview() : undefined, form.load()])
    const [Sender, Review] = await parts.catch(() => [])
    if (!Sender) return undefined
    this.#sender ??= new Sender({
      ...this.#host,
      onChange: () => this.#onChange(),
      onAgain: () => void this.again(),
      onSubmit: () => void this.run('submit'),
    })
    if (Review) this.#sender.review ??= new Review()
    addStyles(element, [...Sender.styles, ...(Review?.styles ?? [])])
    const isComplete = await this.#sender.loadFiles().then(
      () => true,
      () => false,
    )
    return isComplete ? this.#sender : undefined
  }

  /**
   * Runs an action. While the form is being saved, it waits: people do not press twice because the form saves by itself. Does
   * nothing if the same button is pressed again, or if the request is being submitted. `isQuiet`: the person has not asked
   * for it, so the focus stays where it is.
   */
  async run(intent: Intent, isQuiet = false): Promise<void> {
    const { state } = this.#host
    const isSaving = state.busy && state.lastIntent === 'save'
    if (isSaving && (this.#latest?.isQuiet || intent === 'submit')) await this.#latest?.end
    if (state.busy) return
    this.#latest = { isQuiet, end: this.#run(intent, isQuiet) }
    await this.#latest.end
  }

  async #run(intent: Intent, isQuiet: boolean): Promise<void> {
    const { element, state, form, target, isReadOnly, texts, announcer, onEnd } = this.#host
    const [client, formId, packageId] = target() ?? []
    if (!client || !formId || !form.form || isReadOnly()) return
    // What is not known must not be created a second time.
    if (packageId && !state.found) return
    this.stopTimer()
    state.lastIntent = intent
    // Before the answers are checked, they are only saved.
    state.busy = element.review && !state.isReviewing ? 'save' : intent
    element.requestUpdate()
    let sender: Sender | undefined
    let isSent: boolean | undefined
    try {
      sender = await this.load()
      this.isIncomplete = !sender
      isSent = await sender?.run(intent, client, formId, isQuiet)
    } finally {
      state.busy = undefined
      element.requestUpdate()
    }
    if (isSent) onEnd()
    await element.updateComplete
    if (isSent) announcer.announce(statusText(state, form, texts()))
    if (!sender) announcer.announce(texts().messages.incomplete)
    if (!isQuiet) await sender?.focus()
  }

  async again(): Promise<void> {
    await this.run(this.#host.state.lastIntent)
  }

  /** Saves a draft after a pause. If something is being sent then, its end is awaited: it may lack the latest input. */
  saveLater(): void {
    this.stopTimer()
    this.#timer = setTimeout(() => {
      if (this.#host.state.busy) this.saveLater()
      else void this.run('save', true)
    }, autosaveDelay)
  }

  /** A script of the page has kept a press of one of our buttons from us. */
  async onStopped(): Promise<void> {
    const sender = await this.load()
    sender?.hints.reportStopped()
  }

  stopTimer(): void {
    clearTimeout(this.#timer)
  }

  /** Renders what is not valid, and what kept the latest attempt from succeeding. */
  render(): unknown {
    return this.#sender?.render()
  }

  /** Renders the step before a submission; `undefined` if the form is shown. */
  renderReview(): ReturnType<Sender['renderReview']> {
    return this.#sender?.renderReview()
  }

  /** Renders the files in inputs of the page, and where the draft is continued, after it was saved. */
  renderBelow(): unknown {
    return this.#sender?.renderBelow()
  }

  /** Forgets what is not valid. */
  clear(): void {
    this.#sender?.clear()
  }

  /** The package was created, or it is not known whether it was. */
  #onChange(): void {
    const { state, form } = this.#host
    if (state.found && !state.creation) form.created(state.found)
    form.keep()
  }
}
