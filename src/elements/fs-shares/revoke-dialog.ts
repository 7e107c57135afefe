import { html, type LitElement, type TemplateResult } from 'lit'
import { ForbiddenError, NotFoundError, SignedOutError } from '../../client/index.ts'
import type { Texts } from '../../locales/messages.ts'

interface RevokeRequest {
  readonly file: string
  readonly application: string
  /** Ends the share. */
  readonly send: () => Promise<void>
}

interface RevokeContext {
  readonly messages: Texts['shares']
  /** The message that the person is signed out, with a link to sign in. */
  readonly signedOut: TemplateResult | string
}

/** The dialog that asks before a share ends, and explains the effect. */
export class RevokeDialog {
  readonly #host: LitElement
  #request: RevokeRequest | undefined
  #isSending = false
  #error: unknown

  constructor(host: LitElement) {
    this.#host = host
  }

  async open(request: RevokeRequest): Promise<void> {
    if (this.#isSending) return
    this.#request = request
    this.#error = undefined
    this.#host.requestUpdate()
    await this.#host.updateComplete
    this.#dialog?.showModal()
  }

  close(): void {
    if (this.#dialog?.open) this.#dialog.close()
  }

  render({ messages: t, signedOut }: RevokeContext): TemplateResult {
    const { file = '', application = '' } = this.#request ?? {}
    const error = this.#error
    return html`
      <dialog
        part="dialog"
        aria-labelledby="revoke-title"
        aria-describedby="revoke-effect"
        closedby=${this.#isSending ? 'none' : 'closerequest'}
        @cancel=${(event: Event) => this.#isSending && event.preventDefault()}
      >
        <h2 id="revoke-title">${t.revokeTitle(file, application)}</h2>
        <p id="revoke-effect">${t.revokeEffect(application)}</p>
        <p class="error" role="alert" ?hidden=${error === undefined}>
          ${
            error instanceof SignedOutError
              ? signedOut
              : error instanceof ForbiddenError
                ? t.notRevocable
                : t.notRevoked
          }
        </p>
        <div class="buttons">
          <button
            type="button"
            class="danger solid"
            aria-disabled=${this.#isSending}
            @click=${() => void this.#onConfirm()}
          >
            ${this.#isSending ? t.revoking : t.revokeConfirm}
          </button>
          <button
            type="button"
            ?autofocus=${true}
            aria-disabled=${this.#isSending}
            @click=${() => !this.#isSending && this.close()}
          >
            ${t.keepSharing}
          </button>
        </div>
      </dialog>
    `
  }

  get #dialog(): HTMLDialogElement | null {
    return this.#host.renderRoot.querySelector('dialog')
  }

  async #onConfirm(): Promise<void> {
    if (this.#isSending || !this.#request) return
    this.#isSending = true
    this.#error = undefined
    this.#host.requestUpdate()
    try {
      await this.#request.send()
      this.close()
    } catch (error) {
      // A share that does not exist has already ended.
      if (error instanceof NotFoundError) this.close()
      else this.#error = error
    }
    this.#isSending = false
    this.#host.requestUpdate()
    const dialog = this.#dialog
    // Browsers close a dialog on the second Escape even if `cancel` is prevented; the problem must still be seen.
    if (this.#error && dialog?.isConnected && !dialog.open) dialog.showModal()
  }
}
