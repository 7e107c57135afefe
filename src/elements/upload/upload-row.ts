import { html, nothing } from 'lit'
import {
  ForbiddenError,
  RefusedError,
  UnavailableError,
  type UploadItem,
  type UploadState,
} from '../../client/index.ts'
import { isComplete, sizeOf } from '../../client/uploads/upload-state.ts'
import type { Texts } from '../../locales/messages.ts'
import { FileProblem } from '../element/file-problem.ts'
import { formatBytes, formatDuration, formatPercent, formatSize, formatSpeed } from '../text/quantities.ts'
import { reasonText, renderReason } from './reason.ts'
import type { FileRow, RowAction } from './file-row.ts'

type Item = UploadItem<object, unknown>
type Failed = Extract<UploadState<unknown>, { kind: 'failed' }>

/** Returns the row of a file that is not stored. */
export function uploadRow(
  item: Item,
  messages: Texts['files'],
  language: string | undefined,
): Omit<FileRow, 'onAction'> {
  const { state } = item
  const name = shownName(item)
  return {
    name,
    size: sizeOf(item),
    mark: state.kind === 'failed' ? 'problem' : 'file',
    detail: html`<div>${renderState(item, messages, language)}</div>`,
    actions: actionsOf(state, messages),
    more: renderBar(name, state, messages),
  }
}

/** Returns the name of a file for people. A path identifies it better than the name that it was stored under. */
export function shownName({ name, state }: Item): string {
  const stored = state.kind === 'stored' ? (state.value as { filename?: string | null }).filename : undefined
  return (!name.includes('/') && stored) || name
}

/** Returns the announcement of a new state. Ends and interruptions have one; progress does not. */
export function uploadMessage(
  item: Item,
  messages: Texts['files'],
  language: string | undefined,
): string | undefined {
  const { state } = item
  const name = shownName(item)
  if (state.kind === 'stored') return messages.storedAnnouncement(name)
  const text =
    state.kind === 'failed'
      ? `${failureText(item, state, messages, language)} ${reasonText(state.error, language)}`.trim()
      : state.kind === 'sending' && state.isStalled
        ? messages.stalled
        : pauseText(state, messages)
  return text ? messages.announcement(name, text) : undefined
}

/** Renders the summary of several uploads, some of which failed. */
export function renderOutcome(outcome: string): unknown {
  return outcome ? html`<div class="notice" part="outcome"><p>${outcome}</p></div>` : nothing
}

function renderState(item: Item, messages: Texts['files'], language: string | undefined) {
  const { state } = item
  switch (state.kind) {
    case 'queued': {
      const pause = pauseText(state, messages)
      return html`<span class=${pause ? 'attention' : 'detail'}>${pause || messages.waiting}</span>`
    }
    case 'sending':
      return html`
        <bdi class="detail">${progressText(state, messages, language)}</bdi>
        ${state.isStalled ? html`<div class="attention">${messages.stalled}</div>` : nothing}
      `
    case 'verifying':
      return html`<span class="detail">${messages.checking}</span>`
    case 'failed':
      return html`<span class="error"
        >${failureText(item, state, messages, language)} ${renderReason(state.error, language)}</span
      >`
    case 'gone':
      return html`<span class=${state.mayDuplicate ? 'error' : 'detail'}
        >${messages.cancelled} ${state.mayDuplicate ? messages.unconfirmed : ''}</span
      >`
    case 'stored':
      return nothing
  }
}

function progressText(
  state: Extract<UploadState<unknown>, { kind: 'sending' }>,
  messages: Texts['files'],
  language: string | undefined,
): string {
  const { sent, total, speed, secondsLeft } = state
  if (total === 0) return messages.sending
  if (isComplete(state)) return messages.finishing
  const facts = [
    messages.progress(
      formatPercent(sent / total, language),
      formatSize(sent, language),
      formatSize(total, language),
    ),
    speed === null ? '' : formatSpeed(speed, language),
    secondsLeft === null ? '' : messages.timeLeft(formatDuration(secondsLeft, language)),
  ]
  return facts.filter(Boolean).join(' · ')
}

function actionsOf(state: UploadState<unknown>, messages: Texts['files']): readonly RowAction[] {
  const retry: RowAction = { action: 'retry', text: messages.tryAgain }
  const cancel: RowAction = { action: 'cancel', text: messages.cancel, kind: 'quiet' }
  const remove: RowAction = { action: 'remove', text: messages.remove, kind: 'quiet' }
  switch (state.kind) {
    case 'queued':
      return state.hold === 'offline' || state.hold === 'signed-out'
        ? [{ action: 'resume', text: messages.resume }, cancel]
        : [cancel]
    case 'sending':
      return state.isStalled ? [retry, cancel] : [cancel]
    case 'failed':
      return canRetry(state) ? [retry, remove] : [remove]
    case 'gone':
      return [retry, remove]
    case 'verifying':
    case 'stored':
      return []
  }
}

function renderBar(name: string, state: UploadState<unknown>, messages: Texts['files']) {
  if (state.kind !== 'sending' && state.kind !== 'verifying') return nothing
  const label = messages.progressLabel(name)
  return state.kind === 'sending' && state.total > 0 && !isComplete(state)
    ? html`<progress
        part="progress"
        aria-label=${label}
        max="1"
        .value=${state.sent / state.total}
      ></progress>`
    : // Without a value, because the remaining time is unknown.
      html`<progress part="progress" aria-label=${label}></progress>`
}

/** Whether the same file may succeed at the next attempt. */
function canRetry({ error, isUncertain }: Failed): boolean {
  if (error instanceof FileProblem) return error.kind === 'unreadable'
  return isUncertain || !(error instanceof RefusedError || error instanceof ForbiddenError)
}

function pauseText(state: UploadState<unknown>, messages: Texts['files']): string {
  if (state.kind !== 'queued') return ''
  return state.hold === 'offline' ? messages.offline : state.hold === 'signed-out' ? messages.signedOut : ''
}

function failureText(
  item: Item,
  { error, isUncertain, mayDuplicate }: Failed,
  messages: Texts['files'],
  language: string | undefined,
): string {
  if (error instanceof FileProblem) {
    const { kind, types } = error
    if (kind === 'wrongType' && types.length > 0) return messages.problems.wrongTypeOf(types.join(', '))
    const problem = messages.problems[kind]
    return typeof problem === 'string' ? problem : problem(limitText(error.limit, item, language))
  }
  if (mayDuplicate) return messages.unconfirmed
  // The status of a server in between, such as a firewall.
  if (error instanceof UnavailableError && typeof error.cause === 'number')
    return isUncertain ? messages.uncertainBetween : messages.refusedBetween
  if (isUncertain) return messages.uncertain
  if (error instanceof ForbiddenError) return messages.forbidden
  if (error instanceof RefusedError) {
    if (error.status === 413) return messages.tooLargeHere
    return error.refusedBy === 'service' ? messages.refused : messages.refusedHere
  }
  return messages.notSent
}

/** A file that is a few bytes too large has the same rounded size as the limit. */
function limitText(limit: number, item: Item, language: string | undefined): string {
  const rounded = formatSize(limit, language)
  return rounded === formatSize(sizeOf(item), language) ? formatBytes(limit, language) : rounded
}
