import { html, nothing, type TemplateResult } from 'lit'
import { renderNotice } from '../notices/notice.ts'
import type { FormTexts } from './form-texts.ts'

/** The parts of a form besides the controls of the page. */
export interface FormView {
  readonly texts: FormTexts
  /** Why the form could not be loaded; empty if it could, or if the latest attempt shows it. */
  readonly errorText: string
  /** Whether the person has to sign in first. */
  readonly isSignedOut: boolean
  readonly isIncomplete: boolean
  /** The summary of invalid fields, and the reason why the latest attempt failed. */
  readonly problems: unknown
  /** When the copy was written that the screen shows; `undefined` if it shows none. */
  readonly restoredAt: number | undefined
  readonly isContinued: boolean
  /** When the request was submitted, if the person has come back to the page. */
  readonly submittedAt: number | undefined
  readonly packageId: number
  /** The page of the request that was submitted, or on which the draft is continued. */
  readonly url: string | undefined
  readonly isReadOnly: boolean
  readonly mailText: string
  /** Whether something is being sent. It belongs to what is on the screen, which must stay until then. */
  readonly isBusy: boolean
  readonly onRefresh: () => void
  readonly onAgain: () => void
  readonly onDiscard: () => void
  readonly onStartNew: () => void
}

/** Renders what is above the form. */
export function renderAbove(view: FormView): unknown {
  const { texts, errorText, isIncomplete, problems, restoredAt, isContinued, isReadOnly, mailText } = view
  const { isSignedOut, isBusy } = view
  const { messages: t, common, timeOf, signIn } = texts
  const notice = (text: unknown, onTryAgain: () => void) =>
    renderNotice('failure', text, common, false, onTryAgain)
  return [
    errorText ? notice(isSignedOut ? [errorText, ' ', signIn] : errorText, view.onRefresh) : nothing,
    isIncomplete ? notice(t.incomplete, view.onAgain) : nothing,
    problems,
    restoredAt !== undefined
      ? renderHint(t.restored(timeOf(restoredAt)), t.discard, isBusy, view.onDiscard)
      : isContinued
        ? renderHint(continuedText(view), t.startNew, isBusy, view.onStartNew)
        : isReadOnly
          ? html`<p part="read-only">${t.readOnly}</p>`
          : nothing,
    mailText ? html`<p part="mail">${mailText}</p>` : nothing,
  ]
}

function continuedText({ texts, submittedAt, packageId, url, isReadOnly }: FormView): unknown {
  const { messages: t, timeOf } = texts
  if (submittedAt === undefined && isReadOnly) return t.readOnly
  const id = `${packageId}`
  const text = submittedAt === undefined ? t.continued(id) : t.submittedAs(timeOf(submittedAt), id)
  return url ? html`<a href=${url}>${text}</a>` : text
}

/** Renders why the form is not shown at all. */
export function renderSlot(slot: string, text: unknown): TemplateResult {
  return html`<div class="message" part=${slot}>
    <slot name=${slot}><p>${text}</p></slot>
  </div>`
}

/** Renders the place of documents: before the first save, a button instead. */
export function renderDocuments(
  { messages: t }: FormTexts,
  hasPackage: boolean,
  language: string,
  onSave: () => void,
): TemplateResult {
  return html`
    <slot name="documents" ?hidden=${!hasPackage}></slot>
    <div class="own" lang=${language} ?hidden=${hasPackage}>
      <p class="detail">${t.documentsHint}</p>
      <button type="button" part="save" @click=${onSave}>${t.saveForDocuments}</button>
    </div>
  `
}

/** Renders that the screen shows what was typed earlier, with a button. */
function renderHint(text: unknown, label: string, isBusy: boolean, onClick: () => void): TemplateResult {
  return html`<div class="notice" part="restored">
    <p>${text}</p>
    <button type="button" aria-disabled=${isBusy} @click=${() => isBusy || onClick()}>${label}</button>
  </div>`
}
