import { html, type LitElement, nothing } from 'lit'
import { guard } from 'lit/directives/guard.js'
import { repeat } from 'lit/directives/repeat.js'
import { type Client, NotFoundError } from '../../client/index.ts'
import type { FileAsset } from '../../contract/storage.ts'
import { files as englishFiles, uploader } from '../../locales/en.ts'
import type { Messages } from '../../locales/messages.ts'
import type { Announcer } from '../announcer.ts'
import { languageOf } from '../language.ts'
import { messagesFor } from '../messages.ts'
import { renderTransfer } from '../upload/transfer-row.ts'
import type { UploadItem, UploadQueue } from '../upload/upload-queue.ts'
import { FsBeforeChangeEvent, FsChangeEvent, FsErrorEvent } from './fs-uploader.events.ts'
import type { StorageStatus } from './storage-status.ts'
import {
  type DeletionState,
  renderStoredActions,
  renderStoredDetail,
  type StoredFile,
} from './stored-file.ts'

/** Facts about a file besides its upload. */
export interface UploaderDetails {
  /** Path from the folder that the file was chosen with; empty without a folder. */
  readonly path: string
  deletion?: DeletionState
}

type Item = UploadItem<FileAsset, UploaderDetails>

export interface FileListOptions {
  readonly queue: UploadQueue<FileAsset, UploaderDetails>
  readonly status: StorageStatus
  readonly client: () => Client | undefined
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
    const shared = [status.version, this.#fileMessages, languageOf(this.#host), client(), isDisabled()]
    return html`
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
    `
  }

  #renderItem(item: Item) {
    const row = this.#options.queue.rowOf(item)
    const { state } = item.transfer
    const stored = state.kind === 'stored' ? this.#storedFile(item, row.name, state.value) : undefined
    return html`
      <li part="file" @keydown=${(event: KeyboardEvent) => this.#onKeydown(event, item)}>
        ${renderTransfer(
          {
            ...row,
            stored: stored && { detail: renderStoredDetail(stored), actions: renderStoredActions(stored) },
          },
          this.#fileMessages,
          languageOf(this.#host),
        )}
      </li>
    `
  }

  #storedFile(item: Item, name: string, asset: FileAsset): StoredFile {
    const { status, client, isDisabled } = this.#options
    return {
      asset,
      name,
      deletion: item.details.deletion,
      isGone: status.isGone(asset.uuid),
      canDelete: status.serves('deleteFile') ?? false,
      isDisabled: isDisabled(),
      href: client()?.href('presignFile', { uuid: asset.uuid }) ?? '',
      messages: this.#messages,
      fileMessages: this.#fileMessages,
      language: languageOf(this.#host),
      onDeletion: (deletion) => this.#setDeletion(item, deletion),
      onDelete: (event) => void this.#onDelete(event, item, asset),
      onRemove: () => this.#onRemove(item, asset),
    }
  }

  get #messages(): Messages['uploader'] {
    return messagesFor(this.#host, 'uploader', uploader)
  }

  get #fileMessages(): Messages['files'] {
    return messagesFor(this.#host, 'files', englishFiles)
  }

  #setDeletion({ details }: Item, deletion: DeletionState): void {
    details.deletion = deletion
    this.#host.requestUpdate()
  }

  #onKeydown(event: KeyboardEvent, item: Item): void {
    if (event.key !== 'Escape' || item.details.deletion !== 'confirming') return
    event.stopPropagation()
    this.#setDeletion(item, undefined)
  }

  #onRemove(item: Item, asset: FileAsset): void {
    if (!this.#host.dispatchEvent(new FsBeforeChangeEvent('removeFile', { asset }))) return
    this.#options.queue.remove(item)
    this.#host.dispatchEvent(new FsChangeEvent('removeFile', asset))
  }

  async #onDelete({ detail }: MouseEvent, item: Item, asset: FileAsset): Promise<void> {
    // The second click of a double click was meant for the previous button.
    if (item.details.deletion !== 'confirming' || detail > 1) return
    if (!this.#host.dispatchEvent(new FsBeforeChangeEvent('deleteFile', { asset }))) {
      this.#setDeletion(item, undefined)
      return
    }
    const { queue, client } = this.#options
    const { name } = queue.rowOf(item)
    this.#setDeletion(item, 'deleting')
    try {
      await client()?.deleteFile({ params: { uuid: asset.uuid } })
    } catch (error) {
      // If the file does not exist, it is already deleted.
      if (!(error instanceof NotFoundError)) {
        this.#setDeletion(item, 'failed')
        this.#announcer.announce(this.#fileMessages.announcement(name, this.#messages.notDeleted))
        this.#host.dispatchEvent(new FsErrorEvent(error))
        return
      }
    }
    this.#announcer.announce(this.#messages.deleted(name))
    queue.remove(item)
    this.#host.dispatchEvent(new FsChangeEvent('deleteFile', asset))
  }
}
