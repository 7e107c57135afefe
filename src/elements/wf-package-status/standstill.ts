import { html, nothing, type TemplateResult } from 'lit'
import type { HistoryEvent } from '../../contract/schemas/history.ts'
import type { Person } from '../../contract/schemas/person.ts'
import type { PackageState } from '../../contract/values/package-states.ts'
import type { ShownPackage } from '../element/events.ts'
import { fillMessage } from '../text/fill-message.ts'
import { formatAge, formatDay, formatTimestamp, renderTime } from '../text/format.ts'
import { capitalize } from '../text/humanize.ts'
import { latestOf, latestStart, removalOf } from './card-reads.ts'
import { type FactsContext, renderFact, renderLead, renderPlace } from './fact.ts'

/** The headline of a card, the facts that explain it, and the time that it shows. */
interface Standstill {
  readonly lead?: unknown
  readonly facts?: unknown
  readonly time?: string | null | undefined
}

/**
 * Describes why a package is in nobody's inbox: how it ended, or who can let it go on. An unknown state has no headline.
 */
export function describeStandstill(found: ShownPackage, context: FactsContext): Standstill {
  const state = found.state as PackageState
  switch (state) {
    case 'ROUTING':
      return {
        lead: renderWait(
          context.messages,
          context.wait?.what ?? [context.messages.nobody],
          context.wait?.why ?? '',
        ),
      }
    case 'DRAFT':
      return describeDraft(found, context)
    case 'PRE_ROUTING': {
      const { messages, reads } = context
      const removal = removalOf(reads)
      if (removal) return { lead: renderDeed(messages.removedBy, removal, context) }
      // The same line has room for the name, so nothing moves when the history arrives.
      return { lead: renderLead(reads.getHistory ? messages.notStarted : messages.states.PRE_ROUTING) }
    }
    case 'COMPLETE':
      return describeCompletion(found, context)
    case 'VOID': {
      const event = latestOf(context.reads, 'void')
      return event
        ? { lead: renderDeed(context.messages.voidedBy, event, context), time: event.actionDate }
        : { lead: renderLead(context.messages.states.VOID) }
    }
    default:
      void (state satisfies never)
      return {}
  }
}

/** Describes when routing was completed. Only a package with a signature has been approved by anyone. */
function describeCompletion(found: ShownPackage, { messages, formatting, reads }: FactsContext): Standstill {
  const time = latestOf(reads, 'complete')?.actionDate
  if (!time || !formatting) return { lead: renderLead(messages.states.COMPLETE) }
  const isApproved = reads.getHistory?.some((event) => event?.state === 'APPROVED')
  const day = renderTime(time, formatting, formatDay(time, formatting.language))
  return {
    lead: renderLead(fillMessage(isApproved ? messages.approvedOn : messages.completedOn, day)),
    // The day of the headline does not tell the hour, but the latest action of a package is its completion.
    time: found.actionDate,
  }
}

/** Renders who ended the routing and how long ago, and below that when. */
function renderDeed(
  message: (name: string) => string,
  { person, actionDate }: HistoryEvent,
  { common, formatting }: FactsContext,
): TemplateResult {
  const name = html`<strong><bdi>${person?.displayName ?? common.someone}</bdi></strong>`
  const age = actionDate && formatting && formatAge(actionDate, formatting)
  return renderLead(
    [fillMessage(message, name), age && ` · ${age}`],
    actionDate &&
      (formatting
        ? renderTime(actionDate, formatting, formatTimestamp(actionDate, formatting.language))
        : renderPlace(actionDate)),
  )
}

/** Describes who has to submit the draft, and, if it came back, who returned it and why. */
function describeDraft({ initiator, actionDate }: ShownPackage, context: FactsContext): Standstill {
  const { messages, reads, isInitiator } = context
  const start = latestStart(reads)
  const comments = reads.getComments?.filter(
    (comment) => comment && comment.state !== 'INACTIVE' && `${comment.createdAt}` > `${start?.actionDate}`,
  )
  // The service does not mark the comment of a return, but adds it in the same moment.
  const minute = actionDate?.slice(0, 16) ?? '?'
  const cause = comments?.findLast((comment) => comment?.createdAt?.startsWith(minute))
  const comment = cause ?? comments?.findLast((comment) => comment?.person?.univid !== initiator?.univid)
  const why = capitalize(start ? messages.mustResubmit : messages.mustSubmit)
  return {
    lead: isInitiator
      ? renderLead(messages.waitingForYou, why)
      : renderWait(messages, [initiator?.displayName ?? messages.initiator], why),
    facts:
      start && comment
        ? renderEvent(
            cause ? messages.returnedBy : messages.returned,
            comment.person,
            comment.createdAt,
            context,
            comment.comment,
          )
        : nothing,
  }
}

/** Renders what or who is waited for, and a sentence about it. */
function renderWait(
  { waitingFor }: FactsContext['messages'],
  what: readonly string[],
  why: string,
): TemplateResult {
  const names = what.map((text, at) => [at > 0 ? ', ' : '', html`<strong><bdi>${text}</bdi></strong>`])
  return renderLead([waitingFor, ' ', names], why)
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
      ${time && formatting ? html` · ${renderTime(time, formatting)}` : nothing}
      ${text ? html`<p part="reason">${text}</p>` : nothing}`,
  )
}
