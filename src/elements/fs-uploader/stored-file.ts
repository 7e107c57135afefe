import { html, nothing, type TemplateResult } from 'lit'
import type { FileAsset } from '../../contract/storage.ts'
import type { Messages } from '../../locales/messages.ts'
import { formatDay } from '../format.ts'
import { renderIcon } from '../icon.ts'
import { renderButton } from '../upload/transfer-row.ts'

/** The state of a deletion in the service; `undefined` if nobody asked for one. */
export type DeletionState = 'confirming' | 'deleting' | 'failed' | undefined

export interface StoredFile {
  readonly asset: FileAsset
  readonly name: string
  readonly deletion: DeletionState
  /** Whether the service no longer has the file, or no longer shows it to this person. */
  readonly isGone: boolean
  /** Whether people may delete the file in the service. */
  readonly canDelete: boolean
  readonly isDisabled: boolean
  /** Download link. */
  readonly href: string
  readonly messages: Messages['uploader']
  readonly fileMessages: Messages['files']
  readonly language: string | undefined
  readonly onDeletion: (deletion: DeletionState) => void
  readonly onDelete: (event: MouseEvent) => void
  readonly onRemove: () => void
}

/** Renders the state, the reference and the expiry of a stored file. */
export function renderStoredDetail(file: StoredFile): TemplateResult {
  const { asset, deletion, messages } = file
  if (file.isGone) return html`<span class="error">${messages.gone}</span>`
  if (deletion === 'confirming') return html`<span class="attention">${messages.deleteQuestion}</span>`
  if (deletion === 'deleting') return html`<span class="detail">${messages.deleting}</span>`
  return html`
    <span class="stored">${checkMark}${file.fileMessages.stored}</span>
    ${
      asset.expirationDate === null
        ? nothing
        : html`<span class="detail">
            · ${messages.availableUntil(formatDay(asset.expirationDate, file.language))}</span
          >`
    }
    <div class="detail">${messages.reference} <code part="reference" dir="ltr">${asset.uuid}</code></div>
    ${deletion === 'failed' ? html`<div class="error">${messages.notDeleted}</div>` : nothing}
  `
}

/** Renders the link to a stored file and the buttons to delete it or remove it from the list. */
export function renderStoredActions(file: StoredFile): unknown {
  const { messages, fileMessages, isGone } = file
  const button = (text: string, onClick: (event: MouseEvent) => void, kind?: string) =>
    renderButton(fileMessages.named(text, file.name), text, onClick, kind)

  if (file.deletion === 'deleting') return nothing
  if (file.deletion === 'confirming') {
    // A separate template, so that the button that asked disappears, and the focus moves to the safe choice.
    return html`
      ${button(messages.deleteKeep, () => file.onDeletion(undefined), 'keep')}
      ${button(messages.deleteConfirm, file.onDelete, 'danger solid')}
    `
  }
  return [
    isGone
      ? nothing
      : // With `download`, a link that fails does not replace the page.
        html`<a
          class="button"
          part="download"
          download
          href=${file.href}
          aria-label=${fileMessages.named(messages.download, file.name)}
          >${messages.download}</a
        >`,
    file.isDisabled
      ? nothing
      : file.canDelete && !isGone
        ? button(messages.delete, () => file.onDeletion('confirming'))
        : button(fileMessages.remove, file.onRemove),
  ]
}

const checkMark = renderIcon('M4 13l5 5L20 6')
