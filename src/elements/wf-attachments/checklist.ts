import { html, type LitElement, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { Attachment, AttachmentType } from '../../contract/schemas/attachments.ts'
import { attachments } from '../../locales/en-attachments.ts'
import { common } from '../../locales/en.ts'
import { files } from '../../locales/en-upload.ts'
import type { Texts } from '../../locales/messages.ts'
import { type Formatting, formatSize, renderTime } from '../text/format.ts'
import { renderIcon } from '../element/icon.ts'
import { messagesFor } from '../text/messages.ts'
import type { PackageTarget } from '../element/package-element.ts'
import type { FileIntake } from '../upload/file-intake.ts'
import { checkMark, renderButton, renderFileName, renderTransfer } from '../upload/transfer-row.ts'
import type { UploadItem } from '../upload/upload-item.ts'
import type { UploadQueue } from '../upload/upload-queue.ts'
import {
  isBeforeRouting,
  isEverRequired,
  isOpenBeforeRouting,
  isLate,
  isPdfOnly,
  titleOf,
} from './attachment-rules.ts'

/** Facts about a file besides its upload. */
export interface AttachmentDetails {
  readonly target: PackageTarget
  readonly type: AttachmentType
  /** Ids of the attachments that were there when the file was chosen. */
  readonly older: ReadonlySet<number>
  description: string
  /** Id of the attachment that this upload turned out to be. */
  foundId?: number
}

/** A file on its way to become an attachment. */
export type AttachmentItem = UploadItem<Attachment, AttachmentDetails>

/** A list entry: an attachment, or a file on its way to become one. They share a key, so that the entry stays the same. */
type ChecklistEntry =
  | { readonly key: number; readonly attachment: Attachment }
  | { readonly key: number; readonly item: AttachmentItem }

export interface ChecklistView {
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
}

/** The checklist: for each type its rules, its attachments, files on their way, and a button to add more. */
export class Checklist {
  readonly #host: LitElement
  readonly #queue: UploadQueue<Attachment, AttachmentDetails>
  readonly #intake: FileIntake<number>

  constructor(
    host: LitElement,
    queue: UploadQueue<Attachment, AttachmentDetails>,
    intake: FileIntake<number>,
  ) {
    this.#host = host
    this.#queue = queue
    this.#intake = intake
  }

  render(view: ChecklistView): TemplateResult {
    const messages = this.#messages
    const { types } = view
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
          ${types.map((type) => this.#renderType(type, view))}
          ${
            others.length > 0
              ? html`<li part="type">
                  <strong>${messages.otherTitle}</strong>${this.#renderEntries(this.#entriesOf(others), view)}
                </li>`
              : nothing
          }
        </ul>
      </div>
      ${this.#intake.renderInput({ label: messages.list, isMultiple: true })} `
  }

  #renderType(type: AttachmentType, view: ChecklistView) {
    const messages = this.#messages
    const { id } = type
    const title = titleOf(type, messages)
    const uploaded = attachmentsOf(type, view)
    const isUploaded = uploaded.length > 0
    const isNeeded = !isUploaded && isEverRequired(type) && view.state !== 'VOID'
    const need = type.requiredPreRouting ? messages.beforeRouting : messages.beforeCompletion
    const rules = [isEverRequired(type) ? '' : messages.optional, isPdfOnly(type) ? messages.pdf : '']
    const items = this.#queue.visible.filter(
      ({ details, transfer }) => details.type.id === id && transfer.state.kind !== 'stored',
    )
    return html`
      <li
        part="type"
        data-key=${id}
        class=${this.#intake.hovered === id ? 'over' : ''}
        @dragover=${(event: DragEvent) => this.#intake.onDragOver(event, id)}
        @dragleave=${(event: DragEvent) => this.#intake.onDragLeave(event)}
        @drop=${(event: DragEvent) => this.#intake.onDrop(event, id)}
        @paste=${(event: ClipboardEvent) => this.#intake.onPaste(event, id)}
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
                  aria-label=${this.#fileMessages.named(messages.add, title)}
                  @click=${() => this.#intake.openDialog(id, { accept: view.accept(type) })}
                >
                  ${messages.add}
                </button>`
              : nothing
          }
        </div>
        ${this.#renderEntries(
          [...this.#entriesOf(uploaded), ...items.map((item) => ({ key: item.key, item }))],
          view,
        )}
      </li>
    `
  }

  #renderEntries(entries: readonly ChecklistEntry[], view: ChecklistView) {
    if (entries.length === 0) return nothing
    return html`
      <ul part="files">
        ${repeat(
          entries,
          ({ key }) => key,
          (entry) => html`
            <li part="file" data-key=${entry.key}>
              ${'item' in entry ? this.#renderItem(entry.item, view) : this.#renderAttachment(entry.attachment, view)}
            </li>
          `,
        )}
      </ul>
    `
  }

  #renderItem(item: AttachmentItem, { formatting: { language } }: ChecklistView) {
    return item.isStarted
      ? renderTransfer(this.#queue.rowOf(item), this.#fileMessages, language)
      : this.#renderDraft(item, language)
  }

  /** A file that waits for its description. */
  #renderDraft(item: AttachmentItem, language: string | undefined) {
    const messages = this.#messages
    const { name, size, details } = item
    const { named, cancel } = this.#fileMessages
    const onSubmit = (event: Event) => {
      event.preventDefault()
      this.#queue.start(item)
    }
    const onInput = ({ target }: Event) => (details.description = (target as HTMLInputElement).value)
    return html`
      <form @submit=${onSubmit}>
        <div>
          ${renderFileName(name, formatSize(size, language))}
          <label
            >${messages.description}<input maxlength="1000" .value=${details.description} @input=${onInput}
          /></label>
          <p class="detail">${messages.final}</p>
        </div>
        <div class="actions">
          <button part="choose" aria-label=${named(messages.upload, name)}>${messages.upload}</button>
          ${renderButton(named(cancel, name), cancel, () => this.#queue.cancel(item))}
        </div>
      </form>
    `
  }

  #renderAttachment(attachment: Attachment, { listed, formatting, href }: ChecklistView) {
    const messages = this.#messages
    const { fileSize, description, person, uploadTimestamp } = attachment
    const name = attachment.fileName ?? messages.unnamed
    const { someone } = messagesFor(this.#host, 'common', common)
    return html`
      <div>
        ${renderFileName(name, fileSize === null ? '' : formatSize(fileSize, formatting.language))}
        ${description ? html`<p><bdi>${description}</bdi></p>` : nothing}
        <div class="detail">
          <bdi>${person?.displayName ?? someone}</bdi>
          ${uploadTimestamp && html` · ${renderTime(uploadTimestamp, formatting)}`}
        </div>
      </div>
      ${
        listed.has(attachment.id)
          ? html`<a
              class="button quiet"
              part="download"
              download
              href=${href(attachment)}
              aria-label=${this.#fileMessages.named(messages.download, name)}
              >${messages.download}</a
            >`
          : html`<span class="detail">${messages.processing}</span>`
      }
    `
  }

  /** An attachment that was uploaded here keeps the key of its upload. */
  #entriesOf(uploaded: readonly Attachment[]): readonly ChecklistEntry[] {
    return uploaded.map((attachment) => {
      const item = this.#queue.items.find(
        ({ transfer: { state } }) => state.kind === 'stored' && state.value.id === attachment.id,
      )
      return { key: item?.key ?? attachment.id, attachment }
    })
  }

  get #messages(): Texts['attachments'] {
    return messagesFor(this.#host, 'attachments', attachments)
  }

  get #fileMessages(): Texts['files'] {
    return messagesFor(this.#host, 'files', files)
  }
}

function attachmentsOf({ id }: AttachmentType, view: ChecklistView): readonly Attachment[] {
  return view.attachments.filter(({ attachmentType }) => attachmentType?.id === id)
}

const circle = renderIcon('M4 12a8 8 0 0 1 16 0a8 8 0 0 1-16 0')
