import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { property } from 'lit/decorators.js'
import { guard } from 'lit/directives/guard.js'
import type { HistoryEvent } from '../../contract/history.ts'
import { readHistory } from '../../contract/readers.ts'
import { history } from '../../locales/en.ts'
import type { Messages } from '../../locales/messages.ts'
import { controlStyles } from '../controls.styles.ts'
import { WfErrorEvent } from '../events.ts'
import { FocusKeeper } from '../focus-keeper.ts'
import { describeTime, type Formatting } from '../format.ts'
import { humanize } from '../humanize.ts'
import { PackageElement, type PackageTarget } from '../package-element.ts'
import { messagesFor } from '../messages.ts'
import { historyStyles } from './wf-history.styles.ts'

/** Events that are rendered at once, about as many as are seen, and laid out only where they are seen. */
const size = 20

/** Milliseconds of a frame that go into further events. */
const slice = 20

/** Events of a past or a future; null where one could not be read. */
type Events = readonly (HistoryEvent | null)[]

/** What a `<wf-history>` shows. */
export interface PackageHistory {
  readonly past: Events
  /** Calculated route ahead; null where it is not known. */
  readonly future: Events | null
  /** Why it could not be loaded this time; `undefined` where it could. */
  readonly futureError?: unknown
}

/**
 * Shows the route of a package as one timeline: what has happened, by stop, whom it waits for now, and, folded, what is
 * still to come. Events stand in the order in which the service tells them; those that wait in an inbox come last.
 *
 * Given a `history`, it shows that and asks for nothing. The tag `routing-history` is the same element.
 *
 * What stands inside the tag is shown until the script has loaded, and where it never does.
 *
 * ```html
 * <wf-history endpoint="/api/wf" form-id="6025" package-id="42">
 *   <a href="/travel/42">See what has happened</a>
 * </wf-history>
 * ```
 *
 * @element wf-history
 *
 * @slot loading - Shown until the history is loaded.
 * @slot forbidden - Shown to someone who has no rights on the package.
 * @slot missing - Shown where there is no such package.
 * @slot signed-out - Shown to someone who is not signed in.
 *
 * @fires {WfLoadEvent<PackageHistory>} wf-load - The history was loaded, for the first time or again.
 * @fires {WfErrorEvent} wf-error - Loading it, or what is still to come, failed.
 * @fires {WfSignedOutEvent} wf-signed-out - Nobody is signed in any more.
 *
 * @csspart base - All of it.
 * @csspart now - Where the package is now.
 * @csspart list - What has happened until now, or what is still to come.
 * @csspart stop - The name of a stop.
 * @csspart event - One event.
 * @csspart future - The folded part.
 * @csspart empty - What is said where nothing has happened.
 * @csspart package-id - The number of the package, below all.
 * @csspart stale - The notice that what is shown may be out of date.
 * @csspart failure - The notice that something cannot be loaded.
 * @csspart try-again - The button in either notice.
 * @csspart loading - What stands there until the history is loaded.
 * @csspart forbidden - What someone without rights is told.
 * @csspart missing - What is said where there is no such package.
 * @csspart signed-out - What someone is told who is not signed in.
 * @csspart not-configured - What the author of the page is told.
 *
 * @cssprop [--wf-accent] - Colour of what waits now, and of focus.
 * @cssprop [--wf-on-accent] - Colour of its icon.
 * @cssprop [--wf-success] - Colour of what was signed or is complete.
 * @cssprop [--wf-danger] - Colour of what was voided or removed.
 * @cssprop [--wf-line] - Colour of lines.
 * @cssprop [--wf-radius=0.5em] - Radius of corners.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text colour of notices.
 * @cssprop [--wf-notice-line] - Border of notices.
 *
 * @cssState loading - The history is not there yet.
 * @cssState loaded - Something is shown.
 * @cssState empty - Nothing has happened yet.
 * @cssState busy - It is being asked for, for the first time or again.
 * @cssState stale - The latest attempt failed: what is shown may be out of date.
 * @cssState failed - It could not be loaded, and there is nothing to show.
 * @cssState forbidden - The person has no rights on the package.
 * @cssState missing - There is no such package.
 * @cssState signed-out - Nobody is signed in.
 * @cssState not-configured - Something that it needs is missing or wrong: it says what.
 */
export class WfHistory extends PackageElement<PackageHistory> {
  static override styles = [controlStyles, historyStyles]

  /**
   * Events to show instead of loading any, as the service answers them: a list, or its JSON. Absent: they are loaded.
   * What is no list is said to the page's author, and the last good one stays.
   */
  @property() history: string | readonly unknown[] | null = null

  /** Events still to come, to show beside `history`. Absent: none. */
  @property() future: string | readonly unknown[] | null = null

  /** Events of `history`, which are read as they are rendered. */
  #rows: readonly unknown[] | undefined
  #given: PackageHistory | undefined
  /** Whether a property holds no list. */
  #isInvalid = false

  /** The list that `#past`, `#now` and, in time, `#chunks` are made of, and the words they are made with. */
  #source: readonly unknown[] | undefined
  #spoken: Messages['history'] | undefined
  #language: string | undefined
  #past: readonly unknown[] = []
  #now: Events = []
  /** Holds the chunks, then what waits. An update of the element leaves it alone, so that it costs the same at any length. */
  readonly #list = make('div', { role: 'list', part: 'list' })
  readonly #waiting = make('div', { role: 'none' })
  #chunks: Chunk[] = []
  /** Chunk to make next; infinite while all of them are as the list says. */
  #next = Infinity
  #frame = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Whether all of a list has been shown: only then is anything else news. */
  #isKnown = false
  /** What was done, as far as it has been shown. */
  readonly #known = new Set<string>()
  /** Whether it was announced that what is still to come could not be loaded. */
  #saidFuture = false

  constructor() {
    super()
    new FocusKeeper(this, () => this.renderRoot.querySelector<HTMLElement>('summary, [tabindex]'))
  }

  /** What is shown; `undefined` where nothing is. */
  override get value(): PackageHistory | undefined {
    return this.#given ?? super.value
  }

  override connectedCallback(): void {
    super.connectedCallback()
    addEventListener('beforeprint', this.#onPrint)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('beforeprint', this.#onPrint)
  }

  protected override get target(): PackageTarget | undefined {
    return this.history === null ? super.target : undefined
  }

  protected override get hasFailed(): boolean {
    return super.hasFailed || this.value?.futureError !== undefined
  }

  protected override async load(
    [client, formId, packageId]: PackageTarget,
    signal: AbortSignal,
  ): Promise<PackageHistory> {
    const input = { params: { formId, packageId } }
    const [past, future] = await Promise.all([
      client.getHistory(input, { signal }),
      client.getFutureHistory(input, { signal }).then(
        (future) => ({ future }),
        (futureError: unknown) => ({ future: this.value?.future ?? null, futureError }),
      ),
    ])
    return { past, ...future }
  }

  protected override peek([client, formId, packageId]: PackageTarget): PackageHistory | undefined {
    const input = { params: { formId, packageId } }
    const past = client.getCached('getHistory', input)
    return past && { past, future: client.getCached('getFutureHistory', input) ?? null }
  }

  protected override loaded({ futureError }: PackageHistory): boolean {
    const hasFailed = futureError !== undefined
    const isNew = hasFailed && !this.#saidFuture
    this.#saidFuture = hasFailed
    if (hasFailed) this.dispatchEvent(new WfErrorEvent(futureError))
    if (isNew) this.announcer.announce(this.#words.futureFailed)
    return isNew
  }

  protected override forget(): void {
    this.#source = undefined
    this.#chunks = []
    this.#next = Infinity
    this.#list.replaceChildren()
    this.#known.clear()
    this.#isKnown = this.#saidFuture = false
  }

  protected override isEmpty(): boolean {
    return this.#source?.length === 0
  }

  protected override configurationProblem(missing: readonly string[]): string {
    if (this.history === null) return super.configurationProblem(missing)
    return this.#given ? '' : this.#words.invalid(this.localName)
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // The events of another package are not news of this one.
    if (this.history !== null && changed.has('packageId')) this.forget()
    if (!changed.has('history') && !changed.has('future')) return
    const rows = listOf(this.history)
    const future = listOf(this.future)
    this.#isInvalid = this.history !== null && (!rows || (this.future !== null && !future))
    if (rows) {
      this.#rows = rows
      this.#given = {
        get past() {
          return readHistory(rows) ?? []
        },
        future: readHistory(future) ?? null,
      }
    }
    if (this.history === null) {
      this.#rows = this.#given = undefined
    }
  }

  get #words(): Messages['history'] {
    return messagesFor(this, 'history', history)
  }

  protected override renderContent({ future, futureError }: PackageHistory): unknown {
    const t = this.#words
    const { common, formatting: style } = this
    this.#follow(t, common, style)
    const packageId = this.settings.get('packageId')
    const lost = this.#chunks.reduce((sum, chunk) => sum + chunk.lost, lostIn(this.#now))
    return html`
      ${this.#renderNow()} ${this.isEmpty() ? html`<p part="empty">${t.empty}</p>` : this.#list}
      ${lost > 0 ? html`<p class="muted">${common.leftOut(lost)}</p>` : nothing}
      ${future?.length ? guard([future, t, style.language, style.timeZone], () => renderFuture(future, t, style, common)) : nothing}
      ${
        futureError !== undefined && !this.content.error
          ? this.renderNotice('failure', t.futureFailed)
          : nothing
      }
      ${
        packageId
          ? html`<p class="muted" part="package-id" tabindex="-1">${t.packageId(packageId)}</p>`
          : nothing
      }
      ${this.#isInvalid ? this.renderConfigurationProblem(t.invalid(this.localName)) : nothing}
    `
  }

  /** Where the package is: whom it waits for, or else what ended its route. */
  #renderNow() {
    const t = this.#words
    const waiting = this.#now.filter((event) => event && kindOf(event) === 'now')
    const [last] = this.#read(this.#past.slice(-1))
    const kind = waiting.length > 0 ? 'now' : last && kindOf(last)
    if (!kind || !['now', 'complete', 'void', 'remove'].includes(kind)) return nothing
    const names = waiting.map((event) => nameOf(event, this.common))
    return html`<p part="now" class=${kind}>
      ${makeIcon(kind)}
      <span
        >${
          last && kind !== 'now'
            ? renderWhat(last, kind, t, this.common)
            : [t.waiting, ' ', renderNames(names, this.textLanguage)]
        }</span
      >
    </p>`
  }

  #read(rows: readonly unknown[]): Events {
    return this.#rows ? (readHistory(rows) ?? []) : (rows as Events)
  }

  /** Begins to show the list that there is now. Rows that are the same stay as they are. */
  #follow(t: Messages['history'], common: Messages['common'], style: Formatting): void {
    const { language } = style
    const source = this.#rows ?? this.value?.past ?? []
    const isNew = source !== this.#source
    if (isNew) {
      this.#source = source
      this.#past = source.filter((row) => !isWaiting(row))
      this.#now = this.#read(source.filter(isWaiting))
    }
    // At each update, as it says how long ago that was.
    put(this.#waiting, makeRows({ t, style, events: this.#now }, common))
    if (this.#now.length === 0) this.#waiting.remove()
    else if (!this.#waiting.parentNode) this.#list.append(this.#waiting)
    if (!isNew && t === this.#spoken && language === this.#language) return

    this.#spoken = t
    this.#language = language
    this.#list.setAttribute('aria-label', t.label)
    this.#next = 0
    this.#step()
    // After the frame that comes now: what is seen first has not to wait for the rest.
    if (this.#next < Infinity) this.#fillSoon(() => (this.#frame = requestAnimationFrame(this.#onFrame)))
  }

  /** Makes one chunk, or brings it up to date. */
  #step(): void {
    const { common, formatting } = this
    const at = this.#next++
    const start = at * size
    const events = this.#read(this.#past.slice(start, start + size))
    const before = stopOf(this.#read(this.#past.slice(start - 1, start))[0])
    const isLast = start + size >= this.#past.length
    const { box } = (this.#chunks[at] ??= { box: make('div', { role: 'none' }), lost: 0 })
    this.#chunks[at] = { box, lost: lostIn(events) }
    box.classList.toggle('chunk', events.length === size)
    const style = { language: formatting.language }
    put(box, makeRows({ t: this.#words, style, events, before }, common))
    if (!box.parentNode) this.#list.insertBefore(box, this.#waiting.parentNode && this.#waiting)
    for (const event of events) if (event) this.#meet(event)
    if (!isLast) return
    for (const gone of this.#chunks.splice(at + 1)) gone.box.remove()
    this.#next = Infinity
    this.#isKnown = true
  }

  /** Announces what was done since all of it was shown. The service gives events no ids. */
  #meet(event: HistoryEvent): void {
    const { '@class': type, actionDate, person, state } = event
    const key = [type, state, actionDate, person?.univid ?? person?.displayName, stopOf(event)].join()
    const kind = kindOf(event)
    if (this.#isKnown && kind !== 'passed' && kind !== 'received' && !this.#known.has(key)) {
      this.announcer.announce(`${say(event, kind, this.#words, this.common).join('')}.`)
    }
    this.#known.add(key)
  }

  /** Goes on in the next frame; by a timer where the page is hidden, and draws none. */
  #fillSoon(onFrame: () => void): void {
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#timer)
    this.#frame = requestAnimationFrame(onFrame)
    this.#timer = setTimeout(this.#onFrame, 250)
  }

  readonly #onFrame = (): void => this.#fill(slice)

  /** Makes further chunks, for so many milliseconds if each takes as long as the one before. */
  #fill(budget: number): void {
    const end = performance.now() + budget
    while (this.#next < Infinity) {
      const began = performance.now()
      this.#step()
      if (this.#next < Infinity && 2 * performance.now() - began >= end) return this.#fillSoon(this.#onFrame)
    }
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#timer)
    // What could not be read is counted below the list.
    this.requestUpdate()
  }

  readonly #onPrint = (): void => {
    if (this.#next < Infinity) this.#fill(Infinity)
  }
}

/** Events that follow each other, and how they are written. */
interface Lines {
  readonly events: Events
  readonly t: Messages['history']
  readonly style: Formatting
  /** Stop of the event before them. */
  readonly before?: string
  /** Whether none of them has happened yet. */
  readonly isFuture?: boolean
}

interface Chunk {
  readonly box: HTMLElement
  /** How many of its events could not be read. */
  readonly lost: number
}

/** What an event is to people. */
type Kind = keyof typeof icons

const icons = {
  initiation: 'M8 5v14l11-7z',
  now: 'M12 4v8l6 4',
  view: 'M3 12q9-11 18 0q-9 11-18 0M12 11v2',
  received: 'M4 7h16v11H4zl8 6 8-6',
  signed: 'M5 13l5 5L19 7',
  passed: 'M5 6l6 6-6 6M13 6l6 6-6 6',
  void: 'M6 6l12 12M18 6L6 18',
  unvoid: 'M9 4L4 9l5 5M4 9h11v9',
  remove: 'M5 12h14',
  re_initiate: 'M15 4l5 5-5 5M20 9H9v9',
  complete: 'M6 21V4h13l-4 4 4 4H6',
  future: '',
  /** A class that the spec does not list. */
  other: 'M6 12h.01M12 12h.01M18 12h.01',
}

function kindOf({ '@class': type, isInInbox, permission, state }: HistoryEvent): Kind {
  if (type !== 'signature') {
    return /^(?:initiation|void|unvoid|remove|re_initiate|complete)$/.test(type) ? (type as Kind) : 'other'
  }
  if (isInInbox) return permission === 'VIEW_ONLY' ? 'view' : 'now'
  if (state === 'APPROVED') return 'signed'
  // Who may only view was never to sign.
  return state === 'BYPASSED_REMOVE' && permission !== 'VIEW_ONLY' ? 'passed' : 'received'
}

/** Who did what, as the two parts of a sentence. */
function say(
  event: HistoryEvent,
  kind: Kind,
  t: Messages['history'],
  common: Messages['common'],
): readonly [who: string, what: string] {
  if (kind === 'complete') return ['', t.complete]
  const { '@class': type, permission, person, state, autoSigned } = event
  const isAhead = kind === 'now' || kind === 'view' || kind === 'future'
  const isOdd = kind === 'received' && !['RECEIVED', 'BYPASSED_REMOVE', null].includes(state)
  const unknown = isOdd ? state : kind === 'other' || (isAhead && permission === null) ? type : null
  if (unknown !== null) {
    const who = person ? nameOf(event, common) : ''
    return [who, `${who && ': '}${humanize(unknown)}`]
  }
  const words: Readonly<Record<string, string>> = isAhead ? common.permissions : t.verbs
  const word = (isAhead ? permission : kind === 'signed' && autoSigned ? 'autoSigned' : kind) ?? ''
  return [nameOf(event, common), ` ${Object.hasOwn(words, word) ? words[word] : humanize(word)}`]
}

function renderWhat(
  event: HistoryEvent,
  kind: Kind,
  t: Messages['history'],
  common: Messages['common'],
): TemplateResult {
  const [who, what] = say(event, kind, t, common)
  return html`<bdi>${who}</bdi>${what}`
}

function renderNames(names: readonly string[], language: string): unknown {
  const [only = ''] = names
  // To create a format takes longer than all else above the list.
  const parts =
    names.length > 1 ? new Intl.ListFormat(language).formatToParts(names) : [{ type: 'element', value: only }]
  return parts.map(({ type, value }) => (type === 'element' ? html`<bdi>${value}</bdi>` : value))
}

/** By hand: what a template keeps to be able to change a row takes longer than the row, and there may be thousands. */
function makeRows({ events, t, style, before, isFuture }: Lines, common: Messages['common']): Element[] {
  let latest = before
  return events.flatMap((event) => {
    if (!event) return []
    const kind = isFuture ? 'future' : kindOf(event)
    const stop = stopOf(event)
    const isFirst = stop !== latest
    latest = stop
    const [who, what] = say(event, kind, t, common)
    const { actionDate } = event
    const { row, name, did, since, time } = copyRow(kind, style.language)
    const heading = isFirst && makeStop(event, kind, t)
    const details = makeDetails(event, kind, t, style)
    if (isFirst) row.classList.add('first')
    if (heading) row.prepend(heading)
    name.textContent = who
    did.data = what
    if (kind === 'now' || kind === 'view') since.data = `${t.since} `
    if (actionDate !== null) {
      time.setAttribute('datetime', actionDate)
      time.textContent = describeTime(actionDate, style)
    }
    if (details) row.append(details)
    return row
  })
}

/** A row, and the parts of it that each event fills in. */
interface Row {
  readonly row: Element
  readonly name: Node
  readonly did: Text
  readonly since: Text
  readonly time: Element
}

/** Rows to copy, which takes a fraction of making them, by kind and language. */
const models = new Map<string, Element>()

function copyRow(kind: Kind, lang: string | undefined): Row {
  const key = `${kind} ${lang}`
  let model = models.get(key)
  if (!model) {
    model = make(
      'div',
      { role: 'listitem', part: 'event', class: kind, 'aria-current': kind === 'now' && 'step' },
      ' ',
      makeIcon(kind),
      make('p', { class: 'what' }, bdi(''), document.createTextNode('')),
      ' ',
      make('p', { class: 'muted time' }, document.createTextNode(''), make('time', { lang })),
      ' ',
    )
    models.set(key, model)
  }
  const row = model.cloneNode(true) as Element
  // As they were put into the model.
  const [what, when] = [row.children[1], row.children[2]] as [Element, Element]
  return {
    row,
    name: what.firstChild as Node,
    did: what.lastChild as Text,
    since: when.firstChild as Text,
    time: when.lastChild as Element,
  }
}

function renderFuture(
  events: Events,
  t: Messages['history'],
  style: Formatting,
  common: Messages['common'],
): TemplateResult {
  const title = t.future(new Set(events.map(stopOf)).size)
  return html`<details part="future">
    <summary><bdi>${title}</bdi></summary>
    <div role="list" part="list" aria-label=${title}>
      ${makeRows({ t, style, events, isFuture: true }, common)}
    </div>
  </details>`
}

function makeStop({ stop }: HistoryEvent, kind: Kind, t: Messages['history']): Element | undefined {
  const name = [stop?.stopNumber && t.stop(stop.stopNumber), stop?.name].filter(Boolean).join(' · ')
  if (!name) return undefined
  const now = kind === 'now' ? [make('b', {}, t.now), ' '] : []
  return make('p', { part: 'stop' }, ...now, bdi(name))
}

/** In which role and office, why, in whose place, and since when. */
function makeDetails(
  event: HistoryEvent,
  kind: Kind,
  t: Messages['history'],
  style: Formatting,
): Element | undefined {
  const { actionDate, context, office, person, resolution, routingDate } = event
  const [override] = /\b(?:CHANGE|DELEGATE)\b/.exec(context ?? '') ?? []
  const holder = resolution?.displayName
  const details = [
    person?.title,
    office?.name,
    override && t.overrides[override as keyof typeof t.overrides],
    context,
    holder !== person?.displayName && holder && t.heldBy(holder),
    kind === 'signed' &&
      routingDate !== null &&
      routingDate !== actionDate &&
      `${t.received} ${describeTime(routingDate, style)}`,
  ].filter((detail) => typeof detail === 'string' && detail !== '') as string[]
  if (details.length === 0) return undefined
  const texts = details.flatMap((detail, index) => [index > 0 ? ' · ' : '', bdi(detail)])
  return make('p', { class: 'muted detail' }, ...texts)
}

/** Copied, which takes a fraction of making them. */
const drawn = new Map<Kind, Element>()

function makeIcon(kind: Kind): Node {
  let svg = drawn.get(kind)
  if (!svg) {
    const namespace = 'http://www.w3.org/2000/svg'
    const path = document.createElementNS(namespace, 'path')
    path.setAttribute('d', icons[kind])
    svg = document.createElementNS(namespace, 'svg')
    svg.setAttribute('viewBox', '0 0 24 24')
    svg.setAttribute('aria-hidden', 'true')
    svg.append(path)
    drawn.set(kind, svg)
  }
  return svg.cloneNode(true)
}

function bdi(text: string): HTMLElement {
  return make('bdi', {}, text)
}

/** An attribute without a value is left out. */
function make(
  tag: string,
  attributes: Readonly<Record<string, string | false | null | undefined>>,
  ...content: (Node | string)[]
): HTMLElement {
  const element = document.createElement(tag)
  for (const name in attributes) {
    const value = attributes[name]
    if (value) element.setAttribute(name, value)
  }
  // One by one: several at once go through a fragment, which moves each of them twice.
  for (const part of content) element.append(part)
  return element
}

/** Makes these rows the content of an element. Those that are there already, and the same, stay. */
function put(element: Element, rows: readonly Element[]): void {
  rows.forEach((row, at) => {
    const old = element.children[at]
    if (!old) element.append(row)
    else if (!old.isEqualNode(row)) old.replaceWith(row)
  })
  while (element.children.length > rows.length) element.lastElementChild?.remove()
}

function nameOf(event: HistoryEvent | null, common: Messages['common']): string {
  return event?.person?.displayName ?? common.someone
}

/** Tells stops apart; empty for what belongs to none. */
function stopOf(event: HistoryEvent | null | undefined): string {
  return event?.stop ? `${event.stop.stopNumber} ${event.stop.name}` : ''
}

function lostIn(events: Events): number {
  return events.filter((event) => event === null).length
}

function isWaiting(row: unknown): boolean {
  return (row as Partial<HistoryEvent> | null | undefined)?.isInInbox === true
}

/** The list that a property holds, or its JSON; `undefined` where it holds none. */
function listOf(value: string | readonly unknown[] | null): readonly unknown[] | undefined {
  try {
    const list: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'wf-history': WfHistory
  }
}
