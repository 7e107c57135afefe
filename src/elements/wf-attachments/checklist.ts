import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { UploadItem } from '../../client/index.ts'
import type { Attachment, AttachmentType } from '../../contract/schemas/attachments.ts'
import { isBeforeRouting } from '../../contract/values/package-states.ts'
import type { Texts } from '../../locales/messages.ts'
import type { Formatting } from '../text/format.ts'
import { formatSize } from '../text/quantities.ts'
import { renderIcon } from '../element/icon.ts'
import type { PackageTarget } from '../element/package-element.ts'
import type { FileIntake } from '../upload/file-intake.ts'
import { fileFacts, linksOf, renderFacts, renderFileRow } from '../upload/file-row.ts'
import type { UploadList } from '../upload/upload-list.ts'
import { uploadRow } from '../upload/upload-row.ts'
import { isEverRequired, isOpenBeforeRouting, isLate, isPdfOnly, titleOf } from './attachment-rules.ts'

/** Facts about a file besides its upload. */
export interface AttachmentDetails {
  readonly target: PackageTarget
  readonly type: AttachmentType
  /** Ids of the attachments that were there when the file was chosen. */
  readonly older: ReadonlySet<number>
  readonly description: string
  /** Id of the attachment that this upload turned out to be. */
  readonly foundId?: number
}

/** A file on its way to become an attachment. */
export type AttachmentItem = UploadItem<Attachment, AttachmentDetails>

/** A list entry: an attachment, or a file on its way to become one. They share a key, so that the entry stays the same. */
type ChecklistEntry =
  | { readonly key: number; readonly attachment: Attachment }
  | { readonly key: number; readonly item: AttachmentItem }

export interface ChecklistView {
  readonly uploads: UploadList<Attachment, AttachmentDetails>
  readonly intake: FileIntake<number>
  readonly messages: Texts['attachments']
  readonly fileMessages: Texts['files']
  /** In place of the name of a person who is not known. */
  readonly someone: string
  readonly types: readonly AttachmentType[]
  /** The listed attachments, and stored ones that the list does not have yet. */
  readonly attachments: readonly Attachment[]
  /** Ids of the listed attachments. */
  readonly listed: ReadonlySet<number>
  /** State of the package. */
  readonly state: string
  /** Whether the person may do more than view the package. */
  readonly mayContribute: boolean
  /** Maximum file size in bytes. */
  readonly maxSize: number
  readonly formatting: Formatting
  readonly canAdd: (type: AttachmentType) => boolean
  /** Returns the accepted files of a type, as in `<input accept>`. */
  readonly accept: (type: AttachmentType) => string
  readonly href: (attachment: Attachment) => string
  readonly onAction: (event: MouseEvent) => void
  /** Called when people type a description. */
  readonly onDescribe: (event: Event) => void
  /** Called when people send a file with its description. */
  readonly onSend: (event: SubmitEvent) => void
}

/** Renders the checklist: for each type its rules, its attachments, files on their way, and a button to add more. */
export function renderChecklist(view: ChecklistView): TemplateResult {
  const { types, messages, intake } = view
  // A void package demands nothing.
  const required = view.state === 'VOID' ? [] : types.filter(isEverRequired)
  const uploaded = required.filter((type) => attachmentsOf(type, view).length > 0).length
  const others = view.attachments.filter(
    ({ attachmentType }) => !types.some(({ id }) => id === attachmentType?.id),
  )
  const hint = types.some(view.canAdd) && messages.hint(formatSize(view.maxSize, view.formatting.language))
  return html`<div class="list">
      ${
        required.length > 0 || hint
          ? html`<div class="header">
              ${
                required.length > 0
                  ? html`<strong part="required">${messages.required(required.length, uploaded)}</strong>`
                  : nothing
              }
              ${hint ? html`<p class="hint">${hint}</p>` : nothing}
            </div>`
          : nothing
      }
      <ul part="types" tabindex="-1" aria-label=${messages.list}>
        ${types.map((type) => renderType(type, view))}
        ${
          others.length > 0
            ? html`<li part="type">
                <strong>${messages.otherTitle}</strong>${renderEntries(entriesOf(others, view), view)}
              </li>`
            : nothing
        }
      </ul>
    </div>
    ${intake.renderInput({ label: messages.list, isMultiple: true })} `
}

function renderType(type: AttachmentType, view: ChecklistView) {
  const { messages, intake } = view
  const { id } = type
  const title = titleOf(type, messages)
  const uploaded = attachmentsOf(type, view)
  const isUploaded = uploaded.length > 0
  const isNeeded = !isUploaded && isEverRequired(type) && view.state !== 'VOID'
  const need = type.requiredPreRouting ? messages.beforeRouting : messages.beforeCompletion
  const rules = [isEverRequired(type) ? '' : messages.optional, isPdfOnly(type) ? messages.pdf : '']
  const items = view.uploads.visible.filter(
    ({ details, state }) => details.type.id === id && state.kind !== 'stored',
  )
  return html`
    <li
      part="type"
      data-key=${id}
      class=${intake.hovered === id ? 'over' : ''}
      @dragover=${(event: DragEvent) => intake.onDragOver(event, id)}
      @dragleave=${(event: DragEvent) => intake.onDragLeave(event)}
      @drop=${(event: DragEvent) => intake.onDrop(event, id)}
      @paste=${(event: ClipboardEvent) => intake.onPaste(event, id)}
    >
      <div class="head">
        <span class=${isUploaded ? 'there' : 'detail'}>${isUploaded ? checkMark : circle}</span>
        <div>
          <strong><bdi>${title}</bdi></strong>
          <span class="detail">${rules.filter(Boolean).join(' · ')}</span>
          ${
            isNeeded
              ? html`<span class=${isLate(type, view.state) ? 'error' : 'needed'}
                  >${isLate(type, view.state) ? messages.missing : need}</span
                >`
              : nothing
          }
          ${
            view.mayContribute && isBeforeRouting(view.state) && !isOpenBeforeRouting(type)
              ? html`<div class="detail">${messages.later}</div>`
              : nothing
          }
        </div>
        ${
          view.canAdd(type)
            ? html`<button
                type="button"
                part="add"
                class=${isNeeded ? nothing : 'quiet'}
                aria-label=${view.fileMessages.named(messages.add, title)}
                @click=${() => intake.openDialog(id, { accept: view.accept(type) })}
              >
                ${messages.add}
              </button>`
            : nothing
        }
      </div>
      ${renderEntries(
        [...entriesOf(uploaded, view), ...items.map((item) => ({ key: item.key, item }))],
        view,
      )}
    </li>
  `
}

function renderEntries(entries: readonly ChecklistEntry[], view: ChecklistView) {
  if (entries.length === 0) return nothing
  return html`
    <ul part="files">
      ${repeat(
        entries,
        ({ key }) => key,
        (entry) => html`
          <li part="file" data-key=${entry.key}>
            ${'item' in entry ? renderItem(entry.item, view) : renderAttachment(entry.attachment, view)}
          </li>
        `,
      )}
    </ul>
  `
}

function renderItem(item: AttachmentItem, view: ChecklistView) {
  const { fileMessages, formatting, onAction, onSend } = view
  const row = uploadRow(item, fileMessages, formatting.language)
  const { language } = formatting
  return item.state.kind === 'queued' && item.state.hold === 'start'
    ? html`<form @submit=${onSend}>
        ${renderFileRow({ ...row, ...draftOf(item, view), onAction }, fileMessages, language)}
      </form>`
    : renderFileRow({ ...row, onAction }, fileMessages, language)
}

/** A file that waits for its description. */
function draftOf({ details }: AttachmentItem, { messages, fileMessages, onDescribe }: ChecklistView) {
  return {
    detail: html`
      <label
        >${messages.description}<input maxlength="1000" .value=${details.description} @input=${onDescribe}
      /></label>
      <p class="detail">${messages.final}</p>
    `,
    actions: [
      { action: 'send', text: messages.upload, part: 'choose', kind: 'solid' },
      { action: 'cancel', text: fileMessages.cancel },
    ],
  } as const
}

function renderAttachment(attachment: Attachment, view: ChecklistView) {
  const { messages, fileMessages, listed, formatting, href, someone } = view
  const { fileSize, description, person, uploadTimestamp } = attachment
  const isListed = listed.has(attachment.id)
  return renderFileRow(
    {
      name: attachment.fileName ?? fileMessages.unnamed,
      size: fileSize ?? undefined,
      mark: 'file',
      links: isListed ? linksOf(null, () => href(attachment)) : undefined,
      detail: html`
        ${description ? html`<p><bdi>${description}</bdi></p>` : nothing}
        ${renderFacts([
          ...fileFacts({ uploadDate: uploadTimestamp }, fileMessages, formatting),
          html`<bdi>${person?.displayName ?? someone}</bdi>`,
          ...(isListed ? [] : [messages.processing]),
        ])}
      `,
      actions: [],
      onAction: view.onAction,
    },
    fileMessages,
    formatting.language,
  )
}

/** An attachment that was uploaded here keeps the key of its upload. */
function entriesOf(uploaded: readonly Attachment[], { uploads }: ChecklistView): readonly ChecklistEntry[] {
  return uploaded.map((attachment) => {
    const item = uploads.items.find(
      ({ state }) => state.kind === 'stored' && state.value.id === attachment.id,
    )
    return { key: item?.key ?? attachment.id, attachment }
  })
}

function attachmentsOf({ id }: AttachmentType, view: ChecklistView): readonly Attachment[] {
  return view.attachments.filter(({ attachmentType }) => attachmentType?.id === id)
}

const checkMark = renderIcon('M4 13l5 5L20 6')
const circle = renderIcon('M4 12a8 8 0 0 1 16 0a8 8 0 0 1-16 0')
