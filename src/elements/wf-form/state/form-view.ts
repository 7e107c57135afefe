import { html, nothing, type TemplateResult } from 'lit'
import { renderNotice } from '../../notices/notice.ts'
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
  /** Facts about the request; see `renderHints()`. */
  readonly hints: unknown
  readonly onRefresh: () => void
  readonly onAgain: () => void
}

/** Renders what is above the form. */
export function renderAbove(view: FormView): unknown {
  const { texts, errorText, isIncomplete, isSignedOut } = view
  const { messages: t, common, signIn } = texts
  const notice = (text: unknown, onTryAgain: () => void) =>
    renderNotice('failure', text, common, false, onTryAgain)
  return [
    errorText ? notice(isSignedOut ? [errorText, ' ', signIn] : errorText, view.onRefresh) : nothing,
    isIncomplete ? notice(t.incomplete, view.onAgain) : nothing,
    view.problems,
    view.hints,
  ]
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
export function renderHint(
  text: unknown,
  label: string,
  isBusy: boolean,
  onClick: () => void,
): TemplateResult {
  return html`<div class="notice" part="restored">
    <p>${text}</p>
    <button type="button" aria-disabled=${isBusy} @click=${() => isBusy || onClick()}>${label}</button>
  </div>`
}
