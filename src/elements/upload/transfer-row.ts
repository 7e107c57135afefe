import { html, nothing, type TemplateResult } from 'lit'
import { ForbiddenError, RefusedError, type TransferState } from '../../client/index.ts'
import type { Messages } from '../../locales/messages.ts'
import { FileProblem } from './file-problem.ts'
import { formatDuration, formatPercent, formatSize, formatSpeed } from '../format.ts'

/** A file on its way, as a row shows it. */
export interface TransferRow {
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly state: TransferState<unknown>
  /** Largest file that is taken, in bytes. */
  readonly maxSize: number
  readonly onStart: () => void
  readonly onCancel: () => void
  /** Takes it from the list. */
  readonly onRemove: () => void
  /** What stands in the place of the state's words and buttons; for what is stored. */
  readonly stored?: { readonly detail: unknown; readonly actions: unknown } | undefined
}

/**
 * What stands in the list item of a file: its name, how far it is, and what one can do about it. The name can take the
 * focus: it is where the focus goes when a control of the row goes away.
 */
export function renderTransfer(
  row: TransferRow,
  words: Messages['files'],
  language: string | undefined,
): TemplateResult {
  const { name, size, state } = row
  return html`
    <div>
      <span class="name" tabindex="-1"><bdi>${name}</bdi></span>
      <bdi class="detail">${formatSize(size, language)}</bdi>
      <div>${row.stored?.detail ?? renderState(row, words, language)}</div>
    </div>
    <div class="actions">${row.stored?.actions ?? renderActions(row, words)}</div>
    ${renderBar(name, state, words)}
  `
}

/** What is announced of a file that is in a new state; nothing of what is only on its way. */
export function transferMessage(
  { name, state, maxSize }: Pick<TransferRow, 'name' | 'state' | 'maxSize'>,
  words: Messages['files'],
  language: string | undefined,
): string | undefined {
  if (state.kind === 'stored') return words.storedAnnouncement(name)
  const why =
    state.kind === 'failed'
      ? `${failureText(state, maxSize, words, language)} ${detailOf(state)}`.trim()
      : state.kind === 'paused'
        ? pauseText(state.why, words)
        : 'isStalled' in state && state.isStalled
          ? words.stalled
          : undefined
  return why && words.announcement(name, why)
}

function renderState(
  { state, maxSize }: TransferRow,
  words: Messages['files'],
  language: string | undefined,
) {
  switch (state.kind) {
    case 'sending': {
      const { sent, total, speed, secondsLeft } = state
      const facts = [
        words.progress(
          formatPercent(total > 0 ? sent / total : 0, language),
          formatSize(sent, language),
          formatSize(total, language),
        ),
        speed === null ? '' : formatSpeed(speed, language),
        secondsLeft === null ? '' : words.timeLeft(formatDuration(secondsLeft, language)),
      ]
      return html`
        <bdi class="detail">${facts.filter(Boolean).join(' · ')}</bdi>
        ${state.isStalled ? html`<div class="attention">${words.stalled}</div>` : nothing}
      `
    }
    case 'finishing':
      return html`
        <span class="detail">${words.finishing}</span>
        ${state.isStalled ? html`<div class="attention">${words.stalled}</div>` : nothing}
      `
    case 'paused':
      return html`<span class="attention">${pauseText(state.why, words)}</span>`
    case 'failed':
      return html`<span class="error"
        >${failureText(state, maxSize, words, language)} <bdi lang="en">${detailOf(state)}</bdi></span
      >`
    default:
      return html`<span class="detail">${words[state.kind]}</span>`
  }
}

function renderActions(
  { name, state, onStart, onCancel, onRemove }: TransferRow,
  words: Messages['files'],
): readonly unknown[] {
  const button = (text: string, onClick: () => void) => renderButton(words.named(text, name), text, onClick)
  const tryAgain = button(words.tryAgain, onStart)
  const cancel = button(words.cancel, onCancel)
  const remove = button(words.remove, onRemove)

  switch (state.kind) {
    case 'failed':
      return [mayHelp(state.error) ? tryAgain : nothing, remove]
    case 'cancelled':
      return [tryAgain, remove]
    case 'paused':
      return [button(words.resume, onStart), cancel]
    case 'sending':
    case 'finishing':
      return [state.isStalled ? tryAgain : nothing, cancel]
    case 'waiting':
      return [cancel]
    default:
      return []
  }
}

/** A button of a row. Its name tells the file, because there is one in each row. */
export function renderButton(
  name: string,
  text: string,
  onClick: (event: MouseEvent) => void,
  kind = '',
): TemplateResult {
  return html`<button type="button" class=${kind} aria-label=${name} @click=${onClick}>${text}</button>`
}

function renderBar(name: string, state: TransferState<unknown>, words: Messages['files']) {
  const label = words.progressLabel(name)
  if (state.kind === 'sending') {
    return html`<progress
      part="progress"
      aria-label=${label}
      max="1"
      .value=${state.total > 0 ? state.sent / state.total : 0}
    ></progress>`
  }
  // Without a value: how long it takes is not known.
  return state.kind === 'finishing' || state.kind === 'checking'
    ? html`<progress part="progress" aria-label=${label}></progress>`
    : nothing
}

/** Whether to try the same file again may end better. */
function mayHelp(error: unknown): boolean {
  if (error instanceof FileProblem) return error.kind === 'unreadable'
  return !(error instanceof RefusedError || error instanceof ForbiddenError)
}

function pauseText(why: 'signed-out' | 'offline', words: Messages['files']): string {
  return why === 'offline' ? words.offline : words.signedOut
}

function failureText(
  { error, isUncertain }: Extract<TransferState<unknown>, { kind: 'failed' }>,
  maxSize: number,
  words: Messages['files'],
  language: string | undefined,
): string {
  const size = formatSize(maxSize, language)
  if (error instanceof FileProblem) return words.flaws[error.kind](size)
  if (error instanceof ForbiddenError) return words.forbidden
  if (error instanceof RefusedError) return error.status === 413 ? words.flaws.tooLarge(size) : words.refused
  return isUncertain ? words.uncertain : words.notSent
}

/** Why the proxy refused the file, as it says it itself: in English, whatever the page is written in. */
function detailOf({ error }: Extract<TransferState<unknown>, { kind: 'failed' }>): string {
  return error instanceof RefusedError && error.status !== 413 ? (error.detail ?? '') : ''
}
