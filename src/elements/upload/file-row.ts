import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { mayOpenInline } from '../../contract/values/inline-types.ts'
import type { Texts } from '../../locales/messages.ts'
import { renderIcon } from '../element/icon.ts'
import { describeTime, formatExpiry, type Formatting } from '../text/format.ts'
import { formatSize } from '../text/quantities.ts'

/** The actions of rows. Their buttons have this order: what continues or saves first, what ends or deletes last. */
type FileAction =
  | 'send'
  | 'retry'
  | 'resume'
  | 'undo'
  | 'edit'
  | 'keep'
  | 'cancel'
  | 'remove'
  | 'ask'
  | 'delete'

/** A button of a row. */
export interface RowAction {
  readonly action: FileAction
  readonly text: string
  /** Class names of the button. */
  readonly kind?: string
  readonly part?: string
  /** Id of its description. */
  readonly describedBy?: string | undefined
  /** Whether it does nothing now. */
  readonly isBusy?: boolean
}

/** How people open a stored file. */
export interface FileLinks {
  /** Address that saves the file. */
  readonly save: string
  /** Address that shows it in a new tab; `undefined` if browsers only save it. */
  readonly open?: string | undefined
}

/** A file as every list shows it. */
export interface FileRow {
  readonly name: string
  /** In bytes; `undefined` if it is not known. */
  readonly size?: number | undefined
  readonly mark: keyof typeof marks
  /** Absent: the name is not a link. */
  readonly links?: FileLinks | undefined
  /** The lines below the name. */
  readonly detail: unknown
  readonly actions: readonly RowAction[]
  /** Content below, in the whole width. */
  readonly more?: unknown
  /** Whether a form of the row is open, which has buttons of its own. */
  readonly isEdited?: boolean
  /** Called with the button of an action, except `send`, which submits the form around the row. See `actionOf()`. */
  readonly onAction: (event: MouseEvent) => void
}

/** The dates of a stored file, as local date-times of the services. */
interface FileDates {
  readonly uploadDate: string | null
  /** Null: no end. Absent: the service does not end the availability of such files. */
  readonly expirationDate?: string | null
}

/** Renders the content of a list item: `<li part="file" data-key=…>`. */
export function renderFileRow(
  row: FileRow,
  messages: Texts['files'],
  language: string | undefined,
): TemplateResult {
  const { name, size, mark, links } = row
  return html`
    <span class="mark ${mark}">${marks[mark]}</span>
    <div class="facts">
      <div class="title">
        ${links ? renderLink(name, links, messages) : html`<bdi class="name" tabindex="-1">${name}</bdi>`}
        <bdi class="detail"
          >${size === undefined || Number.isNaN(size) ? nothing : formatSize(size, language)}</bdi
        >
      </div>
      ${row.detail}
    </div>
    ${renderActions(row, messages)} ${row.more ?? nothing}
  `
}

/** Returns the lines about the availability of a stored file. */
export function fileFacts(
  { uploadDate, expirationDate }: FileDates,
  messages: Texts['files'],
  formatting: Formatting,
): readonly string[] {
  return [
    ...(uploadDate === null ? [] : [messages.uploadedOn(describeTime(uploadDate, formatting))]),
    ...(expirationDate === undefined
      ? []
      : expirationDate === null
        ? [messages.noEnd]
        : [messages.keptUntil(formatExpiry(expirationDate, uploadDate, formatting.language))]),
  ]
}

/** Renders facts in one line. A fact that does not fit moves to the next line as a whole; no line begins with the mark. */
export function renderFacts(facts: readonly unknown[]): unknown {
  if (facts.length === 0) return nothing
  return html`<div class="detail">
    ${facts.map((fact, at) => html`<span>${fact}${at < facts.length - 1 ? '\u00a0·' : nothing}</span> `)}
  </div>`
}

/** Returns the addresses of a stored file. `href` returns that of an operation. */
export function linksOf(contentType: string | null, href: (query: { inline?: true }) => string): FileLinks {
  return { save: href({}), open: mayOpenInline(contentType) ? href({ inline: true }) : undefined }
}

/** Returns the action of a button, and the list item that it belongs to. */
export function actionOf({ currentTarget }: Event): {
  readonly action: FileAction
  readonly row: HTMLElement
  readonly key: string
} {
  const button = currentTarget as HTMLElement
  const row = button.closest<HTMLElement>('[data-key]')!
  return { action: button.dataset['action'] as FileAction, row, key: row.dataset['key']! }
}

function renderLink(name: string, { save, open }: FileLinks, messages: Texts['files']) {
  // With `download`, a link that fails does not replace the page.
  return html`<a
    class="name"
    part=${open ? 'open' : 'download'}
    ?download=${!open}
    target=${open ? '_blank' : nothing}
    rel=${open ? 'noopener' : nothing}
    href=${open ?? save}
    aria-label=${open ? messages.opensInTab(name) : messages.named(messages.download, name)}
    ><bdi>${name}</bdi></a
  >`
}

function renderActions({ name, links, actions, isEdited, onAction }: FileRow, messages: Texts['files']) {
  if (isEdited) return nothing
  if (actions.length === 0 && links?.open === undefined) return nothing
  return html`<div class="actions">
    ${
      links?.open === undefined
        ? nothing
        : html`<a
            class="button quiet"
            part="download"
            download
            href=${links.save}
            aria-label=${messages.named(messages.download, name)}
            >${messages.download}</a
          >`
    }
    ${repeat(
      actions,
      // A button of another action is another element, so that a focus or a double click does not carry over.
      ({ action, text }) => `${action} ${text}`,
      ({ action, text, kind, part, describedBy, isBusy }) =>
        html`<button
          type=${action === 'send' ? 'submit' : 'button'}
          part=${part ?? nothing}
          class=${kind ? `${action} ${kind}` : action}
          data-action=${action}
          aria-label=${messages.named(text, name)}
          aria-describedby=${describedBy ?? nothing}
          aria-disabled=${isBusy ? 'true' : nothing}
          @click=${action === 'send' ? nothing : onAction}
        >
          ${text}
        </button>`,
    )}
  </div>`
}

const cross = renderIcon('M6 6l12 12M18 6L6 18')
const marks = {
  file: renderIcon('M6 3h8l4 4v14H6zM14 3v4h4'),
  done: renderIcon('M4 13l5 5L20 6'),
  problem: cross,
  gone: cross,
}
