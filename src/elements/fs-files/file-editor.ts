import { html, type LitElement, nothing, type TemplateResult } from 'lit'
import { ForbiddenError, NotFoundError, RefusedError, serverNow, SignedOutError } from '../../client/index.ts'
import type { FileAsset, UpdateMetaBody } from '../../contract/schemas/storage.ts'
import { storedFiles } from '../../locales/en-files.ts'
import { files } from '../../locales/en-upload.ts'
import type { Texts } from '../../locales/messages.ts'
import { formatDay } from '../text/format.ts'
import { formattingLanguage, messagesFor } from '../text/messages.ts'
import {
  changeOf,
  editOf,
  type FileEdit,
  type FileLabel,
  type InvalidEdit,
  isInvalid,
  splitName,
} from './file-edit.ts'
import { firstDay, lastTestDay } from '../upload/days.ts'
import { renderSupport } from './stored-row.ts'

interface FileEditorOptions {
  /** Renders that the person is signed out, with a link that opens another tab. */
  readonly renderSignedOut: () => unknown
  readonly timeZone: () => string | undefined
  /** Whether the files are in the test environment. */
  readonly isTest: () => boolean
  /** Sends a change, and shows the file as the service returns it. Resolves to false if the page has refused it. */
  readonly send: (asset: FileAsset, body: UpdateMetaBody) => Promise<boolean>
  /** Called when an edit has ended: with true if it was saved. */
  readonly onEnd: (asset: FileAsset, isSaved: boolean) => void
}

/** An open form. */
interface OpenEdit {
  /** The file when the form was opened. Only what differs from it is sent. */
  readonly asset: FileAsset
  readonly base: FileEdit
  /** Last possible day; empty without one. */
  readonly lastDay: string
  /** Number of rows for new labels. */
  added: number
  invalid?: InvalidEdit | undefined
  /** Why the latest attempt failed. */
  error?: unknown
  /** The inputs are read-only meanwhile, because the form closes after it. */
  isSaving: boolean
}

/** The forms in which people change a file: its name, its last day and its labels. Keeps what they typed until it is saved. */
export class FileEditor {
  readonly #host: LitElement
  readonly #options: FileEditorOptions
  readonly #open = new Map<string, OpenEdit>()
  /** University id of the person who typed. */
  #person = ''

  constructor(host: LitElement, options: FileEditorOptions) {
    this.#host = host
    this.#options = options
  }

  /** The file of an open form, as it was when the form was opened. */
  assetOf(uuid: string): FileAsset | undefined {
    return this.#open.get(uuid)?.asset
  }

  /** Whether a form shows that the person is signed out. */
  get isSignedOut(): boolean {
    return [...this.#open.values()].some(({ error }) => error instanceof SignedOutError)
  }

  /** Notes who is signed in. Input of another person is discarded. */
  signedIn(univid: string): void {
    if (univid !== this.#person) this.#open.clear()
    this.#person = univid
    for (const open of this.#open.values()) if (open.error instanceof SignedOutError) open.error = undefined
  }

  open(asset: FileAsset): void {
    const lastDay = this.#options.isTest() ? lastTestDay(asset.uploadDate) : ''
    this.#open.set(asset.uuid, { asset, base: editOf(asset), lastDay, added: 0, isSaving: false })
    this.#host.requestUpdate()
  }

  render(uuid: string): unknown {
    const open = this.#open.get(uuid)
    if (!open) return nothing
    const t = this.#messages
    const { asset, base, invalid, isSaving } = open
    const labels = [...base.labels, ...Array<FileLabel>(open.added).fill({ key: '', value: '' })]
    const { stem, extension } = splitName(asset.filename ?? '')
    const failure = open.error === undefined ? '' : this.#failureText(open.error)
    return html`
      <form
        part="editor"
        novalidate
        aria-label=${t.editing(asset.filename ?? messagesFor(this.#host, 'files', files).unnamed)}
        @submit=${(event: SubmitEvent) => void this.#onSubmit(event, open)}
        @input=${() => this.#show(open, { invalid: undefined, error: undefined })}
        @keydown=${(event: KeyboardEvent) => this.#onKeydown(event, open)}
      >
        <div class="field">
          <label for="stem-${uuid}">${t.name}</label>
          <span class="joined">
            <input
              id="stem-${uuid}"
              name="stem"
              autocomplete="off"
              maxlength="200"
              ?readonly=${isSaving}
              aria-invalid=${invalid?.field === 'stem'}
              aria-describedby=${invalid?.field === 'stem' ? `problem-${uuid}` : nothing}
              .value=${stem}
            />${extension ? html`<bdi class="detail">${extension}</bdi>` : nothing}
          </span>
          ${this.#renderProblem(open, 'stem')}
        </div>
        ${this.#renderDay(open)}
        <fieldset
          aria-describedby="labels-${uuid}${typeof invalid?.field === 'number' ? ` problem-${uuid}` : ''}"
        >
          <legend>${t.labels}</legend>
          <p id="labels-${uuid}" class="detail" ?hidden=${labels.length === 0}>${t.labelsHint}</p>
          ${labels.map(({ key, value }, index) => [
            this.#renderLabel(open, key, value, index),
            this.#renderProblem(open, index),
          ])}
          <button
            type="button"
            class="quiet"
            aria-disabled=${isSaving}
            @click=${() => this.#onAddLabel(open)}
          >
            ${t.addLabel}
          </button>
        </fieldset>
        <p class="error" role="alert" ?hidden=${!failure}>
          ${failure}
          ${open.error instanceof RefusedError ? html`<bdi lang="en">${open.error.detail}</bdi>` : nothing}
        </p>
        <div class="buttons">
          <button type="submit" class="solid" aria-disabled=${isSaving}>
            ${isSaving ? t.saving : t.save}
          </button>
          <button type="button" aria-disabled=${isSaving} @click=${() => this.#onCancel(open)}>
            ${t.cancel}
          </button>
        </div>
        ${renderSupport(t, uuid)}
      </form>
    `
  }

  #renderDay(open: OpenEdit): TemplateResult {
    const { asset, base, lastDay, invalid, isSaving } = open
    const t = this.#messages
    const { uuid } = asset
    const { timeZone } = this.#options
    const hint = lastDay
      ? t.testLimit(formatDay(`${lastDay}T00:00:00`, formattingLanguage(this.#host)))
      : t.dayHint
    return html`
      <div class="field">
        <label for="day-${uuid}">${t.keepUntil}</label>
        <input
          id="day-${uuid}"
          name="day"
          type="date"
          ?readonly=${isSaving}
          min=${firstDay(serverNow(), timeZone())}
          max=${lastDay || nothing}
          aria-invalid=${invalid?.field === 'day'}
          aria-describedby="day-hint-${uuid}${invalid?.field === 'day' ? ` problem-${uuid}` : ''}"
          .value=${base.day}
        />
        <p id="day-hint-${uuid}" class="detail">${hint}</p>
        ${this.#renderProblem(open, 'day')}
      </div>
    `
  }

  /** Renders why an edit cannot be saved, below the control that has to change. */
  #renderProblem({ asset, invalid }: OpenEdit, field: InvalidEdit['field']) {
    if (invalid?.field !== field) return nothing
    return html`<p id="problem-${asset.uuid}" class="error" role="alert">
      ${this.#messages.problems[invalid.problem]}
    </p>`
  }

  #renderLabel(
    { asset, base, invalid, isSaving }: OpenEdit,
    key: string,
    value: string,
    index: number,
  ): TemplateResult {
    const t = this.#messages
    const isKnown = index < base.labels.length
    const isWrong = invalid?.field === index
    return html`
      <div class="label">
        ${
          isKnown
            ? html`<label for="value-${index}-${asset.uuid}"><bdi>${key}</bdi></label>`
            : html`<input
                name="key"
                ?readonly=${isSaving}
                maxlength="100"
                autocomplete="off"
                aria-label=${t.labelName}
                placeholder=${t.labelName}
                aria-invalid=${isWrong && invalid.problem !== 'emptyLabel'}
              />`
        }
        <input
          id="value-${index}-${asset.uuid}"
          name="value"
          ?readonly=${isSaving}
          maxlength="1000"
          autocomplete="off"
          aria-label=${isKnown ? nothing : t.labelValue}
          placeholder=${isKnown ? nothing : t.labelValue}
          aria-invalid=${isWrong && invalid.problem === 'emptyLabel'}
          .value=${value}
        />
      </div>
    `
  }

  get #messages(): Texts['storedFiles'] {
    return messagesFor(this.#host, 'storedFiles', storedFiles)
  }

  #failureText(error: unknown): unknown {
    const t = this.#messages
    if (error instanceof SignedOutError) return this.#options.renderSignedOut()
    if (error instanceof NotFoundError) return t.notSavedGone
    if (error instanceof ForbiddenError) return t.notSavedForbidden
    return error instanceof RefusedError ? t.notSavedRefused : t.notSaved
  }

  #show(open: OpenEdit, changes: Partial<OpenEdit>): void {
    Object.assign(open, changes)
    this.#host.requestUpdate()
  }

  #close(open: OpenEdit, isSaved: boolean): void {
    this.#open.delete(open.asset.uuid)
    this.#host.requestUpdate()
    this.#options.onEnd(open.asset, isSaved)
  }

  #onCancel(open: OpenEdit): void {
    if (!open.isSaving) this.#close(open, false)
  }

  /** Escape closes a form in which nothing has changed, and never discards what people typed. */
  #onKeydown(event: KeyboardEvent, open: OpenEdit): void {
    if (event.key !== 'Escape' || open.isSaving) return
    event.stopPropagation()
    if (this.#changeIn(event.currentTarget as HTMLFormElement, open) === undefined) this.#close(open, false)
  }

  #onAddLabel(open: OpenEdit): void {
    if (open.isSaving) return
    this.#show(open, { added: open.added + 1 })
    void this.#focus(open, (form) => [...form.querySelectorAll<HTMLElement>('[name=key]')].at(-1))
  }

  async #onSubmit(event: SubmitEvent, open: OpenEdit): Promise<void> {
    event.preventDefault()
    if (open.isSaving) return
    const change = this.#changeIn(event.currentTarget as HTMLFormElement, open)
    if (change === undefined) return this.#close(open, false)
    if (isInvalid(change)) {
      this.#show(open, { invalid: change })
      return await this.#focus(open, (form) => form.querySelector<HTMLElement>('[aria-invalid=true]'))
    }
    this.#show(open, { isSaving: true, invalid: undefined, error: undefined })
    try {
      const isSaved = await this.#options.send(open.asset, change)
      this.#show(open, { isSaving: false })
      if (isSaved) this.#close(open, true)
    } catch (error) {
      this.#show(open, { isSaving: false, error })
    }
  }

  #changeIn(form: HTMLFormElement, { asset, base, lastDay }: OpenEdit): ReturnType<typeof changeOf> {
    const inputs = (name: string) => [...form.querySelectorAll<HTMLInputElement>(`[name=${name}]`)]
    const [stem] = inputs('stem')
    const [day] = inputs('day')
    // A date field has no value while the date is incomplete, which must not remove the date.
    if (day?.validity.badInput) return { problem: 'tooEarly', field: 'day' }
    const keys = [...base.labels.map(({ key }) => key), ...inputs('key').map(({ value }) => value)]
    const labels = inputs('value').map(({ value }, index) => ({ key: keys[index] ?? '', value }))
    const edit = { stem: stem?.value ?? '', day: day?.value ?? '', labels }
    return changeOf(asset, edit, firstDay(serverNow(), this.#options.timeZone()), lastDay)
  }

  async #focus(
    { asset }: OpenEdit,
    find: (form: HTMLFormElement) => HTMLElement | null | undefined,
  ): Promise<void> {
    await this.#host.updateComplete
    const input = this.#host.renderRoot.querySelector<HTMLInputElement>(`[id="stem-${asset.uuid}"]`)
    if (input?.form) find(input.form)?.focus()
  }
}
