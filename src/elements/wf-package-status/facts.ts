import { html, nothing, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import type { InboxSignature } from '../../contract/schemas/workflow.ts'
import { fillMessage } from '../text/fill-message.ts'
import { formatElapsed, formatTimestamp, renderTime } from '../text/format.ts'
import { capitalize, humanize } from '../text/humanize.ts'
import { renderRichText } from '../text/rich-text.ts'
import { holdersOf, type PackageStatusContent, waitsForNobody } from './content.ts'
import { type FactsContext, renderFact, renderLead, renderPlace } from './fact.ts'
import { voidReasonLabel } from './labels.ts'
import { describeStandstill } from './standstill.ts'

/** Renders the headline of a package, then its facts: void reason, initiator, dates, details, and how much belongs to it. */
export function renderFacts(content: PackageStatusContent, context: FactsContext): TemplateResult {
  const { found, inbox } = content
  const { messages, formatting } = context
  const { state, initiator, routingDate, actionDate, voidReason, commentCount, attachmentCount } = found
  const details = found.emailContent?.packageDetails
  const counts = () => [
    commentCount ? messages.comments(commentCount) : '',
    attachmentCount ? messages.attachments(attachmentCount) : '',
  ]
  const isRouting = state === 'ROUTING'
  const isHeld = isRouting && !waitsForNobody(content)
  const { lead, facts, time }: ReturnType<typeof describeStandstill> = isHeld
    ? { lead: renderInbox(content, context) }
    : describeStandstill(found, context)
  // Each time appears once. A package that was removed or returned has the dates of an earlier routing.
  const shown = isHeld
    ? holdersOf(inbox).holders.map((holder) => minuteOf(sinceOf(holder, context)))
    : [minuteOf(time)]
  const renderDate = (label: string, timestamp: string | null | undefined) => {
    const minute = minuteOf(timestamp)
    if (!timestamp || shown.includes(minute) || /^(?:PRE_ROUTING|DRAFT)$/.test(state)) return nothing
    shown.push(minute)
    return renderFact(label, formatting ? renderTime(timestamp, formatting) : renderPlace(timestamp))
  }
  return html`
    ${lead ? html`<div part="lead">${lead}</div>` : nothing}
    <dl part="facts">
      ${
        voidReason && state === 'VOID'
          ? renderFact(messages.voidReason, voidReasonLabel(voidReason, messages))
          : nothing
      }
      ${facts}
      ${
        initiator && state !== 'DRAFT'
          ? renderFact(messages.initiator, html`<bdi>${initiator.displayName}</bdi>`)
          : nothing
      }
      ${renderDate(messages.routingDate, routingDate)} ${renderDate(messages.actionDate, actionDate)}
      ${guard([details, messages], () => {
        const content = renderRichText(details ?? '')
        return content ? renderFact(messages.details, html`<div part="details">${content}</div>`) : nothing
      })}
      ${
        commentCount || attachmentCount
          ? renderFact(
              messages.onFile,
              html`<span part="counts"
                >${formatting ? counts().filter(Boolean).join(' · ') : renderPlace()}</span
              >`,
            )
          : nothing
      }
    </dl>
  `
}

/** Renders the people who hold the package: a sentence for one person, a list for several. */
function renderInbox({ inbox, actions }: PackageStatusContent, context: FactsContext) {
  const { messages, common } = context
  const isOwn = ({ id }: InboxSignature) => id === actions?.signatureId
  if (inbox === undefined) return nothing
  if (!inbox) return renderLead(messages.waitingUnknown)
  const { holders, leftOut } = holdersOf(inbox)
  const [only, ...others] = holders
  const rest = leftOut > 0 ? html`<p class="detail">${common.leftOut(leftOut)}</p>` : nothing
  if (only && others.length === 0) {
    const [name, elapsed, details] = renderHolder(only, context)
    const who = isOwn(only) ? messages.waitingForYou : [messages.waitingFor, ' ', name]
    return [renderLead([who, elapsed]), details, rest]
  }
  return html`
    <p class="lead">${messages.waitingFor}</p>
    <ul>
      ${holders.map((holder) => {
        const [name, elapsed, details] = renderHolder(holder, context)
        const who = isOwn(holder) ? fillMessage(messages.you, name) : name
        return html`<li>${[who, elapsed, details]}</li>`
      })}
    </ul>
    ${rest}
  `
}

/** Renders the name of a holder, how long they have had the package, and a paragraph with what they may do. */
function renderHolder(
  holder: InboxSignature,
  context: FactsContext,
): readonly [name: unknown, elapsed: unknown, details: unknown] {
  const { approver, permission, responsibleOffice } = holder
  const { messages, common, formatting } = context
  const known: Readonly<Record<string, string>> = common.permissions
  const may = permission === null ? undefined : (known[permission] ?? humanize(permission))
  const since = sinceOf(holder, context)
  const elapsed = since && formatting && formatElapsed(since, formatting)
  const details = [
    // The same verbs follow names elsewhere.
    may && capitalize(may),
    responsibleOffice?.name,
    since &&
      html`${messages.since}
      ${formatting ? renderTime(since, formatting, formatTimestamp(since, formatting.language)) : renderPlace(since)}`,
  ].filter(Boolean)
  return [
    html`<strong><bdi>${approver}</bdi></strong>`,
    since && !formatting ? renderPlace(' · 00 0000') : elapsed && ` · ${elapsed}`,
    // A paragraph, because screen readers join the texts of one.
    details.length > 0
      ? html`<p class="detail">${details.map((detail, at) => [at > 0 ? ' · ' : '', detail])}</p>`
      : nothing,
  ]
}

/** Returns when a holder got the package, as far as the history is known. */
function sinceOf(
  { approver, permission }: InboxSignature,
  { reads }: FactsContext,
): string | null | undefined {
  return reads.getHistory?.findLast(
    (event) => event?.isInInbox && event.person?.displayName === approver && event.permission === permission,
  )?.actionDate
}

/** Returns a time without its seconds, which nobody sees. */
function minuteOf(timestamp: string | null | undefined): string | undefined {
  return timestamp?.slice(0, 16)
}
