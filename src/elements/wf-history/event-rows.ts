import type { HistoryEvent } from '../../contract/history.ts'
import { formatBetween, formatElapsed, formatTimeOfDay, formatTimestamp } from '../format.ts'
import {
  describeEvent,
  type EventKind,
  eventKindOf,
  type EventLanguage,
  type Events,
  stopKeyOf,
} from './event-text.ts'

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
 * Makes the rows of events that follow each other. Uses the DOM instead of templates, because a history can have
 * thousands of rows and Lit's bookkeeping for a row takes longer than the row itself.
 *
 * @param before The event before them. A row names its stop and its day only if they differ from those before.
 */
export function makeEventRows(
  events: Events,
  language: EventLanguage,
  {
    before,
    isFuture = false,
  }: { readonly before?: HistoryEvent | null | undefined; readonly isFuture?: boolean } = {},
): Element[] {
  const { messages, formatting } = language
  let latest = stopKeyOf(before)
  let day = dayOf(before)
  return events.flatMap((event) => {
    if (!event) return []
    const kind = isFuture ? 'future' : eventKindOf(event)
    const stop = stopKeyOf(event)
    const isFirst = stop !== latest
    latest = stop
    const [who, what] = describeEvent(event, kind, language)
    const { actionDate } = event
    const { row, name, action, since, time } = copyRow(kind, formatting.language)
    const heading = isFirst && makeStop(event, language)
    const isAhead = kind === 'now' || kind === 'view'
    const isSameDay = !isAhead && dayOf(event) === day
    day = dayOf(event)
    const details = makeDetails(event, kind, who, language)
    if (heading) row.prepend(heading)
    name.textContent = who
    action.data = what
    if (isAhead) since.data = `${messages.since} `
    if (actionDate !== null) {
      time.setAttribute('datetime', actionDate)
      const elapsed = isAhead && formatElapsed(actionDate, formatting)
      time.textContent = isSameDay
        ? formatTimeOfDay(actionDate, formatting.language)
        : formatTimestamp(actionDate, formatting.language) +
          (elapsed ? ` · ${elapsed.replaceAll(' ', '\u00a0')}` : '')
    }
    if (details) row.append(details)
    return row
  })
}

/** A row, and the parts of it that differ from event to event. */
interface EventRow {
  readonly row: Element
  readonly name: Node
  readonly action: Text
  readonly since: Text
  readonly time: Element
}

/** Rows to copy, by kind and language. A copy takes a fraction of the time of a new row. */
const prototypeRows = new Map<string, Element>()

function copyRow(kind: EventKind, lang: string | undefined): EventRow {
  const key = `${kind} ${lang}`
  let prototype = prototypeRows.get(key)
  if (!prototype) {
    prototype = make(
      'div',
      { role: 'listitem', part: 'event', class: kind, 'aria-current': kind === 'now' && 'step' },
      ' ',
      makeEventIcon(kind),
      make('p', { class: 'what' }, makeBdi(''), document.createTextNode('')),
      ' ',
      make('p', { class: 'muted time' }, document.createTextNode(''), make('time', { lang })),
      ' ',
    )
    if (kind === 'now') {
      prototype.setAttribute('tabindex', '-1')
      prototype.append(make('div', { class: 'highlight' }))
    }
    prototypeRows.set(key, prototype)
  }
  const row = prototype.cloneNode(true) as Element
  // In the order in which the prototype is built above.
  const [what, when] = [row.children[1], row.children[2]] as [Element, Element]
  return {
    row,
    name: what.firstChild as Node,
    action: what.lastChild as Text,
    since: when.firstChild as Text,
    time: when.lastChild as Element,
  }
}

/** Returns the day of an event, as a part of its timestamp; `undefined` if it has no valid time. */
function dayOf(event: HistoryEvent | null | undefined): string | undefined {
  return /^\d[\d-]+(?=T)/.exec(event?.actionDate ?? '')?.[0]
}

function makeStop({ stop }: HistoryEvent, { messages }: EventLanguage): Element | undefined {
  const name = [stop?.stopNumber && messages.stop(stop.stopNumber), stop?.name].filter(Boolean).join(' · ')
  return name ? make('p', { part: 'stop' }, makeBdi(name)) : undefined
}

/** Makes the line of details: title, office, role, override, reason, holder, and how long the person took. */
function makeDetails(
  event: HistoryEvent,
  kind: EventKind,
  who: string,
  { messages, formatting }: EventLanguage,
): Element | undefined {
  const { actionDate, context, office, person, resolution, routingDate } = event
  const [override] = /\b(?:CHANGE|DELEGATE)\b/.exec(context ?? '') ?? []
  const holder = resolution?.displayName
  const took =
    kind === 'signed' &&
    routingDate &&
    actionDate &&
    formatBetween(routingDate, actionDate, formatting.language)
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
  if (details.length === 0) return undefined
  const texts = [...new Set(details)].flatMap((detail, index) => [index > 0 ? ' · ' : '', makeBdi(detail)])
  return make('p', { class: 'muted detail' }, ...texts)
}

/** Icons to copy. */
const prototypeIcons = new Map<EventKind, Element>()

export function makeEventIcon(kind: EventKind): Node {
  let svg = prototypeIcons.get(kind)
  if (!svg) {
    const namespace = 'http://www.w3.org/2000/svg'
    const path = document.createElementNS(namespace, 'path')
    path.setAttribute('d', eventIcons[kind])
    svg = document.createElementNS(namespace, 'svg')
    svg.setAttribute('viewBox', '0 0 24 24')
    svg.setAttribute('aria-hidden', 'true')
    svg.append(path)
    prototypeIcons.set(kind, svg)
  }
  return svg.cloneNode(true)
}

function makeBdi(text: string): HTMLElement {
  return make('bdi', {}, text)
}

/** Makes an element. Attributes without a value are left out. */
export function make(
  tag: string,
  attributes: Readonly<Record<string, string | false | null | undefined>>,
  ...content: (Node | string)[]
): HTMLElement {
  const element = document.createElement(tag)
  // Not `for … in`, which includes what a page has added to `Object.prototype`.
  for (const [name, value] of Object.entries(attributes)) if (value) element.setAttribute(name, value)
  // One at a time: several at once go through a fragment, which moves each of them twice.
  for (const part of content) element.append(part)
  return element
}

/** Replaces the rows of an element. A row that is equal to the one in its place stays. */
export function replaceRows(element: Element, rows: readonly Element[]): void {
  rows.forEach((row, index) => {
    const old = element.children[index]
    if (!old) element.append(row)
    else if (!old.isEqualNode(row)) old.replaceWith(row)
  })
  while (element.children.length > rows.length) element.lastElementChild?.remove()
}
