import { html, nothing } from 'lit'
import { guard } from 'lit/directives/guard.js'
import { repeat } from 'lit/directives/repeat.js'
import type { PageClient, UploadItem } from '../../client/index.ts'
import type { FileAsset } from '../../contract/schemas/storage.ts'
import type { Texts } from '../../locales/messages.ts'
import type { Formatting } from '../text/format.ts'
import {
  fileFacts,
  type FileRow,
  linksOf,
  renderFacts,
  renderFileRow,
  type RowAction,
} from '../upload/file-row.ts'
import type { UploadList } from '../upload/upload-list.ts'
import { shownName, uploadRow } from '../upload/upload-row.ts'
import { isUnread, type StorageStatus } from './storage-status.ts'

/** Facts about a file besides its upload. */
export interface UploaderDetails {
  /** Path from the folder that the file was chosen with; empty without a folder. */
  readonly path: string
  /** The state of a deletion in the service; `undefined` if none was requested. */
  readonly deletion?: 'confirming' | 'deleting' | 'failed' | undefined
}

export type UploaderItem = UploadItem<FileAsset, UploaderDetails>

interface FileListView {
  readonly uploads: UploadList<FileAsset, UploaderDetails>
  readonly status: StorageStatus
  readonly client: PageClient | undefined
  readonly formatting: Formatting
  readonly messages: Texts['uploader']
  readonly fileMessages: Texts['files']
  /** In place of a name that has not loaded. */
  readonly loading: string
  readonly isDisabled: boolean
  readonly onAction: (event: MouseEvent) => void
  readonly onKeydown: (event: KeyboardEvent) => void
}

/** Renders the list of files: those on their way, and the stored ones with buttons to remove or delete them. */
export function renderFileList(view: FileListView): unknown {
  const { uploads, status, client, formatting, fileMessages, messages, isDisabled } = view
  if (uploads.items.length === 0) return nothing
  // Values that all rows show. With `guard`, an update of a long list renders only the rows that changed.
  const shared = [status.version, fileMessages, formatting.language, formatting.timeZone, client, isDisabled]
  const { outcome } = uploads
  const header = outcome || uploads.counts(({ uuid }) => !status.isGone(uuid))
  return html`<div class="list">
    ${header ? html`<p class="header" part=${outcome ? 'outcome' : 'count'}>${header}</p>` : nothing}
    <ul part="files" aria-label=${messages.files} @keydown=${view.onKeydown}>
      ${repeat(
        uploads.visible,
        ({ key }) => key,
        (item) => guard([item, ...shared], () => renderItem(item, view)),
      )}
    </ul>
  </div>`
}

function renderItem(item: UploaderItem, view: FileListView) {
  const { formatting, fileMessages, onAction } = view
  const { key, state } = item
  const row =
    state.kind === 'stored'
      ? storedRow(item, state.value, view)
      : uploadRow(item, fileMessages, formatting.language)
  return html`
    <li part="file" class=${state.kind === 'failed' ? 'failed' : ''} data-key=${key}>
      ${renderFileRow({ ...row, onAction }, fileMessages, formatting.language)}
    </li>
  `
}

function storedRow(item: UploaderItem, asset: FileAsset, view: FileListView): Omit<FileRow, 'onAction'> {
  const { status, client, fileMessages, loading } = view
  const isGone = status.isGone(asset.uuid)
  return {
    // Of files that the page named by their uuids, names may be missing.
    name: isUnread(asset) ? (isGone ? fileMessages.unnamed : loading) : shownName(item),
    size: item.size ?? item.file?.size,
    mark: isGone ? 'gone' : item.file ? 'done' : 'file',
    links:
      isGone || !client
        ? undefined
        : linksOf(asset.contentType, (query) => client.href('presignFile', { uuid: asset.uuid }, query)),
    detail: storedDetail(item, asset, isGone, view),
    actions: storedActions(item, isGone, view),
  }
}

function storedDetail(
  { key, details: { deletion } }: UploaderItem,
  asset: FileAsset,
  isGone: boolean,
  { messages: t, fileMessages, formatting }: FileListView,
) {
  if (isGone) {
    const { missing, lost } = fileMessages.ends
    return html`<div class="detail" part="end">${isUnread(asset) ? missing : lost}</div>`
  }
  if (deletion === 'confirming')
    return html`<div class="attention" id="question${key}">${t.deleteQuestion}</div>`
  if (deletion === 'deleting') return html`<div class="detail">${fileMessages.deleting}</div>`
  return html`
    ${isUnread(asset) ? nothing : renderFacts(fileFacts(asset, fileMessages, formatting))}
    <code part="reference" dir="ltr">${asset.uuid}</code>
    ${deletion === 'failed' ? html`<div class="error">${fileMessages.notDeleted}</div>` : nothing}
  `
}

function storedActions(
  { key, details: { deletion } }: UploaderItem,
  isGone: boolean,
  { status, messages: t, fileMessages, isDisabled }: FileListView,
): readonly RowAction[] {
  if (deletion === 'confirming' || deletion === 'deleting') {
    const isBusy = deletion === 'deleting'
    const question = { describedBy: isBusy ? undefined : `question${key}`, isBusy }
    return [
      { action: 'keep', text: t.deleteKeep, ...question },
      { action: 'delete', text: t.deleteConfirm, kind: 'danger solid', ...question },
    ]
  }
  if (isDisabled) return []
  return status.serves('deleteFile') && !isGone
    ? [{ action: 'ask', text: t.delete, kind: 'quiet' }]
    : [{ action: 'remove', text: fileMessages.remove, kind: 'quiet' }]
}

/** Returns a stored file as its row shows it. */
export function factsOf(asset: FileAsset) {
  const name = asset.metadata?.['path'] ?? asset.filename ?? asset.uuid
  return { value: asset, name, size: asset.fileSize ?? NaN }
}
