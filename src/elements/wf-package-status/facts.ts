import { html, nothing, type TemplateResult } from 'lit'
import type { HistoryEvent } from '../../contract/history.ts'
import type { InboxSignature } from '../../contract/workflow.ts'
import type { Messages } from '../../locales/messages.ts'
import { type Formatting, renderTime } from '../format.ts'
import { humanize } from '../humanize.ts'
import { holdersOf, type PackageStatusContent } from './content.ts'
import { voidReasonLabel } from './labels.ts'

/** The messages of the facts, how their times are written, and the history, which knows since when people hold the package. */
export interface FactsContext {
  readonly messages: Messages['packageStatus']
  readonly common: Messages['common']
  readonly formatting: Formatting
  readonly events: readonly (HistoryEvent | null)[] | undefined
}

/** Renders the facts of a package: void reason, people it waits for, initiator and dates. */
export function renderFacts({ found, inbox }: PackageStatusContent, context: FactsContext): TemplateResult {
  const { messages } = context
  const { state, initiator, routingDate, actionDate, voidReason } = found
  const isRouting = state === 'ROUTING'
  // A package that was removed or sent back has the date of an earlier routing.
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
      ${isRouting ? renderInbox(inbox, context) : nothing}
      ${initiator ? renderFact(messages.initiator, html`<bdi>${initiator.displayName}</bdi>`) : nothing}
      ${hasBegun ? renderDate(isRouting ? messages.routingDate : messages.routingBegan, routingDate) : nothing}
      ${renderDate(messages.actionDate, actionDate)}
    </dl>
  `
}

function renderInbox(inbox: PackageStatusContent['inbox'], context: FactsContext) {
  const { messages, common } = context
  if (inbox === undefined) return nothing
  const { holders, leftOut } = holdersOf(inbox)
  if (holders.length + leftOut === 0 && inbox) return nothing
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
  { messages, common, formatting, events }: FactsContext,
): TemplateResult {
  const known: Readonly<Record<string, string>> = common.permissions
  const may = permission === null ? undefined : (known[permission] ?? humanize(permission))
  const details = [may, responsibleOffice?.name].filter(Boolean).join(' · ')
  const since = events?.findLast(
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

function renderFact(label: string, value: unknown, size = ''): TemplateResult {
  return html`
    <div class=${size}>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>
  `
}
