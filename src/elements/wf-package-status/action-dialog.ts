import {
  adoptStyles,
  css,
  html,
  LitElement,
  nothing,
  type ReactiveController,
  type TemplateResult,
} from 'lit'
import { type RefusedError, UnavailableError } from '../../client/index.ts'
import type { Attachment } from '../../contract/attachments.ts'
import { type Transition, type TransitionName, transitions } from '../../contract/transitions.ts'
import { isUnivid } from '../../contract/patterns.ts'
import { voidReasons } from '../../contract/values.ts'
import type { Package } from '../../contract/workflow.ts'
import { common, packageStatus } from '../../locales/en.ts'
import { packageActions } from '../../locales/en-package-actions.ts'
import type { Messages } from '../../locales/messages.ts'
import { type ShownPackage, WfBeforeChangeEvent, WfErrorEvent } from '../events.ts'
import type { PackageTarget } from '../package-element.ts'
import { messagesLanguage, messagesFor } from '../messages.ts'
import { type ActionName, type PackageStatusContent, labelOf, reasonOf } from './content.ts'

/** The element that the dialogs belong to. */
type Host = LitElement & {
  readonly value: PackageStatusContent | undefined
  refresh(): Promise<void>
}

/** What the dialogs cannot see from outside of their element. */
export interface ActionDialogOptions {
  /** What the element shows, or is to show. */
  readonly target: () => PackageTarget | undefined
  /** What the person may do now. */
  readonly offered: () => readonly ActionName[]
  /** University id of who is signed in, where that is known. */
  readonly person: () => string | undefined
  /** Called with what an action has made of the package that is shown. */
  readonly done: (found: Package) => void
  /** Whether what the element shows could not be read anew. */
  readonly isStale: () => boolean
  /** Called when a dialog has closed and what opened it may be gone: takes the focus. */
  readonly leave: () => void
}

/** The one dialog that confirms every action: it says what will happen, asks for what is needed, and carries it out. */
export class ActionDialog implements ReactiveController {
  readonly #host: Host
  readonly #options: ActionDialogOptions
  /** What the dialog was opened for. */
  #asked:
    | {
        readonly name: ActionName
        readonly target: PackageTarget
        readonly found: ShownPackage
        readonly person: string | undefined
      }
    | undefined
  #isBusy = false
  #error = ''
  /** Whether the error is about the input. */
  #isInvalid = false
  /** Names of the attachments that a PDF cannot hold; null where that cannot be told, undefined until it is read. */
  #leftOut: readonly string[] | null | undefined
  /** What is chosen for the PDF. */
  #chosen: Readonly<Record<string, boolean>> = {}

  constructor(host: Host, options: ActionDialogOptions) {
    this.#host = host
    this.#options = options
    adoptStyles(host.renderRoot as ShadowRoot, [
      ...(host.constructor as typeof LitElement).elementStyles,
      styles,
    ])
    host.addController(this)
  }

  /** Opens the dialog of an action. */
  async open(name: ActionName): Promise<void> {
    const target = this.#options.target()
    const found = this.#host.value?.found
    if (!target || !found || this.#isBusy || this.#dialog?.open) return
    this.#asked = { name, target, found, person: this.#options.person() }
    this.#chosen = {}
    this.#say('')
    if (name === 'getPdf') void this.#findLeftOut(target)
    await this.#host.updateComplete
    this.#form?.reset()
    // Opened only now, because the first control gets the focus.
    if (this.#host.isConnected) this.#dialog?.showModal()
  }

  /** Someone else was quicker than whoever has the dialog open. */
  stateChanged(): void {
    if (this.#dialog?.open && !this.#isBusy && !this.#isOffered) this.#say(this.#overtaken)
  }

  hostUpdate(): void {
    if (!this.#isAskedForThis) this.#dialog?.close()
  }

  hostDisconnected(): void {
    // Elsewhere it would come back open, but over nothing.
    this.#dialog?.close()
  }

  render(): TemplateResult {
    return html`
      <dialog
        part="dialog"
        lang=${messagesLanguage(this.#host)}
        closedby=${this.#isBusy ? 'none' : 'closerequest'}
        aria-labelledby="title"
        aria-describedby="consequence"
        @cancel=${this.#onCancel}
        @close=${this.#onClose}
      >
        <form method="dialog" novalidate @submit=${this.#onSubmit} @input=${this.#onInput}>
          ${this.#asked ? this.#renderForm(this.#asked.name, this.#asked.target) : nothing}
        </form>
      </dialog>
    `
  }

  get #words(): Messages['packageActions'] {
    return messagesFor(this.#host, 'packageActions', packageActions)
  }

  get #status(): Messages['packageStatus'] {
    return messagesFor(this.#host, 'packageStatus', packageStatus)
  }

  get #dialog(): HTMLDialogElement | null {
    return this.#host.renderRoot.querySelector('dialog')
  }

  get #form(): HTMLFormElement | null {
    return this.#host.renderRoot.querySelector('dialog form')
  }

  /** Whether the element still is about the package that the dialog was opened for, and nobody else has signed in. */
  get #isAskedForThis(): boolean {
    const target = this.#options.target()
    const { target: asked = [], person } = this.#asked ?? {}
    const isTheirs = !person || (this.#options.person() ?? person) === person
    return isTheirs && asked.every((part, index) => part === target?.[index])
  }

  get #isOffered(): boolean {
    return this.#asked !== undefined && this.#options.offered().includes(this.#asked.name)
  }

  get #overtaken(): string {
    return this.#words.overtaken(labelOf(this.#host.value?.found.state ?? '', this.#status))
  }

  #renderForm(name: ActionName, [client, formId, packageId]: PackageTarget) {
    const t = this.#words
    const action = this.#status[name]
    const isLoss = losses.includes(name)
    return html`
      <h2 id="title">${t.title(action, packageId)}</h2>
      <p id="consequence">${t[name]}</p>
      ${this.#renderInput(name)}
      <p class="error" id="error" role="alert">${this.#error}</p>
      <div class="buttons">
        <button type="button" aria-disabled=${this.#isBusy} @click=${this.#onKeep}>
          ${isLoss ? t.keep : t.cancel}
        </button>
        ${
          name === 'getPdf'
            ? html`<a
                class="button solid"
                download
                href=${client.href('getPdf', { formId, packageId }, this.#chosen)}
                @click=${this.#onKeep}
                >${action}</a
              >`
            : html`<button
                type="submit"
                class=${isLoss ? 'danger solid' : 'solid'}
                aria-disabled=${this.#isBusy}
              >
                ${this.#isBusy ? t.busy : action}
              </button>`
        }
      </div>
    `
  }

  #renderInput(name: ActionName) {
    const t = this.#words
    switch (name) {
      case 'voidPackage':
        return html`
          <fieldset
            role="radiogroup"
            aria-labelledby="question"
            aria-describedby="error"
            aria-required="true"
            aria-invalid=${this.#isInvalid}
          >
            <legend id="question">${t.voidQuestion}</legend>
            ${voidReasons.map((reason) => renderChoice('radio', 'reason', reason, reasonOf(reason, this.#status)))}
          </fieldset>
        `
      case 'returnPackage':
        return html`
          <label class="field">
            ${t.univid}
            <input
              name="univid"
              inputmode="numeric"
              autocomplete="off"
              aria-required="true"
              aria-invalid=${this.#isInvalid}
              aria-describedby="error"
            />
          </label>
        `
      case 'returnToInitiator':
        return html`
          <label class="field">
            ${t.comment}
            <textarea
              name="comment"
              rows="4"
              aria-required="true"
              aria-invalid=${this.#isInvalid}
              aria-describedby="hint error"
            ></textarea>
          </label>
          <p class="detail" id="hint">${t.commentHint}</p>
        `
      case 'getPdf':
        return html`
          <fieldset aria-labelledby="title">
            ${(['includeRouting', 'mergeAttachments'] as const).map((part) =>
              renderChoice('checkbox', part, 'true', t[part]),
            )}
          </fieldset>
          ${this.#chosen['mergeAttachments'] ? this.#renderLeftOut() : nothing}
        `
      default:
        return nothing
    }
  }

  #renderLeftOut() {
    const t = this.#words
    if (this.#leftOut === null) return html`<p class="detail">${t.leftOutUnknown}</p>`
    if (!this.#leftOut?.length) return nothing
    return html`
      <p class="detail">${t.leftOut}</p>
      <ul class="detail">
        ${this.#leftOut.map((name) => html`<li><bdi>${name}</bdi></li>`)}
      </ul>
    `
  }

  #say(error: string, isInvalid = false): void {
    this.#error = error
    this.#isInvalid = isInvalid
    this.#host.requestUpdate()
  }

  readonly #onKeep = (): void => {
    if (!this.#isBusy) this.#dialog?.close()
  }

  readonly #onCancel = (event: Event): void => {
    if (this.#isBusy) event.preventDefault()
  }

  /** Browsers give the focus back to the button, where it is still there. */
  readonly #onClose = (): void => {
    const focused = this.#host.shadowRoot?.activeElement
    if (!focused || this.#dialog?.contains(focused)) this.#options.leave()
  }

  readonly #onInput = (event: Event): void => {
    const { name, checked } = event.target as HTMLInputElement
    this.#chosen = { ...this.#chosen, [name]: checked }
    this.#say('')
  }

  /** The services do not tell the type of an attachment, so its name has to. */
  async #findLeftOut([client, formId, packageId]: PackageTarget): Promise<void> {
    this.#leftOut = undefined
    const found: readonly (Attachment | null)[] | null = await client
      .getAttachments({ params: { formId, packageId } })
      .catch(() => null)
    this.#leftOut =
      found?.flatMap((attachment) => {
        const name = attachment?.fileName ?? ''
        return attachment && !/\.pdf$/i.test(name) ? name || `${attachment.id}` : []
      }) ?? null
    this.#host.requestUpdate()
  }

  /** What to send, or what is wrong with the input. */
  #read(name: ActionName, form: FormData, { id, subType = null }: ShownPackage): object | string | undefined {
    const text = (field: string) => {
      const value = form.get(field)
      return typeof value === 'string' ? value.trim() : ''
    }
    switch (name) {
      case 'routePackage':
        return { state: 'ROUTING', subType }
      case 'voidPackage':
        return text('reason')
          ? { id, state: 'VOID', voidReason: text('reason') }
          : this.#words.voidReasonMissing
      case 'returnPackage':
        return isUnivid(text('univid')) ? { univid: text('univid') } : this.#words.unividMissing
      case 'returnToInitiator':
        return text('comment') ? { comment: text('comment') } : this.#words.commentMissing
      default:
        return undefined
    }
  }

  readonly #onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const { name, target, found } = this.#asked ?? {}
    if (this.#isBusy || !name || !target || !found || name === 'getPdf' || !this.#isAskedForThis) return
    const { value } = this.#host
    // Where nothing is shown any more, for instance because someone has signed out, the proxy decides.
    if (value && !this.#isOffered) {
      this.#say(value.found.state === found.state ? this.#words.forbidden : this.#overtaken)
      return
    }
    const form = event.currentTarget as HTMLFormElement
    const body = this.#read(name, new FormData(form), found)
    if (typeof body === 'string') {
      this.#say(body, true)
      form.querySelector<HTMLElement>('input, textarea')?.focus()
      return
    }
    if (!this.#host.dispatchEvent(new WfBeforeChangeEvent(name, body))) {
      this.#dialog?.close()
      return
    }

    this.#isBusy = true
    this.#say('')
    try {
      const [client, formId, packageId] = target
      const perform = client[name] as unknown as (input: {
        readonly params: { readonly formId: number; readonly packageId: number }
        readonly body?: object | undefined
      }) => Promise<Package>
      const changed = await perform({ params: { formId, packageId }, body })
      if (this.#isAskedForThis) this.#options.done(changed)
      await this.#leave()
    } catch (error) {
      this.#host.dispatchEvent(new WfErrorEvent(error))
      await this.#host.refresh()
      // Without an answer, only the state itself tells whether it happened.
      if (error instanceof UnavailableError && this.#hasHappened(name, value?.found.state ?? found.state))
        await this.#leave()
      else this.#fail(name, error)
    } finally {
      this.#isBusy = false
      this.#host.requestUpdate()
    }
  }

  /** Whether the package, as just read, is in the state that the action leads to, and was not before. */
  #hasHappened(name: TransitionName, before: string): boolean {
    const { to }: Transition = transitions[name]
    const state = this.#host.value?.found.state
    return !this.#options.isStale() && state !== before && (to === 'held' ? isHeld(state) : state === to)
  }

  #fail(name: TransitionName, error: unknown): void {
    const t = this.#words
    const texts: Readonly<Record<string, string>> = {
      ForbiddenError: t.forbidden,
      NotFoundError: t.conflict,
      RefusedError: (error as RefusedError).status === 409 ? t.conflict : t.refused,
      SignedOutError: messagesFor(this.#host, 'common', common).signedOut,
    }
    this.#say(texts[(error as Error).name] ?? (name === 'restartPackage' ? t.restartUncertain : t.uncertain))
    // A browser may close a dialog however often it is asked not to; the error has to be seen all the same.
    if (this.#isAskedForThis && this.#dialog?.isConnected && !this.#dialog.open) this.#dialog.showModal()
  }

  async #leave(): Promise<void> {
    await this.#host.updateComplete
    this.#dialog?.close()
    this.#options.leave()
  }
}

/** What takes something away that people may miss. */
const losses: readonly ActionName[] = ['voidPackage', 'removePackage', 'restartPackage']

/** Whether a package may have been in this state before it was voided. */
function isHeld(state: string | undefined): boolean {
  return state === 'ROUTING' || state === 'COMPLETE'
}

function renderChoice(
  type: 'radio' | 'checkbox',
  name: string,
  value: string,
  label: string,
): TemplateResult {
  return html`
    <label>
      <input type=${type} name=${name} value=${value} />
      ${label}
    </label>
  `
}

const styles = css`
  fieldset {
    display: grid;
    gap: 0.15em;
    min-inline-size: 0;
    margin: 1.1em 0 0;
    padding: 0;
    border: 0;
  }

  legend {
    margin-block-end: 0.35em;
    padding: 0;
    font-weight: 650;
  }

  label {
    display: flex;
    align-items: center;
    gap: 0.6em;
    min-block-size: 2.25em;
    padding-inline: 0.5em;
    border-radius: var(--_radius);
    cursor: pointer;
  }

  label:not(.field):hover {
    background: color-mix(in oklab, currentcolor 7%, transparent);
  }

  [type='radio'],
  [type='checkbox'] {
    flex: none;
    inline-size: 1.15em;
    block-size: 1.15em;
    margin: 0;
    accent-color: var(--_accent);
  }

  .field {
    display: grid;
    gap: 0.35em;
    margin-block-start: 1.1em;
    padding: 0;
    font-weight: 650;
  }

  .field > * {
    inline-size: 100%;
    min-block-size: 2.5em;
    padding: 0.4em 0.6em;
    border: 1px solid color-mix(in oklab, currentcolor 60%, transparent);
    border-radius: var(--_radius);
    background: transparent;
    color: inherit;
    font: inherit;
    font-weight: 400;
    resize: vertical;
  }

  [aria-invalid='true'] {
    border-color: var(--_danger);
  }

  dialog ul.detail {
    max-block-size: 9em;
    overflow: auto;
  }

  dialog ul.detail li {
    display: list-item;
    margin-inline-start: 1.2em;
    list-style: disc;
  }
`
