import { isSamePerson } from '../../contract/values/patterns.ts'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { property, state } from 'lit/decorators.js'
import { guard } from 'lit/directives/guard.js'
import type { HistoryEvent } from '../../contract/schemas/history.ts'
import type { PagePart } from '../../contract/routes/package-page.ts'
import { readHistory } from '../../contract/readers/page-readers.ts'
import { history } from '../../locales/en-history.ts'
import { controlStyles } from '../element/controls.styles.ts'
import { historyParts } from '../loading/expected-parts.ts'
import { WfErrorEvent } from '../element/events.ts'
import { FocusKeeper } from '../element/focus-keeper.ts'
import { messagesFor } from '../text/messages.ts'
import { renderEmpty } from '../notices/empty.ts'
import { PackageElement, type PackageTarget } from '../element/package-element.ts'
import { printEvents, WindowEvents } from '../element/window-events.ts'
import {
  type EventList,
  isLong,
  latestOf,
  newsOf,
  pageSize,
  showEarlier,
  shownChunks,
  showStep,
  startShowingAll,
  updateList,
} from './event-list.ts'
import { renderChunk, renderEventRows, renderFuture } from './event-rows.ts'
import { describeEvent, eventKindOf, type EventLanguage, type Events } from './event-text.ts'
import { renderPosition } from './position.ts'
import { historyStyles } from './wf-history.styles.ts'

/** The history that a `<wf-history>` shows. */
export interface PackageHistory {
  readonly past: Events
  /** The calculated route ahead; null if it is not known. */
  readonly future: Events | null
  /** Why the route ahead could not be loaded; `undefined` if it was loaded. */
  readonly futureError?: unknown
}

/**
 * Shows the route of a package as a timeline: the past events by stop, the people it waits for, and the stops still to
 * come. Events keep the order in which the service returns them; events that wait in an inbox come last. Of a long history,
 * the latest 100 to 149 events appear at first, with buttons that show 100 more or all. A printout contains all events.
 *
 * If `history` is set, the element shows those events and sends no requests. `<routing-history>` is the same element.
 *
 * The content of the tag is shown until the script has loaded, and stays if it never loads.
 *
 * ```html
 * <wf-history endpoint="/api/wf" form-id="6025" package-id="42">
 *   <a href="/travel/42">See the history</a>
 * </wf-history>
 * ```
 *
 * @element wf-history
 *
 * @slot empty - Shown if nothing has happened yet.
 * @slot loading - Shown until the content has loaded.
 * @slot forbidden - Shown to people without rights.
 * @slot missing - Shown if the package does not exist.
 * @slot signed-out - Shown to people who are not signed in.
 *
 * @fires {WfLoadEvent<PackageHistory>} wf-load - The history was loaded, for the first time or again.
 * @fires {WfErrorEvent} wf-error - The history or the route ahead failed to load.
 * @fires {WfSignedOutEvent} wf-signed-out - The session has ended.
 *
 * @csspart base - The whole element.
 * @csspart now - The current position of the package, above a long history.
 * @csspart jump - The button that leads from there to the latest event.
 * @csspart earlier - The button that shows further events of a long history.
 * @csspart all - The button that shows all events of a very long history.
 * @csspart list - The list.
 * @csspart stop - The name of a stop.
 * @csspart event - One event.
 * @csspart future - The section with the events still to come.
 * @csspart empty - The message that there is nothing to show.
 * @csspart package-id - The number of the package, below the events.
 * @csspart stale - The notice or mark that the content may be out of date.
 * @csspart failure - The notice that the content could not be loaded.
 * @csspart try-again - The button in either notice.
 * @csspart loading - The placeholder shown until the content has loaded.
 * @csspart forbidden - The message for people without rights.
 * @csspart missing - The message that the package does not exist.
 * @csspart signed-out - The message for people who are not signed in.
 * @csspart sign-in - The link to the sign-in page.
 * @csspart not-configured - The message for the page author.
 * @csspart no-proxy - The message for the page author that no proxy was found.
 *
 * @cssprop [--wf-accent] - Color of events that wait now.
 * @cssprop [--wf-focus] - Color of the focus ring.
 * @cssprop [--wf-on-accent] - Color of icons on the accent color.
 * @cssprop [--wf-success] - Color of signed and completed events.
 * @cssprop [--wf-danger] - Color of voided and removed events.
 * @cssprop [--wf-line] - Color of lines.
 * @cssprop [--wf-radius=0.5em] - Corner radius.
 * @cssprop [--wf-space=1em] - Distance between blocks.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text color of notices.
 * @cssprop [--wf-notice-line] - Border color of notices.
 *
 * @cssState loading - The history has not loaded yet.
 * @cssState loaded - The history is shown.
 * @cssState empty - Nothing has happened yet.
 * @cssState busy - A request is in progress.
 * @cssState stale - The latest request failed, so the content may be out of date.
 * @cssState failed - The history could not be loaded.
 * @cssState forbidden - The person has no rights to the package.
 * @cssState missing - The package does not exist.
 * @cssState signed-out - The person is not signed in.
 * @cssState not-configured - A setting is missing or invalid; the element shows which.
 * @cssState no-proxy - No proxy was found at the endpoint.
 */
export class WfHistory extends PackageElement<PackageHistory> {
  static override styles = [controlStyles, historyStyles]

  /**
   * Events to show instead of loading them, in the shape that the service returns: an array, or its JSON. If absent, the
   * events are loaded. If the value is not valid, the page author sees an error and the last valid events stay.
   */
  @property() history: string | readonly unknown[] | null = null

  /** Events still to come, shown beside `history`. If absent, none are shown. */
  @property() future: string | readonly unknown[] | null = null

  /** The events up to now, and which of them are shown; `undefined` if no history is. */
  @state() private _list: EventList | undefined
  /** Whether a printout is being made, which contains all events. */
  @state() private _isPrinting = false

  /** The value of an element with `history`. */
  #given: PackageHistory | undefined
  /** Whether `history` or `future` holds something that is not a list. */
  #isInvalid = false
  /** Whether the failure to load the events still to come was announced. */
  #isFutureFailureAnnounced = false

  constructor() {
    super()
    new WindowEvents(this, printEvents, (event) => this.#onPrint(event))
    new FocusKeeper(this, (_, removed) =>
      removed.parentElement?.matches('.more')
        ? makeFocusable(this.renderRoot.querySelector('[part=event]'))
        : this.renderRoot.querySelector<HTMLElement>('summary, [tabindex]'),
    )
  }

  /** The history that is shown; `undefined` if none is. */
  override get value(): PackageHistory | undefined {
    return this.#given ?? super.value
  }

  protected override get target(): PackageTarget | undefined {
    return this.history === null ? super.target : undefined
  }

  protected override get hasFailed(): boolean {
    return super.hasFailed || this.value?.futureError !== undefined
  }

  protected override get contentName(): string {
    return this.#language.messages.label
  }

  protected override get expectedParts(): readonly PagePart[] {
    return historyParts
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
    const isNew = hasFailed && !this.#isFutureFailureAnnounced
    this.#isFutureFailureAnnounced = hasFailed
    if (hasFailed) this.dispatchEvent(new WfErrorEvent(futureError))
    if (isNew) this.announcer.announce(this.#language.messages.futureFailed)
    return isNew
  }

  protected override forget(): void {
    this._list = undefined
    this.#isFutureFailureAnnounced = false
  }

  protected override isEmpty({ past }: PackageHistory): boolean {
    return past.length === 0
  }

  protected override configurationProblem(missing: readonly string[]): string {
    if (this.history === null) return super.configurationProblem(missing)
    return this.#given ? '' : this.#language.messages.invalid(this.localName)
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // The events of another package are not news about this one.
    if (this.history !== null && changed.has('packageId')) this.forget()
    if (changed.has('history') || changed.has('future')) this.#readProperties()
  }

  /** Updates the list for new events, wherever they come from, before they are rendered. */
  protected override update(changed: PropertyValues<this>): void {
    const past = this.value?.past
    if (past && past !== this._list?.source) {
      const before = this._list
      this._list = updateList(before, past)
      if (before) for (const event of newsOf(before, this._list)) this.#announceEvent(event)
    }
    super.update(changed)
  }

  protected override renderContent(value: PackageHistory): unknown {
    const { past, future, futureError } = value
    const language = this.#language
    const { messages, common, formatting } = language
    const unreadable = past.filter((event) => event === null).length
    const packageId = this.settings.get('packageId')
    return html`
      ${
        futureError !== undefined && !this.content.error
          ? this.renderNotice('failure', messages.futureFailed)
          : nothing
      }
      ${
        this._list && !this.isEmpty(value)
          ? this.#renderList(this._list, language, Boolean(future?.length))
          : renderEmpty(messages.empty)
      }
      ${
        future?.length
          ? guard([future, messages, formatting.language, formatting.timeZone], () =>
              renderFuture(future, language),
            )
          : nothing
      }
      ${unreadable > 0 ? html`<p class="muted">${common.leftOut(unreadable)}</p>` : nothing}
      ${
        packageId
          ? html`<p class="muted">
              <span part="package-id" tabindex="-1">${messages.packageId(`${packageId}`)}</span>
            </p>`
          : nothing
      }
      ${this.#isInvalid ? this.renderConfigurationProblem(messages.invalid(this.localName)) : nothing}
    `
  }

  #renderList(list: EventList, language: EventLanguage, isContinued: boolean): TemplateResult {
    const { messages } = language
    const { earlier, waiting } = list
    return html`
      ${isLong(list) ? renderPosition(list, language, this.textLanguage, this.#onJump) : nothing}
      ${
        earlier > 0
          ? html`<div class="more">
              <button type="button" part="earlier" @click=${this.#onEarlier}>
                ${messages.earlier(Math.min(pageSize, earlier))}
              </button>
              ${
                earlier > pageSize
                  ? html`<button type="button" part="all" @click=${this.#onAll}>
                      ${messages.all(earlier)}
                    </button>`
                  : nothing
              }
            </div>`
          : nothing
      }
      <div role="list" part="list" class=${isContinued ? 'continued' : nothing} aria-label=${messages.label}>
        ${shownChunks(list, this._isPrinting).map((chunk) => chunk && renderChunk(chunk, language))}
        ${
          waiting.length > 0
            ? html`<div role="none">${renderEventRows(waiting, language, { before: latestOf(list) })}</div>`
            : nothing
        }
      </div>
    `
  }

  get #language(): EventLanguage {
    return {
      messages: messagesFor(this, 'history', history),
      common: this.common,
      formatting: this.formatting,
    }
  }

  /** Scrolls to the events that wait in an inbox, or else to the latest one, and focuses it. */
  readonly #onJump = (): void => {
    const list = this.renderRoot.querySelector('[part=list]')
    const rows = list?.querySelectorAll('[part=event]') ?? []
    const now = makeFocusable(list?.querySelector('.now') ?? rows[rows.length - 1])
    now?.focus({ preventScroll: true })
    now?.scrollIntoView({ block: 'center' })
  }

  /** The focus stays on the button as long as there is one, and then moves to the first event. */
  readonly #onEarlier = (): void => {
    if (!this._list) return
    this._list = showEarlier(this._list)
    this.#announceCount(this._list)
  }

  readonly #onAll = async (): Promise<void> => {
    if (!this._list || this._list.isShowingAll) return
    this._list = startShowingAll(this._list)
    // Another package may be shown meanwhile.
    while (this._list?.isShowingAll) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      if (!this._list?.isShowingAll) return
      this._list = showStep(this._list)
      if (!this._list.isShowingAll) this.#announceCount(this._list)
    }
  }

  /** Renders at once: the browser prints what is in the page when the event ends. */
  #onPrint({ type }: Event): void {
    this._isPrinting = type === 'beforeprint'
    this.performUpdate()
  }

  #announceCount({ source, earlier }: EventList): void {
    this.announcer.announce(this.#language.messages.shown(source.length - earlier, source.length))
  }

  #readProperties(): void {
    const isBlank = typeof this.history === 'string' && !this.history.trim()
    if (isBlank) {
      console.warn(`<${this.localName}> got an empty "history". A page whose request failed writes one.`)
    }
    const rows = isBlank ? [] : parseList(this.history)
    const future = parseList(this.future)
    this.#isInvalid = this.history !== null && (!rows || (this.future !== null && !future))
    if (this.history === null) {
      this.#given = undefined
    } else if (rows) {
      this.#given = { past: readHistory(rows) ?? [], future: readHistory(future) ?? null }
    }
  }

  #announceEvent(event: HistoryEvent): void {
    const kind = eventKindOf(event)
    // The element in which the signed-in user did it announces the outcome.
    const user = this.currentClient?.getCached('getSession', {})
    if (isSamePerson(user?.univid, event.person?.univid) && /void|remove|initiat/.test(kind)) return
    const text = describeEvent(event, kind, this.#language).join('')
    this.announcer.announce(messagesFor(this, 'history', history).announcement(text))
  }
}

/** Returns a row that a script can focus. */
function makeFocusable(row: Element | null | undefined): HTMLElement | null {
  if (!(row instanceof HTMLElement)) return null
  row.tabIndex = -1
  return row
}

/** Returns the list that a property holds, as an array or as JSON; `undefined` if it holds anything else. */
function parseList(value: string | readonly unknown[] | null): readonly unknown[] | undefined {
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
