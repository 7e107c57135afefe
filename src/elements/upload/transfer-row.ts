import { html, nothing, type TemplateResult } from 'lit'
import { ForbiddenError, RefusedError, type TransferState } from '../../client/index.ts'
import type { Texts } from '../../locales/messages.ts'
import { formatBytes, formatDuration, formatPercent, formatSize, formatSpeed } from '../text/format.ts'
import { renderIcon } from '../element/icon.ts'
import { FileProblem } from '../element/file-problem.ts'

/** Shows that a file is stored. */
export const checkMark = renderIcon('M4 13l5 5L20 6')

/** An upload as a row shows it. */
export interface TransferRow {
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly state: TransferState<unknown>
  /** Maximum file size in bytes. */
  readonly maxSize: number
  readonly onStart: () => void
  readonly onCancel: () => void
  /** Removes the row from the list. */
  readonly onRemove: () => void
  /** Replaces the text and the buttons of the state. Use it for stored files. */
  readonly stored?: { readonly detail: unknown; readonly actions: unknown } | undefined
}

/**
 * Renders the content of a file's list item: its name, its progress and its buttons. The name can take the focus when a
 * focused button disappears.
 */
export function renderTransfer(
  row: TransferRow,
  messages: Texts['files'],
  language: string | undefined,
): TemplateResult {
  const { name, size, state } = row
  return html`
    <div>
      ${renderFileName(name, Number.isNaN(size) ? '' : formatSize(size, language))}
      <div>${row.stored?.detail ?? renderState(row, messages, language)}</div>
    </div>
    <div class="actions">${row.stored?.actions ?? renderActions(row, messages)}</div>
    ${renderBar(name, state, messages)}
  `
}

export function renderFileName(name: string, size: string): TemplateResult {
  return html`<span class="name" tabindex="-1"><bdi>${name}</bdi></span> <bdi class="detail">${size}</bdi>`
}

/**
 * A button of a row. Its accessible name includes the file, because each row has such a button. `describedBy` is the id of
 * its description. `isBusy`: it does nothing now.
 */
export function renderButton(
  name: string,
  text: string,
  onClick: (event: MouseEvent) => void,
  kind = '',
  describedBy?: string,
  isBusy?: boolean,
): TemplateResult {
  return html`<button
    type="button"
    class=${kind}
    aria-label=${name}
    aria-describedby=${describedBy ?? nothing}
    aria-disabled=${isBusy ? 'true' : nothing}
    @click=${onClick}
  >
    ${text}
  </button>`
}

/** Renders the summary of several uploads, some of which failed. */
export function renderOutcome(outcome: string): unknown {
  return outcome ? html`<div class="notice" part="outcome"><p>${outcome}</p></div>` : nothing
}

/** Returns the announcement of a new state. Ends and interruptions have one; progress does not. */
export function transferMessage(
  row: Pick<TransferRow, 'name' | 'size' | 'state' | 'maxSize'>,
  messages: Texts['files'],
  language: string | undefined,
): string | undefined {
  const { name, state } = row
  if (state.kind === 'stored') return messages.storedAnnouncement(name)
  const text =
    state.kind === 'failed'
      ? `${failureText(state, row, messages, language)} ${detailOf(state)}`.trim()
      : state.kind === 'paused'
        ? pauseText(state.why, messages)
        : 'isStalled' in state && state.isStalled
          ? messages.stalled
          : undefined
  return text && messages.announcement(name, text)
}

function renderState(row: TransferRow, messages: Texts['files'], language: string | undefined) {
  const { state } = row
  const stalled =
    'isStalled' in state && state.isStalled ? html`<div class="attention">${messages.stalled}</div>` : nothing
  switch (state.kind) {
    case 'sending': {
      const { sent, total, speed, secondsLeft } = state
      const facts = [
        messages.progress(
          formatPercent(total > 0 ? sent / total : 0, language),
          formatSize(sent, language),
          formatSize(total, language),
        ),
        speed === null ? '' : formatSpeed(speed, language),
        secondsLeft === null ? '' : messages.timeLeft(formatDuration(secondsLeft, language)),
      ]
      return html`
        <bdi class="detail">${facts.filter(Boolean).join(' · ')}</bdi>
        ${stalled}
      `
    }
    case 'finishing':
      return html`
        <span class="detail">${messages.finishing}</span>
        ${stalled}
      `
    case 'paused':
      return html`<span class="attention">${pauseText(state.why, messages)}</span>`
    case 'failed':
      return html`<span class="error"
        >${failureText(state, row, messages, language)} <bdi lang="en">${detailOf(state)}</bdi></span
      >`
    default: {
      const mayDuplicate = 'mayDuplicate' in state
      return html`<span class=${mayDuplicate ? 'error' : 'detail'}
        >${messages[state.kind]} ${mayDuplicate ? messages.unconfirmed : ''}</span
      >`
    }
  }
}

function renderActions(
  { name, state, onStart, onCancel, onRemove }: TransferRow,
  messages: Texts['files'],
): readonly unknown[] {
  const button = (text: string, onClick: () => void, kind?: string) =>
    renderButton(messages.named(text, name), text, onClick, kind)
  const tryAgain = button(messages.tryAgain, onStart)
  const cancel = button(messages.cancel, onCancel, 'quiet')
  const remove = button(messages.remove, onRemove, 'quiet')

  switch (state.kind) {
    case 'failed':
      return [canRetry(state) ? tryAgain : nothing, remove]
    case 'cancelled':
      return [tryAgain, remove]
    case 'paused':
      return [button(messages.resume, onStart), cancel]
    case 'sending':
    case 'finishing':
      return [state.isStalled ? tryAgain : nothing, cancel]
    case 'waiting':
      return [cancel]
    default:
      return []
  }
}

function renderBar(name: string, state: TransferState<unknown>, messages: Texts['files']) {
  const label = messages.progressLabel(name)
  if (state.kind === 'sending') {
    return html`<progress
      part="progress"
      aria-label=${label}
      max="1"
      .value=${state.total > 0 ? state.sent / state.total : 0}
    ></progress>`
  }
  // Without a value, because the remaining time is unknown.
  return state.kind === 'finishing' || state.kind === 'checking'
    ? html`<progress part="progress" aria-label=${label}></progress>`
    : nothing
}

/** Whether the same file may succeed at the next attempt. */
function canRetry({ error, isUncertain }: Extract<TransferState<unknown>, { kind: 'failed' }>): boolean {
  if (error instanceof FileProblem) return error.kind === 'unreadable'
  return isUncertain || !(error instanceof RefusedError || error instanceof ForbiddenError)
}

function pauseText(why: 'signed-out' | 'offline', messages: Texts['files']): string {
  return why === 'offline' ? messages.offline : messages.signedOut
}

function failureText(
  { error, isUncertain, mayDuplicate }: Extract<TransferState<unknown>, { kind: 'failed' }>,
  { size, maxSize }: Pick<TransferRow, 'size' | 'maxSize'>,
  messages: Texts['files'],
  language: string | undefined,
): string {
  const isTooLarge = size > maxSize
  // A file that is a few bytes too large has the same rounded size as the limit.
  const isClose = isTooLarge && formatSize(size, language) === formatSize(maxSize, language)
  const limit = isClose ? formatBytes(maxSize, language) : formatSize(maxSize, language)
  if (error instanceof FileProblem) {
    const problem = messages.problems[error.kind]
    return typeof problem === 'string' ? problem : problem(limit)
  }
  if (mayDuplicate) return messages.unconfirmed
  if (isUncertain) return messages.uncertain
  if (error instanceof ForbiddenError) return messages.forbidden
  if (error instanceof RefusedError) {
    if (error.status === 413) return isTooLarge ? messages.problems.tooLarge(limit) : messages.tooLargeHere
    return error.refusedBy === 'service' ? messages.refused : messages.refusedHere
  }
  return messages.notSent
}

/** The proxy's reason for a refusal. It is in English, whatever the language of the page. */
function detailOf({ error }: Extract<TransferState<unknown>, { kind: 'failed' }>): string {
  return error instanceof RefusedError && error.status !== 413 ? (error.detail ?? '') : ''
}
