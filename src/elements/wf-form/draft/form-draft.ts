import type { Package } from '../../../contract/schemas/workflow.ts'
import type { DraftKeeper } from '../kept/draft-keeper.ts'
import type { EntryValues } from '../state/entry-merge.ts'
import type { FormContent } from '../state/form-content.ts'
import type { FormControl } from '../fields/form-controls.ts'
import type * as fieldsCode from '../fields/form-fields.ts'
import type { Effect, FormEvent, FormState } from '../state/form-state.ts'
import type { CopyScope, LocalCopy } from '../kept/local-copy.ts'
import type { RequestState } from '../state/request-state.ts'

/** The element that a draft belongs to. */
interface FormDraftHost {
  readonly element: HTMLElement & { packageId: number; requestUpdate(): void; refresh(): Promise<void> }
  readonly state: RequestState
  /** The content that has loaded for the package that the element shows. */
  readonly content: () => FormContent | undefined
  /** The key of the local copy, without the package. */
  readonly scope: () => Omit<CopyScope, 'packageId'>
  /** The name of the control for the sub-type; empty without one. */
  readonly subTypeName: () => string
  readonly isReadOnly: () => boolean
  /** The template of the addresses of drafts; empty without one. */
  readonly draftUrl: () => string
  /** Called if a script of the page has changed a value. */
  readonly onEdit: () => void
  /** Called if the page was closed before the outcome of a creation was known. */
  readonly onUnsettled: () => void
}

/** The forms of this page. */
const all = new Set<FormDraft>()

/** The content of a form: the values of the service, and the input from here, from another tab, or from before a reload. */
export class FormDraft {
  readonly #host: FormDraftHost
  #code: typeof fieldsCode | undefined
  #stopWatching: (() => void) | undefined
  #form: HTMLFormElement | undefined
  #fields: fieldsCode.FormFields | undefined
  #state: FormState = { fields: new Map(), own: {}, sending: {} }
  /** The package that the fields show, 0 for a new request; `undefined` before they have been filled. */
  #filled: number | undefined
  /** Which of the new requests on this page is shown; `undefined` if it was none. */
  #place: number | undefined
  /** Whether the form is emptied here, and not by the page. */
  #isClearing = false
  /** The controls that a person has used before the code of the fields has loaded. */
  readonly #early: FormControl[] = []
  /** `undefined` until its code has loaded. */
  keeper: DraftKeeper | undefined
  /** When the copy was written that the screen shows; `undefined` if it shows none. */
  restoredAt: number | undefined
  /** When the browser has kept what was typed last; 0 if it cannot. */
  keptAt: number | undefined
  /** When the request was submitted, if the person has come back to the page on which that happened. */
  submittedAt: number | undefined
  /** Whether the element is inside the form, which has other fields as well. */
  isInside = false
  /** Whether the screen shows a package that this page created earlier. */
  isContinued = false

  constructor(host: FormDraftHost) {
    this.#host = host
  }

  /** The code that reads and writes the fields; `undefined` until it has loaded. */
  get code(): typeof fieldsCode | undefined {
    return this.#code
  }

  get form(): HTMLFormElement | undefined {
    return this.#form
  }

  get fields(): fieldsCode.FormFields | undefined {
    return this.#fields
  }

  /** The knowledge about the fields. */
  get known(): FormState {
    return this.#state
  }

  /** Whether the screen differs from what the service has. */
  get isChanged(): boolean {
    return (this.#fields && this.#code?.isChanged(this.#state)) ?? false
  }

  /** Notes what has happened, after what the controls contain now, and does what follows. */
  dispatch(event: FormEvent): void {
    this.read()
    this.note(event)
  }

  /** Reads the screen. Returns whether it differs from what was read before. */
  read(): boolean {
    const fields = this.#fields
    const before = this.#state.fields
    if (fields) this.note({ type: 'read', readings: fields.read(), isInEditor: fields.isInEditor })
    return this.#state.fields !== before
  }

  /** Notes what has happened, and does what follows. */
  note(event: FormEvent): void {
    const [state, ...effects] = this.#code?.next(this.#state, event) ?? [this.#state]
    this.#state = state
    for (const effect of effects) this.#do(effect)
    // The page may have reacted with values and controls of its own.
    if (effects.length > 0) this.read()
  }

  #do(effect: Effect): void {
    const fields = this.#fields
    if (!fields) return
    if (effect.do === 'show') {
      fields.write(effect.values)
      return this.note({ ...effect, type: 'filled', readings: fields.peek() })
    }
    this.#isClearing = true
    fields.empty(this.#state.own)
    this.#isClearing = false
  }

  /** Whether the fields show the package. */
  get isFilled(): boolean {
    return this.#filled !== undefined
  }

  /** Loads the code that reads and writes the fields. */
  async load(): Promise<void> {
    this.#code ??= await import('../fields/form-fields.ts')
    this.keeper ??= new this.#code.DraftKeeper({ onElsewhere: (copy) => this.#onElsewhere(copy) })
    if (this.#host.element.isConnected) this.findForm()
  }

  /** Finds the form, which the page may replace at any time. Moves the input to the new form. */
  findForm(): void {
    const { element, content } = this.#host
    all.add(this)
    this.#stopWatching ??= this.#code?.watchValues(element, this)
    // Of several, the first that is no search.
    const inner =
      element.querySelector<HTMLFormElement>('form:not([role=search], [method=get])') ??
      element.querySelector('form')
    // In pages that are one form, parsers drop the tag of a form inside it.
    const found = inner ?? element.closest('form') ?? undefined
    if (found === this.#form && (this.#fields || !this.#code)) return
    if (found && !inner && found !== this.#form)
      console.info('This <wf-form> takes the fields inside it. They belong to this form around it:', found)
    this.#form = found
    this.isInside = found !== undefined && !inner
    this.#fields = found && this.#code && new this.#code.FormFields(found, inner ?? element)
    this.note({ type: 'replaced' })
    for (const control of this.#fields ? this.#early.splice(0) : []) this.#fields?.entered(control, true)
    // Its other controls are new, so they show what is known.
    this.read()
    const loaded = content()
    if (!loaded || !this.#fields) return
    if (this.isFilled) this.#lock()
    else this.fill(loaded)
  }

  /** Notes that a person has used a control. Once their code has loaded, the fields notice it themselves. */
  used(control: FormControl): void {
    if (!this.#fields) this.#early.push(control)
  }

  /** Shows a loaded package, unless the person has typed something. */
  fill(content: FormContent): void {
    if (!this.#fields || this.#host.state.busy) return
    if (this.#filled !== (content.found?.id ?? 0)) return this.#begin(content)
    this.dispatch({ type: 'loaded', entry: this.#entryOf(content) })
    this.#lock()
  }

  /** Shows a loaded package if the fields show none, or if the page shows `packageId` by now; 0 is a new request. */
  refill(content: FormContent, packageId: number): void {
    const id = content.found?.id ?? 0
    if (!this.isFilled || (id === packageId && id !== this.#filled)) this.fill(content)
  }

  /** Locks what the person may not do with the request. */
  #lock(): void {
    const { content, isReadOnly } = this.#host
    if (this.#code) this.#fields?.lock(this.#code.lockOf(content(), isReadOnly()))
  }

  /** Reads the screen, which scripts of the page may have changed. */
  look(): void {
    if (this.isFilled && this.read()) this.#host.onEdit()
  }

  /** Keeps what is on the screen in this browser. */
  keep(): void {
    if (!this.#fields || !this.#code || !this.isFilled) return
    this.read()
    const { fields } = this.#state
    const { keptOf, secretsOf } = this.#code
    const { creation } = this.#host.state
    const isKept = this.keeper?.keep(keptOf(fields), secretsOf(fields), creation, this.#fields.chosenFiles)
    this.keptAt = isKept ? Date.now() : 0
    this.#host.element.requestUpdate()
  }

  /** Notes that the package of a new request was created. */
  created({ id }: Package): void {
    // The element may have been removed meanwhile.
    if (!this.isFilled || id === this.#filled) return
    this.keeper?.created(id)
    this.#open(id)
    this.#host.element.packageId = id
  }

  /** Removes the copy of a request that was submitted, and notes it for people who come back to the page. */
  submitted({ id }: Package): void {
    this.#code?.markSubmitted(this.#mark, id)
    this.keeper?.remove()
    this.isContinued = false
  }

  /** The browser shows the page again as it was left. */
  shownAgain(): void {
    const { outcome } = this.#host.state
    if (outcome?.kind !== 'submitted') return
    this.submittedAt = outcome.at
    this.isContinued = true
    this.#host.element.requestUpdate()
  }

  startNew(): void {
    this.keeper?.remove()
    this.#code?.leaveDraft(this.#host.draftUrl())
    this.#code?.removeMark(this.#mark)
    this.submittedAt = undefined
    this.isContinued = false
    this.#host.element.packageId = 0
    this.clear()
  }

  /** Shows what the service has instead of what was typed. */
  discard(): void {
    this.keeper?.remove()
    this.restoredAt = this.keptAt = undefined
    this.dispatch({ type: 'discarded' })
    this.#host.element.requestUpdate()
    this.#fields?.focusFirst()
  }

  /** The page is about to reset the form, unless it changes its mind. */
  onReset(event: Event): void {
    if (this.#isClearing) return
    const isScripted = this.#state.origins?.isUntouched
    setTimeout(() => {
      if (!this.isFilled || event.defaultPrevented) return
      // A script empties the form when the page opens, or when it was sent.
      if (isScripted) {
        this.#fields?.forget()
        this.read()
      } else if (this.#host.state.busy) this.keep()
      // A script may have made what was typed the default before.
      else if (this.read() || !this.isChanged) this.discard()
    })
  }

  /** Empties the form. */
  clear(): void {
    this.#fields?.lock('none')
    this.note({ type: 'emptied' })
    this.#filled = undefined
    this.restoredAt = undefined
    this.keptAt = undefined
    this.#host.state.reset()
  }

  /** Ends the reports about other tabs. */
  close(): void {
    this.keeper?.close()
    this.#filled = undefined
    this.#stopWatching?.()
    this.#stopWatching = undefined
    all.delete(this)
  }

  /** See `DraftKeeper`. */
  exclusively(run: () => Promise<void>): Promise<boolean> {
    return this.keeper?.exclusively(run) ?? run().then(() => true)
  }

  /** Names this form in the history of the browser. */
  get #mark(): string {
    return `${this.#host.scope().formId} ${this.#place ?? 0}`
  }

  #open(packageId: number): LocalCopy | undefined {
    this.#filled = packageId
    if (!packageId) this.#place ??= this.#findPlace()
    return this.keeper?.open({ ...this.#host.scope(), packageId, place: this.#place ?? 0 })
  }

  /** Returns the position of this new request among those of the same form, in the order of the page. */
  #findPlace(): number {
    const { element, scope } = this.#host
    const { endpoint, formId } = scope()
    const others = [...all].filter((other) => {
      const found = other.#host.scope()
      const isNew = other.#place !== undefined || !other.#host.element.packageId
      return other !== this && isNew && found.endpoint === endpoint && found.formId === formId
    })
    const isBefore = (other: Element) =>
      (other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) > 0
    let place = others.filter((other) => isBefore(other.#host.element)).length
    while (others.some((other) => other.#place === place)) place++
    return place
  }

  /** Shows a package for the first time, with what was typed earlier and is not saved. */
  #begin(content: FormContent): void {
    const { found } = content
    const { state } = this.#host
    const wasFilled = this.isFilled
    // The outcome and the answers to check are those of another package.
    if (this.isFilled) {
      Object.assign(state, { outcome: undefined, isReviewing: false })
      this.#fields?.emptyFiles()
    }
    const copy = this.#open(found?.id ?? 0)
    const addressed = found ? 0 : this.#code?.draftInAddress(this.#host.draftUrl(), this.#host.scope().formId)
    const mark = found ? undefined : this.#code?.readMark(this.#mark)
    if (mark && (!addressed || addressed === mark.packageId)) {
      this.submittedAt = mark.at
      return this.#continue(mark.packageId)
    }
    const known = addressed || copy?.packageId
    if (known) return this.#continue(known)
    // It was submitted elsewhere, so the next visit begins a new request.
    if (this.isContinued && found && found.state !== 'PRE_ROUTING' && found.state !== 'DRAFT')
      this.keeper?.remove()
    // Others may correct a request in routing, which is no draft of theirs.
    if (found && !state.isDraft && !this.#host.isReadOnly() && this.submittedAt === undefined)
      this.isContinued = false
    this.restoredAt = copy?.savedAt
    state.creation = copy?.creation as RequestState['creation']
    this.dispatch({
      type: 'opened',
      entry: this.#entryOf(content),
      kept: copy ?? { entry: {} },
      isOther: wasFilled,
    })
    if (state.creation) this.note({ type: 'sending', values: state.creation.body.entry })
    this.#lock()
    if (this.isChanged && !copy) this.keep()
    if (state.creation) this.#host.onUnsettled()
  }

  /** The values of the service, with the sub-type, which has a control. */
  #entryOf({ found, entry = {} }: FormContent): EntryValues {
    const name = this.#host.subTypeName()
    return { ...entry, ...(name && found?.subType && { [name]: found.subType }) }
  }

  /** Continues with a package that another tab, or this page before a reload, created for this request. */
  #continue(packageId: number): void {
    this.isContinued = true
    // Until it has loaded, the screen is that of no request.
    this.#filled = undefined
    Object.assign(this.#host.state, { outcome: undefined, isReviewing: false })
    this.#host.element.packageId = packageId
  }

  /** Another tab of the person shows the same request. */
  #onElsewhere(copy: LocalCopy | undefined): void {
    const { state } = this.#host
    if (state.busy) return
    if (copy?.packageId) return this.#continue(copy.packageId)
    state.creation = copy?.creation as RequestState['creation']
    if (copy && this.#host.content()) {
      this.dispatch({ type: 'copied', kept: copy })
      this.keptAt = copy.savedAt
      this.#host.element.requestUpdate()
    } else void this.#host.element.refresh()
  }
}
