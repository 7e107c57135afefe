import { html, nothing, render } from 'lit'
import { ForbiddenError, NotFoundError, RefusedError, SignedOutError } from '../../../client/index.ts'
import type { Texts } from '../../../locales/messages.ts'
import { statusBetween } from '../../loading/loadable.ts'
import { refusedBetweenText } from '../../loading/refused-between.ts'
import { renderSignIn } from '../../notices/signed-out.ts'

/** The texts of the dialog. */
interface ReleaseDialogInput {
  readonly messages: Texts['pause']
  readonly common: Texts['common']
  /** Language of the messages. */
  readonly language: string
  /** URL of the sign-in page. */
  readonly signInUrl: string | undefined
}

/** The functions that the dialog calls. */
interface ReleaseHandlers {
  /** Releases the lock. Resolves with false if the page has prevented it. Rejects with an error of the client. */
  readonly send: (reason: string) => Promise<boolean>
  /** Called after the dialog has closed because the lock was released. */
  readonly onDone: () => void
}

/** The dialog that asks why a frozen route may continue. */
export class ReleaseDialog {
  readonly element: HTMLDialogElement = document.createElement('dialog')
  #input: ReleaseDialogInput | undefined
  #handlers: ReleaseHandlers | undefined
  #isBusy = false
  #isMissing = false
  #error: unknown

  constructor() {
    const { element } = this
    element.part = 'dialog'
    element.setAttribute('aria-labelledby', 'release-title')
    element.setAttribute('aria-describedby', 'release-effect')
    element.addEventListener('cancel', (event) => {
      if (this.#isBusy) event.preventDefault()
    })
  }

  /** Opens the dialog, with the reason that was typed before. */
  open(handlers: ReleaseHandlers): void {
    if (this.#isBusy || this.element.open) return
    this.#handlers = handlers
    this.#isMissing = false
    this.#error = undefined
    this.#render()
    this.element.showModal()
  }

  close(): void {
    if (!this.#isBusy) this.element.close()
  }

  /** Closes the dialog, and forgets what was typed. */
  reset(): void {
    this.close()
    const field = this.element.querySelector('textarea')
    if (field) field.value = ''
  }

  /** Renders the dialog with the present messages. Returns its element. */
  render(input: ReleaseDialogInput): HTMLElement {
    this.#input = input
    this.#render()
    return this.element
  }

  #render(): void {
    if (!this.#input) return
    const { element } = this
    const { messages: t, language } = this.#input
    const isBusy = this.#isBusy
    const isMissing = this.#isMissing
    element.lang = language
    element.setAttribute('closedby', isBusy ? 'none' : 'closerequest')
    render(
      html`
        <form method="dialog" novalidate @submit=${this.#onSubmit}>
          <h2 id="release-title">${t.title}</h2>
          <p id="release-effect">${t.consequence}</p>
          <label class="field">
            ${t.reason}
            <textarea
              name="reason"
              rows="3"
              maxlength=${maxLength}
              aria-required="true"
              aria-invalid=${isMissing}
              aria-describedby="release-hint release-error"
              @input=${this.#onInput}
            ></textarea>
          </label>
          <p class="detail" id="release-hint">${t.reasonHint}</p>
          <p class="error" id="release-error" role="alert">
            ${isMissing ? t.reasonMissing : this.#errorText} ${this.#detail}
          </p>
          <div class="buttons">
            <button type="submit" class="solid" aria-disabled=${isBusy}>
              ${isBusy ? t.busy : t.release}
            </button>
            <button type="button" aria-disabled=${isBusy} @click=${() => this.close()}>${t.keep}</button>
          </div>
        </form>
      `,
      element,
    )
  }

  get #errorText(): unknown {
    const error = this.#error
    if (!error || !this.#input) return ''
    const { messages: t, common, signInUrl } = this.#input
    if (error instanceof SignedOutError) return [t.signedOut, ' ', renderSignIn(common, signInUrl)]
    if (error instanceof ForbiddenError) return t.forbidden
    const isOutdated = error instanceof RefusedError && error.status === 409
    if (isOutdated || error instanceof NotFoundError) return t.outdated
    if (error instanceof RefusedError) return t.refused
    const status = statusBetween(error)
    return status === undefined ? t.uncertain : refusedBetweenText(this.element, status)
  }

  /** The reason that the service gives, in English. */
  get #detail() {
    const error = this.#error
    const detail = error instanceof RefusedError && error.refusedBy === 'service' ? error.detail : undefined
    return detail ? html`<bdi lang="en">${detail}</bdi>` : nothing
  }

  readonly #onInput = (): void => {
    this.#isMissing = false
    this.#error = undefined
    this.#render()
  }

  readonly #onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const handlers = this.#handlers
    if (this.#isBusy || !handlers) return
    const field = this.element.querySelector('textarea')
    const reason = field?.value.trim() ?? ''
    this.#isMissing = reason === ''
    this.#isBusy = !this.#isMissing
    this.#error = undefined
    this.#render()
    if (this.#isMissing) return field?.focus()
    /** Undefined if it failed. */
    let isReleased: boolean | undefined
    try {
      isReleased = await handlers.send(reason)
    } catch (error) {
      this.#error = error
    }
    this.#isBusy = false
    this.#render()
    if (isReleased !== undefined) {
      if (field) field.value = ''
      this.element.close()
      if (isReleased) handlers.onDone()
    } else if (this.element.isConnected && !this.element.open) {
      // Browsers close a dialog on the second Escape even if `cancel` is prevented; the problem must still be seen.
      this.element.showModal()
    }
  }
}

/** Maximum length of a reason, in characters. `maxReasonLength` of the contract, which pages do not download. */
const maxLength = 500
