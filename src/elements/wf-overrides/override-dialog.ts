import { html, nothing, type ReactiveController, type TemplateResult } from 'lit'
import { RefusedError, SignedOutError, UnavailableError } from '../../client/index.ts'
import type { RoutingOverride, RoutingOverrideBody } from '../../contract/schemas/overrides.ts'
import { type OverrideType, overrideTypes } from '../../contract/values/values.ts'
import type { Texts } from '../../locales/messages.ts'
import { renderPersonField, renderSuggestions } from '../person/person-field.ts'
import { type FindPeople, type Lookup, lookUp } from '../person/person-lookup.ts'
import { failureText, isDone, type OverrideChange } from './override-change.ts'
import type { OverrideContent } from './override-content.ts'
import { type OverrideInputProblem, problemOf } from './override-problem.ts'

/** The element that shows the dialog. */
interface OverrideDialogHost {
  readonly renderRoot: ParentNode
  readonly updateComplete: Promise<boolean>
  readonly addController: (controller: ReactiveController) => void
  readonly requestUpdate: () => void
  /** The content as it is shown now; `undefined` if it has been removed. */
  readonly value: OverrideContent | undefined
  readonly messages: Texts['overrides']
  /** Renders the link to the page where people sign in, in another tab; nothing if its address is not known. */
  readonly renderSignInLink: () => unknown
  /** Loads the content again. */
  readonly refresh: () => Promise<void>
  /** Sends a change. Resolves to false if the page has prevented it. Rejects with an error of the client. */
  readonly send: (change: OverrideChange) => Promise<boolean>
}

type Field = 'subject' | 'replacement'
const fields: readonly Field[] = ['subject', 'replacement']

/** The step that the dialog shows. */
type Step =
  | { readonly kind: 'closed' | 'form' }
  | { readonly kind: 'confirm'; readonly override: RoutingOverrideBody }
  | { readonly kind: 'end'; readonly override: RoutingOverride }

/** The dialog that creates an override in two steps, or ends one. */
export class OverrideDialog implements ReactiveController {
  readonly #host: OverrideDialogHost
  readonly #findPeople: () => FindPeople | undefined
  #step: Step = { kind: 'closed' }
  /** The step that the dialog has shown last: its event `close` arrives later, perhaps when the next one opens. */
  #shown: Step | undefined
  /** Whether people are looked up, or a change is sent. */
  #isBusy = false
  /** Whether a change is sent. Until it has ended, the dialog stays. */
  #isSending = false
  #problem: OverrideInputProblem | undefined
  /** The message above the buttons if a change has failed. */
  #failure: unknown
  /** The result of the latest search of each field. */
  #lookups!: Partial<Record<Field, Lookup>>
  #typed!: Record<Field, string>
  #type: OverrideType | undefined
  /** Names of people from the directory of the page, by university id. */
  readonly #names = new Map<string, string>()
  #search = new AbortController()

  constructor(host: OverrideDialogHost, findPeople: () => FindPeople | undefined) {
    this.#host = host
    this.#findPeople = findPeople
    host.addController(this)
  }

  hostDisconnected(): void {
    this.close()
  }

  /** Opens the form for a new override. */
  create(): void {
    this.#lookups = {}
    this.#typed = { subject: '', replacement: '' }
    this.#type = undefined
    this.#names.clear()
    void this.#show({ kind: 'form' })
  }

  /** Asks whether to end an override. */
  end(override: RoutingOverride): void {
    void this.#show({ kind: 'end', override })
  }

  close(): void {
    this.#search.abort()
    this.#element?.close()
    this.#step = { kind: 'closed' }
    this.#host.requestUpdate()
  }

  render(): TemplateResult {
    const isQuestion = this.#step.kind === 'confirm' || this.#step.kind === 'end'
    return html`
      <dialog
        part="dialog"
        aria-labelledby="title"
        aria-describedby=${isQuestion ? 'consequence' : nothing}
        closedby=${this.#isSending ? 'none' : 'closerequest'}
        @cancel=${this.#onCancelRequest}
        @close=${this.#onClose}
      >
        <form method="dialog" novalidate @submit=${this.#onSubmit}>${this.#renderStep()}</form>
      </dialog>
    `
  }

  #renderStep(): unknown {
    const t = this.#host.messages
    switch (this.#step.kind) {
      case 'form':
        return html`
          <h2 id="title">${t.title}</h2>
          <p>${t.intro}</p>
          ${this.#renderPerson('subject')} ${this.#renderTypes()} ${this.#renderPerson('replacement')}
          ${renderSuggestions(this.#host.value?.names.values() ?? [])}
          ${this.#renderButtons(t.next, t.cancel)}
        `
      case 'confirm': {
        const { subjectUnivid, replacementUnivid, type } = this.#step.override
        const [subject, replacement] = [this.#nameOf(subjectUnivid), this.#nameOf(replacementUnivid)]
        return html`
          <h2 id="title">${t.confirmTitle(subject)}</h2>
          <div id="consequence">
            <p>${type === 'CHANGE' ? t.change(subject) : t.delegate(subject)}</p>
            <p>${t.instead(replacement)}</p>
          </div>
          <ul part="named">
            ${[subjectUnivid, replacementUnivid].map((id) => {
              const name = this.#knownName(id)
              return name === undefined
                ? html`<li class="attention">${t.unknownPerson(id)}</li>`
                : html`<li><bdi>${t.named(name, id)}</bdi></li>`
            })}
          </ul>
          ${this.#renderButtons(t.confirm(subject), t.back, 'title consequence')}
        `
      }
      case 'end': {
        const { subjectUnivid, replacementUnivid } = this.#step.override
        const [subject, replacement] = [this.#nameOf(subjectUnivid), this.#nameOf(replacementUnivid ?? '')]
        return html`
          <h2 id="title">${t.endTitle(subject)}</h2>
          <p id="consequence">${t.endEffect(subject, replacement)}</p>
          ${this.#renderButtons(t.end, t.keep)}
        `
      }
      case 'closed':
        return nothing
    }
  }

  #renderPerson(field: Field): TemplateResult {
    const t = this.#host.messages
    const isSearchable = this.#findPeople() || this.#host.value?.names.size
    return renderPersonField({
      name: field,
      label: t[field],
      hint: isSearchable ? t.personHintWithSearch : t.personHint,
      error: this.#errorOf(field),
      typed: this.#typed[field],
      lookup: this.#lookups[field],
      several: t.several,
      onInput: this.#onInput,
      onChoose: ({ univid, name }) => this.#choose(field, univid, name),
    })
  }

  #renderTypes(): TemplateResult {
    const t = this.#host.messages
    const error = this.#errorOf('type')
    const labels = { DELEGATE: t.delegateChoice, CHANGE: t.changeChoice }
    // The milder effect comes first.
    return html`
      <fieldset
        role="radiogroup"
        aria-labelledby="effect"
        aria-describedby="type-error"
        aria-required="true"
        aria-invalid=${error !== ''}
      >
        <legend id="effect">${t.effect}</legend>
        ${overrideTypes
          .toReversed()
          .map(
            (type) =>
              html`<label
                ><input
                  type="radio"
                  name="type"
                  value=${type}
                  .checked=${this.#type === type}
                  @change=${() => this.#onType(type)}
                />${labels[type]}</label
              >`,
          )}
      </fieldset>
      <p class="error" id="type-error" role="alert">${error}</p>
    `
  }

  /** `described`: ids of what the button that changes nothing is read with, because the focus moves there within the dialog. */
  #renderButtons(next: string, cancel: string, described: unknown = nothing): TemplateResult {
    const t = this.#host.messages
    return html`
      <p class="error" id="failure" role="alert">${this.#failure}</p>
      <div class="buttons">
        <button type="submit" class="solid" aria-disabled=${this.#isBusy}>
          ${this.#isBusy ? t.busy : next}
        </button>
        <button
          type="button"
          aria-describedby=${described}
          aria-disabled=${this.#isSending}
          @click=${this.#onBack}
        >
          ${cancel}
        </button>
      </div>
    `
  }

  #errorOf(field: Field | 'type'): string {
    const t = this.#host.messages
    if (this.#problem?.field === field) return t.problems[this.#problem.problem]
    const kind = field === 'type' ? undefined : this.#lookups[field]?.kind
    return kind === 'none' ? t.notFound : kind === 'failed' ? t.lookupFailed : ''
  }

  get #element(): HTMLDialogElement | null {
    return this.#host.renderRoot.querySelector('dialog')
  }

  #knownName(univid: string): string | undefined {
    return this.#host.value?.names.get(univid) ?? this.#names.get(univid)
  }

  #nameOf(univid: string): string {
    return this.#knownName(univid) ?? this.#host.messages.unknown(univid)
  }

  /** Shows a step. The focus moves to its first control: of a confirmation, to the button that changes nothing. */
  async #show(step: Step): Promise<void> {
    this.#step = step
    this.#problem = undefined
    this.#failure = undefined
    this.#host.requestUpdate()
    await this.#host.updateComplete
    if (this.#step !== step) return
    this.#shown = step
    const element = this.#element
    if (element && !element.open) element.showModal()
    element?.querySelector<HTMLElement>(step.kind === 'form' ? 'input' : '[type=button]')?.focus()
  }

  readonly #onCancelRequest = (event: Event): void => {
    if (this.#isSending) event.preventDefault()
  }

  readonly #onClose = (): void => {
    if (!this.#isSending && !this.#element?.open && this.#step === this.#shown) this.close()
  }

  readonly #onBack = (): void => {
    if (this.#isSending) return
    if (this.#step.kind === 'confirm') void this.#show({ kind: 'form' })
    else this.close()
  }

  readonly #onInput = ({ target }: Event): void => {
    const { name, value } = target as HTMLInputElement
    this.#search.abort()
    this.#typed[name as Field] = value
    delete this.#lookups[name as Field]
    this.#clear(name)
  }

  #onType(type: OverrideType): void {
    this.#type = type
    this.#clear('type')
  }

  #choose(field: Field, univid: string, name: string): void {
    this.#names.set(univid, name)
    this.#lookups[field] = { kind: 'found', univid, name }
    this.#typed[field] = name
    this.#clear(field)
    void this.#focus(field)
  }

  #clear(field: string): void {
    if (this.#problem?.field === field) this.#problem = undefined
    this.#host.requestUpdate()
  }

  async #focus(name: string): Promise<void> {
    this.#host.requestUpdate()
    await this.#host.updateComplete
    const find = (wanted: string) => this.#element?.querySelector<HTMLElement>(`[name=${wanted}]`)
    ;(find(`${name}-choice`) ?? find(name))?.focus()
  }

  readonly #onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (this.#isBusy) return
    this.#isBusy = true
    this.#failure = undefined
    this.#host.requestUpdate()
    try {
      await (this.#step.kind === 'form' ? this.#check() : this.#confirm())
    } finally {
      this.#isBusy = false
      this.#host.requestUpdate()
    }
  }

  /** Looks up both people, and goes on to the confirmation if nothing speaks against it. */
  async #check(): Promise<void> {
    const { value } = this.#host
    if (!value) return this.#showFailure(this.#renderSignedOut())
    const search = new AbortController()
    this.#search = search
    // A directory that does not respond must not hold up what is typed next.
    const stopped = new Promise<undefined>((resolve) =>
      search.signal.addEventListener('abort', () => resolve(undefined)),
    )
    for (const field of fields) {
      const known = this.#lookups[field]
      if (known?.kind === 'found' || !this.#typed[field].trim()) continue
      const found = lookUp(this.#typed[field], value.names, this.#findPeople(), search.signal)
      const lookup = await Promise.race([found, stopped])
      if (!lookup) return
      this.#lookups[field] = lookup
    }
    const idOf = (field: Field) => {
      const lookup = this.#lookups[field]
      if (lookup?.kind !== 'found') return undefined
      if (lookup.name) this.#names.set(lookup.univid, lookup.name)
      return lookup.univid
    }
    const open = fields.find((field) => this.#typed[field].trim() && !idOf(field))
    if (open) return await this.#focus(open)
    const wanted = {
      subjectUnivid: idOf('subject') ?? '',
      replacementUnivid: idOf('replacement') ?? '',
      ...(this.#type && { type: this.#type }),
    }
    this.#problem = problemOf(wanted, this.#host.value ?? value)
    if (this.#problem || !this.#type) return await this.#focus(this.#problem?.field ?? 'type')
    const override = { ...wanted, type: this.#type, reason: 'CONFLICT_OF_INTEREST' } as const
    await this.#show({ kind: 'confirm', override })
  }

  async #confirm(): Promise<void> {
    const step = this.#step
    if (step.kind !== 'confirm' && step.kind !== 'end') return
    const change: OverrideChange =
      step.kind === 'confirm'
        ? { operation: 'createOverride', override: step.override }
        : { operation: 'deactivateOverride', override: step.override }
    this.#isSending = true
    try {
      await this.#host.send(change)
    } catch (error) {
      const isUnknown = error instanceof UnavailableError
      if (isUnknown) await this.#host.refresh()
      // The page may show another package by now.
      if (this.#step !== step) return
      if (!isUnknown || !isDone(change, this.#host.value?.overrides)) return this.#fail(error)
    } finally {
      this.#isSending = false
    }
    if (this.#step === step) this.close()
  }

  #fail(error: unknown): void {
    const isSignedOut = error instanceof SignedOutError
    const failure = isSignedOut ? this.#renderSignedOut() : failureText(error, this.#host.messages)
    const detail = error instanceof RefusedError && error.status !== 409 && error.detail
    this.#showFailure(detail ? html`${failure} <bdi lang="en">${detail}</bdi>` : failure)
  }

  #showFailure(failure: unknown): void {
    this.#failure = failure
    this.#host.requestUpdate()
    // Browsers close a dialog on the second Escape even if `cancel` is prevented; the problem must still be seen.
    if (this.#step.kind !== 'closed' && !this.#element?.open) this.#element?.showModal()
  }

  #renderSignedOut(): TemplateResult {
    return html`${this.#host.messages.signedOut} ${this.#host.renderSignInLink()}`
  }
}
