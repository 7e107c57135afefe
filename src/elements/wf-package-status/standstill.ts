import { html, nothing, type TemplateResult } from 'lit'
import type { Person } from '../../contract/schemas/person.ts'
import type { ShownPackage } from '../element/events.ts'
import { renderTime } from '../text/format.ts'
import { capitalize } from '../text/humanize.ts'
import { isRequiredNow, missingTypes, titleOf } from '../wf-attachments/attachment-rules.ts'
import { latestStart, removalOf } from './card-reads.ts'
import { type FactsContext, renderFact, renderLead } from './fact.ts'

/** The sentence that a card leads with, and the facts that explain it. */
type Standstill = readonly [lead?: unknown, facts?: unknown]

/**
 * Describes why a package is in nobody's inbox, and who can resolve that: for a removed package, a draft, and a route that
 * waits for nobody.
 */
export function describeStandstill(found: ShownPackage, context: FactsContext): Standstill {
  if (found.state === 'ROUTING') return [renderHold(context)]
  if (found.state === 'DRAFT') return describeDraft(found, context)
  const removal = found.state === 'PRE_ROUTING' && removalOf(context.reads)
  return removal
    ? [undefined, renderEvent(context.messages.removedBy, removal.person, removal.actionDate, context)]
    : []
}

/** Describes who has to submit the draft, and, if it came back, who returned it and why. */
function describeDraft({ initiator, actionDate }: ShownPackage, context: FactsContext): Standstill {
  const { messages, reads } = context
  const start = latestStart(reads)
  const comments = reads.getComments?.filter(
    (comment) => comment && comment.state !== 'INACTIVE' && `${comment.createdAt}` > `${start?.actionDate}`,
  )
  // The service does not mark the comment of a return, but adds it in the same moment.
  const minute = actionDate?.slice(0, 16) ?? '?'
  const cause = comments?.findLast((comment) => comment?.createdAt?.startsWith(minute))
  const comment = cause ?? comments?.findLast((comment) => comment?.person?.univid !== initiator?.univid)
  return [
    renderWait(
      messages,
      [initiator?.displayName ?? messages.initiator],
      capitalize(start ? messages.mustResubmit : messages.mustSubmit),
    ),
    start && comment
      ? renderEvent(
          cause ? messages.returnedBy : messages.returned,
          comment.person,
          comment.createdAt,
          context,
          comment.comment,
        )
      : nothing,
  ]
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
  return renderWait(messages, what, why)
}

/** Renders what or who is waited for, and a sentence about it. */
function renderWait(
  { waitingFor }: FactsContext['messages'],
  what: readonly string[],
  why: string,
): TemplateResult {
  const names = what.map((text, at) => [at > 0 ? ', ' : '', html`<strong><bdi>${text}</bdi></strong>`])
  return html`${renderLead([waitingFor, ' ', names])}
    <p class="detail">${why}</p>`
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
    html`<bdi>${person?.displayName ?? common.someone}</bdi>
      ${time ? html` · ${renderTime(time, formatting)}` : nothing}
      ${text ? html`<p part="reason">${text}</p>` : nothing}`,
  )
}
