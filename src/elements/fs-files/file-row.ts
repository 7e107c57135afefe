import { html, nothing, type TemplateResult } from 'lit'
import { mayOpenInline } from '../../contract/values/inline-types.ts'
import type { FileAsset } from '../../contract/schemas/storage.ts'
import type { Texts } from '../../locales/messages.ts'
import { formatDay, formatExpiry, formatSize, type Formatting } from '../text/format.ts'
import { renderIcon } from '../element/icon.ts'
import type { DeletionState } from './file-deletions.ts'
import type { FileFacts } from './file-facts.ts'
import { isPast } from './keep-until.ts'

/** Why a file of the list is not available. */
type FileEnd = 'deleted' | 'expired' | 'lost' | 'missing' | 'forbidden' | 'unread'

/** The facts that decide whether a file is available. */
interface FileState {
  /** `undefined` until they have loaded. */
  readonly facts: FileFacts | undefined
  readonly deletion: DeletionState | undefined
}

/** A file as its row shows it. */
export interface FileRow extends FileState {
  readonly uuid: string
  /** Names of the applications that lose the file too; empty if the file is not shared, or if they are not known. */
  readonly grantees: readonly string[]
  readonly undoSeconds: number
  readonly isEditable: boolean
  readonly isDeletable: boolean
  /** Returns the address that leads to a link. */
  readonly href: (isInline: boolean) => string
  /** The open form; `nothing` if it is not open. */
  readonly editor: unknown
  readonly onEdit: () => void
  readonly onDelete: () => void
  readonly onUndo: () => void
  readonly onDeleteNow: () => void
}

interface RowContext {
  readonly messages: Texts['storedFiles']
  readonly common: Texts['common']
  readonly formatting: Formatting
}

/** Returns why a file is not available; `undefined` if it is, or if that is not known. */
export function endOf({ facts, deletion }: FileState, timeZone: string | undefined): FileEnd | undefined {
  if (deletion === 'deleted') return 'deleted'
  if (!facts) return undefined
  const { asset, gone } = facts
  if (gone === 'forbidden' || gone === 'unread') return gone
  if (asset && isPast(asset.expirationDate, Date.now(), timeZone)) return 'expired'
  return gone && (asset ? 'lost' : 'missing')
}

/** Returns the name of a file for people. */
export function nameOf(asset: FileAsset | undefined, messages: Texts['storedFiles']): string {
  return asset?.filename ?? messages.unnamed
}

/** Renders the content of a file's list item. */
export function renderFileRow(row: FileRow, context: RowContext): TemplateResult {
  const { messages: t, formatting } = context
  const asset = row.facts?.asset
  const end = endOf(row, formatting.timeZone)
  const isOpenable = !end && !row.deletion && asset !== undefined
  const name = nameOf(asset, t)
  return html`
    <span class="mark ${end ? 'gone' : ''}">${end ? cross : paper}</span>
    <div class="facts">
      <div class="title">
        ${isOpenable ? renderLink(row, asset, name, t) : html`<bdi class="name" tabindex="-1">${name}</bdi>`}
        <bdi class="detail"
          >${asset?.fileSize == null ? nothing : formatSize(asset.fileSize, formatting.language)}</bdi
        >
      </div>
      ${end ? renderEnd(end, row, asset, context) : renderDetails(row, asset, context)}
    </div>
    ${renderActions(row, name, t, end)} ${end ? nothing : row.editor}
  `
}

function renderLink({ href }: FileRow, { contentType }: FileAsset, name: string, t: Texts['storedFiles']) {
  return mayOpenInline(contentType)
    ? html`<a
        class="name"
        part="open"
        target="_blank"
        rel="noopener"
        href=${href(true)}
        aria-label=${t.opensInTab(name)}
        ><bdi>${name}</bdi></a
      >`
    : html`<a
        class="name"
        part="download"
        download
        href=${href(false)}
        aria-label=${t.named(t.download, name)}
        ><bdi>${name}</bdi></a
      >`
}

function renderDetails(
  { deletion, grantees, undoSeconds }: FileRow,
  asset: FileAsset | undefined,
  { messages: t, common, formatting: { language } }: RowContext,
) {
  if (!asset) return html`<div class="detail">${t.loading}</div>`
  if (deletion === 'waiting') {
    return html`<div class="attention" part="undo">
      ${t.waiting(undoSeconds)}
      ${grantees.length > 0 ? t.granteesLose(new Intl.ListFormat(language).format(grantees)) : nothing}
    </div>`
  }
  if (deletion === 'deleting') return html`<div class="detail">${t.deleting}</div>`
  const { uploadDate, expirationDate, metadata } = asset
  const facts = [
    ...(uploadDate === null ? [] : [t.uploaded(formatDay(uploadDate, language))]),
    expirationDate === null ? t.noEnd : t.keptUntil(formatExpiry(expirationDate, uploadDate, language)),
  ]
  const labels = Object.entries(metadata ?? {})
  return html`
    <div class="detail">
      ${facts.map((fact, at) => html`${at > 0 ? ' · ' : nothing}<span>${fact}</span>`)}
    </div>
    ${
      labels.length > 0
        ? html`<div class="detail" part="labels">
            ${labels.map(([key, value]) => html`<bdi>${common.labelled(key, value)}</bdi>`)}
          </div>`
        : nothing
    }
    ${deletion === 'failed' ? html`<div class="error">${t.notDeleted}</div>` : nothing}
  `
}

function renderEnd(
  end: FileEnd,
  { uuid }: FileRow,
  asset: FileAsset | undefined,
  { messages: t, formatting: { language } }: RowContext,
) {
  const day = asset?.expirationDate ? formatDay(asset.expirationDate, language) : ''
  return html`
    <div class="detail" part="end">${end === 'expired' ? t.expired(day) : t.ends[end]}</div>
    ${
      end === 'deleted'
        ? nothing
        : html`<details part="support">
            <summary>${t.support}</summary>
            <p class="detail">${t.reference} <code part="reference" dir="ltr">${uuid}</code></p>
          </details>`
    }
  `
}

function renderActions(row: FileRow, name: string, t: Texts['storedFiles'], end: FileEnd | undefined) {
  const button = (text: string, kind: string, onClick: () => void) => html`
    <button type="button" class=${kind} aria-label=${t.named(text, name)} @click=${onClick}>${text}</button>
  `
  const { facts, deletion, isEditable, isDeletable, href, editor } = row
  if (end || !facts?.asset || deletion === 'deleting' || editor !== nothing) return nothing
  if (deletion === 'waiting') {
    return html`<div class="actions">
      ${button(t.undo, 'undo', row.onUndo)} ${button(t.deleteNow, 'danger quiet', row.onDeleteNow)}
    </div>`
  }
  return html`<div class="actions">
    ${
      mayOpenInline(facts.asset.contentType)
        ? html`<a
            class="button quiet"
            part="download"
            download
            href=${href(false)}
            aria-label=${t.named(t.download, name)}
            >${t.download}</a
          >`
        : nothing
    }
    ${isEditable ? button(t.edit, 'quiet edit', row.onEdit) : nothing}
    ${isDeletable ? button(t.delete, 'quiet danger delete', row.onDelete) : nothing}
  </div>`
}

const paper = renderIcon('M6 3h8l4 4v14H6zM14 3v4h4')
const cross = renderIcon('M6 6l12 12M18 6L6 18')
