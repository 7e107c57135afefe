import { html, type LitElement, nothing } from 'lit'
import { guard } from 'lit/directives/guard.js'
import { repeat } from 'lit/directives/repeat.js'
import { type PageClient, NotFoundError } from '../../client/index.ts'
import type { FileAsset } from '../../contract/schemas/storage.ts'
import { common } from '../../locales/en.ts'
import { files as englishFiles } from '../../locales/en-upload.ts'
import { uploader } from '../../locales/en-uploader.ts'
import type { Texts } from '../../locales/messages.ts'
import type { Announcer } from '../notices/announcer.ts'
import { formatExpiry } from '../text/format.ts'
import { formattingLanguage, messagesFor } from '../text/messages.ts'
import { checkMark, renderButton, renderTransfer, type TransferRow } from '../upload/transfer-row.ts'
import type { UploadItem } from '../upload/upload-item.ts'
import type { UploadQueue } from '../upload/upload-queue.ts'
import { FsBeforeChangeEvent, FsChangeEvent, FsErrorEvent } from './fs-uploader.events.ts'
import { isUnread, type StorageStatus } from './storage-status.ts'

/** The state of a deletion in the service; `undefined` if none was requested. */
type UploadDeletion = 'confirming' | 'deleting' | 'failed' | undefined

/** Facts about a file besides its upload. */
export interface UploaderDetails {
  /** Path from the folder that the file was chosen with; empty without a folder. */
  readonly path: string
  deletion?: UploadDeletion
}

type UploadedItem = UploadItem<FileAsset, UploaderDetails>

interface FileListOptions {
  readonly queue: UploadQueue<FileAsset, UploaderDetails>
  readonly status: StorageStatus
  readonly client: () => PageClient | undefined
  readonly isDisabled: () => boolean
}

/** The list of files: those on their way, and the stored ones with buttons to remove or delete them. */
export class FileList {
  readonly #host: LitElement
  readonly #announcer: Announcer
  readonly #options: FileListOptions

  constructor(host: LitElement, announcer: Announcer, options: FileListOptions) {
    this.#host = host
    this.#announcer = announcer
    this.#options = options
  }

  render(): unknown {
    const { queue, status, client, isDisabled } = this.#options
    if (queue.items.length === 0) return nothing
    // Values that all rows show. With `guard`, an update of a long list renders only the rows that changed.
    const shared = [
      status.version,
      this.#fileMessages,
      formattingLanguage(this.#host),
      client(),
      isDisabled(),
    ]
    const { outcome } = queue
    const header = outcome || queue.counts(({ uuid }) => !status.isGone(uuid))
    return html`<div class="list">
      ${header ? html`<p class="header" part=${outcome ? 'outcome' : 'count'}>${header}</p>` : nothing}
      <ul part="files" aria-label=${this.#messages.files}>
        ${repeat(
          queue.visible,
          ({ key }) => key,
          (item) =>
            guard([item.transfer.state, item.details.deletion, queue.maxSize, ...shared], () =>
              this.#renderItem(item),
            ),
        )}
      </ul>
    </div>`
  }

  #renderItem(item: UploadedItem) {
    const row = this.#rowOf(item)
    const { state } = item.transfer
    const stored = state.kind === 'stored' && {
      detail: this.#renderStoredDetail(item, state.value),
      actions: this.#renderStoredActions(item, row.name, state.value),
    }
    return html`
      <li
        part="file"
        class=${state.kind === 'failed' ? 'failed' : ''}
        data-key=${item.key}
        @keydown=${(event: KeyboardEvent) => this.#onKeydown(event, item)}
      >
        ${renderTransfer({ ...row, ...(stored && { stored }) }, this.#fileMessages, formattingLanguage(this.#host))}
      </li>
    `
  }

  /** Returns a file as its row shows it. Of files that the page named by their uuids, names may be missing. */
  #rowOf(item: UploadedItem): TransferRow {
    const row = this.#options.queue.rowOf(item)
    const { state } = item.transfer
    if (state.kind !== 'stored' || !isUnread(state.value)) return row
    const isGone = this.#options.status.isGone(state.value.uuid)
    return {
      ...row,
      name: isGone ? this.#messages.unavailable : messagesFor(this.#host, 'common', common).loading,
    }
  }

  #renderStoredDetail({ key, details: { deletion } }: UploadedItem, asset: FileAsset) {
    const messages = this.#messages
    const { uuid, uploadDate, expirationDate } = asset
    if (this.#options.status.isGone(uuid))
      return html`<span class="error">${isUnread(asset) ? messages.unknown : messages.gone}</span>`
    if (deletion === 'confirming')
      return html`<span class="attention" id="question${key}">${messages.deleteQuestion}</span>`
    if (deletion === 'deleting') return html`<span class="detail">${messages.deleting}</span>`
    return html`
      <span class="stored">${checkMark}${this.#fileMessages.stored}</span>
      ${
        expirationDate === null
          ? nothing
          : html`<span class="detail">
              ·
              ${messages.availableUntil(formatExpiry(expirationDate, uploadDate, formattingLanguage(this.#host)))}</span
            >`
      }
      <code part="reference" dir="ltr">${uuid}</code>
      ${deletion === 'failed' ? html`<div class="error">${messages.notDeleted}</div>` : nothing}
    `
  }

  #renderStoredActions(item: UploadedItem, name: string, asset: FileAsset) {
    const { status, client, isDisabled } = this.#options
    const messages = this.#messages
    const { named, remove } = this.#fileMessages
    const { deletion } = item.details
    const isGone = status.isGone(asset.uuid)
    const button = (
      text: string,
      onClick: (event: MouseEvent) => void,
      kind?: string,
      describedBy?: string,
      isBusy?: boolean,
    ) => renderButton(named(text, name), text, onClick, kind, describedBy, isBusy)

    const isDeleting = deletion === 'deleting'
    if (deletion === 'confirming' || isDeleting) {
      // A separate template, so that the first button disappears, and the focus moves to the safe choice.
      const question = isDeleting ? undefined : `question${item.key}`
      return html`
        ${button(messages.deleteKeep, (event) => void this.#onKeep(event, item), 'keep', question, isDeleting)}
        ${button(messages.deleteConfirm, (event) => void this.#onDelete(event, item, asset), 'danger solid', question, isDeleting)}
      `
    }
    return [
      isGone
        ? nothing
        : // With `download`, a link that fails does not replace the page.
          html`<a
            class="button quiet"
            part="download"
            download
            href=${client()?.href('presignFile', { uuid: asset.uuid }) ?? ''}
            aria-label=${named(messages.download, name)}
            >${messages.download}</a
          >`,
      isDisabled()
        ? nothing
        : status.serves('deleteFile') && !isGone
          ? button(messages.delete, () => this.#setDeletion(item, 'confirming'), 'quiet delete')
          : button(remove, () => this.#onRemove(item, asset), 'quiet'),
    ]
  }

  get #messages(): Texts['uploader'] {
    return messagesFor(this.#host, 'uploader', uploader)
  }

  get #fileMessages(): Texts['files'] {
    return messagesFor(this.#host, 'files', englishFiles)
  }

  #setDeletion({ details }: UploadedItem, deletion: UploadDeletion): void {
    details.deletion = deletion
    this.#host.requestUpdate()
  }

  #onKeydown(event: KeyboardEvent, item: UploadedItem): void {
    if (event.key !== 'Escape' || item.details.deletion !== 'confirming') return
    event.stopPropagation()
    void this.#onKeep(event, item)
  }

  async #onKeep({ target }: Event, item: UploadedItem): Promise<void> {
    // The buttons stay while the file is deleted, so that the focus does too.
    if (item.details.deletion === 'deleting') return
    const row = (target as Element).closest('li')
    this.#setDeletion(item, undefined)
    await this.#returnFocus(row)
  }

  /** Returns the focus to the button of the deletion, unless people have moved it to another row. */
  async #returnFocus(row: Element | null): Promise<void> {
    await this.#host.updateComplete
    if (row?.contains(this.#host.shadowRoot?.activeElement ?? null))
      row.querySelector<HTMLElement>('.delete, .actions button')?.focus()
  }

  #onRemove(item: UploadedItem, asset: FileAsset): void {
    if (!this.#host.dispatchEvent(new FsBeforeChangeEvent('removeFile', { asset }))) return
    this.#options.queue.remove(item)
    this.#host.dispatchEvent(new FsChangeEvent('removeFile', asset))
  }

  async #onDelete(event: MouseEvent, item: UploadedItem, asset: FileAsset): Promise<void> {
    // The second click of a double click was meant for the previous button.
    if (item.details.deletion !== 'confirming' || event.detail > 1) return
    if (!this.#host.dispatchEvent(new FsBeforeChangeEvent('deleteFile', { asset }))) {
      void this.#onKeep(event, item)
      return
    }
    const { queue, client, status } = this.#options
    const { name } = this.#rowOf(item)
    const row = (event.target as Element).closest('li')
    this.#setDeletion(item, 'deleting')
    try {
      await client()?.deleteFile({ params: { uuid: asset.uuid } })
    } catch (error) {
      // The proxy gives the same response for a file that was deleted and for one that the person may not delete any more.
      const isGone = error instanceof NotFoundError
      if (isGone) status.lose(asset.uuid)
      this.#setDeletion(item, isGone ? undefined : 'failed')
      void this.#returnFocus(row)
      const { gone, notDeleted } = this.#messages
      this.#announcer.announce(this.#fileMessages.announcement(name, isGone ? gone : notDeleted))
      this.#host.dispatchEvent(new FsErrorEvent(error))
      return
    }
    this.#announcer.announce(this.#messages.deleted(name))
    queue.remove(item)
    this.#host.dispatchEvent(new FsChangeEvent('deleteFile', asset))
  }
}

/** Returns a stored file as its row shows it. */
export function factsOf(asset: FileAsset) {
  const name = asset.metadata?.['path'] ?? asset.filename ?? asset.uuid
  return { value: asset, name, size: asset.fileSize ?? NaN }
}
