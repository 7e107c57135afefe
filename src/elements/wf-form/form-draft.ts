import type { Package } from '../../contract/schemas/workflow.ts'
import { resetForm, setNoValidate } from '../element/form-element.ts'
import { Draft } from './draft.ts'
import { DraftKeeper } from './draft-keeper.ts'
import type { EntryValues } from './entry-merge.ts'
import type { FormContent } from './form-content.ts'
import { FormFields } from './form-fields.ts'
import type { CopyScope, LocalCopy } from './local-copy.ts'
import type { RequestState } from './request-state.ts'

/** The element that a draft belongs to. */
interface FormDraftHost {
  readonly element: HTMLElement & { packageId: number; requestUpdate(): void; refresh(): Promise<void> }
  readonly state: RequestState
  /** The content that has loaded for the package that the element shows. */
  readonly content: () => FormContent | undefined
  /** The key of the local copy, without the package. */
  readonly scope: () => Omit<CopyScope, 'packageId'>
  /** Names of controls whose values are not part of the entry. */
  readonly extras: () => readonly string[]
  /** The name of the control for the sub-type; empty without one. */
  readonly subTypeName: () => string
  readonly isReadOnly: () => boolean
  /** Called if the page was closed before the outcome of a creation was known. */
  readonly onUnsettled: () => void
}

/** The content of a form: the values of the service, and the input from here, from another tab, or from before a reload. */
export class FormDraft {
  readonly #host: FormDraftHost
  readonly #keeper: DraftKeeper
  #form: HTMLFormElement | undefined
  #fields: FormFields | undefined
  #draft: Draft | undefined
  /** The package that the fields show, 0 for a new request; `undefined` before they have been filled. */
  #filled: number | undefined
  /** When the copy was written that the screen shows; `undefined` if it shows none. */
  restoredAt: number | undefined
  /** When the browser has kept what was typed last; 0 if it cannot. */
  keptAt: number | undefined
  /** Whether the screen shows a package that this page created earlier. */
  isContinued = false

  constructor(host: FormDraftHost) {
    this.#host = host
    this.#keeper = new DraftKeeper({ onElsewhere: (copy) => this.#onElsewhere(copy) })
  }

  get form(): HTMLFormElement | undefined {
    return this.#form
  }

  get fields(): FormFields | undefined {
    return this.#fields
  }

  /** Compares the screen with what the service has; `undefined` without a form. */
  get draft(): Draft | undefined {
    return this.#draft
  }

  get isChanged(): boolean {
    return this.#draft?.isChanged ?? false
  }

  /** Whether the fields show the package. */
  get isFilled(): boolean {
    return this.#filled !== undefined
  }

  /** Finds the form, which the page may replace at any time. Moves the input to the new form. */
  findForm(): void {
    const { element, content, extras } = this.#host
    const found = element.querySelector('form') ?? undefined
    if (found === this.#form) return
    const typed = this.isChanged ? this.#draft?.typed : undefined
    this.#form = found
    this.#fields = found && new FormFields(found)
    this.#draft = this.#fields && new Draft(this.#fields, extras)
    // Drafts may be incomplete, so the element checks the fields itself.
    if (found) setNoValidate(found, true)
    const loaded = content()
    if (!loaded) return
    if (this.isFilled) this.#show(loaded, loaded.entry, typed)
    else this.fill(loaded)
  }

  /** Shows a loaded package, unless the person has typed something. */
  fill(content: FormContent): void {
    const { found, entry = {} } = content
    if (!this.#draft || this.#host.state.busy) return
    if (this.#filled !== (found?.id ?? 0)) this.#begin(content)
    else if (this.isChanged) this.#draft.refresh(entry)
    else this.#show(content, entry)
  }

  /** Shows a loaded package if the fields show none, or if the page shows `packageId` by now; 0 is a new request. */
  refill(content: FormContent, packageId: number): void {
    const id = content.found?.id ?? 0
    if (!this.isFilled || (id === packageId && id !== this.#filled)) this.fill(content)
  }

  /** Keeps what is on the screen in this browser. */
  keep(): void {
    if (!this.#draft || !this.isFilled) return
    this.keptAt = this.#keeper.keep(this.#draft, this.#host.state.creation) ? Date.now() : 0
    this.#host.element.requestUpdate()
  }

  /** Notes that the package of a new request was created. */
  created({ id }: Package): void {
    // The element may have been removed meanwhile.
    if (!this.isFilled || id === this.#filled) return
    this.#keeper.created(id)
    this.#open(id)
    this.#host.element.packageId = id
  }

  /** Removes the copy of a request that was submitted. */
  submitted(): void {
    this.#keeper.remove()
    this.isContinued = false
  }

  startNew(): void {
    this.#keeper.remove()
    this.isContinued = false
    this.#host.element.packageId = 0
    this.clear()
  }

  /** Shows what the service has instead of what was typed. */
  discard(): void {
    const content = this.#host.content()
    this.#keeper.remove()
    this.restoredAt = undefined
    if (content) this.#show(content, content.entry ?? this.#draft?.blank)
    this.#host.element.requestUpdate()
  }

  /** Empties the form. */
  clear(): void {
    this.#fields?.setReadOnly(false)
    if (this.#form) resetForm(this.#form)
    this.#filled = undefined
    this.restoredAt = undefined
    this.keptAt = undefined
    this.#draft?.show({})
    this.#host.state.reset()
  }

  /** Ends the reports about other tabs. */
  close(): void {
    this.#keeper.close()
    this.#filled = undefined
  }

  /** See `DraftKeeper`. */
  exclusively(run: () => Promise<void>): Promise<boolean> {
    return this.#keeper.exclusively(run)
  }

  #open(packageId: number): LocalCopy | undefined {
    this.#filled = packageId
    return this.#keeper.open({ ...this.#host.scope(), packageId })
  }

  /** Shows a package for the first time, with what was typed earlier and is not saved. */
  #begin(content: FormContent): void {
    const { found, entry } = content
    const { state } = this.#host
    // The outcome and the answers to check are those of another package.
    if (this.isFilled) Object.assign(state, { outcome: undefined, isReviewing: false })
    const copy = this.#open(found?.id ?? 0)
    if (copy?.packageId) return this.#continue(copy.packageId)
    // It was submitted elsewhere, so the next visit begins a new request.
    if (this.isContinued && found && found.state !== 'PRE_ROUTING' && found.state !== 'DRAFT')
      this.#keeper.remove()
    this.restoredAt = copy?.savedAt
    state.creation = copy?.creation as RequestState['creation']
    this.#show(content, copy?.base ?? entry, copy?.entry)
    if (entry) this.#draft?.refresh(entry)
    if (state.creation) this.#host.onUnsettled()
  }

  #show({ found }: FormContent, entry: EntryValues | undefined, typed?: EntryValues): void {
    const name = this.#host.subTypeName()
    const subType = name && found?.subType ? { [name]: found.subType } : {}
    this.#draft?.show(entry ?? {}, subType, typed)
    this.#fields?.setReadOnly(this.#host.isReadOnly())
  }

  /** Continues with a package that another tab, or this page before a reload, created for this request. */
  #continue(packageId: number): void {
    this.isContinued = true
    this.#host.element.packageId = packageId
  }

  /** Another tab of the person shows the same request. */
  #onElsewhere(copy: LocalCopy | undefined): void {
    const { state } = this.#host
    if (state.busy) return
    if (copy?.packageId) return this.#continue(copy.packageId)
    state.creation = copy?.creation as RequestState['creation']
    const content = this.#host.content()
    if (copy && content) {
      this.#show(content, copy.base ?? content.entry, copy.entry)
      this.keptAt = copy.savedAt
      this.#host.element.requestUpdate()
    } else void this.#host.element.refresh()
  }
}
