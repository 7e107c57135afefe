import { html, nothing, type TemplateResult } from 'lit'
import type { Texts } from '../../../locales/messages.ts'
import { type Choices, renderConflicts } from './conflict-list.ts'
import { type FailureTexts, failureOf } from '../state/failure.ts'
import type { AttemptOutcome } from '../state/request-state.ts'

export interface OutcomeOptions extends FailureTexts {
  readonly hints: Texts['formHints']
  readonly outcome: AttemptOutcome | undefined
  /** Whether it is not known whether the package exists, so that the person may decide to create another. */
  readonly mayStartOver: boolean
  /** URL of the page of the service where a draft can be submitted; `undefined` if it is not known. */
  readonly resubmitUrl: string | undefined
  /** Returns the label of a field. */
  readonly labelOf: (name: string) => string
  readonly onAgain: () => void
  readonly onStartOver: () => void
  readonly onReinitiate: () => void
  readonly onChoose: (choices: Choices) => void
  readonly onCancel: () => void
}

/** Renders what kept the latest attempt from succeeding, with the next step. */
export function renderOutcome(options: OutcomeOptions): TemplateResult | typeof nothing {
  const {
    outcome,
    reasons: messages,
    common,
    signIn,
    mayStartOver,
    onAgain,
    onStartOver,
    onReinitiate,
  } = options
  if (outcome?.kind === 'conflict') return renderConflicts({ ...options, ...outcome, messages })
  if (outcome?.kind === 'elsewhere')
    return renderProblem(
      html`<strong>${messages.sentElsewhere}</strong>`,
      renderButton(common.tryAgain, onAgain),
    )
  if (outcome?.kind === 'resubmit') {
    const { isReturned, isRefused, detail } = outcome
    return renderProblem(
      html`<strong>${messages.notSubmitted} ${isRefused ? messages.refused : nothing}</strong>
        ${detail ? html`<bdi lang="en">${detail}</bdi>` : nothing}
        ${renderWayToSubmit(options.hints, options.resubmitUrl, isReturned)}`,
    )
  }
  if (outcome?.kind !== 'failed') return nothing
  const { text, detail, isUnknown, isSignedOut } = failureOf(outcome.error, outcome.isSaved, options)
  return renderProblem(
    html`<strong>${text}</strong> ${isSignedOut ? signIn : nothing}
      ${detail ? html`<bdi lang="en">${detail}</bdi>` : nothing}
      ${mayStartOver ? html`<span class="detail">${messages.startOverHint}</span>` : nothing}`,
    html`${renderButton(isUnknown ? messages.checkAgain : common.tryAgain, onAgain)}
    ${outcome.mayReinitiate ? renderButton(messages.startAgain, onReinitiate) : nothing}
    ${mayStartOver ? renderButton(messages.startOver, onStartOver) : nothing}`,
  )
}

/** Renders how a draft can be submitted in the service itself. */
function renderWayToSubmit(
  messages: Texts['formHints'],
  url: string | undefined,
  isReturned: boolean,
): TemplateResult | string {
  if (url) return renderLink(url, isReturned ? messages.linkAgain : messages.linkFirst)
  return isReturned ? messages.resubmit : messages.submitElsewhere
}

function renderLink(url: string, text: string): TemplateResult {
  return html`<a href=${url}>${text}</a>`
}

function renderProblem(text: unknown, buttons: unknown = nothing): TemplateResult {
  return html`<div class="notice problem" part="problem" role="alert" tabindex="-1">
    <p>${text}</p>
    ${buttons}
  </div>`
}

function renderButton(label: string, onClick: () => void): TemplateResult {
  return html`<button type="button" @click=${onClick}>${label}</button>`
}
