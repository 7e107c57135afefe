import { html, nothing } from 'lit'
import { formHints } from '../../../locales/en-form-hints.ts'
import { joinTexts } from '../../text/join-texts.ts'
import { messagesFor } from '../../text/messages.ts'
import type { FormContent } from '../state/form-content.ts'
import { renderHint } from '../state/form-view.ts'
import { type HintTexts, mailText } from './mail-text.ts'

/** Facts about a request that has loaded, and what people can do about it. */
export interface HintsView {
  readonly element: HTMLElement
  readonly texts: HintTexts
  readonly content: FormContent | undefined
  /** When the copy was written that the screen shows; `undefined` if it shows none. */
  readonly restoredAt: number | undefined
  readonly isContinued: boolean
  /** When the request was submitted, if the person has come back to the page. */
  readonly submittedAt: number | undefined
  readonly packageId: number
  /** The page of the request that was submitted, or on which the draft is continued. */
  readonly url: string | undefined
  /** The page of the service where a draft can be submitted. */
  readonly resubmitUrl: string | undefined
  readonly isReadOnly: boolean
  /** `submits`: whether the page has a button that does. */
  readonly fields: { readonly submits: boolean; readonly chosenFiles: readonly string[] } | undefined
  /** Has the names of files that the browser could not keep. */
  readonly keeper: { readonly lostFiles: readonly string[] } | undefined
  /** As in `<wf-form>`. */
  readonly notify: string
  /** Whether something is being sent. It belongs to what is on the screen, which must stay until then. */
  readonly isBusy: boolean
  readonly onDiscard: () => void
  readonly onStartNew: () => void
}

/** What a person may do with a request: nothing but read it, all but submit it, or everything. */
export type Lock = 'all' | 'submit' | 'none'

/** Returns what a request does not admit. Who may not change it may not submit it either. */
export function lockOf(content: FormContent | undefined, isReadOnly: boolean): Lock {
  return isReadOnly ? 'all' : whyNotSubmitted(content) ? 'submit' : 'none'
}

/** Renders what is above a form that has loaded. */
export function renderHints(view: HintsView): unknown {
  const { element, texts, content, restoredAt, isContinued, isReadOnly, isBusy, resubmitUrl, fields } = view
  const t = messagesFor(element, 'formHints', formHints)
  const why = isReadOnly || !fields?.submits ? undefined : whyNotSubmitted(content)
  const mail = isReadOnly ? '' : mailText(content?.found, content?.actions, view.notify, texts, t)
  const lost = fields?.chosenFiles.length ? [] : (view.keeper?.lostFiles ?? [])
  const elsewhere = resubmitUrl ? html` <a href=${resubmitUrl}>${t.linkFirst}</a>` : nothing
  return [
    restoredAt !== undefined
      ? renderHint(t.restored(texts.timeOf(restoredAt)), t.discard, isBusy, view.onDiscard)
      : isContinued
        ? renderHint(continuedText(view), t.startNew, isBusy, view.onStartNew)
        : isReadOnly
          ? html`<p part="read-only">${t.readOnly}</p>`
          : nothing,
    lost.length > 0 ? html`<p part="upload-again">${t.chooseAgain(joinTexts(element, lost))}</p>` : nothing,
    why === 'routed' ? html`<p part="not-submitted">${t.routed}</p>` : nothing,
    why === 'elsewhere' ? html`<p part="not-submitted">${t.submitElsewhere}${elsewhere}</p>` : nothing,
    mail ? html`<p part="mail">${mail}</p>` : nothing,
  ]
}

/** Returns why this page cannot submit a request that the person may change; `undefined` if it can. */
function whyNotSubmitted(content: FormContent | undefined): 'routed' | 'elsewhere' | undefined {
  const { found, session } = content ?? {}
  if (!found || found.state === 'PRE_ROUTING') return undefined
  if (found.state !== 'DRAFT') return 'routed'
  return session?.allows.resubmit === 'link' ? 'elsewhere' : undefined
}

function continuedText({ element, texts, submittedAt, packageId, url, isReadOnly }: HintsView): unknown {
  const t = messagesFor(element, 'formHints', formHints)
  if (submittedAt === undefined && isReadOnly) return t.readOnly
  const id = `${packageId}`
  const text = submittedAt === undefined ? t.continued(id) : t.submittedAs(texts.timeOf(submittedAt), id)
  return url ? html`<a href=${url}>${text}</a>` : text
}
