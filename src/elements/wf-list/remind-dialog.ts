import { adoptStyles, css, html, type LitElement, nothing, render, type TemplateResult } from 'lit'
import {
  type Client,
  ForbiddenError,
  NotFoundError,
  type PageClient,
  RefusedError,
  SignedOutError,
} from '../../client/index.ts'
import { reminderReaders } from '../../contract/readers/list-readers.ts'
import { ownReminderRoutes } from '../../contract/routes/list-routes.ts'
import type { ListRow, Reminder } from '../../contract/schemas/lists.ts'
import { reminder as english } from '../../locales/en-reminder.ts'
import type { Texts } from '../../locales/messages.ts'
import { dialogStyles } from '../dialog/dialog.styles.ts'
import { WfBeforeChangeEvent, WfErrorEvent } from '../element/events.ts'
import { statusBetween } from '../loading/loadable.ts'
import { refusedBetweenText } from '../loading/refused-between.ts'
import { renderSignIn } from '../notices/signed-out.ts'
import { formatInstant, type Formatting } from '../text/format.ts'
import { messagesFor, messagesLanguage } from '../text/messages.ts'

/** The settings of the list that the dialog needs. */
export interface RemindInput {
  readonly common: Texts['common']
  readonly formatting: Formatting
  /** URL of the page where people sign in. */
  readonly signInUrl: string | undefined
}

/** The request whose approvers are reminded. */
interface RemindRequest {
  readonly client: PageClient
  readonly row: ListRow
  /** The name and number of the request. */
  readonly name: string
  /** Called after the reminder was sent, with a text to announce. */
  readonly onSent: (text: string) => Promise<void>
}

/** The dialog that has the service email the approvers of a request: it shows the text and the recipients. */
export class RemindDialog {
  readonly element: HTMLDialogElement = document.createElement('dialog')
  readonly #host: LitElement
  #input: RemindInput | undefined
  #request: RemindRequest | undefined
  #reminder: Reminder | undefined
  #isBusy = false
  #error: unknown

  constructor(host: LitElement) {
    this.#host = host
    const { element } = this
    element.part = 'dialog'
    element.setAttribute('aria-labelledby', 'remind-title')
    element.setAttribute('aria-describedby', 'remind-effect')
    element.addEventListener('cancel', (event) => {
      if (this.#isBusy) event.preventDefault()
    })
    const root = host.renderRoot as ShadowRoot
    adoptStyles(root, [...root.adoptedStyleSheets, dialogStyles, quoteStyles])
  }

  /** Opens the dialog, and reads what it shows. */
  async open(request: RemindRequest): Promise<void> {
    if (this.#isBusy || this.element.open) return
    this.#request = request
    this.#reminder = undefined
    this.#error = undefined
    this.#render()
    this.element.showModal()
    await this.#read(request)
  }

  /** Closes the dialog, unless a reminder is being sent. */
  close(): void {
    if (!this.#isBusy) this.element.close()
  }

  /** Renders the dialog with the present texts. Returns its element. */
  render(input: RemindInput): HTMLElement {
    this.#input = input
    this.#render()
    return this.element
  }

  async #read(request: RemindRequest): Promise<void> {
    let reminder: Reminder | undefined
    let error: unknown
    try {
      const { formId, packageId } = request.row
      request.client.invalidate()
      reminder = await clientOf(request).getReminder({ params: { formId, packageId } })
    } catch (cause) {
      error = cause
    }
    // Meanwhile it may have opened for another request.
    if (this.#request !== request) return
    this.#reminder = reminder
    this.#error ??= error
    this.#render()
  }

  #render(): void {
    const { element } = this
    if (!this.#input) return
    element.lang = messagesLanguage(this.#host)
    element.setAttribute('closedby', this.#isBusy ? 'none' : 'closerequest')
    const content = this.#request ? this.#renderForm(this.#request) : nothing
    render(html`<form method="dialog" @submit=${this.#onSubmit}>${content}</form>`, element)
  }

  #renderForm({ name }: RemindRequest): TemplateResult {
    const t = this.#messages
    const reminder = this.#reminder
    const isLoading = !reminder && !this.#error
    const canSend = reminder?.refusal === null && !this.#error
    return html`
      <h2 id="remind-title">${t.title}</h2>
      <p class="detail"><bdi>${name}</bdi></p>
      <div id="remind-effect">
        ${isLoading ? html`<p>${this.#input?.common.loading}</p>` : nothing}
        ${
          reminder && canSend
            ? html`<p>${t.effect}</p>
                <p>${t.text}</p>
                <blockquote><bdi lang=${reminder.language ?? nothing}>${reminder.text}</bdi></blockquote>`
            : nothing
        }
        ${reminder && reminder.refusal !== null ? html`<p>${this.#reasonText(reminder)}</p>` : nothing}
        ${reminder?.isUncertain ? html`<p>${t.lastUncertain}</p>` : nothing}
      </div>
      <p class="error" role="alert">${this.#errorText}</p>
      <div class="buttons">
        ${
          canSend
            ? html`<button type="submit" class="solid" part="send" aria-disabled=${this.#isBusy}>
                ${this.#isBusy ? t.busy : t.send}
              </button>`
            : nothing
        }
        <button type="button" aria-disabled=${this.#isBusy} @click=${() => this.close()}>
          ${canSend || isLoading ? t.cancel : t.close}
        </button>
      </div>
    `
  }

  #reasonText({ refusal, nextAt }: Reminder): string {
    const t = this.#messages
    const reason = Object.hasOwn(t.refusals, refusal ?? '')
      ? t.refusals[refusal as keyof typeof t.refusals]
      : t.notPossible
    const { formatting } = this.#input ?? {}
    if (nextAt === null || !formatting) return reason
    const time = formatInstant(new Date(nextAt), formatting, { dateStyle: 'medium', timeStyle: 'short' })
    return `${reason} ${t.from(time)}`
  }

  get #errorText(): unknown {
    const error = this.#error
    const t = this.#messages
    if (!error || !this.#input) return ''
    const { common, signInUrl } = this.#input
    if (error instanceof SignedOutError) return [common.isSignedOut, ' ', renderSignIn(common, signInUrl)]
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return t.forbidden
    if (error instanceof RefusedError) return error.status === 409 ? t.changed : t.refused
    const status = statusBetween(error)
    if (status !== undefined) return refusedBetweenText(this.#host, status)
    return this.#reminder ? t.uncertain : common.unavailable
  }

  get #messages(): Texts['reminder'] {
    return messagesFor(this.#host, 'reminder', english)
  }

  readonly #onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const request = this.#request
    if (this.#isBusy || !request || this.#reminder?.refusal !== null || this.#error) return
    if (!this.#host.dispatchEvent(new WfBeforeChangeEvent('sendReminder'))) return this.close()
    this.#isBusy = true
    this.#render()
    try {
      const { formId, packageId } = request.row
      await clientOf(request).sendReminder({ params: { formId, packageId } })
    } catch (error) {
      this.#error = error
      this.#host.dispatchEvent(new WfErrorEvent(error))
    }
    this.#isBusy = false
    if (this.#error) {
      // The reason may be new.
      if (this.#error instanceof RefusedError) await this.#read(request)
      this.#render()
      // Browsers close a dialog on the second Escape even if `cancel` is prevented; the problem must still be seen.
      if (this.element.isConnected && !this.element.open) this.element.showModal()
      return
    }
    this.element.close()
    await request.onSent(this.#messages.sent)
  }
}

const quoteStyles = css`
  blockquote {
    margin: 0.5em 0 0;
    padding-inline-start: 0.75em;
    border-inline-start: 3px solid var(--_line);
  }
`

function clientOf({ client }: RemindRequest): Pick<Client, keyof typeof ownReminderRoutes> {
  return client.extend({ routes: ownReminderRoutes, readers: reminderReaders })
}
