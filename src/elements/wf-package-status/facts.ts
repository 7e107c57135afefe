import { html, nothing, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import type { AttachmentType } from '../../contract/attachments.ts'
import type { InboxSignature } from '../../contract/workflow.ts'
import type { Messages } from '../../locales/messages.ts'
import { renderTime } from '../format.ts'
import { humanize } from '../humanize.ts'
import { renderRichText } from '../rich-text.ts'
import { titleOf } from '../wf-attachments/attachment-rules.ts'
import { holdersOf, type PackageStatusContent, waitsForNobody } from './content.ts'
import { type FactsContext, renderFact } from './fact.ts'
import { voidReasonLabel } from './labels.ts'
import { renderStandstill } from './standstill.ts'

/** Renders the facts of a package: void reason, what it waits for, initiator, dates, details, and how much belongs to it. */
export function renderFacts(content: PackageStatusContent, context: FactsContext): TemplateResult {
  const { found, inbox } = content
  const { messages } = context
  const { state, initiator, routingDate, actionDate, voidReason, commentCount, attachmentCount } = found
  const details = found.emailContent?.packageDetails
  const counts = [
    commentCount == null ? '' : messages.comments(commentCount),
    attachmentCount == null ? '' : messages.attachments(attachmentCount),
  ].filter(Boolean)
  const isRouting = state === 'ROUTING'
  // A package that was removed or returned has the dates of an earlier routing.
  const hasBegun = state !== 'PRE_ROUTING' && state !== 'DRAFT'
  const renderDate = (label: string, timestamp: string | null | undefined) =>
    timestamp ? renderFact(label, renderTime(timestamp, context.formatting)) : nothing
  return html`
    <dl part="facts">
      ${
        voidReason && state === 'VOID'
          ? renderFact(messages.voidReason, voidReasonLabel(voidReason, messages), 'wide')
          : nothing
      }
      ${isRouting && !waitsForNobody(content) ? renderInbox(inbox, context) : renderStandstill(found, context)}
      ${
        initiator && state !== 'DRAFT'
          ? renderFact(messages.initiator, html`<bdi>${initiator.displayName}</bdi>`)
          : nothing
      }
      ${
        hasBegun
          ? [
              renderDate(isRouting ? messages.routingDate : messages.routingBegan, routingDate),
              renderDate(messages.actionDate, actionDate),
            ]
          : nothing
      }
      ${guard([details, messages], () => {
        const content = renderRichText(details ?? '')
        return content
          ? renderFact(messages.details, html`<div part="details">${content}</div>`, 'wide')
          : nothing
      })}
    </dl>
    ${counts.length > 0 ? html`<p class="detail" part="counts">${counts.join(' · ')}</p>` : nothing}
  `
}

/** Renders which documents are required before the person can start routing. */
export function renderMissing(
  missing: readonly AttachmentType[],
  messages: Messages['attachments'],
  language: string,
): TemplateResult | typeof nothing {
  if (missing.length === 0) return nothing
  const titles = new Intl.ListFormat(language).format(missing.map((type) => titleOf(type, messages)))
  return html`<p>${messages.wanted(missing.length, titles)}</p>`
}

function renderInbox(inbox: PackageStatusContent['inbox'], context: FactsContext) {
  const { messages, common } = context
  if (inbox === undefined) return nothing
  const { holders, leftOut } = holdersOf(inbox)
  const list = html`
    <ul>
      ${holders.map((holder) => renderHolder(holder, context))}
    </ul>
    ${leftOut > 0 ? html`<span class="detail">${common.leftOut(leftOut)}</span>` : nothing}
  `
  return renderFact(messages.waitingFor, inbox ? list : messages.waitingUnknown, 'wide')
}

function renderHolder(
  { approver, permission, responsibleOffice }: InboxSignature,
  { messages, common, formatting, reads }: FactsContext,
): TemplateResult {
  const known: Readonly<Record<string, string>> = common.permissions
  const may = permission === null ? undefined : (known[permission] ?? humanize(permission))
  const details = [may, responsibleOffice?.name].filter(Boolean).join(' · ')
  const since = reads.getHistory?.findLast(
    (event) => event?.isInInbox && event.person?.displayName === approver && event.permission === permission,
  )?.actionDate
  return html`
    <li>
      <strong><bdi>${approver}</bdi></strong>
      ${details ? html`<span class="detail">${details}</span>` : nothing}
      ${since ? html`<span class="detail">${messages.since} ${renderTime(since, formatting)}</span>` : nothing}
    </li>
  `
}
