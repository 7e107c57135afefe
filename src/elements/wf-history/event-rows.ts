import { html, nothing, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import type { HistoryEvent } from '../../contract/schemas/history.ts'
import { formatBetween, formatElapsed, formatTimeOfDay, formatTimestamp } from '../text/format.ts'
import type { ShownChunk } from './event-list.ts'
import {
  describeEvent,
  type EventKind,
  eventKindOf,
  type EventLanguage,
  type Events,
  stopKeyOf,
} from './event-text.ts'
import { renderIcon } from '../element/icon.ts'

/** The paths of the icons, in a 24 × 24 box. */
const eventIcons: Readonly<Record<EventKind, string>> = {
  initiation: 'M8 5v14l11-7z',
  now: 'M12 4v8l6 4',
  view: 'M3 12q9-11 18 0q-9 11-18 0M12 11v2',
  received: 'M4 7h16v11H4zl8 6 8-6',
  signed: 'M5 13l5 5L19 7',
  passed: 'M6 18L18 6',
  voided: 'M8 8l8 8M16 8l-8 8',
  void: 'M6 6l12 12M18 6L6 18',
  unvoid: 'M9 4L4 9l5 5M4 9h11v9',
  remove: 'M5 12h14',
  re_initiate: 'M15 4l5 5-5 5M20 9H9v9',
  office_opt_out: 'M5 6l6 6-6 6M13 6l6 6-6 6',
  notification: 'M5 17h14l-2-3v-4a5 5 0 0 0-10 0v4zM11 20h2',
  notification_unlock: 'M6 11h12v9H6zM9 11V8a3 3 0 0 1 6-1',
  complete: 'M6 21V4h13l-4 4 4 4H6',
  future: '',
  other: 'M6 12h.01M12 12h.01M18 12h.01',
}

/**
 * Renders the rows of events that follow each other.
 *
 * @param before The event before them. A row names its stop and its day only if they differ from those before.
 */
export function renderEventRows(
  events: Events,
  language: EventLanguage,
  {
    before,
    isFuture = false,
  }: { readonly before?: HistoryEvent | null | undefined; readonly isFuture?: boolean } = {},
): readonly TemplateResult[] {
  let stop = stopKeyOf(before)
  let day = dayOf(before)
  return events.flatMap((event) => {
    if (!event) return []
    const kind = isFuture ? 'future' : eventKindOf(event)
    const isSameStop = stopKeyOf(event) === stop
    const isSameDay = dayOf(event) === day
    stop = stopKeyOf(event)
    day = dayOf(event)
    const [who, what] = describeEvent(event, kind, language)
    const isNow = kind === 'now'
    return html`<div
      role="listitem"
      part="event"
      class=${kind}
      aria-current=${isNow ? 'step' : nothing}
      tabindex=${isNow ? '-1' : nothing}
    >
      ${isSameStop ? nothing : renderStop(event, language)} ${renderEventIcon(kind)}
      <p class="what"><bdi>${who}</bdi>${what}</p>
      ${renderEventTime(event, kind, isSameDay, language)}
      ${isNow ? html`<div class="highlight"></div>` : nothing} ${renderDetails(event, kind, who, language)}
    </div>`
  })
}

/** Renders a chunk of past events, again only if something in it has changed. */
export function renderChunk({ events, before, isFull }: ShownChunk, language: EventLanguage): TemplateResult {
  const { messages, formatting } = language
  // None of these events waits, so no row shows an age, which would be out of date within a minute.
  const rows = () => renderEventRows(events, language, { before })
  return html`<div role="none" class=${isFull ? 'chunk' : nothing}>
    ${guard([events, before, messages, formatting.language, formatting.timeZone], rows)}
  </div>`
}

/** The longest list of events still to come that is open at first. */
const maxOpen = 5

/** Renders the events still to come. */
export function renderFuture(events: Events, language: EventLanguage): TemplateResult {
  const title = language.messages.future(new Set(events.map(stopKeyOf)).size)
  return html`<details part="future" ?open=${events.length <= maxOpen}>
    <summary><bdi>${title}</bdi></summary>
    <div role="list" part="list">${renderEventRows(events, language, { isFuture: true })}</div>
  </details>`
}

export function renderEventIcon(kind: EventKind): TemplateResult {
  return renderIcon(eventIcons[kind])
}

/** Renders when an event was or, of one that waits, since when and for how long. */
function renderEventTime(
  { actionDate }: HistoryEvent,
  kind: EventKind,
  isSameDay: boolean,
  { messages, formatting }: EventLanguage,
): TemplateResult {
  const { language } = formatting
  const isAhead = kind === 'now' || kind === 'view'
  const format = isSameDay && !isAhead ? formatTimeOfDay : formatTimestamp
  const elapsed = isAhead && actionDate !== null && formatElapsed(actionDate, formatting)
  const text =
    (actionDate === null ? '' : format(actionDate, language)) +
    (elapsed ? ` · ${elapsed.replaceAll(' ', '\u00a0')}` : '')
  const time = html`<time lang=${language ?? nothing} datetime=${actionDate ?? nothing}>${text}</time>`
  return html`<p class="muted time">${isAhead ? `${messages.since} ` : nothing}${time}</p>`
}

/** Returns the day of an event, as a part of its timestamp; `undefined` if it has no valid time. */
function dayOf(event: HistoryEvent | null | undefined): string | undefined {
  return /^\d[\d-]+(?=T)/.exec(event?.actionDate ?? '')?.[0]
}

function renderStop({ stop }: HistoryEvent, { messages }: EventLanguage): unknown {
  const name = [stop?.stopNumber && messages.stop(stop.stopNumber), stop?.name].filter(Boolean).join(' · ')
  return name ? html`<p part="stop"><bdi>${name}</bdi></p>` : nothing
}

/** Renders the line of details: title, office, role, override, reason, holder, and how long the person took. */
function renderDetails(
  event: HistoryEvent,
  kind: EventKind,
  who: string,
  { messages, formatting }: EventLanguage,
): unknown {
  const { actionDate, context, office, person, resolution, routingDate } = event
  const [override] = /\b(?:CHANGE|DELEGATE)\b/.exec(context ?? '') ?? []
  const holder = resolution?.displayName
  const took =
    kind === 'signed' && routingDate && actionDate && formatBetween(routingDate, actionDate, formatting)
  const details = [
    person?.title,
    // A role usually names its office.
    resolution?.name?.includes(office?.name ?? '') ? null : office?.name,
    resolution?.name,
    override && messages.overrides[override as keyof typeof messages.overrides],
    context,
    holder !== person?.displayName && holder && messages.heldBy(holder),
    took && messages.after(took),
  ].filter((detail) => typeof detail === 'string' && detail !== '' && detail !== who) as string[]
  if (details.length === 0) return nothing
  const texts = [...new Set(details)].map(
    (detail, index) => html`${index > 0 ? ' · ' : nothing}<bdi>${detail}</bdi>`,
  )
  return html`<p class="muted detail">${texts}</p>`
}
