import { html, LitElement, nothing, svg, type TemplateResult } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import {
  type Client,
  clientFor,
  ForbiddenError,
  NotFoundError,
  packageScope,
  RefusedError,
  SignedOutError,
  UnavailableError,
} from '../../client/index.ts'
import { parseId } from '../../contract/path.ts'
import { mayVoid } from '../../contract/rights.ts'
import { type PackageState, type Permission, type VoidReason, voidReasons } from '../../contract/values.ts'
import type { InboxSignature, Package, PackageActions } from '../../contract/workflow.ts'
import { en } from '../../locales/en.ts'
import { Announcer } from '../announcer.ts'
import { controls } from '../controls.styles.ts'
import { FocusKeeper } from '../focus-keeper.ts'
import { formatTimestamp, languageOf } from '../format.ts'
import { renderNotice } from '../notice.ts'
import { Resource } from '../resource.ts'
import { WfBeforeChangeEvent, WfChangeEvent, WfErrorEvent, WfLoadEvent } from './wf-package-status.events.ts'
import { styles } from './wf-package-status.styles.ts'

/** Ids are never coerced: what is not written in plain digits is none. */
const idConverter = { fromAttribute: (text: string | null): number => parseId(text ?? '') ?? 0 }

/**
 * Shows where a package stands on its route: its state, whom it waits for, who initiated it and when; and lets those
 * who may void it.
 *
 * What stands inside the tag is shown until the script has loaded, and where it never does: a link, for instance.
 *
 * @element wf-package-status
 *
 * @slot forbidden - Shown to someone who has no rights on the package.
 * @slot missing - Shown where there is no such package.
 * @slot signed-out - Shown to someone who is not signed in.
 *
 * @fires {WfLoadEvent} wf-load - The package was loaded, for the first time or again.
 * @fires {WfErrorEvent} wf-error - Loading or changing something failed.
 * @fires {WfBeforeChangeEvent} wf-before-change - Someone is about to void the package. Cancelable.
 * @fires {WfChangeEvent} wf-change - The package is in another state than the one shown before.
 *
 * @csspart base - All of it.
 * @csspart state - The state itself.
 * @csspart facts - The list of facts.
 * @csspart void - The button that opens the dialog.
 * @csspart dialog - The dialog that asks for the reason.
 * @csspart stale - The notice that what is shown may be out of date.
 * @csspart failure - The notice that there is nothing to show.
 * @csspart try-again - The button in either notice.
 * @csspart loading - What stands there until the package is loaded.
 * @csspart forbidden - What someone without rights is told.
 * @csspart missing - What is said where there is no such package.
 * @csspart signed-out - What someone is told who is not signed in.
 * @csspart not-configured - What the author of the page is told.
 *
 * @cssprop [--wf-accent] - Colour of focus and of what is chosen.
 * @cssprop [--wf-danger] - Colour of what cannot be taken back.
 * @cssprop [--wf-on-danger] - Colour of text on it.
 * @cssprop [--wf-surface] - Background of the dialog.
 * @cssprop [--wf-text] - Text colour of the dialog.
 * @cssprop [--wf-line] - Colour of borders.
 * @cssprop [--wf-radius=0.5em] - Radius of corners.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text colour of notices.
 * @cssprop [--wf-notice-line] - Border of notices.
 * @cssprop [--wf-state-background] - Background of the state, whichever it is.
 * @cssprop [--wf-state-color] - Text colour of the state, whichever it is.
 * @cssprop [--wf-state-line] - Border of the state, whichever it is.
 */
export class WfPackageStatus extends LitElement {
  static override styles = [controls, styles]

  /** Root URL of the proxy, such as `/api/wf`. Nothing is requested without it, unless there is a `client`. */
  @property() endpoint = ''

  /** Id of the form that the package was submitted with. Nothing is requested without it. */
  @property({ attribute: 'form-id', converter: idConverter }) formId = 0

  /** Id of the package to show. Nothing is requested without it. */
  @property({ attribute: 'package-id', converter: idConverter }) packageId = 0

  /** Client to call instead of the page's shared one for `endpoint`. */
  @property({ attribute: false }) client: Client | undefined

  @state() private _isTrying = false
  @state() private _isVoiding = false
  @state() private _voidError = ''

  @query('dialog') private _dialog!: HTMLDialogElement | null
  @query('[part="state"]') private _state!: HTMLElement | null

  /** The package as last seen, while nothing says that it is out of reach. */
  #shown: Package | undefined
  /** What the dialog was opened for. */
  #asked: Key | undefined
  #hasFailed = false

  readonly #announcer = new Announcer(this)
  readonly #content = new Resource<Key, Content>(this, {
    key: () => this.#key(),
    load: (key, signal) => load(key, this.#shown?.id === key[2], signal),
    watch: ([client, formId, packageId], changed) => client.watch(packageScope(formId, packageId), changed),
    onLoad: (content) => this.#onLoad(content),
    onError: (error) => this.#onError(error),
  })

  constructor() {
    super()
    new FocusKeeper(this, () => this._state)
  }

  /** Asks again, for instance after the page knows that something changed. Never rejects: see `wf-error`. */
  async refresh(): Promise<void> {
    await this.#content.refresh()
  }

  override disconnectedCallback(): void {
    // eslint-disable-next-line wc/guard-super-call -- LitElement has it.
    super.disconnectedCallback()
    // Elsewhere it would come back open, but over nothing.
    this._dialog?.close()
  }

  protected override willUpdate(): void {
    const key = this.#key()
    if (this._dialog?.open && this.#asked?.some((part, index) => part !== key[index])) this._dialog.close()
  }

  protected override render(): TemplateResult {
    const isFirst = this.#content.busy && !this.#content.value
    return html`
      <div part="base" lang=${en.language} aria-busy=${isFirst}>${this.#renderContent()}</div>
      ${this.#announcer.render()} ${this.#renderDialog()}
    `
  }

  #renderContent() {
    const missing = this.#missing()
    if (missing) {
      return html`<p class="error" part="not-configured">
        ${en.common.notConfigured(this.localName, missing)}
      </p>`
    }

    const { value, error } = this.#content
    // These say something about the package itself, so what was shown before no longer holds.
    if (error instanceof ForbiddenError) return this.#renderMessage('forbidden', error)
    if (error instanceof NotFoundError) return this.#renderMessage('missing', error)
    if (error instanceof SignedOutError) return this.#renderMessage('signed-out', error)
    if (value) {
      return [this.#renderPackage(value), error ? this.#renderNotice('stale', en.common.stale) : nothing]
    }
    return error ? this.#renderNotice('failure', failureText(error)) : this.#renderSkeleton()
  }

  #renderMessage(slot: string, error: unknown) {
    return html`<div class="message" part=${slot}>
      <slot name=${slot}><p>${failureText(error)}</p></slot>
    </div>`
  }

  #renderNotice(part: 'stale' | 'failure', text: string) {
    return renderNotice(part, text, this._isTrying, () => void this.#onTryAgain())
  }

  #renderSkeleton() {
    return html`
      <div class="skeleton" part="loading" role="img" aria-label=${en.packageStatus.loading}>
        <span></span><span></span><span></span>
      </div>
    `
  }

  #renderPackage({ found, actions, inbox }: Content) {
    const { state, initiator, routingDate, actionDate, voidReason } = found
    const isRouting = state === 'ROUTING'
    return html`
      <p part="state" data-state=${state} tabindex="-1">${icons[state] ?? unknownIcon}${labelOf(state)}</p>
      <dl part="facts">
        ${
          state === 'VOID' && voidReason !== null
            ? renderFact(en.packageStatus.voidReason, reasonWords[voidReason] ?? legible(voidReason), 'wide')
            : nothing
        }
        ${isRouting ? this.#renderInbox(inbox) : nothing}
        ${initiator ? renderFact(en.packageStatus.initiator, html`<bdi>${initiator.displayName}</bdi>`) : nothing}
        ${this.#renderDate(isRouting ? en.packageStatus.routingDate : en.packageStatus.routingBegan, routingDate)}
        ${this.#renderDate(en.packageStatus.actionDate, actionDate)}
      </dl>
      ${this.#renderVoid(state, actions)}
    `
  }

  #renderInbox(inbox: Content['inbox']) {
    const holders = inbox?.filter((entry) => entry?.permission !== 'VIEW_ONLY') ?? []
    const readable = holders.filter((entry) => entry !== null)
    const leftOut = holders.length - readable.length
    if (holders.length === 0 && inbox) return nothing

    const list = html`
      <ul>
        ${readable.map(renderHolder)}
      </ul>
      ${leftOut > 0 ? html`<span class="detail">${en.packageStatus.leftOut(leftOut)}</span>` : nothing}
    `
    return renderFact(en.packageStatus.waitingFor, inbox ? list : en.packageStatus.waitingUnknown, 'wide')
  }

  #renderDate(label: string, timestamp: string | null) {
    if (timestamp === null) return nothing
    const words = formatTimestamp(timestamp, languageOf(this))
    return renderFact(
      label,
      html`<time datetime=${timestamp} lang=${languageOf(this) ?? nothing}>${words}</time>`,
    )
  }

  #renderVoid(state: string, actions: PackageActions | null) {
    // The service sets canInitiatorVoid for the initiator only; the proxy checks that it is them.
    if (!mayVoid(state, actions, true)) return nothing
    return html`
      <div class="actions">
        <button type="button" class="danger" part="void" aria-haspopup="dialog" @click=${this.#onVoid}>
          ${en.packageStatus.void}
        </button>
      </div>
    `
  }

  /** Stands beside the content, so that a refresh cannot take it away from whoever is about to choose. */
  #renderDialog() {
    return html`
      <dialog
        part="dialog"
        lang=${en.language}
        closedby=${this._isVoiding ? 'none' : 'closerequest'}
        aria-labelledby="title"
        aria-describedby="consequence"
        @cancel=${this.#onDialogCancel}
        @close=${this.#onDialogClose}
      >
        <form method="dialog" novalidate @submit=${this.#onSubmit}>
          <h2 id="title">${en.packageStatus.voidTitle(this.#asked?.[2] ?? this.packageId)}</h2>
          <p id="consequence">${en.packageStatus.voidConsequence}</p>
          <fieldset
            role="radiogroup"
            aria-labelledby="question"
            aria-describedby="error"
            aria-required="true"
            aria-invalid=${this._voidError === en.packageStatus.voidReasonMissing}
          >
            <legend id="question">${en.packageStatus.voidQuestion}</legend>
            <p class="error" id="error" role="alert">${this._voidError}</p>
            ${voidReasons.map(
              (reason) => html`
                <label>
                  <input type="radio" name="reason" value=${reason} @change=${this.#onReason} />
                  ${reasonWords[reason]}
                </label>
              `,
            )}
          </fieldset>
          <div class="buttons">
            <button type="button" aria-disabled=${this._isVoiding} @click=${this.#onKeep}>
              ${en.packageStatus.voidCancel}
            </button>
            <button type="submit" class="danger solid" aria-disabled=${this._isVoiding}>
              ${this._isVoiding ? en.packageStatus.voidBusy : en.packageStatus.voidConfirm}
            </button>
          </div>
        </form>
      </dialog>
    `
  }

  #key(): Key | readonly [] {
    if (this.#missing()) return []
    return [this.client ?? clientFor(this.endpoint), this.formId, this.packageId]
  }

  /** Names of the attributes without which there is nothing to ask. */
  #missing(): string {
    const isId = (value: number) => Number.isSafeInteger(value) && value > 0
    return [
      ...(this.client || this.endpoint ? [] : ['endpoint']),
      ...(isId(this.formId) ? [] : ['form-id']),
      ...(isId(this.packageId) ? [] : ['package-id']),
    ].join(', ')
  }

  #onLoad({ found, actions }: Content): void {
    const before = this.#shown
    const hadFailed = this.#hasFailed
    this.#shown = found
    this.#hasFailed = false
    this.dispatchEvent(new WfLoadEvent(found))
    const isChanged = before?.id === found.id && before.state !== found.state
    if (isChanged) {
      this.#announcer.say(en.packageStatus.stateChanged(labelOf(found.state)))
      this.dispatchEvent(new WfChangeEvent(before.state, found.state))
    } else if (hadFailed) {
      this.#announcer.say(en.common.upToDate)
    }
    // Someone else was quicker than whoever has the dialog open.
    if (isChanged && this._dialog?.open && !this._isVoiding && !mayVoid(found.state, actions, true)) {
      this._voidError = en.packageStatus.voidOvertaken(labelOf(found.state))
    }
  }

  /** Announces a failure once: the same words again are no news. */
  #onError(error: unknown): void {
    const text = failureText(error)
    const isLasting = text !== en.common.unavailable
    if (isLasting) this.#shown = undefined
    if (!this.#hasFailed) this.#announcer.say(!isLasting && this.#content.value ? en.common.stale : text)
    this.#hasFailed = true
    this.dispatchEvent(new WfErrorEvent(error))
  }

  async #onTryAgain(): Promise<void> {
    if (this._isTrying) return
    this._isTrying = true
    await this.refresh()
    this._isTrying = false
    if (this.#content.error) this.#announcer.say(en.common.stillUnavailable)
  }

  #onVoid(): void {
    const key = this.#key()
    if (key.length === 0) return
    this.#asked = key
    this._voidError = ''
    this._dialog?.querySelector('form')?.reset()
    this.requestUpdate()
    this._dialog?.showModal()
  }

  #onKeep(): void {
    if (!this._isVoiding) this._dialog?.close()
  }

  #onDialogCancel(event: Event): void {
    if (this._isVoiding) event.preventDefault()
  }

  /** Browsers give the focus back to the button, where it is still there. */
  #onDialogClose(): void {
    const focused = this.shadowRoot?.activeElement
    if (!focused || this._dialog?.contains(focused)) this._state?.focus()
  }

  #onReason(): void {
    this._voidError = ''
  }

  async #onSubmit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const content = this.#content.value
    if (this._isVoiding || !this.#asked || !content) return
    const form = event.currentTarget as HTMLFormElement
    const voidReason = new FormData(form).get('reason') as VoidReason | null
    if (!mayVoid(content.found.state, content.actions, true)) {
      this._voidError = en.packageStatus.voidOvertaken(labelOf(content.found.state))
      return
    }
    if (voidReason === null) {
      this._voidError = en.packageStatus.voidReasonMissing
      form.querySelector('input')?.focus()
      return
    }

    const [client, formId, packageId] = this.#asked
    const body = { id: packageId, state: 'VOID', voidReason } as const
    if (!this.dispatchEvent(new WfBeforeChangeEvent(body))) {
      this._dialog?.close()
      return
    }

    this._isVoiding = true
    this._voidError = ''
    try {
      const found = await client.voidPackage({ params: { formId, packageId }, body })
      if (this.#key()[2] === packageId) this.#content.replace({ found, actions: found.actions, inbox: [] })
      await this.#leaveDialog()
    } catch (error) {
      this.dispatchEvent(new WfErrorEvent(error))
      await this.refresh()
      // Without an answer, only the state itself tells whether it happened.
      const isUncertain = error instanceof UnavailableError
      const happened = isUncertain && this.#shown?.state === 'VOID' && !this.#content.error
      if (happened) await this.#leaveDialog()
      else this.#showVoidError(voidFailure(error))
    } finally {
      this._isVoiding = false
    }
  }

  /** The button goes with the right to void, so the focus goes to what has changed. */
  async #leaveDialog(): Promise<void> {
    await this.updateComplete
    this._dialog?.close()
    this._state?.focus()
  }

  /** A browser may close a dialog however often it is asked not to; the error has to be seen all the same. */
  #showVoidError(text: string): void {
    this._voidError = text
    if (this._dialog?.isConnected && !this._dialog.open) this._dialog.showModal()
  }
}

/** What the content depends on: client, form, package. */
type Key = readonly [Client, number, number]

/** What is shown. */
interface Content {
  readonly found: Package
  /** What the person may do. */
  readonly actions: PackageActions | null
  /** Whose inboxes hold the package; null where that is not known. */
  readonly inbox: readonly (InboxSignature | null)[] | null
}

/**
 * Asks first what the person may do, and for the package itself only where they may view it: browsers write each 403
 * to the console as an error, and being an outsider is none. Whoever could view it a moment ago is not asked twice.
 */
async function load(
  [client, formId, packageId]: Key,
  couldView: boolean,
  signal: AbortSignal,
): Promise<Content> {
  const params = { formId, packageId }
  const query = { id: [packageId] }
  const rights = client.getActions({ params, query }, { signal }).then((rows) => {
    const row = rows.find((candidate) => candidate?.packageId === packageId)
    if (!row) throw new NotFoundError('getActions', 'does not know the package')
    if (!row.canView) throw new ForbiddenError('getPackage', 'is not allowed to this person')
    return row
  })
  const status = client.getStatus({ params, query }, { signal, version: '1.2' }).catch((error: unknown) => {
    // The rest is worth showing without it, unless there is something better to keep.
    if (couldView || !(error instanceof UnavailableError)) throw error
    return []
  })
  const [actions, found, statuses] = await Promise.all([
    rights,
    couldView
      ? client.getPackage({ params }, { signal })
      : rights.then(() => client.getPackage({ params }, { signal })),
    status,
  ])
  const row = statuses.find((candidate) => candidate?.id === packageId)
  return { found, actions, inbox: row?.inboxSignatures ?? null }
}

function renderHolder({ approver, permission, responsibleOffice }: InboxSignature): TemplateResult {
  const may = permission === null ? undefined : (permissionWords[permission] ?? legible(permission))
  const details = [may, responsibleOffice?.name].filter(Boolean)
  return html`
    <li>
      <strong><bdi>${approver}</bdi></strong>
      ${details.length > 0 ? html`<span class="detail">${details.join(' · ')}</span>` : nothing}
    </li>
  `
}

function renderFact(label: string, value: unknown, size = ''): TemplateResult {
  return html`
    <div class=${size}>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>
  `
}

/** Words for the values that the spec lists, all of them; a service may send others. */
type Words<Known extends string> = Readonly<Record<Known, string> & Record<string, string>>

const stateWords: Words<PackageState> = en.packageStatus.states
const permissionWords: Words<Permission> = en.packageStatus.permissions
const reasonWords: Words<VoidReason> = en.packageStatus.voidReasons

function labelOf(state: string): string {
  return stateWords[state] ?? legible(state)
}

/** A value that the spec does not list, readable: `ON_HOLD` becomes `On hold`. */
function legible(value: string): string {
  const words = value.replace(/_/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function failureText(error: unknown): string {
  if (error instanceof ForbiddenError) return en.packageStatus.forbidden
  if (error instanceof NotFoundError) return en.packageStatus.notFound
  if (error instanceof SignedOutError) return en.common.signedOut
  return en.common.unavailable
}

function voidFailure(error: unknown): string {
  if (error instanceof ForbiddenError) return en.packageStatus.voidForbidden
  if (error instanceof RefusedError || error instanceof NotFoundError) return en.packageStatus.voidRefused
  if (error instanceof SignedOutError) return en.common.signedOut
  return en.packageStatus.voidUncertain
}

const icon = (shape: unknown) => html`<svg viewBox="0 0 24 24" aria-hidden="true">${shape}</svg>`

/** Each state has a shape of its own, so that it does not depend on colour. */
const icons: Readonly<Record<string, TemplateResult>> = {
  PRE_ROUTING: icon(svg`<circle cx="12" cy="12" r="9" /><path d="M12 7v5l3 3" />`),
  DRAFT: icon(svg`<path d="M4 20h4L19 9l-4-4L4 16z" />`),
  ROUTING: icon(svg`<path d="M3 12h17M13 5l7 7-7 7" />`),
  COMPLETE: icon(svg`<path d="M4 13l5 5L20 6" />`),
  VOID: icon(svg`<path d="M6 6l12 12M18 6L6 18" />`),
}

const unknownIcon = icon(svg`<circle cx="12" cy="12" r="8" />`)

declare global {
  interface HTMLElementTagNameMap {
    'wf-package-status': WfPackageStatus
  }
}
