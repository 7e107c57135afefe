import { html, nothing, type TemplateResult } from 'lit'
import { files } from '../../locales/en-upload.ts'
import type { Texts } from '../../locales/messages.ts'
import { formatSize } from '../text/quantities.ts'
import { joinTexts } from '../text/join-texts.ts'
import { formattingLanguage, messagesFor } from '../text/messages.ts'
import type { FileIntake } from '../upload/file-intake.ts'

export interface DropZone {
  readonly host: HTMLElement
  readonly messages: Texts['uploader']
  /** In bytes. */
  readonly maxSize: number
  /** Infinity: any number. */
  readonly maxFiles: number
  /** File name extensions and media types, as in `<input accept>`. */
  readonly accept: string
  /** Whether a second button opens the dialog for a folder. */
  readonly hasFolderButton: boolean
  readonly isDisabled: boolean
  /** The message about files that were not added; empty without any. */
  readonly leftOut: string
}

export function renderDropZone(intake: FileIntake<'zone'>, zone: DropZone): TemplateResult {
  const { host, messages, maxFiles, isDisabled, leftOut } = zone
  const fileMessages = messagesFor(host, 'files', files)
  const isMultiple = maxFiles > 1
  const label = isMultiple ? fileMessages.choose : fileMessages.chooseOne
  return html`
    <div
      part="zone"
      class=${intake.hovered ? 'over' : ''}
      role="group"
      aria-label=${messages.label}
      @dragover=${(event: DragEvent) => intake.onDragOver(event, 'zone')}
      @dragleave=${(event: DragEvent) => intake.onDragLeave(event)}
      @drop=${(event: DragEvent) => intake.onDrop(event, 'zone')}
    >
      <button
        type="button"
        part="choose"
        class="solid"
        aria-disabled=${isDisabled}
        aria-describedby="hint"
        @click=${() => intake.openDialog('zone')}
      >
        ${label}
      </button>
      ${
        zone.hasFolderButton
          ? html`<button
              type="button"
              part="choose-folder"
              aria-disabled=${isDisabled}
              @click=${() => intake.openDialog('zone', { isFolder: true })}
            >
              ${fileMessages.chooseFolder}
            </button>`
          : nothing
      }
      <span ?hidden=${isDisabled}>${fileMessages.drop}</span>
      <p class="hint" id="hint">${describeLimits(zone)}</p>
      ${intake.renderInput({ label, isMultiple, accept: zone.accept })}
    </div>
    ${leftOut ? html`<div class="notice" part="left-out"><p>${leftOut}</p></div>` : nothing}
  `
}

/** The accepted files, in words. Media types are left out, because most people do not know them. */
function describeLimits({ host, messages, maxSize, maxFiles, accept }: DropZone): string {
  return [
    messages.limit(formatSize(maxSize, formattingLanguage(host))),
    accept && !accept.includes('/') ? messages.types(joinTexts(host, accept.trim().split(/\s*,\s*/))) : '',
    maxFiles < Infinity ? messages.most(maxFiles) : '',
  ].join(' ')
}
