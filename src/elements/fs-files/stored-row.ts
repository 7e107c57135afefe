import { html, nothing, type TemplateResult } from 'lit'
import { serverNow } from '../../client/index.ts'
import type { FileAsset } from '../../contract/schemas/storage.ts'
import type { Texts } from '../../locales/messages.ts'
import { formatDay, type Formatting } from '../text/format.ts'
import { fileFacts, type FileLinks, type FileRow, renderFacts, type RowAction } from '../upload/file-row.ts'
import type { DeletionState } from './file-deletions.ts'
import type { FileFacts } from './file-facts.ts'
import { isPast } from '../upload/days.ts'

/** Why a file of the list is not available. */
type FileEnd = 'deleted' | 'expired' | 'lost' | 'missing' | 'forbidden' | 'unread'

/** The facts that decide whether a file is available. */
interface FileState {
  /** `undefined` until they have loaded. */
  readonly facts: FileFacts | undefined
  readonly deletion: DeletionState | undefined
}

/** A file of the list. */
export interface ListedFile extends FileState {
  readonly uuid: string
  /** Names of the applications that lose the file too; empty if the file is not shared, or if they are not known. */
  readonly grantees: readonly string[]
  readonly isEditable: boolean
  readonly isDeletable: boolean
  /** `undefined` until the facts have loaded. */
  readonly links: FileLinks | undefined
  /** The open form; `nothing` if it is not open. */
  readonly editor: unknown
}

interface RowContext {
  readonly messages: Texts['storedFiles']
  readonly fileMessages: Texts['files']
  readonly common: Texts['common']
  readonly formatting: Formatting
}

/** Returns why a file is not available; `undefined` if it is, or if that is not known. */
export function endOf({ facts, deletion }: FileState, timeZone: string | undefined): FileEnd | undefined {
  if (deletion === 'deleted') return 'deleted'
  if (!facts) return undefined
  const { asset, gone } = facts
  if (gone === 'forbidden' || gone === 'unread') return gone
  if (asset && isPast(asset.expirationDate, serverNow(), timeZone)) return 'expired'
  return gone && (asset ? 'lost' : 'missing')
}

/** Returns the row of a file. */
export function storedRow(file: ListedFile, context: RowContext): Omit<FileRow, 'onAction'> {
  const { fileMessages, formatting } = context
  const { facts, deletion, editor } = file
  const asset = facts?.asset
  const end = endOf(file, formatting.timeZone)
  const isBusy = deletion === 'waiting' || deletion === 'deleting'
  return {
    name: asset?.filename ?? fileMessages.unnamed,
    size: asset?.fileSize ?? undefined,
    mark: end ? 'gone' : 'file',
    links: !asset || end || isBusy ? undefined : file.links,
    detail: end ? endDetail(end, file, context) : details(file, asset, context),
    actions: end || !asset ? [] : actionsOf(file, context),
    more: end ? nothing : editor,
    isEdited: editor !== nothing,
  }
}

function details(
  { deletion, grantees }: ListedFile,
  asset: FileAsset | undefined,
  { messages: t, fileMessages, common, formatting }: RowContext,
) {
  if (!asset) return html`<div class="detail">${common.loading}</div>`
  if (deletion === 'waiting') {
    const names = new Intl.ListFormat(formatting.language).format(grantees)
    return html`<div class="attention" part="undo">
      ${t.waiting} ${grantees.length > 0 ? t.granteesLose(names) : nothing}
    </div>`
  }
  if (deletion === 'deleting') return html`<div class="detail">${fileMessages.deleting}</div>`
  const labels = Object.entries(asset.metadata ?? {})
  return html`
    ${renderFacts(fileFacts(asset, fileMessages, formatting))}
    ${
      labels.length > 0
        ? html`<div class="detail" part="labels">
            ${labels.map(([key, value]) => html`<bdi>${common.labelled(key, value)}</bdi>`)}
          </div>`
        : nothing
    }
    ${deletion === 'failed' ? html`<div class="error">${fileMessages.notDeleted}</div>` : nothing}
  `
}

function endDetail(
  end: FileEnd,
  { uuid, facts }: ListedFile,
  { messages: t, fileMessages, formatting }: RowContext,
) {
  const text =
    end === 'deleted' || end === 'forbidden' || end === 'unread'
      ? t.ends[end]
      : end === 'expired'
        ? fileMessages.ends.expired(formatDay(facts?.asset?.expirationDate ?? '', formatting.language))
        : fileMessages.ends[end]
  return html`
    <div class="detail" part="end">${text}</div>
    ${end === 'deleted' ? nothing : renderSupport(t, uuid)}
  `
}

/** Renders the closed section with the reference of a file. */
export function renderSupport(t: Texts['storedFiles'], uuid: string): TemplateResult {
  return html`<details part="support">
    <summary>${t.support}</summary>
    <p class="detail">${t.reference} <code part="reference" dir="ltr">${uuid}</code></p>
  </details>`
}

function actionsOf(
  { deletion, isEditable, isDeletable, editor }: ListedFile,
  { messages: t }: RowContext,
): readonly RowAction[] {
  if (deletion === 'deleting' || editor !== nothing) return []
  if (deletion === 'waiting') {
    return [
      { action: 'undo', text: t.undo },
      { action: 'delete', text: t.deleteNow, kind: 'danger quiet' },
    ]
  }
  return [
    ...(isEditable ? [{ action: 'edit', text: t.edit, kind: 'quiet' } as const] : []),
    ...(isDeletable ? [{ action: 'delete', text: t.delete, kind: 'danger quiet' } as const] : []),
  ]
}
