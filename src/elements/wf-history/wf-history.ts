import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { property } from 'lit/decorators.js'
import { guard } from 'lit/directives/guard.js'
import type { HistoryEvent } from '../../contract/history.ts'
import type { PagePart } from '../../contract/package-page.ts'
import { readHistory } from '../../contract/page-readers.ts'
import { history } from '../../locales/en-history.ts'
import { controlStyles } from '../controls.styles.ts'
import { historyParts } from '../expected-parts.ts'
import { WfErrorEvent } from '../events.ts'
import { FocusKeeper } from '../focus-keeper.ts'
import { messagesFor } from '../messages.ts'
import { PackageElement, type PackageTarget } from '../package-element.ts'
import { EventList } from './event-list.ts'
import { makeEventIcon, makeEventRows } from './event-rows.ts'
import {
  describeEvent,
  eventKindOf,
  type EventLanguage,
  type Events,
  personNameOf,
  stopKeyOf,
} from './event-text.ts'
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
 * come. Events keep the order in which the service returns them; events that wait in an inbox come last. Of more than 40
 * events, only the latest appear at first, with a button that shows the others.
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
 * @slot loading - Shown until the history has loaded.
 * @slot forbidden - Shown if the person has no rights to the package.
 * @slot missing - Shown if the package does not exist.
 * @slot signed-out - Shown if the person is not signed in.
 *
 * @fires {WfLoadEvent<PackageHistory>} wf-load - The history was loaded, for the first time or again.
 * @fires {WfErrorEvent} wf-error - The history or the route ahead failed to load.
 * @fires {WfSignedOutEvent} wf-signed-out - The session has ended.
 *
 * @csspart base - The whole element.
 * @csspart now - The current position of the package, above a long history.
 * @csspart earlier - The button that shows the earlier events of a long history.
 * @csspart jump - The button that leads from there to the current position.
 * @csspart list - The list of past events, or of events still to come.
 * @csspart stop - The name of a stop.
 * @csspart event - One event.
 * @csspart future - The section with the events still to come. Collapsed if there are many.
 * @csspart empty - The message that nothing has happened yet.
 * @csspart package-id - The number of the package, below the events.
 * @csspart stale - The notice that the content may be out of date.
 * @csspart failure - The notice that something could not be loaded.
 * @csspart try-again - The button in either notice.
 * @csspart loading - The placeholder shown until the history has loaded.
 * @csspart forbidden - The message for a person without rights.
 * @csspart missing - The message that the package does not exist.
 * @csspart signed-out - The message for a person who is not signed in.
 * @csspart sign-in - The link to the page where people sign in.
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

  /** The events of `history`, which are read when they are rendered. */
  #rows: readonly unknown[] | undefined
  /** The value of an element with `history`. */
  #given: PackageHistory | undefined
  /** Whether `history` or `future` holds something that is not a list. */
  #isInvalid = false
  /** Whether the failure to load the events still to come was announced. */
  #isFutureFailureAnnounced = false

  readonly #list = new EventList(this, (event) => this.#announceEvent(event))

  constructor() {
    super()
    new FocusKeeper(this, () => this.renderRoot.querySelector<HTMLElement>('summary, [tabindex]'))
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
    this.#list.clear()
    this.#isFutureFailureAnnounced = false
  }

  protected override isEmpty(): boolean {
    return this.#list.isEmpty
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

  protected override renderContent({ future, futureError }: PackageHistory): unknown {
    const language = this.#language
    const { messages, common, formatting } = language
    this.#list.update(this.#rows ?? this.value?.past ?? [], language)
    this.#list.element.classList.toggle('continued', Boolean(future?.length))
    const { unreadable } = this.#list
    const packageId = this.settings.get('packageId')
    return html`
      ${
        futureError !== undefined && !this.content.error
          ? this.renderNotice('failure', messages.futureFailed)
          : nothing
      }
      ${this.#list.isLong ? this.#renderNow(language) : nothing}
      ${
        this.#list.earlier > 0
          ? html`<button type="button" part="earlier" @click=${this.#onEarlier}>
              ${messages.earlier(this.#list.earlier)}
            </button>`
          : nothing
      }
      ${this.isEmpty() ? html`<p part="empty">${messages.empty}</p>` : this.#list.element}
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

  /** Renders the people the package waits for, or else the event that ended its route. */
  #renderNow(language: EventLanguage) {
    const waiting = this.#list.waiting.filter((event) => event && eventKindOf(event) === 'now')
    const { latest } = this.#list
    const kind = waiting.length > 0 ? 'now' : latest && eventKindOf(latest)
    if (!kind || !['now', 'complete', 'void', 'remove'].includes(kind)) return nothing
    const { messages, common } = language
    const names = waiting.map((event) => personNameOf(event, common))
    const [who, what] = latest && kind !== 'now' ? describeEvent(latest, kind, language) : []
    return html`<p part="now" class=${kind}>
      ${makeEventIcon(kind)}
      <span
        >${
          what === undefined
            ? [messages.waiting, ' ', renderNames(names, this.textLanguage)]
            : html`<bdi>${who}</bdi>${what}`
        }</span
      >
      ${
        this.#list.earlier > 0
          ? nothing
          : html`<button type="button" part="jump" @click=${() => this.#list.jumpToNow()}>
              ${messages.jump}
            </button>`
      }
    </p>`
  }

  get #language(): EventLanguage {
    return {
      messages: messagesFor(this, 'history', history),
      common: this.common,
      formatting: this.formatting,
    }
  }

  /** Moves the focus to the way back, because the button disappears. */
  readonly #onEarlier = async (): Promise<void> => {
    this.#list.showEarlier()
    this.requestUpdate()
    await this.updateComplete
    this.renderRoot.querySelector<HTMLElement>('[part=jump]')?.focus()
  }

  #readProperties(): void {
    const rows = parseList(this.history)
    const future = parseList(this.future)
    this.#isInvalid = this.history !== null && (!rows || (this.future !== null && !future))
    if (this.history === null) {
      this.#rows = this.#given = undefined
    } else if (rows) {
      this.#rows = rows
      this.#given = {
        get past() {
          return readHistory(rows) ?? []
        },
        future: readHistory(future) ?? null,
      }
    }
  }

  #announceEvent(event: HistoryEvent): void {
    const kind = eventKindOf(event)
    // The element in which the signed-in user did it announces the outcome.
    const user = this.currentClient?.getCached('getSession', {})
    if (user && user.univid === event.person?.univid && /void|remove|initiat/.test(kind)) return
    const text = describeEvent(event, kind, this.#language).join('')
    this.announcer.announce(messagesFor(this, 'history', history).announcement(text))
  }
}

function renderNames(names: readonly string[], language: string): unknown {
  const [only = ''] = names
  // Creating a ListFormat takes longer than everything else above the list.
  const parts =
    names.length > 1 ? new Intl.ListFormat(language).formatToParts(names) : [{ type: 'element', value: only }]
  return parts.map(({ type, value }) => (type === 'element' ? html`<bdi>${value}</bdi>` : value))
}

/** The longest list of events still to come that is open at first. */
const maxOpen = 5

function renderFuture(events: Events, language: EventLanguage): TemplateResult {
  const title = language.messages.future(new Set(events.map(stopKeyOf)).size)
  return html`<details part="future" ?open=${events.length <= maxOpen}>
    <summary><bdi>${title}</bdi></summary>
    <div role="list" part="list">${makeEventRows(events, language, { isFuture: true })}</div>
  </details>`
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
