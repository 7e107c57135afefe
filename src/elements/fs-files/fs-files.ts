import { html, nothing } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { NotFoundError } from '../../client/index.ts'
import type { FileAsset, UpdateMetaBody } from '../../contract/schemas/storage.ts'
import { storedFiles } from '../../locales/en-files.ts'
import { files } from '../../locales/en-upload.ts'
import type { Texts } from '../../locales/messages.ts'
import { controlStyles } from '../element/controls.styles.ts'
import { property } from 'lit/decorators.js'
import { FocusKeeper } from '../element/focus-keeper.ts'
import { FormField } from '../element/form-field.ts'
import { FsBeforeChangeEvent, FsChangeEvent, FsErrorEvent } from '../fs-uploader/fs-uploader.events.ts'
import { messagesFor } from '../text/messages.ts'
import { renderEmpty } from '../notices/empty.ts'
import { uuidsIn } from '../upload/uuids-in.ts'
import { actionOf, linksOf, renderFileRow } from '../upload/file-row.ts'
import { fileRowStyles } from '../upload/file-row.styles.ts'
import { type DeletionState, FileDeletions } from './file-deletions.ts'
import { FileEditor } from './file-editor.ts'
import { FileFactsReader } from './file-facts.ts'
import { type FilesClient, filesClient } from './files-client.ts'
import { FollowedUploader } from './followed-uploader.ts'
import { filesStyles } from './fs-files.styles.ts'
import { type Grantee, granteeName, readGrantees } from './grantees.ts'
import { StorageElement } from './storage-element.ts'
import { endOf, type ListedFile, storedRow } from './stored-row.ts'

/**
 * Lists stored files, and lets people open, download, change and delete them. The service has no list of files, so the page
 * names them by their uuids, or names an `<fs-uploader>` whose files are shown.
 *
 * People change the name without its extension, the day until which a file is kept, and its labels (the metadata). Only what
 * they changed is sent. PDF, images and plain text open in a new tab; all other files are saved. A link to the content is
 * created when people click, works for a minute, and never becomes part of the page.
 *
 * People can undo a deletion until they confirm it or leave the page, or until the list is removed. Files that have expired, were
 * deleted or belong to someone else stay in the list and are marked.
 *
 * In a form it is a field: its value is the uuids of the files that are not deleted, one entry each under `name`.
 *
 * ```html
 * <fs-uploader id="receipts" endpoint="/api/wf"></fs-uploader>
 * <fs-files for="receipts" endpoint="/api/wf"></fs-files>
 * ```
 *
 * @element fs-files
 *
 * @slot empty - Shown if the list is empty.
 *
 * @fires {FsBeforeChangeEvent} fs-before-change - A file is about to be changed or deleted. Cancelable.
 * @fires {FsChangeEvent} fs-change - A file was changed or deleted.
 * @fires {FsErrorEvent} fs-error - The files could not be loaded, or a file could not be changed or deleted.
 * @fires {WfSignedOutEvent} wf-signed-out - The session has ended.
 *
 * @csspart base - The whole element.
 * @csspart header - The line with the number of entries.
 * @csspart files - The list of files.
 * @csspart file - One file.
 * @csspart open - The name of a file that opens in a new tab.
 * @csspart download - The link to a stored file.
 * @csspart labels - The metadata of a file.
 * @csspart editor - The form in which people change a file.
 * @csspart undo - The notice that a file will be deleted.
 * @csspart end - Why a file is not available.
 * @csspart support - The closed section with the reference.
 * @csspart reference - The id of a file or an application.
 * @csspart empty - The message that there is nothing to show.
 * @csspart loading - The placeholder shown until the content has loaded.
 * @csspart stale - The notice or mark that the content may be out of date.
 * @csspart failure - The notice that the content could not be loaded.
 * @csspart try-again - The button in either notice.
 * @csspart signed-out - The message for people who are not signed in.
 * @csspart sign-in - The link to the sign-in page.
 * @csspart not-configured - The message for the page author.
 * @csspart no-proxy - The message for the page author that no proxy was found.
 *
 * @cssprop [--wf-accent] - Color of the button that saves.
 * @cssprop [--wf-on-accent] - Color of text on the accent color.
 * @cssprop [--wf-focus] - Color of the focus ring.
 * @cssprop [--wf-danger] - Color of errors and of the buttons that delete.
 * @cssprop [--wf-line] - Color of borders.
 * @cssprop [--wf-radius=0.5em] - Corner radius.
 * @cssprop [--wf-space=1em] - Distance between blocks.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text color of notices.
 * @cssprop [--wf-notice-line] - Border color of notices.
 *
 * @cssState loading - The files have not loaded yet.
 * @cssState loaded - The files are shown.
 * @cssState empty - The list is empty.
 * @cssState busy - A request is in progress.
 * @cssState stale - The latest poll failed: the list may be out of date.
 * @cssState failed - The files could not be loaded.
 * @cssState signed-out - The person is not signed in.
 * @cssState not-configured - A setting is missing or invalid; the element shows which.
 * @cssState no-proxy - No proxy was found at the endpoint.
 */
export class FsFiles extends FormField(StorageElement) {
  static override styles = [controlStyles, fileRowStyles, filesStyles]

  /** Uuids of the files, separated by spaces. A reset of the form returns to them. */
  @property({ attribute: 'value' }) defaultValue = ''

  /** Id of an `<fs-uploader>` whose files are shown. Takes precedence over the value. */
  @property() for = ''

  /** Name of the field in a form. Absent: the form does not send the uuids. */
  @property({ reflect: true }) name = ''

  /** Whether a form needs at least one file. */
  @property({ type: Boolean, reflect: true }) required = false

  /**
   * The applications that files can be shared with, by client id and name. A file that is deleted is lost for those that it
   * is shared with, so their names are shown. As an attribute, JSON.
   */
  @property({ type: Array }) grantees: readonly Grantee[] = []

  /** Uuids that the page has set; `undefined` as long as the default applies. */
  #uuids: readonly string[] | undefined
  /** The uuids that were read last, to read new ones. */
  #shown = ''
  /** Names of the applications that lose a file, by its uuid. */
  readonly #losers = new Map<string, readonly string[]>()

  readonly #uploader = new FollowedUploader(this)

  readonly #facts = new FileFactsReader(this, {
    client: () => this.currentClient,
    uuids: () => this.#listed,
    onForget: (isOtherPerson) => isOtherPerson && this.announcer.clear(),
    onLoad: ({ session }) => {
      this.#editor.signedIn(session.univid)
      this.onRead()
    },
    onError: (error) => {
      if (!(error instanceof NotFoundError)) this.onReadError(error, this.#editor.isSignedOut)
    },
  })

  readonly #deletions = new FileDeletions({
    send: async (uuid) => this.#client.deleteFile({ params: { uuid } }),
    onChange: (uuid, deletion, error) => this.#onDeletion(uuid, deletion, error),
  })

  readonly #editor = new FileEditor(this, {
    renderSignedOut: () => this.renderSignedOut('_blank'),
    timeZone: () => this.formatting.timeZone,
    isTest: () => this.#facts.session?.env === 'test',
    send: (asset, body) => this.#send(asset, body),
    onEnd: ({ uuid }, isSaved) => {
      if (isSaved) this.announcer.announce(this.#messages.saved(this.#nameOf(uuid)))
    },
  })

  constructor() {
    super()
    new FocusKeeper(
      this,
      (row) =>
        row?.querySelector<HTMLElement>('.undo, form input, .edit') ?? row?.querySelector('.name') ?? null,
    )
  }

  /** Uuids of the files that are not deleted. A form sends them. Set it to show other files. */
  get value(): readonly string[] {
    return this.#listed.filter((uuid) => !this.#deletions.includes(uuid))
  }

  set value(uuids: readonly string[] | string) {
    this.#uuids = uuidsIn([uuids].flat().join(' '))
    this.requestUpdate()
  }

  /** Loads all files again. Never rejects: errors fire `fs-error`. */
  override async refresh(): Promise<void> {
    this.currentClient?.invalidate()
    await this.#facts.refresh(true)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    // An element that only moves is connected again before this runs. Otherwise, nobody can undo a deletion any more.
    queueMicrotask(() => {
      if (!this.isConnected) this.#deletions.sendAll()
    })
  }

  protected override willUpdate(): void {
    const shown = this.#listed.join(' ')
    if (shown === this.#shown) return
    this.#shown = shown
    if (this.hasUpdated) void this.#facts.refresh()
  }

  protected override updated(): void {
    super.updated()
    this.#updateForm()
  }

  protected override reset(): void {
    this.#uuids = undefined
    this.requestUpdate()
  }

  protected override restore(state: string): void {
    this.value = state
  }

  protected override renderState(): unknown {
    const { session } = this.#facts
    // Input stays while they are signed out.
    const uuids = session ? this.#listed : this.#listed.filter((uuid) => this.#editor.assetOf(uuid))
    if (!session && uuids.length === 0) return this.renderFailure() ?? this.renderLoading()
    return [this.renderStale(this.#editor.isSignedOut), this.#renderFiles(uuids)]
  }

  #renderFiles(uuids: readonly string[]) {
    const t = this.#messages
    if (uuids.length === 0) return renderEmpty(t.empty)
    const rows = uuids.map((uuid) => this.#fileOf(uuid))
    const { formatting, common } = this
    const gone = rows.filter((file) => endOf(file, formatting.timeZone) !== undefined).length
    const fileMessages = this.#fileMessages
    const context = { messages: t, fileMessages, common, formatting }
    const onAction = this.#onAction
    return html`
      <div class="card">
        <div part="header" ?hidden=${!this.#facts.session}>
          <strong>${t.count(uuids.length)}</strong>
          ${gone > 0 ? html`<span class="detail">${t.unavailable(gone)}</span>` : nothing}
        </div>
        <ul part="files" aria-label=${t.label}>
          ${repeat(
            rows,
            ({ uuid }) => uuid,
            (file) =>
              html`<li part="file" data-key=${file.uuid}>
                ${renderFileRow({ ...storedRow(file, context), onAction }, fileMessages, formatting.language)}
              </li>`,
          )}
        </ul>
      </div>
    `
  }

  #fileOf(uuid: string): ListedFile {
    const edited = this.#editor.assetOf(uuid)
    const facts = this.#facts.of(uuid) ?? (edited && { asset: edited, gone: undefined })
    const canChange = facts?.asset !== undefined && !this.isDisabled
    const client = this.#client
    return {
      uuid,
      facts,
      deletion: this.#deletions.of(uuid),
      grantees: this.#losers.get(uuid) ?? [],
      isEditable: canChange && this.#facts.serves('updateFileMeta'),
      isDeletable: canChange && this.#facts.serves('deleteFile'),
      links:
        facts?.asset &&
        linksOf(facts.asset.contentType, (query) => client.href('presignFile', { uuid }, query)),
      editor: this.#editor.render(uuid),
    }
  }

  readonly #onAction = (event: MouseEvent): void => {
    const { action, key: uuid } = actionOf(event)
    const asset = this.#facts.of(uuid)?.asset
    // The second click of a double click was meant for the previous button.
    if (event.detail > 1) return
    if (action === 'undo') this.#deletions.undo(uuid)
    else if (this.#deletions.of(uuid) === 'waiting') void this.#deletions.sendNow(uuid)
    else if (asset && action === 'edit') this.#editor.open(asset)
    else if (asset) this.#onDelete(asset)
  }

  get #messages(): Texts['storedFiles'] {
    return messagesFor(this, 'storedFiles', storedFiles)
  }

  get #fileMessages(): Texts['files'] {
    return messagesFor(this, 'files', files)
  }

  /** Without a client, nothing is rendered that could call it. */
  get #client(): FilesClient {
    return filesClient(this.currentClient as NonNullable<typeof this.currentClient>)
  }

  /** Uuids of all rows. */
  get #listed(): readonly string[] {
    return this.for ? this.#uploader.uuids : (this.#uuids ?? uuidsIn(this.defaultValue))
  }

  protected override get readError(): unknown {
    return this.#facts.error
  }

  protected override get loadedAt(): number {
    return this.#facts.loadedAt
  }

  protected override get isReading(): boolean {
    return this.#facts.busy
  }

  protected override get rowCount(): number | undefined {
    return this.#facts.session && this.#listed.length
  }

  protected override get listName(): string {
    return this.#messages.label
  }

  #nameOf(uuid: string): string {
    return this.#facts.of(uuid)?.asset?.filename ?? this.#fileMessages.unnamed
  }

  #updateForm(): void {
    const { value } = this
    const content = new FormData()
    if (this.name) for (const uuid of value) content.append(this.name, uuid)
    this.internals.setFormValue?.(content, this.#uuids?.join(' ') ?? this.defaultValue)
    this.setProblem(
      this.required && value.length === 0
        ? {
            kind: 'valueMissing',
            message: this.#messages.missing,
            anchor: this.hasUpdated ? this.renderRoot.querySelector<HTMLElement>('[part=base]') : null,
          }
        : undefined,
    )
  }

  async #send(asset: FileAsset, body: UpdateMetaBody): Promise<boolean> {
    if (!this.dispatchEvent(new FsBeforeChangeEvent('updateFileMeta', { asset }))) return false
    const { uuid } = asset
    try {
      const changed = await this.#client.updateFileMeta({ params: { uuid }, body })
      this.#facts.replace(changed)
      // The person was signed out before.
      if (!this.#facts.session) void this.refresh()
      this.dispatchEvent(new FsChangeEvent('updateFileMeta', changed))
      return true
    } catch (error) {
      this.dispatchEvent(new FsErrorEvent(error))
      throw error
    }
  }

  #onDelete(asset: FileAsset): void {
    if (!this.dispatchEvent(new FsBeforeChangeEvent('deleteFile', { asset }))) return
    const { uuid } = asset
    this.#deletions.start(uuid)
    if (this.#facts.serves('getShares')) void this.#findLosers(uuid)
  }

  /** Finds the applications that lose the file too. If people may not see them, nothing is shown. */
  async #findLosers(uuid: string): Promise<void> {
    const directory = readGrantees(this.grantees)
    const shares = await this.#client.getShares({ query: { fileAssetUuid: uuid } }).catch(() => undefined)
    const names = (shares?.content ?? []).flatMap(
      (share) => (share && granteeName(directory, share.granteeClientId)) ?? [],
    )
    this.#losers.set(uuid, [...new Set(names)])
    this.requestUpdate()
  }

  #onDeletion(uuid: string, deletion: DeletionState | undefined, error: unknown): void {
    const t = this.#messages
    const { announcement, deleted, ends, notDeleted } = this.#fileMessages
    const name = this.#nameOf(uuid)
    this.requestUpdate()
    switch (deletion) {
      case undefined:
        return this.announcer.announce(t.kept(name))
      case 'waiting':
        return this.announcer.announce(announcement(name, t.waiting))
      case 'failed':
        this.announcer.announce(announcement(name, notDeleted))
        this.dispatchEvent(new FsErrorEvent(error))
        return
      case 'lost':
        this.announcer.announce(announcement(name, ends.lost))
        this.#facts.lose(uuid)
        return
      case 'deleted': {
        this.announcer.announce(deleted(name))
        this.#uploader.remove(uuid)
        const asset = this.#facts.of(uuid)?.asset
        if (asset) this.dispatchEvent(new FsChangeEvent('deleteFile', asset))
      }
    }
  }

  /** Another element has changed or deleted a file. */
  protected override onFileChange({ operation, asset }: FsChangeEvent): void {
    if (!this.#listed.includes(asset.uuid)) return
    if (operation === 'updateFileMeta') this.#facts.replace(asset)
    if (operation === 'deleteFile') this.#facts.lose(asset.uuid)
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'fs-files': FsFiles
  }
}
