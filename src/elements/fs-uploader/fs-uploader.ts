import { html, type PropertyValues, type TemplateResult } from 'lit'
import { property, state } from 'lit/decorators.js'
import {
  NotFoundError,
  type PageClient,
  type SendOptions,
  UnavailableError,
  type UploadItem,
  uploadTable,
} from '../../client/index.ts'
import type { FileAsset } from '../../contract/schemas/storage.ts'
import { uploader } from '../../locales/en-uploader.ts'
import type { Texts } from '../../locales/messages.ts'
import { controlStyles } from '../element/controls.styles.ts'
import { FocusKeeper } from '../element/focus-keeper.ts'
import { FormField } from '../element/form-field.ts'
import { joinTexts } from '../text/join-texts.ts'
import { files } from '../../locales/en-upload.ts'
import { messagesFor } from '../text/messages.ts'
import { RouteslipElement } from '../element/routeslip-element.ts'
import { FileIntake } from '../upload/file-intake.ts'
import { actionOf } from '../upload/file-row.ts'
import { fileRowStyles } from '../upload/file-row.styles.ts'
import { acceptOf, type FileRules } from '../upload/file-rules.ts'
import { type IncomingFile, isHidden, readDroppedFiles, withPaths } from '../upload/incoming-files.ts'
import { sendFile } from '../upload/send-file.ts'
import { type FailedUpload, UploadList } from '../upload/upload-list.ts'
import { shownName } from '../upload/upload-row.ts'
import { uploadStyles } from '../upload/upload.styles.ts'
import { uuidsIn } from '../upload/uuids-in.ts'
import { renderDropZone } from './drop-zone.ts'
import { fieldProblem, fieldValue } from './field-facts.ts'
import { factsOf, renderFileList, type UploaderDetails, type UploaderItem } from './file-list.ts'
import { FsBeforeChangeEvent, FsChangeEvent, FsErrorEvent } from './fs-uploader.events.ts'
import { uploaderStyles } from './fs-uploader.styles.ts'
import { keepFiles, KeptFiles } from './kept-files.ts'
import { isUnread, readSession, StorageStatus, unreadAsset } from './storage-status.ts'
import { maxFilesOf, rulesOf } from './upload-limits.ts'
import { metaProblem, uploadMetaOf } from './upload-meta.ts'

/**
 * Uploads files that people choose, drop or paste, shows their progress, and lists the stored files with a link to each.
 * In a form it is a field: its value is the uuids of the stored files, one entry each under `name`, and the form cannot
 * be sent until all uploads end.
 *
 * People remove a file from the list and the value. If the proxy allows it, they delete the file in the service instead,
 * after a question. If the session ends, uploads wait, and continue when the same person signs in again.
 *
 * The element's own content is shown until the script loads, or if it never does.
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
 * @fires {FsErrorEvent} fs-error - A file could not be uploaded or deleted, or the stored files could not be verified.
 * @fires {WfSignedOutEvent} wf-signed-out - The session has ended.
 *
 * @csspart base - The whole element.
 * @csspart zone - The area that accepts dropped files.
 * @csspart choose - The button that opens the file dialog.
 * @csspart choose-folder - The button that opens the dialog for a folder.
 * @csspart left-out - The notice that some files were not added.
 * @csspart outcome - The summary of several files, some of which failed.
 * @csspart files - The list of files.
 * @csspart file - One file.
 * @csspart progress - The progress bar of a file.
 * @csspart count - The number of files in each state, above the list.
 * @csspart reference - The id of a stored file, hidden unless your page shows it for support.
 * @csspart open - The name of a file that opens in a new tab.
 * @csspart download - The link to a stored file.
 * @csspart end - Why a file is not available.
 * @csspart stale - The notice or mark that the content may be out of date.
 * @csspart failure - The notice that the content could not be loaded.
 * @csspart try-again - The button in either notice.
 * @csspart sign-in - The link to the sign-in page.
 * @csspart forbidden - The message for people without rights.
 * @csspart not-configured - The message for the page author.
 * @csspart no-proxy - The message for the page author that no proxy was found.
 *
 * @cssprop [--wf-accent] - Color of the button and of progress.
 * @cssprop [--wf-focus] - Color of the focus ring.
 * @cssprop [--wf-on-accent] - Color of text on the accent color.
 * @cssprop [--wf-danger] - Color of failures.
 * @cssprop [--wf-line] - Color of borders.
 * @cssprop [--wf-success] - Color of stored files.
 * @cssprop [--wf-radius=0.5em] - Radius of corners.
 * @cssprop [--wf-space=1em] - Distance between blocks.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text color of notices.
 * @cssprop [--wf-notice-line] - Border of notices.
 *
 * @cssState loading - The element does not know yet what the proxy allows.
 * @cssState loaded - The element knows what the proxy allows.
 * @cssState empty - The list has no files.
 * @cssState busy - An upload is running or waiting.
 * @cssState stale - The latest poll of the stored files failed.
 * @cssState failed - The proxy cannot be reached, and the list is empty.
 * @cssState forbidden - The person may not upload.
 * @cssState signed-out - The session has ended.
 * @cssState not-configured - A setting is missing or not valid. A message names it.
 * @cssState no-proxy - No proxy was found at the endpoint.
 */
export class FsUploader extends FormField(RouteslipElement) {
  static override styles = [controlStyles, uploadStyles, fileRowStyles, uploaderStyles]

  /** Maximum file size in bytes. The proxy's limit also applies, and applies alone if this is not a positive number. */
  @property({ attribute: 'max-size', type: Number }) maxSize = 0

  /** Maximum number of files. Any number if this is not positive. */
  @property({ attribute: 'max-files', type: Number }) maxFiles = 0

  /** File name extensions and media types to accept, as in `<input accept>`: `.pdf, image/*`. Absent: any. */
  @property() accept = ''

  /** Whether people may also choose or drop folders. Each file keeps its path as metadata `path`. */
  @property({ type: Boolean }) folder = false

  /** How long a stored file is available: `30d`, `12h`, or ISO 8601. Absent: the service decides. */
  @property({ attribute: 'expires-in' }) expiresIn = ''

  /** Metadata to store with each file: a few short texts by name. As an attribute, JSON. */
  @property({ type: Object }) metadata: Readonly<Record<string, string>> = {}

  /** Name to store a file under instead of its own. Useful with `max-files="1"`. */
  @property() filename = ''

  /** Returns the name to store a file under. Takes precedence over `filename`. */
  @property({ attribute: false }) rename: ((file: File) => string) | undefined

  /**
   * Uuids of stored files to show at first, separated by spaces. Server-rendered pages set it to the files of an earlier
   * visit; a reset of the form returns to them. Their names are loaded. A file that cannot be shown stays in the value until
   * people remove it, because it may belong to someone else.
   */
  @property({ attribute: 'value' }) defaultValue = ''

  /** Name of the field in a form. Absent: the form does not send the uuids. */
  @property({ reflect: true }) name = ''

  /** Whether a form needs at least one stored file. */
  @property({ type: Boolean, reflect: true }) required = false

  /** Whether the value was set before the first update, in which the default would replace it. */
  #isValueSet = false
  readonly #kept = new KeptFiles()
  @state() private _leftOut = ''
  /** The facts that `#updateForm()` reported last. */
  #reported: readonly unknown[] = []

  readonly #intake = new FileIntake<'zone'>(this, 'zone', {
    accepts: () => !this.#isFull,
    readFolders: (data) => (this.folder ? readDroppedFiles(data) : undefined),
    onFiles: (_target, incoming, skipped) => {
      this.#add(incoming)
      if (skipped.length > 0) this.#reportLeftOut(this.#messages.leftOut(joinTexts(this, skipped)))
    },
  })

  readonly #uploads = new UploadList<FileAsset, UploaderDetails>(this, this.announcer, {
    send: (item, options) => this.#send(item, options),
    onChange: (ended, left) => this.#onUploads(ended, left),
  })

  readonly #status = new StorageStatus(this, this.announcer, {
    client: () => this.currentClient,
    formatting: () => this.formatting,
    signInUrl: () => this.settings.get('signInUrl'),
    uploads: this.#uploads,
    onFound: (assets) => this.#onFound(assets),
  })

  constructor() {
    super()
    new FocusKeeper(
      this,
      (row) =>
        row?.querySelector<HTMLElement>('.keep') ??
        row?.querySelector<HTMLElement>('.name') ??
        this.#chooseButton,
    )
    this.addEventListener('paste', (event) => this.#intake.onPaste(event, 'zone'))
  }

  /**
   * The stored files in the list, oldest first. Set it to files that were stored before, as the service returned them.
   */
  get assets(): readonly FileAsset[] {
    return this.#uploads.stored
  }

  set assets(assets: readonly FileAsset[]) {
    const stored = assets.map((asset) => ({ ...factsOf(asset), details: { path: '' } }))
    this.#uploads.dispatch({ type: 'restore', stored })
  }

  /** Uuids of the stored files. A form sends them. Set it to show other files; a text separates uuids by spaces. */
  get value(): readonly string[] {
    return this.assets.map(({ uuid }) => uuid)
  }

  set value(uuids: readonly string[] | string) {
    const wanted = uuidsIn([uuids].flat().join(' '))
    // Frameworks set it after each change, which must not interrupt uploads.
    if (this.hasUpdated && wanted.join() === this.value.join()) return
    this.#isValueSet = true
    this.#restore(wanted)
  }

  /** The files whose upload failed, until people try again or remove them. */
  get failedFiles(): readonly FailedUpload[] {
    return this.#uploads.failed
  }

  /** Removes a stored file from the list and the value. It stays in the service, and other files stay in the list. */
  removeFile(uuid: string): void {
    for (const { key, state } of this.#uploads.items)
      if (state.kind === 'stored' && state.value.uuid === uuid)
        this.#uploads.dispatch({ type: 'remove', key })
  }

  /** Adds files as if people had chosen them, and uploads them. Leaves out the files that `max-files` excludes. */
  add(files: Iterable<File>): void {
    this.#add(withPaths(files))
  }

  protected override async scheduleUpdate(): Promise<void> {
    await this.#uploads.throttleUpdate()
    await super.scheduleUpdate()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const isSet = this.#isValueSet && !this.hasUpdated
    if (changed.has('defaultValue') && this.#uploads.items.length === 0 && !isSet) this.reset()
    this.#uploads.showNextSlice()
  }

  protected override updated(): void {
    this.#updateForm()
    this.showStates(this.#problem ? ['not-configured'] : this.#status.states)
  }

  protected override render(): TemplateResult {
    const problem = this.#problem
    return html`
      <div part="base" lang=${this.textLanguage}>
        ${problem ? this.renderConfigurationProblem(problem) : [this.#status.renderNotice(), this.#renderZone(), this.#renderList()]}
      </div>
      ${this.announcer.render()}
    `
  }

  protected override reset(): void {
    this.#restore(uuidsIn(this.defaultValue))
  }

  protected override restore(state: string): void {
    this.#kept.restore(state)
    this.#restoreKept()
  }

  #renderZone() {
    const { proxyProblem } = this.#status
    if (proxyProblem) return this.renderConfigurationProblem(proxyProblem, 'no-proxy')
    if (this.#status.serves('uploadFile') === false)
      return html`<p part="forbidden">${this.#messages.forbidden}</p>`
    return renderDropZone(this.#intake, {
      messages: this.#messages,
      host: this,
      maxSize: this.#maxSize,
      maxFiles: maxFilesOf(this),
      accept: acceptOf(rulesOf(this, this.#status.session)),
      hasFolderButton: this.folder,
      isDisabled: this.#isFull,
      leftOut: this._leftOut,
    })
  }

  #renderList() {
    return renderFileList({
      uploads: this.#uploads,
      status: this.#status,
      client: this.currentClient,
      formatting: this.formatting,
      messages: this.#messages,
      fileMessages: messagesFor(this, 'files', files),
      loading: this.common.loading,
      isDisabled: this.isDisabled,
      onAction: this.#onAction,
      onKeydown: this.#onKeydown,
    })
  }

  get #messages(): Texts['uploader'] {
    return messagesFor(this, 'uploader', uploader)
  }

  get #chooseButton(): HTMLElement | null {
    return this.renderRoot.querySelector('[part~="choose"]')
  }

  /** A message for the page author; empty if all settings are valid. */
  get #problem(): string {
    return this.configurationProblem() || metaProblem(this, this.#messages)
  }

  get #isFull(): boolean {
    return this.isDisabled || this.#uploads.room(maxFilesOf(this)) === 0
  }

  get #maxSize(): number {
    return rulesOf(this, this.#status.session).maxSize
  }

  get #client(): PageClient {
    const client = this.currentClient
    // The page may remove the endpoint while files wait.
    if (!client) throw new UnavailableError('uploadFile', 'has no endpoint')
    return client
  }

  async #rules(signal: AbortSignal): Promise<FileRules> {
    return rulesOf(this, this.#status.session ?? (await readSession(this.#client, signal)))
  }

  #add(incoming: readonly IncomingFile[]): void {
    const shown = incoming.filter((one) => !isHidden(one))
    const added = shown.slice(0, this.#uploads.room(maxFilesOf(this)))
    const hidden = incoming.length - shown.length
    const excess = shown.length - added.length
    this._leftOut = ''
    if (hidden > 0) this.#reportLeftOut(this.#messages.hidden(hidden))
    if (excess > 0) this.#reportLeftOut(this.#messages.tooMany(excess))
    this.#uploads.dispatch({
      type: 'add',
      files: added.map(({ file, path }) => ({ file, name: path || file.name, details: { path } })),
      // Until the page configures an endpoint.
      hold: this.currentClient ? undefined : 'start',
    })
  }

  async #send(
    { key, file, details }: UploadItem<FileAsset, UploaderDetails>,
    options: SendOptions,
  ): Promise<FileAsset> {
    // Only stored files have none.
    if (!file) throw options.signal.reason
    const rules = await this.#rules(options.signal)
    return await sendFile(file, rules, options, (inner) => {
      if (!this.dispatchEvent(new FsBeforeChangeEvent('uploadFile', { file })))
        this.#uploads.dispatch({ type: 'remove', key })
      options.signal.throwIfAborted()
      return this.#client
        .extend(uploadTable)
        .uploadFile({ file, body: uploadMetaOf(file, details.path, this) }, inner)
    })
  }

  #onUploads(ended: readonly UploaderItem[], left: readonly UploaderItem[]): void {
    if (left.length > 0) this._leftOut = ''
    this.#updateForm()
    for (const { file, state } of ended) {
      if (state.kind === 'stored') this.dispatchEvent(new FsChangeEvent('uploadFile', state.value))
      if (state.kind === 'failed') this.dispatchEvent(new FsErrorEvent(state.error, file))
    }
  }

  /** Shows the names of the files that the page named by their uuids. */
  #onFound(assets: readonly FileAsset[]): void {
    for (const { key, state } of this.#uploads.items) {
      const found =
        state.kind === 'stored' &&
        isUnread(state.value) &&
        assets.find(({ uuid }) => uuid === state.value.uuid)
      if (found) this.#uploads.dispatch({ type: 'update', key, ...factsOf(found) })
    }
    this.#restoreKept()
  }

  #reportLeftOut(text: string): void {
    this._leftOut = [this._leftOut, text].join(' ').trim()
    this.announcer.announce(text)
  }

  /** Reports the value and the validity to the form, if they have changed. */
  #updateForm(): void {
    const { name, required, assets } = this
    const { owner, unfinished } = this.#uploads
    const anchor = this.hasUpdated ? this.#chooseButton : null
    const facts = [name, required, owner, this.#messages, unfinished.length, anchor, ...assets]
    if (facts.length === this.#reported.length && facts.every((fact, at) => fact === this.#reported[at]))
      return
    this.#reported = facts

    this.internals.setFormValue?.(fieldValue(name, assets), keepFiles(owner, assets))
    const isMissing = required && assets.length === 0
    this.setProblem(fieldProblem(unfinished.length, isMissing, this.#messages, anchor))
  }

  /** Replaces all files. The facts of the stored ones load next. */
  #restore(uuids: readonly string[]): void {
    this.assets = uuids.map(unreadAsset)
    if (this.hasUpdated && uuids.length > 0) this.#status.refresh()
  }

  #restoreKept(): void {
    const assets = this.#kept.take(this.#uploads.owner)
    if (assets) this.assets = assets
  }

  readonly #onAction = (event: MouseEvent): void => {
    const { action, key, row } = actionOf(event)
    const item = this.#uploads.items.find((one) => one.key === Number(key))
    if (!item) return
    switch (action) {
      case 'cancel':
        return this.#uploads.dispatch({ type: 'cancel', key: item.key })
      case 'remove':
        return this.#onRemove(item)
      case 'ask':
        return this.#setDeletion(item, 'confirming')
      case 'keep':
        return void this.#onKeep(item, row)
      case 'delete':
        // The second click of a double click was meant for the previous button.
        return void (event.detail > 1 || this.#onDelete(item, row))
      default:
        return this.#uploads.dispatch({ type: 'start', key: item.key })
    }
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    const row = (event.target as Element).closest<HTMLElement>('[data-key]')
    const item = this.#uploads.items.find(({ key }) => String(key) === row?.dataset['key'])
    if (event.key !== 'Escape' || !row || item?.details.deletion !== 'confirming') return
    event.stopPropagation()
    void this.#onKeep(item, row)
  }

  #setDeletion({ key }: UploaderItem, deletion: UploaderDetails['deletion']): void {
    this.#uploads.dispatch({ type: 'describe', key, details: { deletion } })
  }

  #onRemove({ key, state }: UploaderItem): void {
    const asset = state.kind === 'stored' ? state.value : undefined
    if (asset && !this.dispatchEvent(new FsBeforeChangeEvent('removeFile', { asset }))) return
    this.#uploads.dispatch({ type: 'remove', key })
    if (asset) this.dispatchEvent(new FsChangeEvent('removeFile', asset))
  }

  async #onKeep(item: UploaderItem, row: HTMLElement): Promise<void> {
    // The buttons stay while the file is deleted, so that the focus does too.
    if (item.details.deletion === 'deleting') return
    this.#setDeletion(item, undefined)
    await this.#returnFocus(row)
  }

  /** Returns the focus to the button of the deletion, unless people have moved it to another row. */
  async #returnFocus(row: HTMLElement): Promise<void> {
    await this.updateComplete
    if (row.contains(this.shadowRoot?.activeElement ?? null))
      row.querySelector<HTMLElement>('.ask, .actions button')?.focus()
  }

  async #onDelete(item: UploaderItem, row: HTMLElement): Promise<void> {
    const { key, state, details } = item
    if (details.deletion !== 'confirming' || state.kind !== 'stored') return
    const asset = state.value
    const { uuid } = asset
    if (!this.dispatchEvent(new FsBeforeChangeEvent('deleteFile', { asset })))
      return void this.#onKeep(item, row)
    this.#setDeletion(item, 'deleting')
    const fileMessages = messagesFor(this, 'files', files)
    const { announcement, notDeleted, deleted } = fileMessages
    const name = shownName(item)
    try {
      await this.#client.deleteFile({ params: { uuid } })
    } catch (error) {
      // The proxy gives the same response for a file that was deleted and for one that the person may not delete any more.
      const isGone = error instanceof NotFoundError
      if (isGone) this.#status.lose(uuid)
      this.#setDeletion(item, isGone ? undefined : 'failed')
      void this.#returnFocus(row)
      this.announcer.announce(announcement(name, isGone ? fileMessages.ends.lost : notDeleted))
      this.dispatchEvent(new FsErrorEvent(error))
      return
    }
    this.announcer.announce(deleted(name))
    this.#uploads.dispatch({ type: 'remove', key })
    this.dispatchEvent(new FsChangeEvent('deleteFile', asset))
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'fs-uploader': FsUploader
  }
}
