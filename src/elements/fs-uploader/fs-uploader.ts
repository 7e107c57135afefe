import { html, nothing, type TemplateResult } from 'lit'
import { property, state } from 'lit/decorators.js'
import { guard } from 'lit/directives/guard.js'
import { repeat } from 'lit/directives/repeat.js'
import {
  type Client,
  createTransfer,
  NotFoundError,
  SignedOutError,
  type Transfer,
  type TransferState,
} from '../../client/index.ts'
import { parseDuration } from '../../contract/duration.ts'
import type { Session } from '../../contract/session.ts'
import type { FileAsset, UploadMeta } from '../../contract/storage.ts'
import { maxFileSize } from '../../contract/values.ts'
import { files as englishFiles, uploader } from '../../locales/en.ts'
import type { Messages } from '../../locales/messages.ts'
import { controlStyles } from '../controls.styles.ts'
import { WfSignedOutEvent } from '../events.ts'
import { sendFile } from '../upload/file-problem.ts'
import { FileIntake } from '../upload/file-intake.ts'
import { uploadStyles as filesStyles } from '../upload/upload.styles.ts'
import { FocusKeeper } from '../focus-keeper.ts'
import { filesOf, pathInFolder } from '../upload/dropped-files.ts'
import { formatDay, formatSize } from '../format.ts'
import { renderIcon } from '../icon.ts'
import { languageOf } from '../language.ts'
import { renderNotice } from '../notice.ts'
import { guardLeaving } from '../upload/page-guard.ts'
import { Resource } from '../resource.ts'
import { type ElementState, RouteslipElement } from '../routeslip-element.ts'
import { renderButton, renderTransfer, transferMessage } from '../upload/transfer-row.ts'
import { messagesFor } from '../messages.ts'
import { FsBeforeChangeEvent, FsChangeEvent, FsErrorEvent } from './fs-uploader.events.ts'
import { styles } from './fs-uploader.styles.ts'

/**
 * Takes files by button, drop or paste, uploads them with progress that is true, and lists what was stored for download.
 * In a form it is a field: its value is the uuids of the stored files, one entry each under `name`, and the form waits
 * until all is uploaded.
 *
 * A file is removed from list and value; where the proxy lets people delete their files, it is deleted in the service
 * instead, after a question. When the session ends in the middle, uploads wait, and go on once the same person has
 * signed in again.
 *
 * What stands inside the tag is shown until the script has loaded, and where it never does.
 *
 * ```html
 * <form>
 *   <fs-uploader endpoint="/api/wf" name="receipts" accept=".pdf" max-size="5000000" required></fs-uploader>
 *   <button>Send</button>
 * </form>
 * ```
 *
 * @element fs-uploader
 *
 * @fires {FsBeforeChangeEvent} fs-before-change - A file is about to be uploaded, removed or deleted. Cancelable.
 * @fires {FsChangeEvent} fs-change - A file was stored, removed or deleted: the value has changed.
 * @fires {FsErrorEvent} fs-error - A file could not be uploaded or deleted, or looking after the stored ones failed.
 * @fires {WfSignedOutEvent} wf-signed-out - Nobody is signed in any more.
 *
 * @csspart base - All of it.
 * @csspart zone - Where files can be dropped.
 * @csspart choose - The button that opens the file dialog.
 * @csspart choose-folder - The button that opens the dialog for a folder.
 * @csspart left-out - The notice that something was left out.
 * @csspart files - The list of files.
 * @csspart file - One file.
 * @csspart progress - How much of a file has been sent.
 * @csspart reference - The uuid of a stored file.
 * @csspart download - The link to a stored file.
 * @csspart stale - The notice that the list may be out of date.
 * @csspart failure - The notice that the service cannot be reached.
 * @csspart try-again - The button in them.
 * @csspart forbidden - What people are told who may not upload.
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
 *
 * @cssState loading - What the proxy allows is not known yet.
 * @cssState loaded - What the proxy allows is known.
 * @cssState empty - There is no file in the list.
 * @cssState busy - A file is on its way, or waits.
 * @cssState stale - The latest look at the stored files failed.
 * @cssState failed - The proxy cannot be reached, and there is nothing to show.
 * @cssState forbidden - The person may not upload.
 * @cssState signed-out - Nobody is signed in.
 * @cssState not-configured - Something that it needs is missing or wrong: it says what.
 */
export class FsUploader extends RouteslipElement {
  static override styles = [controlStyles, filesStyles, styles]
  static readonly formAssociated = true

  /** Largest file to take, in bytes. The proxy's own limit holds besides, and alone where this is no positive number. */
  @property({ attribute: 'max-size', type: Number }) maxSize = 0

  /** Most files to take. Any number where this is no positive number. */
  @property({ attribute: 'max-files', type: Number }) maxFiles = 0

  /** File name extensions and media types to take, as `<input accept>`: `.pdf, image/*`. Without it, any. */
  @property() accept = ''

  /** Whether folders are taken too: by a button of their own, and dropped. Their files keep the path as metadata `path`. */
  @property({ type: Boolean }) folder = false

  /** After how long a stored file expires: `30d`, `12h`, or ISO 8601. Without it the service decides. */
  @property({ attribute: 'expires-in' }) expiresIn = ''

  /** What the service notes with each file: few and short texts by name. As an attribute, JSON. */
  @property({ type: Object }) metadata: Readonly<Record<string, string>> = {}

  /** Name to store a file under instead of its own; of use with `max-files="1"`. */
  @property() filename = ''

  /** Answers the name to store a file under; wins over `filename`. */
  @property({ attribute: false }) rename: ((file: File) => string) | undefined

  /** Name of the field in a form. Without it the form does not send the uuids. */
  @property({ reflect: true }) name = ''

  /** Whether a form needs at least one stored file. */
  @property({ type: Boolean, reflect: true }) required = false

  /** Whether nothing can be added or removed. A disabled fieldset around it does the same. */
  @property({ type: Boolean, reflect: true }) disabled = false

  @state() private _rows: readonly Row[] = []
  /** What people are told of files that were not taken, the last time they chose some. */
  @state() private _leftOut = ''
  @state() private _isTrying = false
  @state() private _isDisabled = false

  /** Whose files they are, where that is known. */
  #univid: string | undefined
  /** What the browser has kept of an earlier visit, until it is known who is there now. */
  #kept: Kept | undefined
  /** Whether the proxy has said that nobody is signed in, since someone was. */
  #wasSignedOut = false
  #lastKey = 0
  /** The first rows, as far as they are drawn: many files come in slices, so that the page answers in between. */
  #drawn: readonly Row[] = []
  /** What `#sync` has told last. */
  #told: readonly unknown[] = []
  #looks = 0
  /** What was announced of the present failure; empty while all goes well. */
  #said = ''

  readonly #intake = new FileIntake(this, {
    onFiles: (files, leftOut) => {
      this.add(files)
      if (leftOut.length > 0) this.#leaveOut(this.#words.leftOut(leftOut.join(', ')))
    },
    read: (data) => filesOf(data, this.folder),
  })

  /**
   * What the proxy allows; and looks after stored files, which expire or may be deleted: at one of them each time, in
   * turn.
   */
  readonly #service = new Resource<readonly [Client], Service>(this, {
    key: () => (this.currentClient ? [this.currentClient] : []),
    load: ([client], signal) => this.#look(client, signal),
    watch: ([client], changed) => client.watch('files', changed),
    onLoad: ({ session }) => this.#onLook(session),
    onError: (error) => this.#onLookError(error),
  })

  constructor() {
    super()
    new FocusKeeper(
      this,
      (row) =>
        row?.querySelector<HTMLElement>('.keep') ??
        row?.querySelector<HTMLElement>('.name') ??
        this.#intake.button,
    )
  }

  /**
   * What was stored and is still in the list, oldest first. May be set to what was stored before, as the service answered
   * it.
   */
  get assets(): readonly FileAsset[] {
    return this._rows.flatMap(({ transfer: { state } }) => (state.kind === 'stored' ? [state.value] : []))
  }

  set assets(assets: readonly FileAsset[]) {
    this.#clear()
    this._rows = assets.map((asset) => this.#rowOf(asset))
    this.#sync()
  }

  /** Uuids of the stored files: what a form sends. */
  get value(): readonly string[] {
    return this.assets.map(({ uuid }) => uuid)
  }

  /** The form it is a field of. */
  get form(): HTMLFormElement | null {
    return this.internals.form
  }

  /** As of any field of a form. */
  get validity(): ValidityState {
    return this.internals.validity
  }

  /** As of any field of a form. */
  get validationMessage(): string {
    return this.internals.validationMessage
  }

  /** As of any field of a form. */
  checkValidity(): boolean {
    return this.internals.checkValidity()
  }

  /** As of any field of a form. */
  reportValidity(): boolean {
    return this.internals.reportValidity()
  }

  /** Adds files as if they had been chosen, and uploads them. What `max-files` leaves no room for is left out. */
  add(files: Iterable<File>): void {
    const list = [...files]
    const taken = list.slice(0, this.#room)
    this._leftOut = ''
    if (list.length > taken.length) this.#leaveOut(this.#words.tooMany(list.length - taken.length))
    const rows = taken.map((file) => this.#rowOf(file))
    this._rows = [...this._rows, ...rows]
    this.#sync()
  }

  /** Called by the browser when the element or a fieldset around it is disabled. */
  formDisabledCallback(isDisabled: boolean): void {
    this._isDisabled = isDisabled
  }

  /** Called by the browser when the form is reset: the list is empty then, and what is on its way is cancelled. */
  formResetCallback(): void {
    this.#clear()
    this.#sync()
  }

  /** Called by the browser when it restores the form, as after a step back. */
  formStateRestoreCallback(kept: unknown): void {
    if (typeof kept === 'string') this.#kept = JSON.parse(kept) as Kept
    this.#restore()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    // An element that only moves is back before this runs.
    queueMicrotask(() => {
      if (!this.isConnected) for (const { transfer } of this._rows) transfer.cancel()
    })
  }

  /** To draw many files with each change of each would hold up what travels. Not by frames: unseen pages have none. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this._rows.length > slice) await new Promise((resolve) => setTimeout(resolve, 50))
    await super.scheduleUpdate()
  }

  protected override willUpdate(): void {
    this.#drawn = this._rows.slice(0, this.#drawn.length + slice)
    // What was added before there was a proxy; what waits in line stays there.
    if (this.currentClient)
      for (const { transfer } of this.#drawn) if (transfer.state.kind === 'waiting') transfer.start()
  }

  protected override updated(): void {
    this.#sync()
    this.showStates(this.#states())
    if (this.#drawn.length < this._rows.length) queueMicrotask(() => this.requestUpdate())
  }

  protected override render(): TemplateResult {
    const flaw = this.configurationProblem() || this.#flaw
    return html`
      <div part="base" lang=${this.textLanguage}>
        ${
          flaw
            ? this.renderConfigurationProblem(flaw)
            : [this.#renderZone(), this.#renderLeftOut(), this.#renderFiles(), this.#renderNotice()]
        }
      </div>
      ${this.announcer.render()}
    `
  }

  #renderZone() {
    if (this.#serves('uploadFile') === false) return html`<p part="forbidden">${this.#words.forbidden}</p>`

    const { session } = this.#service.value ?? {}
    const most = positive(this.maxFiles)
    const accept = this.accept || (session?.allows.extensions ?? []).map((type) => `.${type}`).join(', ')
    return this.#intake.render({
      words: this.#fileWords,
      label: this.#words.label,
      hint: [
        this.#words.limit(formatSize(this.#maxSize(session), languageOf(this))),
        // Media types are no words for people.
        accept && !accept.includes('/') ? this.#words.types(accept.split(/\s*,\s*/).join(', ')) : '',
        most < Infinity ? this.#words.most(most) : '',
      ].join(' '),
      accept,
      isMultiple: most > 1,
      hasFolder: this.folder,
      isDisabled: this._isDisabled || this.#room === 0,
    })
  }

  #renderLeftOut() {
    return this._leftOut ? html`<div class="notice" part="left-out"><p>${this._leftOut}</p></div>` : nothing
  }

  #renderFiles() {
    if (this._rows.length === 0) return nothing
    // All that rows show besides their own states.
    const rest = [
      this.#service.value,
      this.maxSize,
      this.#fileWords,
      languageOf(this),
      this.currentClient,
      this._isDisabled,
    ]
    return html`
      <ul part="files" aria-label=${this.#words.files}>
        ${repeat(
          this.#drawn,
          ({ key }) => key,
          // Of many files, few change at a time.
          (row) => guard([row.transfer.state, row.deletion, ...rest], () => this.#renderRow(row)),
        )}
      </ul>
    `
  }

  #renderNotice() {
    const text = this.#trouble
    const part = this._rows.length > 0 ? 'stale' : 'failure'
    return text
      ? renderNotice(part, text, this.common, this._isTrying, () => void this.#onTryLook())
      : nothing
  }

  #renderRow(row: Row) {
    const { transfer } = row
    const { state } = transfer
    return html`
      <li part="file" @keydown=${(event: KeyboardEvent) => this.#onKeydown(event, row)}>
        ${renderTransfer(
          {
            ...this.#shown(row),
            size: row.size,
            stored:
              state.kind === 'stored'
                ? {
                    detail: this.#renderStored(row, state.value),
                    actions: this.#renderActions(row, state.value),
                  }
                : undefined,
            onStart: () => transfer.start(),
            onCancel: () => {
              transfer.cancel()
              this.#drop(row)
            },
            onRemove: () => this.#drop(row),
          },
          this.#fileWords,
          languageOf(this),
        )}
      </li>
    `
  }

  #renderStored({ deletion }: Row, { uuid, expirationDate }: FileAsset) {
    if (this.#isGone(uuid)) return html`<span class="error">${this.#words.gone}</span>`
    if (deletion === 'asked') return html`<span class="attention">${this.#words.deleteQuestion}</span>`
    if (deletion === 'busy') return html`<span class="detail">${this.#words.deleting}</span>`
    return html`
      <span class="stored">${check}${this.#fileWords.stored}</span>
      ${
        expirationDate === null
          ? nothing
          : html`<span class="detail">
              · ${this.#words.availableUntil(formatDay(expirationDate, languageOf(this)))}</span
            >`
      }
      <div class="detail">${this.#words.reference} <code part="reference" dir="ltr">${uuid}</code></div>
      ${deletion === 'failed' ? html`<div class="error">${this.#words.notDeleted}</div>` : nothing}
    `
  }

  #renderActions(row: Row, asset: FileAsset) {
    const words = this.#words
    const { name } = this.#shown(row)
    const isGone = this.#isGone(asset.uuid)
    const button = (text: string, onClick: (event: MouseEvent) => void, kind?: string) =>
      renderButton(this.#fileWords.named(text, name), text, onClick, kind)

    if (row.deletion === 'busy') return nothing
    if (row.deletion === 'asked') {
      // A template of its own, so that the focus leaves what asked for the question, and goes to the safe answer.
      return html`
        ${button(words.deleteKeep, () => this.#ask(row, undefined), 'keep')}
        ${button(words.deleteConfirm, (event) => void this.#onDelete(event, row, asset), 'danger solid')}
      `
    }
    return [
      isGone
        ? nothing
        : // With `download`, a link that fails leaves the page where it is.
          html`<a
            class="button"
            part="download"
            download
            href=${this.currentClient?.href('presignFile', { uuid: asset.uuid }) ?? ''}
            aria-label=${this.#fileWords.named(words.download, name)}
            >${words.download}</a
          >`,
      this._isDisabled
        ? nothing
        : this.#serves('deleteFile') && !isGone
          ? button(words.delete, () => this.#ask(row, 'asked'))
          : button(this.#fileWords.remove, () => this.#onRemove(row, asset)),
    ]
  }

  get #words(): Messages['uploader'] {
    return messagesFor(this, 'uploader', uploader)
  }

  get #fileWords(): Messages['files'] {
    return messagesFor(this, 'files', englishFiles)
  }

  #states(): readonly ElementState[] {
    if (this.configurationProblem() || this.#flaw) return ['not-configured']
    const { value, error } = this.#service
    if (error instanceof SignedOutError) return ['signed-out']
    if (this.#serves('uploadFile') === false) return ['forbidden']
    const isEmpty = this._rows.length === 0
    return [
      value ? 'loaded' : error ? 'failed' : 'loading',
      ...(isEmpty ? (['empty'] as const) : []),
      ...(this.#unfinished.length > 0 ? (['busy'] as const) : []),
      ...(error && !isEmpty ? (['stale'] as const) : []),
    ]
  }

  /** What is wrong with the attributes, for the author; empty where nothing is. */
  get #flaw(): string {
    if (this.expiresIn && !((parseDuration(this.expiresIn) ?? 0) > 0))
      return this.#words.badDuration(this.expiresIn)
    // Lit makes null of what is no JSON.
    return (this.metadata as unknown) === null ? this.#words.badMetadata : ''
  }

  /** Rows that are neither stored nor given up. */
  get #unfinished(): readonly Row[] {
    return this._rows.filter(({ transfer: { state } }) => !isOver(state))
  }

  /** How many files may be added. */
  get #room(): number {
    return Math.max(0, positive(this.maxFiles) - this.#unfinished.length - this.assets.length)
  }

  /** What is wrong with the service, in words; empty where nothing is. */
  get #trouble(): string {
    const { error } = this.#service
    if (!error) return ''
    if (error instanceof SignedOutError) return this.common.signedOut
    return this._rows.length > 0 ? this.common.stale : this.common.unavailable
  }

  /** Whether the proxy serves an operation; `undefined` where it does not tell. */
  #serves(operation: 'uploadFile' | 'deleteFile'): boolean | undefined {
    return this.#service.value?.session?.allows.operations.includes(operation)
  }

  #isGone(uuid: string): boolean {
    return this.#service.value?.gone.has(uuid) ?? false
  }

  #maxSize(session: Session | undefined): number {
    return Math.min(positive(this.maxSize), session?.allows.maxFileSize ?? maxFileSize)
  }

  #shown({ name, transfer: { state } }: Row) {
    return {
      // A path tells more than the name.
      name: (state.kind === 'stored' && !name.includes('/') && state.value.filename) || name,
      state,
      maxSize: this.#maxSize(this.#service.value?.session),
    }
  }

  #rowOf(content: File | FileAsset): Row {
    const key = ++this.#lastKey
    if (!(content instanceof File)) {
      const state = { kind: 'stored', value: content } as const
      const transfer = { state, start() {}, cancel() {}, abandon() {} }
      return {
        key,
        name: content.metadata?.['path'] ?? content.filename ?? content.uuid,
        size: content.fileSize ?? 0,
        transfer,
      }
    }

    let said: string | undefined
    const row: Row = {
      key,
      name: pathInFolder(content) || content.name,
      // Only as it is drawn: browsers halt the page to ask the system.
      get size() {
        return content.size
      },
      transfer: createTransfer<FileAsset>({
        send: (signal, onProgress) => this.#send(row, content, signal, onProgress),
        onChange: (now) => {
          this.requestUpdate()
          const message = transferMessage(this.#shown(row), this.#fileWords, languageOf(this))
          if (message && message !== said) this.announcer.announce(message)
          said = message
          // All else can wait for the next update: of many files, each goes through all states.
          if (isOver(now)) this.#sync()
          if (now.kind === 'stored') this.dispatchEvent(new FsChangeEvent('uploadFile', now.value))
          if (now.kind === 'failed') this.dispatchEvent(new FsErrorEvent(now.error, content))
        },
      }),
    }
    return row
  }

  async #send(
    row: Row,
    file: File,
    signal: AbortSignal,
    onProgress: (sent: number, total: number) => void,
  ): Promise<FileAsset> {
    const client = this.currentClient
    // Only while the element loses its endpoint.
    if (!client) throw new Error('There is no endpoint')
    // What the proxy takes is told before anything is sent; where it cannot be known, the proxy will say.
    const session = this.#service.value?.session ?? (await sessionOf(client, signal))
    const rules = {
      maxSize: this.#maxSize(session),
      accept: this.accept,
      extensions: session?.allows.extensions,
    }
    return await sendFile(
      file,
      rules,
      async (report) => {
        signal.throwIfAborted()
        if (this.dispatchEvent(new FsBeforeChangeEvent('uploadFile', { file })))
          return await client.uploadFile({ file, body: this.#metaOf(file) }, { signal, onProgress: report })
        row.transfer.cancel()
        this.#drop(row)
        throw signal.reason
      },
      onProgress,
    )
  }

  #metaOf(file: File): UploadMeta {
    const filename = this.rename?.(file) ?? this.filename
    const path = pathInFolder(file)
    const metadata = { ...this.metadata, ...(path && { path }) }
    return {
      ...(filename && { filename }),
      ...(this.expiresIn && { expiresIn: this.expiresIn }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
    }
  }

  /** Tells the form and the browser what is stored and what is on its way, where that has changed. */
  #sync(): void {
    const { assets } = this
    const unfinished = this.#unfinished.length
    const button = (this.hasUpdated && this.#intake.button) || undefined
    const facts = [
      ...[this.name, this.required, this.#univid, this.#words, this.isConnected, unfinished, button],
      ...assets,
    ]
    if (facts.length === this.#told.length && facts.every((fact, index) => fact === this.#told[index])) return
    this.#told = facts

    const value = new FormData()
    if (this.name) for (const { uuid } of assets) value.append(this.name, uuid)
    this.internals.setFormValue(value, JSON.stringify({ univid: this.#univid, assets } satisfies Kept))

    guardLeaving(this, unfinished > 0 && this.isConnected)
    if (unfinished > 0)
      this.internals.setValidity({ customError: true }, this.#words.unfinished(unfinished), button)
    else if (this.required && assets.length === 0)
      this.internals.setValidity({ valueMissing: true }, this.#words.missing, button)
    else this.internals.setValidity({})
  }

  #leaveOut(text: string): void {
    this._leftOut = [this._leftOut, text].join(' ').trim()
    this.announcer.announce(text)
  }

  #clear(): void {
    const rows = this._rows
    this._rows = []
    for (const { transfer } of rows) transfer.cancel()
  }

  #drop(row: Row): void {
    this._rows = this._rows.filter((one) => one !== row)
    this._leftOut = ''
    this.#sync()
  }

  #onRemove(row: Row, asset: FileAsset): void {
    if (!this.dispatchEvent(new FsBeforeChangeEvent('removeFile', { asset }))) return
    this.#drop(row)
    this.dispatchEvent(new FsChangeEvent('removeFile', asset))
  }

  #ask(row: Row, deletion: Row['deletion']): void {
    row.deletion = deletion
    this.requestUpdate()
  }

  #onKeydown(event: KeyboardEvent, row: Row): void {
    if (event.key !== 'Escape' || row.deletion !== 'asked') return
    event.stopPropagation()
    this.#ask(row, undefined)
  }

  async #onDelete({ detail }: MouseEvent, row: Row, asset: FileAsset): Promise<void> {
    // The second click of a double click was meant for the button that stood there before.
    if (row.deletion !== 'asked' || detail > 1) return
    if (!this.dispatchEvent(new FsBeforeChangeEvent('deleteFile', { asset }))) {
      this.#ask(row, undefined)
      return
    }
    this.#ask(row, 'busy')
    try {
      await this.currentClient?.deleteFile({ params: { uuid: asset.uuid } })
    } catch (error) {
      // Who finds nothing to delete has what they wanted.
      if (!(error instanceof NotFoundError)) {
        this.#ask(row, 'failed')
        this.announcer.announce(this.#fileWords.announcement(this.#shown(row).name, this.#words.notDeleted))
        this.dispatchEvent(new FsErrorEvent(error))
        return
      }
    }
    this.announcer.announce(this.#words.deleted(this.#shown(row).name))
    this.#drop(row)
    this.dispatchEvent(new FsChangeEvent('deleteFile', asset))
  }

  async #look(client: Client, signal: AbortSignal): Promise<Service> {
    const known = this.#service.value
    const isWaiting = this._rows.some(isSignedOut)
    const session = (!isWaiting && known?.session) || (await sessionOf(client, signal))

    const { assets } = this
    const asset = assets[this.#looks++ % assets.length]
    const gone = new Set(known?.gone)
    if (asset) {
      gone.delete(asset.uuid)
      try {
        await client.getFileMeta({ params: { uuid: asset.uuid } }, { signal })
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error
        gone.add(asset.uuid)
      }
    }
    return { session, gone }
  }

  #onLook(session: Session | undefined): void {
    if (this.#said) this.announcer.announce(this.common.upToDate)
    this.#said = ''
    if (!session) return
    const isAnother = this.#univid !== undefined && this.#univid !== session.univid
    this.#univid = session.univid
    this.#restore()
    // What one person has chosen or stored is not shown to the next, nor uploaded as theirs.
    if (isAnother) {
      this.#clear()
      this.#sync()
    }
    // Not where only uploads find nobody signed in: they would be sent for ever.
    if (this.#wasSignedOut) for (const row of this._rows) if (isSignedOut(row)) row.transfer.start()
    this.#wasSignedOut = false
  }

  /** Shows again what the same person had stored: another one may have come back to the page. */
  #restore(): void {
    if (!this.#kept || this.#univid === undefined) return
    if (this.#kept.univid === this.#univid) this.assets = this.#kept.assets
    this.#kept = undefined
  }

  /** Announces a failure once: the same words again are no news. */
  #onLookError(error: unknown): void {
    this.#wasSignedOut ||= error instanceof SignedOutError
    const isNew = this.#trouble !== this.#said
    this.#said = this.#trouble
    if (isNew) this.announcer.announce(this.#said)
    this.dispatchEvent(new FsErrorEvent(error))
    if (isNew && error instanceof SignedOutError) this.dispatchEvent(new WfSignedOutEvent())
  }

  async #onTryLook(): Promise<void> {
    if (this._isTrying) return
    this._isTrying = true
    await this.#service.refresh()
    this._isTrying = false
    if (this.#service.error) this.announcer.announce(this.common.stillUnavailable)
  }
}

/** Most rows that one update adds. */
const slice = 20

/** One file in the list. */
interface Row {
  readonly key: number
  /** With its path, where it came with a folder. */
  readonly name: string
  readonly size: number
  readonly transfer: Transfer<FileAsset>
  /** How far its deletion is, where someone wants it. */
  deletion?: 'asked' | 'busy' | 'failed' | undefined
}

/** What is known of the service. */
interface Service {
  /** What the proxy allows; `undefined`: it does not tell. */
  readonly session: Session | undefined
  /** Uuids of stored files that the last look at them did not find. */
  readonly gone: ReadonlySet<string>
}

/** A limit that an author has set; Infinity where it is none. */
function positive(limit: number): number {
  return limit > 0 ? limit : Infinity
}

/** Whether a file is stored or given up. */
function isOver({ kind }: TransferState<FileAsset>): boolean {
  return kind === 'stored' || kind === 'failed' || kind === 'cancelled'
}

function isSignedOut({ transfer: { state } }: Row): boolean {
  return state.kind === 'paused' && state.why === 'signed-out'
}

async function sessionOf(client: Client, signal: AbortSignal): Promise<Session | undefined> {
  try {
    return await client.getSession({ signal })
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}

const check = renderIcon('M4 13l5 5L20 6')

/** What a browser keeps of the element while people go back and forth. */
interface Kept {
  readonly univid: string | undefined
  readonly assets: readonly FileAsset[]
}

declare global {
  interface HTMLElementTagNameMap {
    'fs-uploader': FsUploader
  }
}
