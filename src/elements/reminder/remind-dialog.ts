import { adoptStyles, css, html, type LitElement, nothing, render, type TemplateResult } from 'lit'
import {
  ForbiddenError,
  NotFoundError,
  type PageClient,
  RefusedError,
  SignedOutError,
} from '../../client/index.ts'
import type { Reminder } from '../../contract/schemas/lists.ts'
import { cleanNote, noteLength, type NoteProblem, noteProblem } from '../../contract/values/note.ts'
import { listExtras } from '../../locales/en-list-extras.ts'
import { reminder as english } from '../../locales/en-reminder.ts'
import type { Texts } from '../../locales/messages.ts'
import { dialogFieldStyles } from '../dialog/dialog-fields.styles.ts'
import { dialogStyles } from '../dialog/dialog.styles.ts'
import { WfBeforeChangeEvent, WfErrorEvent } from '../element/events.ts'
import { statusBetween } from '../loading/loadable.ts'
import { refusedBetweenText } from '../loading/refused-between.ts'
import { renderSignIn } from '../notices/signed-out.ts'
import { formatInstant, type Formatting } from '../text/format.ts'
import { messagesFor, messagesLanguage } from '../text/messages.ts'
import { readReminder, reminderClient } from './reminder-client.ts'

/** The settings of the element that the dialog needs. */
export interface RemindInput {
  readonly common: Texts['common']
  readonly formatting: Formatting
  /** URL of the sign-in page. */
  readonly signInUrl: string | undefined
}

/** The request whose approvers are reminded. */
interface RemindRequest {
  readonly client: PageClient
  readonly formId: number
  readonly packageId: number
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
  /** The note as the person has typed it. Kept until it was sent, also while the dialog is closed. */
  #note = ''
  /** University id of that person. */
  #person: string | undefined

  constructor(host: LitElement) {
    this.#host = host
    const { element } = this
    element.part = 'dialog'
    element.setAttribute('aria-labelledby', 'remind-title')
    element.setAttribute('aria-describedby', 'remind-effect remind-text')
    element.addEventListener('cancel', (event) => {
      if (this.#isBusy) event.preventDefault()
    })
    element.addEventListener('close', () => this.#render())
    const root = host.renderRoot as ShadowRoot
    adoptStyles(root, [...root.adoptedStyleSheets, dialogStyles, dialogFieldStyles, styles])
  }

  /** Opens the dialog, and reads what it shows. */
  async open(request: RemindRequest): Promise<void> {
    if (this.#isBusy || this.element.open) return
    if (request.formId !== this.#request?.formId || request.packageId !== this.#request.packageId)
      this.#note = ''
    this.#request = request
    this.#reminder = undefined
    this.#error = undefined
    this.#show()
    await this.#read(request)
  }

  /** Closes the dialog, unless a reminder is being sent. */
  close(): void {
    if (!this.#isBusy) this.element.close()
  }

  /** Closes the dialog, and forgets what it shows and what was typed: another person has signed in. */
  forget(): void {
    this.#note = ''
    this.#person = undefined
    this.#request = undefined
    this.#reminder = undefined
    this.element.close()
  }

  /** Renders the dialog with the present texts. Returns its element. */
  render(input: RemindInput): HTMLElement {
    this.#input = input
    // It shows what the earlier person has typed. While nobody is signed in, it stays. Before it has read, it may be open for the next one.
    const present = this.#reminder && this.#request?.client.getCached('getSession', {})?.univid
    if (present !== undefined && present !== this.#person) this.forget()
    this.#render()
    return this.element
  }

  async #read(request: RemindRequest): Promise<void> {
    let reminder: Reminder | undefined
    let error: unknown
    let person = this.#person
    try {
      const { client, formId, packageId } = request
      client.invalidate()
      ;[reminder, person] = await readReminder(client, formId, packageId)
    } catch (cause) {
      error = cause
    }
    // Meanwhile it may have opened for another request.
    if (this.#request !== request) return
    if (person !== this.#person) this.#note = ''
    this.#person = person
    this.#reminder = reminder
    this.#error ??= error
    this.#render()
  }

  #show(): void {
    this.#render(true)
    if (!this.element.open) this.element.showModal()
  }

  /** Renders the dialog. While it is closed, it has no content: the page may belong to another person now. */
  #render(isOpen: boolean = this.element.open): void {
    const { element } = this
    if (!this.#input) return
    element.lang = messagesLanguage(this.#host)
    element.setAttribute('closedby', this.#isBusy ? 'none' : 'closerequest')
    const content = this.#request && isOpen ? this.#renderForm(this.#request) : nothing
    render(html`<form method="dialog" novalidate @submit=${this.#onSubmit}>${content}</form>`, element)
  }

  #renderForm({ name }: RemindRequest): TemplateResult {
    const t = this.#messages
    const reminder = this.#reminder
    const isLoading = !reminder && !this.#error
    const canSend = this.#canSend
    return html`
      <h2 id="remind-title">${t.title}</h2>
      <p class="detail"><bdi>${name}</bdi></p>
      <div id="remind-effect">
        ${isLoading ? html`<p>${this.#input?.common.loading}</p>` : nothing}
        ${canSend ? html`<p>${t.effect}</p>` : nothing}
        ${reminder && reminder.refusal !== null ? html`<p>${this.#reasonText(reminder)}</p>` : nothing}
        ${
          reminder?.isUncertain
            ? html`<p>${messagesFor(this.#host, 'listExtras', listExtras).lastUncertain}</p>`
            : nothing
        }
      </div>
      ${reminder && canSend ? [this.#renderNote(reminder), this.#renderText(reminder)] : nothing}
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

  /** Renders the field for a note, if the site lets the person add one. */
  #renderNote({ noteLimit }: Reminder): unknown {
    if (noteLimit === null) return nothing
    const t = this.#messages
    const problem = this.#noteProblem
    const left = noteLimit - noteLength(cleanNote(this.#note))
    return html`
      <label class="field">
        ${t.note}
        <textarea
          part="note"
          rows="2"
          dir="auto"
          aria-invalid=${problem !== undefined}
          aria-describedby="remind-left remind-problem"
          .value=${this.#note}
          ?readonly=${this.#isBusy}
          @input=${this.#onInput}
        ></textarea>
      </label>
      <p class="detail" id="remind-left">${left < 0 ? nothing : t.noteLeft(left)}</p>
      <p class="error" id="remind-problem" role="alert">
        ${problem && (problem === 'length' ? t.noteProblems.length(-left) : t.noteProblems[problem])}
      </p>
    `
  }

  /** Renders the email as it will be sent, with the note if that is possible. */
  #renderText({ text, language, noteLead }: Reminder): TemplateResult {
    const note = this.#noteProblem ? '' : this.#sentNote
    return html`
      <div id="remind-text">
        <p>${this.#messages.text}</p>
        <blockquote part="email" lang=${language ?? nothing} dir="auto">
          <p>${text}</p>
          ${
            note
              ? html`<p>${noteLead}</p>
                  <blockquote><p lang="" dir="auto">${note}</p></blockquote>`
              : nothing
          }
        </blockquote>
      </div>
    `
  }

  /** The note as it would be sent; empty if there is none, or the site takes none. */
  get #sentNote(): string {
    return this.#reminder?.noteLimit == null ? '' : cleanNote(this.#note)
  }

  get #noteProblem(): NoteProblem | undefined {
    return noteProblem(this.#sentNote, this.#reminder?.noteLimit ?? undefined)
  }

  /** Whether a reminder can be sent now. After an error, only if nothing was sent and the person can do something about it. */
  get #canSend(): boolean {
    const isHarmless = !this.#error || this.#error instanceof SignedOutError || this.#isNoteRefused
    return this.#reminder?.refusal === null && isHarmless
  }

  /** Whether the site has refused the reminder because of the note. */
  get #isNoteRefused(): boolean {
    const error = this.#error
    const isRefused =
      error instanceof ForbiddenError || (error instanceof RefusedError && error.status === 400)
    return isRefused && this.#note !== '' && this.#reminder !== undefined
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
    if (this.#isNoteRefused) return t.noteRefused
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

  readonly #onInput = ({ target }: Event): void => {
    this.#note = (target as HTMLTextAreaElement).value
    this.#render()
  }

  readonly #onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const request = this.#request
    if (this.#isBusy || !request || !this.#canSend) return
    if (this.#noteProblem) return this.element.querySelector('textarea')?.focus()
    const note = this.#sentNote
    const body = note ? { note } : {}
    if (!this.#host.dispatchEvent(new WfBeforeChangeEvent('sendReminder', body))) return this.close()
    this.#isBusy = true
    this.#error = undefined
    this.#render()
    try {
      const { client, formId, packageId } = request
      await reminderClient(client).sendReminder({ params: { formId, packageId }, body })
    } catch (error) {
      this.#error = error
      this.#host.dispatchEvent(new WfErrorEvent(error))
    }
    this.#isBusy = false
    // Another person has signed in meanwhile.
    if (this.#request !== request) return
    if (this.#error) {
      // The reason may be new, and so may be what the policy allows.
      if (this.#error instanceof RefusedError || this.#error instanceof ForbiddenError)
        await this.#read(request)
      // Browsers close a dialog on the second Escape even if `cancel` is prevented; the problem must still be seen.
      if (this.element.isConnected) this.#show()
      return
    }
    this.#note = ''
    this.element.close()
    await request.onSent(this.#messages.sent)
  }
}

const styles = css`
  blockquote {
    margin: 0.5em 0 0;
    padding-inline-start: 0.75em;
    border-inline-start: 3px solid var(--_line);
  }

  dialog blockquote p:first-child {
    margin: 0;
  }

  #remind-left:empty {
    display: none;
  }
`
