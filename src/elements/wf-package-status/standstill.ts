import { html, nothing, type TemplateResult } from 'lit'
import type { Person } from '../../contract/person.ts'
import type { ShownPackage } from '../events.ts'
import { renderTime } from '../format.ts'
import { isRequiredNow, missingTypes, titleOf } from '../wf-attachments/attachment-rules.ts'
import { latestStart, removalOf } from './card-reads.ts'
import { type FactsContext, renderFact } from './fact.ts'

/**
 * Renders why a package is in nobody's inbox, and who can resolve that: for a removed package, a draft, and a route that
 * waits for nobody.
 */
export function renderStandstill(
  found: ShownPackage,
  context: FactsContext,
): TemplateResult | typeof nothing {
  if (found.state === 'ROUTING') return renderHold(context)
  if (found.state === 'DRAFT') return renderDraft(found, context)
  const removal = found.state === 'PRE_ROUTING' && removalOf(context.reads)
  return removal
    ? renderEvent(context.messages.removedBy, removal.person, removal.actionDate, context)
    : nothing
}

/** Renders who has to submit the draft, and, if it came back, who returned it and why. */
function renderDraft({ initiator, actionDate }: ShownPackage, context: FactsContext): TemplateResult {
  const { messages, reads } = context
  const start = latestStart(reads)
  const comments = reads.getComments?.filter(
    (comment) => comment && comment.state !== 'INACTIVE' && `${comment.createdAt}` > `${start?.actionDate}`,
  )
  // The service does not mark the comment of a return, but adds it in the same moment.
  const minute = actionDate?.slice(0, 16) ?? '?'
  const cause = comments?.findLast((comment) => comment?.createdAt?.startsWith(minute))
  const comment = cause ?? comments?.findLast((comment) => comment?.person?.univid !== initiator?.univid)
  return html`
    ${renderFact(
      messages.waitingFor,
      html`<strong><bdi>${initiator?.displayName ?? messages.initiator}</bdi></strong>
        <span class="detail">${start ? messages.mustResubmit : messages.mustSubmit}</span>`,
      'wide',
    )}
    ${
      start && comment
        ? renderEvent(
            cause ? messages.returnedBy : messages.returned,
            comment.person,
            comment.createdAt,
            context,
            comment.comment,
          )
        : nothing
    }
  `
}

/** Renders the reason why a route waits for nobody, as far as the page can know it. */
function renderHold({ messages, attachmentMessages, reads }: FactsContext): TemplateResult {
  const { getAttachments: attachments, getAttachmentTypes: types, getFutureHistory: ahead } = reads
  const missing = missingTypes(types, attachments, (type) => isRequiredNow(type, 'ROUTING', 'completion'))
  let what: readonly string[] = [messages.nobody]
  let why = ''
  if (ahead?.length) {
    // Only a callback stops a route before its end (spec, Events).
    const { name, stopNumber } = ahead.find((event) => event?.stop)?.stop ?? {}
    what = [messages.release(name ?? `${stopNumber ?? ''}`)]
    why = messages.held
  } else if (ahead && missing?.length) {
    what = missing.map((type) => titleOf(type, attachmentMessages))
    why = messages.lacksDocument(missing.length)
  } else if (ahead && missing) {
    why = messages.unknownReason
  }
  return renderFact(
    messages.waitingFor,
    html`<ul>
        ${what.map(
          (text) =>
            html`<li>
              <strong><bdi>${text}</bdi></strong>
            </li>`,
        )}
      </ul>
      <span class="detail">${why}</span>`,
    'wide',
  )
}

/** Renders who did something, when, and in which words. */
function renderEvent(
  label: string,
  person: Person | null,
  time: string | null,
  { common, formatting }: FactsContext,
  text?: string | null,
): TemplateResult {
  return renderFact(
    label,
    html`<strong><bdi>${person?.displayName ?? common.someone}</bdi></strong>
      ${time ? html`<span class="detail">${renderTime(time, formatting)}</span>` : nothing}
      ${text ? html`<p part="reason">${text}</p>` : nothing}`,
    'wide',
  )
}
