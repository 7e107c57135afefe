import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import {
  type Client,
  clientFor,
  ForbiddenError,
  NotFoundError,
  RefusedError,
  SignedOutError,
} from '../../client/index.ts'
import { parseId } from '../../contract/path.ts'
import type { FileAsset } from '../../contract/storage.ts'
import { maxFileSize } from '../../contract/values.ts'
import { en } from '../../locales/en.ts'
import { Announcer } from '../announcer.ts'
import { controls } from '../controls.styles.ts'
import { FocusKeeper } from '../focus-keeper.ts'
import { formatDay, formatPercent, formatSize, languageOf } from '../format.ts'
import { renderNotice } from '../notice.ts'
import { Resource } from '../resource.ts'
import { FsBeforeChangeEvent, FsChangeEvent, FsErrorEvent } from './fs-uploader.events.ts'
import { styles } from './fs-uploader.styles.ts'

const sizeConverter = { fromAttribute: (text: string | null): number => parseId(text ?? '') ?? maxFileSize }

/**
 * Takes files by button or drop, uploads them with progress that is true, and lists what was stored for download.
 *
 * What stands inside the tag is shown until the script has loaded, and where it never does.
 *
 * @element fs-uploader
 *
 * @fires {FsBeforeChangeEvent} fs-before-change - A file is about to be uploaded. Cancelable.
 * @fires {FsChangeEvent} fs-change - A file was stored.
 * @fires {FsErrorEvent} fs-error - A file could not be uploaded, or looking after the stored ones failed.
 *
 * @csspart base - All of it.
 * @csspart zone - Where files can be dropped.
 * @csspart choose - The button that opens the file dialog.
 * @csspart files - The list of files.
 * @csspart file - One file.
 * @csspart progress - How much of a file has been sent.
 * @csspart reference - The uuid of a stored file.
 * @csspart download - The link to a stored file.
 * @csspart stale - The notice that the list may be out of date.
 * @csspart try-again - The button in it.
 * @csspart not-configured - What the author of the page is told.
 *
 * @cssprop [--wf-accent] - Colour of the button, of progress and of focus.
 * @cssprop [--wf-on-accent] - Colour of text on it.
 * @cssprop [--wf-danger] - Colour of failures.
 * @cssprop [--wf-line] - Colour of borders.
 * @cssprop [--wf-success] - Colour of what is stored.
 * @cssprop [--wf-radius=0.5em] - Radius of corners.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text colour of notices.
 * @cssprop [--wf-notice-line] - Border of notices.
 */
export class FsUploader extends LitElement {
  static override styles = [controls, styles]

  /** Root URL of the proxy, such as `/api/wf`. Nothing can be uploaded without it, unless there is a `client`. */
  @property() endpoint = ''

  /** Largest file to take, in bytes. The proxy's own limit holds besides. Default, and for anything else: 50 MB. */
  @property({ attribute: 'max-size', converter: sizeConverter }) maxSize = maxFileSize

  /** Client to call instead of the page's shared one for `endpoint`. */
  @property({ attribute: false }) client: Client | undefined

  @state() private _rows: readonly Row[] = []
  @state() private _isOver = false
  @state() private _isTrying = false

  @query('input') private _input!: HTMLInputElement
  @query('[part="choose"]') private _choose!: HTMLElement

  /** Uuids of stored files that the last look at them did not find. */
  #gone: ReadonlySet<string> = new Set()
  #lastKey = 0
  #looks = 0
  #hasFailed = false

  readonly #announcer = new Announcer(this)
  /** Looks after stored files, which expire or may be deleted: at one of them each time, in turn. */
  readonly #stored = new Resource<readonly [Client], ReadonlySet<string>>(this, {
    key: () => (this.#client && this.assets.length > 0 ? [this.#client] : []),
    load: ([client], signal) => this.#look(client, signal),
    watch: ([client], changed) => client.watch('files', changed),
    onLoad: (gone) => {
      this.#gone = gone
      if (this.#hasFailed) this.#announcer.say(en.common.upToDate)
      this.#hasFailed = false
    },
    onError: (error) => this.#onLookError(error),
  })

  constructor() {
    super()
    new FocusKeeper(this, (row) => row?.querySelector<HTMLElement>('.name') ?? this._choose)
  }

  /** What was stored and is still in the list, oldest first. */
  get assets(): readonly FileAsset[] {
    return this._rows.flatMap(({ state }) => (state.kind === 'stored' ? [state.asset] : []))
  }

  get #client(): Client | undefined {
    return this.client ?? (this.endpoint ? clientFor(this.endpoint) : undefined)
  }

  /** Adds files as if they had been chosen, and uploads them. */
  add(files: Iterable<File>): void {
    const rows = [...files].map((file): Row => ({ key: ++this.#lastKey, file, state: { kind: 'waiting' } }))
    this._rows = [...this._rows, ...rows]
    for (const row of rows) void this.#upload(row)
  }

  override disconnectedCallback(): void {
    // eslint-disable-next-line wc/guard-super-call -- LitElement has it.
    super.disconnectedCallback()
    // An element that only moves is back before this runs.
    queueMicrotask(() => {
      if (this.isConnected) return
      for (const { key, abort, state } of this._rows) {
        if (state.kind === 'stored' || state.kind === 'failed') continue
        abort?.abort()
        this.#set(key, { kind: 'failed', why: en.uploader.notSent, mayRetry: true })
      }
    })
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('endpoint') && !changed.has('client')) return
    for (const row of this._rows) if (row.state.kind === 'waiting' && !row.abort) void this.#upload(row)
  }

  protected override render(): TemplateResult {
    return html`
      <div part="base" lang=${en.language}>
        ${
          this.#client
            ? [this.#renderZone(), this.#renderFiles()]
            : html`<p class="failed" part="not-configured">
                ${en.common.notConfigured(this.localName, 'endpoint')}
              </p>`
        }
      </div>
      ${this.#announcer.render()}
    `
  }

  #renderZone() {
    return html`
      <div
        part="zone"
        class=${this._isOver ? 'over' : ''}
        role="group"
        aria-label=${en.uploader.label}
        @dragover=${this.#onDragOver}
        @dragleave=${this.#onDragLeave}
        @drop=${this.#onDrop}
      >
        <button type="button" part="choose" aria-describedby="hint" @click=${this.#onChoose}>
          ${en.uploader.choose}
        </button>
        <span>${en.uploader.drop}</span>
        <p class="hint" id="hint">${en.uploader.limit(this.#size(this.maxSize))}</p>
        <input type="file" multiple hidden aria-label=${en.uploader.choose} @change=${this.#onChosen} />
      </div>
    `
  }

  #renderFiles() {
    if (this._rows.length === 0) return nothing
    return html`
      <ul part="files" aria-label=${en.uploader.files}>
        ${repeat(
          this._rows,
          ({ key }) => key,
          (row) => this.#renderRow(row),
        )}
      </ul>
      ${this.#stored.error ? renderNotice('stale', lookFailure(this.#stored.error), this._isTrying, () => void this.#onTryLook()) : nothing}
    `
  }

  #renderRow(row: Row) {
    const { file, state } = row
    const isGone = state.kind === 'stored' && this.#gone.has(state.asset.uuid)
    return html`
      <li part="file">
        <div>
          <span class="name" tabindex="-1" data-key=${row.key}><bdi>${nameOf(row)}</bdi></span>
          <bdi class="detail">${this.#size(file.size)}</bdi>
          <div>${this.#renderState(state, isGone)}</div>
        </div>
        <div class="actions">${this.#renderActions(row, isGone)}</div>
        ${
          state.kind === 'sending' || state.kind === 'finishing'
            ? html`<progress
                part="progress"
                aria-label=${en.uploader.progressLabel(file.name)}
                max="1"
                .value=${state.kind === 'sending' ? state.fraction : 1}
              ></progress>`
            : nothing
        }
      </li>
    `
  }

  #renderState(state: RowState, isGone: boolean) {
    switch (state.kind) {
      case 'waiting':
        return html`<span class="detail">${en.uploader.waiting}</span>`
      case 'sending':
        return html`<span class="detail">${this.#progress(state)}</span>`
      case 'finishing':
        return html`<span class="detail">${en.uploader.finishing}</span>`
      case 'failed':
        return html`<span class="failed">${state.why}</span>`
      case 'stored':
        return isGone
          ? html`<span class="failed">${en.uploader.gone}</span>`
          : this.#renderStored(state.asset)
    }
  }

  #renderStored({ uuid, expirationDate }: FileAsset) {
    const until =
      expirationDate === null ? '' : en.uploader.availableUntil(formatDay(expirationDate, languageOf(this)))
    return html`
      <span class="stored">${check}${en.uploader.stored}</span>
      ${until ? html`<span class="detail"> · ${until}</span>` : nothing}
      <div class="detail">${en.uploader.reference} <code part="reference" dir="ltr">${uuid}</code></div>
    `
  }

  #renderActions(row: Row, isGone: boolean) {
    const name = nameOf(row)
    const { state } = row
    const remove = html`
      <button type="button" aria-label=${en.uploader.removeLabel(name)} @click=${() => this.#onRemove(row)}>
        ${en.uploader.remove}
      </button>
    `
    if (state.kind === 'stored' && !isGone) {
      // With `download`, a link that fails leaves the page where it is.
      return html`
        <a
          class="button"
          part="download"
          download
          href=${this.#client?.href('presignFile', { uuid: state.asset.uuid }) ?? ''}
          aria-label=${en.uploader.downloadLabel(name)}
          >${en.uploader.download}</a
        >
      `
    }
    if (state.kind === 'stored') return remove
    if (state.kind === 'failed') {
      return html`
        ${
          state.mayRetry
            ? html`
                <button
                  type="button"
                  aria-label=${en.uploader.tryAgainLabel(name)}
                  @click=${() => this.#onRetry(row)}
                >
                  ${en.common.tryAgain}
                </button>
              `
            : nothing
        }
        ${remove}
      `
    }
    return html`
      <button type="button" aria-label=${en.uploader.cancelLabel(name)} @click=${() => this.#onRemove(row)}>
        ${en.uploader.cancel}
      </button>
    `
  }

  #size(bytes: number): string {
    return formatSize(bytes, languageOf(this))
  }

  #progress({ fraction, sent, total }: Extract<RowState, { kind: 'sending' }>): string {
    return en.uploader.progress(
      formatPercent(fraction, languageOf(this)),
      this.#size(sent),
      this.#size(total),
    )
  }

  async #upload(row: Row): Promise<void> {
    const { key, file } = row
    const client = this.#client
    // Without a proxy it waits until there is one.
    if (!client) return
    const abort = new AbortController()
    this.#set(key, { kind: 'waiting' }, abort)

    const reason =
      file.size > this.maxSize ? en.uploader.tooLarge(this.#size(this.maxSize)) : await flawOf(file)
    if (abort.signal.aborted) return
    if (reason !== undefined) {
      this.#fail(key, file, reason, reason === en.uploader.unreadable)
      return
    }
    if (!this.dispatchEvent(new FsBeforeChangeEvent(file))) {
      this.#drop(key)
      return
    }

    let isSent = false
    try {
      const asset = await client.uploadFile(
        { file },
        {
          signal: abort.signal,
          onProgress: (sent, total) => {
            // The body is a little longer than the file.
            isSent = sent >= total
            const fraction = total > 0 ? sent / total : 0
            this.#set(
              key,
              isSent
                ? { kind: 'finishing' }
                : { kind: 'sending', fraction, sent: Math.min(sent, file.size), total: file.size },
            )
          },
        },
      )
      this.#set(key, { kind: 'stored', asset })
      this.#announcer.say(en.uploader.storedAnnouncement(asset.filename ?? file.name))
      this.dispatchEvent(new FsChangeEvent(asset))
    } catch (error) {
      if (abort.signal.aborted) return
      this.#fail(key, file, failureText(error, isSent), true)
      this.dispatchEvent(new FsErrorEvent(error, file))
    }
  }

  #fail(key: number, file: File, why: string, mayRetry: boolean): void {
    this.#set(key, { kind: 'failed', why, mayRetry })
    this.#announcer.say(en.uploader.failedAnnouncement(file.name, why))
  }

  #set(key: number, state: RowState, abort?: AbortController): void {
    this._rows = this._rows.map((row) =>
      row.key === key ? { ...row, state, abort: abort ?? row.abort } : row,
    )
  }

  #drop(key: number): void {
    this._rows = this._rows.filter((row) => row.key !== key)
  }

  #onChoose(): void {
    this._input.click()
  }

  #onChosen(): void {
    this.add(this._input.files ?? [])
    // The same file may be chosen again.
    this._input.value = ''
  }

  #onDragOver(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    this._isOver = true
  }

  #onDragLeave(event: DragEvent): void {
    const zone = event.currentTarget as HTMLElement
    if (!(event.relatedTarget instanceof Node && zone.contains(event.relatedTarget))) this._isOver = false
  }

  #onDrop(event: DragEvent): void {
    event.preventDefault()
    this._isOver = false
    this.add(event.dataTransfer?.files ?? [])
  }

  #onRetry({ key }: Row): void {
    const row = this._rows.find((candidate) => candidate.key === key)
    if (row) void this.#upload(row)
  }

  /** Also cancels. The focus goes to the next file, else to the one before, else to the button. */
  #onRemove({ key }: Row): void {
    const index = this._rows.findIndex((row) => row.key === key)
    const neighbour = this._rows[index + 1] ?? this._rows[index - 1]
    this._rows[index]?.abort?.abort()
    this.#drop(key)
    if (neighbour) this.#focusName(neighbour.key)
    else this._choose.focus()
  }

  #focusName(key: number): void {
    this.renderRoot.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus()
  }

  async #look(client: Client, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { assets } = this
    const asset = assets[this.#looks++ % assets.length]
    if (!asset) return this.#gone
    const gone = new Set(this.#gone)
    gone.delete(asset.uuid)
    try {
      await client.getFileMeta({ params: { uuid: asset.uuid } }, { signal })
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error
      gone.add(asset.uuid)
    }
    return gone
  }

  #onLookError(error: unknown): void {
    if (!this.#hasFailed) this.#announcer.say(lookFailure(error))
    this.#hasFailed = true
    this.dispatchEvent(new FsErrorEvent(error))
  }

  async #onTryLook(): Promise<void> {
    if (this._isTrying) return
    this._isTrying = true
    await this.#stored.refresh()
    this._isTrying = false
    if (this.#stored.error) this.#announcer.say(en.common.stillUnavailable)
  }
}

/** One file in the list. */
interface Row {
  readonly key: number
  readonly file: File
  readonly state: RowState
  readonly abort?: AbortController | undefined
}

type RowState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending'; readonly fraction: number; readonly sent: number; readonly total: number }
  | { readonly kind: 'finishing' }
  | { readonly kind: 'stored'; readonly asset: FileAsset }
  | { readonly kind: 'failed'; readonly why: string; readonly mayRetry: boolean }

function nameOf({ file, state }: Row): string {
  return (state.kind === 'stored' && state.asset.filename) || file.name
}

/** Why a file cannot be sent: it is empty, or a folder, or was moved or locked after it was chosen. */
async function flawOf(file: File): Promise<string | undefined> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return file.size === 0 ? en.uploader.empty : undefined
  } catch {
    return en.uploader.unreadable
  }
}

function lookFailure(error: unknown): string {
  return error instanceof SignedOutError ? en.common.signedOut : en.common.stale
}

function failureText(error: unknown, isSent: boolean): string {
  if (error instanceof SignedOutError) return en.uploader.signedOut
  if (error instanceof ForbiddenError) return en.uploader.forbidden
  if (error instanceof RefusedError) return error.detail ?? en.uploader.refused
  return isSent ? en.uploader.uncertain : en.uploader.notSent
}

const check = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 13l5 5L20 6" /></svg>`

declare global {
  interface HTMLElementTagNameMap {
    'fs-uploader': FsUploader
  }
}
