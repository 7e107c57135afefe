import { html, nothing, type PropertyValues } from 'lit'
import { ForbiddenError, SignedOutError } from '../../client/index.ts'
import { uuidPattern, wholeText } from '../../contract/values/patterns.ts'
import type { Share } from '../../contract/schemas/shares.ts'
import { shares } from '../../locales/en-files.ts'
import type { Texts } from '../../locales/messages.ts'
import { dialogStyles } from '../dialog/dialog.styles.ts'
import { controlStyles } from '../element/controls.styles.ts'
import { property, state } from 'lit/decorators.js'
import { WfLoadEvent } from '../element/events.ts'
import { FocusKeeper } from '../element/focus-keeper.ts'
import { type FilesClient, filesClient } from '../fs-files/files-client.ts'
import { filesStyles } from '../fs-files/fs-files.styles.ts'
import { type Grantee, readGrantees } from '../fs-files/grantees.ts'
import { StorageElement } from '../fs-files/storage-element.ts'
import { type FsChangeEvent, FsErrorEvent } from '../fs-uploader/fs-uploader.events.ts'
import { formattingLanguage, messagesFor } from '../text/messages.ts'
import { fileRowStyles } from '../upload/file-row.styles.ts'
import { Resource } from '../loading/resource.ts'
import type { ElementState } from '../loading/loadable.ts'
import { uuidsIn } from '../upload/uuids-in.ts'
import { FsBeforeShareEvent, FsShareEvent, type SharedFile, type ShareOperation } from './fs-shares.events.ts'
import { sharesStyles } from './fs-shares.styles.ts'
import { RevokeDialog } from './revoke-dialog.ts'
import { renderShareFilters, type ShareFilters } from './share-filters.ts'
import { ShareForm } from './share-form.ts'
import { applicationOf, fileOf, renderShares, type ShareListContext } from './share-list.ts'
import { choicesOf, type FileChoice, readShares, type ShareKey, type SharesContent } from './share-page.ts'

/**
 * Lists the applications that files are shared with, each with its files, and lets people share a file with an application, or
 * stop that. Shows the shares of one file, or all shares of the page's application, in pages. If there are more than five, filters
 * by application and by file appear.
 *
 * Applications come from the directory in `grantees`; people cannot enter others. An application that has access to all files
 * is listed apart, because only an administrator of the storage service can change that, and because the service refuses to
 * share single files with it.
 *
 * Only the owners of files, and people with permission from the `policy` of the proxy, can see and change shares.
 *
 * ```html
 * <fs-shares endpoint="/api/wf" file="0f5e0000-0000-4000-8000-000000000001"></fs-shares>
 * ```
 *
 * @element fs-shares
 *
 * @slot empty - Shown if nothing is shared.
 *
 * @fires {WfLoadEvent<SharesContent>} wf-load - A page of shares was loaded, for the first time or again.
 * @fires {FsBeforeShareEvent} fs-before-share - A file is about to be shared, or no longer to be shared. Cancelable.
 * @fires {FsShareEvent} fs-share - A file is shared, or no longer shared.
 * @fires {FsErrorEvent} fs-error - The shares could not be loaded, or a share could not be changed.
 * @fires {WfSignedOutEvent} wf-signed-out - The session has ended.
 *
 * @csspart base - The whole element.
 * @csspart header - The line with the number of entries.
 * @csspart filters - The choices of application, file and order.
 * @csspart all-files - The applications that have access to all files.
 * @csspart application - An application, with the single files that are shared with it.
 * @csspart shares - The list of these files.
 * @csspart share - One share.
 * @csspart pages - The position in the list, and the buttons to the other pages.
 * @csspart create - The form that shares a file.
 * @csspart dialog - The dialog.
 * @csspart support - The closed section with the reference.
 * @csspart reference - The id of a file or an application.
 * @csspart empty - The message that there is nothing to show.
 * @csspart loading - The placeholder shown until the content has loaded.
 * @csspart stale - The notice or mark that the content may be out of date.
 * @csspart failure - The notice that the content could not be loaded.
 * @csspart try-again - The button in either notice.
 * @csspart forbidden - The message for people without rights.
 * @csspart signed-out - The message for people who are not signed in.
 * @csspart sign-in - The link to the sign-in page.
 * @csspart not-configured - The message for the page author.
 * @csspart no-proxy - The message for the page author that no proxy was found.
 *
 * @cssprop [--wf-accent] - Color of the button that shares.
 * @cssprop [--wf-on-accent] - Color of text on the accent color.
 * @cssprop [--wf-focus] - Color of the focus ring.
 * @cssprop [--wf-danger] - Color of problems and of the button that ends a share.
 * @cssprop [--wf-on-danger] - Color of text on the danger color.
 * @cssprop [--wf-surface] - Background of the dialog.
 * @cssprop [--wf-text] - Text color of the dialog.
 * @cssprop [--wf-line] - Color of borders.
 * @cssprop [--wf-radius=0.5em] - Corner radius.
 * @cssprop [--wf-space=1em] - Distance between blocks.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text color of notices.
 * @cssprop [--wf-notice-line] - Border color of notices.
 *
 * @cssState loading - The shares have not loaded yet.
 * @cssState loaded - The shares are shown.
 * @cssState empty - The list is empty.
 * @cssState busy - A request is in progress.
 * @cssState stale - The latest poll failed: the list may be out of date.
 * @cssState failed - The shares could not be loaded.
 * @cssState forbidden - The person may not see shares.
 * @cssState signed-out - The person is not signed in.
 * @cssState not-configured - A setting is missing or invalid; the element shows which.
 * @cssState no-proxy - No proxy was found at the endpoint.
 */
export class FsShares extends StorageElement {
  static override styles = [controlStyles, dialogStyles, fileRowStyles, filesStyles, sharesStyles]

  /** Uuid of the file whose shares are shown. Absent: the shares of all files. */
  @property() file = ''

  /** Uuids of the files that people can share and filter by, separated by spaces, if `file` is absent. */
  @property() files = ''

  /** The applications that files can be shared with, by client id and name. As an attribute, JSON. */
  @property({ type: Array }) grantees: readonly Grantee[] = []

  /** Maximum number of shares on a page. */
  @property({ attribute: 'page-size', type: Number }) pageSize = 20

  @state() private _filters: ShareFilters = { grantee: '', file: '', order: 'createdAt,desc' }
  @state() private _page = 0

  #hasFilters = false
  /** The page that was shown last. */
  #latest: SharesContent | undefined

  readonly #form = new ShareForm(this)
  readonly #dialog = new RevokeDialog(this)

  readonly #content = new Resource<ShareKey, SharesContent>(this, {
    key: () => this.#key,
    load: readShares,
    watch: ([client], changed) => client.watch('shares', changed),
    onForget: (isOtherPerson) => isOtherPerson && this.announcer.clear(),
    onLoad: (content) => this.#onLoad(content),
    onError: (error) => this.#onError(error),
  })

  constructor() {
    super()
    new FocusKeeper(
      this,
      (row) =>
        (row ?? this.renderRoot).querySelector<HTMLElement>('.revoke') ??
        this.renderRoot.querySelector('select'),
    )
  }

  /** The shown page; `undefined` if nothing is shown. */
  get value(): SharesContent | undefined {
    return this.#content.value
  }

  /** Loads the shares again. Never rejects: errors fire `fs-error`. */
  override async refresh(): Promise<void> {
    this.currentClient?.invalidate()
    await this.#content.refresh()
  }

  /** The name of a file may have changed, and a deleted file is not shared any more. */
  protected override onFileChange({ asset }: FsChangeEvent): void {
    const shared = this.value?.single.map(({ fileAssetUuid }) => fileAssetUuid) ?? []
    if ([this.#fixedFile, ...uuidsIn(this.files), ...shared].includes(asset.uuid)) void this.refresh()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.hasUpdated && (changed.has('file') || changed.has('files'))) this._page = 0
  }

  protected override renderDialogs(): unknown {
    return this.#dialog.render({ messages: this.#messages, signedOut: this.renderSignedOut('_blank') })
  }

  protected override renderState(): unknown {
    const { value } = this
    if (this.#isForbidden) return html`<p part="forbidden">${this.#messages.forbidden}</p>`
    if (this.#content.error && !value && !this.#form.isStarted) return this.renderFailure()
    return [this.renderStale(this.#form.isSignedOut), this.#renderCard(value)]
  }

  #renderCard(content: SharesContent | undefined) {
    const t = this.#messages
    const total = content?.page.totalElements
    return html`
      <div class="card" aria-busy=${this.#content.busy}>
        ${
          total === 0
            ? nothing
            : html`<div part="header"><strong>${total == null ? t.label : t.count(total)}</strong></div>`
        }
        ${this.#needsFilters(content) ? this.#renderFilters(content) : nothing}
        ${
          content
            ? [renderShares(content, this.#listContext), this.#renderLeftOut(content)]
            : this.#content.error
              ? nothing
              : this.renderLoading()
        }
        ${this.#renderForm(content ?? (this.#form.isStarted ? this.#latest : undefined))}
      </div>
    `
  }

  #renderLeftOut({ leftOut }: SharesContent) {
    return leftOut > 0 ? html`<p class="error">${this.common.leftOut(leftOut)}</p>` : nothing
  }

  /** A short list needs no filters. They stay while another page loads, so that they keep the focus. */
  #needsFilters(content: SharesContent | undefined): boolean {
    const isFiltered = this._filters.file !== '' || this._filters.grantee !== ''
    if (content) this.#hasFilters = isFiltered || (content.page.totalElements ?? 6) > 5
    return this.#hasFilters
  }

  #renderFilters(content: SharesContent | undefined) {
    return renderShareFilters({
      messages: this.#messages,
      filters: this._filters,
      grantees: readGrantees(this.grantees),
      files: this.#fixedFile ? [] : this.#choices(content),
      onChange: (change) => {
        this._filters = { ...this._filters, ...change }
        this._page = 0
      },
    })
  }

  /** Choices stay while the list loads, and while they are signed out. */
  #renderForm(content: SharesContent | undefined) {
    if (!content?.session.allows.operations.includes('createShare')) return nothing
    const fixed = this.#fixedFile
    return this.#form.render({
      messages: this.#messages,
      renderSignedOut: () => this.renderSignedOut('_blank'),
      grantees: readGrantees(this.grantees),
      files: fixed
        ? [[fixed, content.names.get(fixed) ?? this.#messages.unknownFile]]
        : this.#choices(content),
      client: this.#client,
      send: async (share) => {
        const isSent = await this.#change('createShare', share, () =>
          this.#client.createShare({ body: share }),
        )
        if (isSent) this.announcer.announce(this.#messages.shared(applicationOf(share, this.#listContext)))
        return isSent
      },
    })
  }

  get #messages(): Texts['shares'] {
    return messagesFor(this, 'shares', shares)
  }

  /** Without a client, nothing is rendered that could call it. */
  get #client(): FilesClient {
    return filesClient(this.currentClient as NonNullable<typeof this.currentClient>)
  }

  get #fixedFile(): string {
    return wholeText(uuidPattern).test(this.file) ? this.file : ''
  }

  get #key(): ShareKey | readonly [] {
    const client = this.currentClient
    const size = this.pageSize >= 1 ? Math.floor(this.pageSize) : 20
    const files = uuidsIn(this.files).join(' ')
    const { grantee, order } = this._filters
    const file = this.#fixedFile || this._filters.file
    return client ? [client, file, grantee, order, this._page, size, files] : []
  }

  /** The files that people can choose: those of the page that they may see. */
  #choices(content: SharesContent | undefined): readonly FileChoice[] {
    return choicesOf(uuidsIn(this.files), (content ?? this.#latest)?.names)
  }

  get #isForbidden(): boolean {
    return this.#content.error instanceof ForbiddenError || this.value?.isServed === false
  }

  get #listContext(): ShareListContext {
    const mayRevoke = this.value?.session.allows.operations.includes('revokeShare')
    return {
      messages: this.#messages,
      language: formattingLanguage(this),
      grantees: readGrantees(this.grantees),
      onRevoke: mayRevoke ? (share) => this.#onRevoke(share) : undefined,
      onPage: (page) => (this._page = page),
    }
  }

  protected override get readError(): unknown {
    return this.#content.error
  }

  protected override get loadedAt(): number {
    return this.#content.loadedAt
  }

  protected override get isReading(): boolean {
    return this.#content.busy
  }

  protected override get rowCount(): number | undefined {
    return this.value && this.value.ofAll.length + this.value.single.length
  }

  protected override get listName(): string {
    return this.#messages.label
  }

  protected override get elementStates(): readonly ElementState[] {
    const isSignedOut = this.readError instanceof SignedOutError
    return this.#isForbidden && !isSignedOut ? ['forbidden'] : super.elementStates
  }

  #onRevoke(share: Share): void {
    const { fileAssetUuid, granteeClientId } = share
    if (fileAssetUuid === null) return
    const shared = { fileAssetUuid, granteeClientId }
    const application = applicationOf(share, this.#listContext)
    void this.#dialog.open({
      file: fileOf(share, this.value?.names ?? new Map(), this.#messages),
      application,
      send: async () => {
        const isSent = await this.#change('revokeShare', shared, () =>
          this.#client.revokeShare({ params: { granteeClientId }, query: { fileAssetUuid } }),
        )
        if (!isSent) return
        this.#form.ended(shared)
        this.announcer.announce(this.#messages.revoked(application))
      },
    })
  }

  /** Sends a change and reads the list again, even after a failure: only the response may have been lost. */
  async #change(
    operation: ShareOperation,
    share: SharedFile,
    send: () => Promise<unknown>,
  ): Promise<boolean> {
    if (!this.dispatchEvent(new FsBeforeShareEvent(operation, share))) return false
    try {
      await send()
      this.dispatchEvent(new FsShareEvent(operation, share))
      return true
    } catch (error) {
      this.dispatchEvent(new FsErrorEvent(error))
      throw error
    } finally {
      void this.refresh()
    }
  }

  #onLoad(content: SharesContent): void {
    this.#signedIn(content.session.univid)
    this.#latest = content
    const isWhole = content.page.totalElements === content.single.length + content.ofAll.length
    if (isWhole) this.#form.listed(content.single, this._filters)
    this.onRead()
    // The last share of a page has ended.
    if (this._page > 0 && this.rowCount === 0) this._page--
    this.dispatchEvent(new WfLoadEvent(content))
  }

  /** Another person sees nothing of what was entered before. */
  #signedIn(univid: string): void {
    if (this.#latest?.session.univid !== univid) {
      if (this.#latest) this.announcer.clear()
      this.#dialog.close()
      this.#latest = undefined
    }
    this.#form.signedIn(univid)
  }

  #onError(error: unknown): void {
    const isForbidden = error instanceof ForbiddenError
    if (isForbidden || error instanceof SignedOutError) this.#content.forget()
    if (isForbidden) this.#signedIn('')
    this.onReadError(error, this.#form.isSignedOut, !isForbidden)
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'fs-shares': FsShares
  }
}
