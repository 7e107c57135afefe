import { html, nothing, type TemplateResult } from 'lit'
import { property, state } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import { NotFoundError, SignedOutError } from '../../client/index.ts'
import { isBeforeRouting } from '../../contract/values/package-states.ts'
import { parseId } from '../../contract/values/path.ts'
import { list } from '../../locales/en-list.ts'
import { packageStates } from '../../locales/en-package-states.ts'
import type { Texts } from '../../locales/messages.ts'
import { controlStyles } from '../element/controls.styles.ts'
import { WfErrorEvent, WfLoadEvent, WfSignedOutEvent } from '../element/events.ts'
import { FocusKeeper } from '../element/focus-keeper.ts'
import { RouteslipElement } from '../element/routeslip-element.ts'
import { causeOf, failureText, outsidePackage, slotOf, staleText, statesOf } from '../loading/loadable.ts'
import { Resource } from '../loading/resource.ts'
import { renderMark } from '../notices/stale-mark.ts'
import { renderEmpty } from '../notices/empty.ts'
import { endOutage } from '../notices/outage.ts'
import { PageMessage } from '../notices/page-message.ts'
import { renderSignedOut } from '../notices/signed-out.ts'
import { fillUrl } from '../text/fill-url.ts'
import { formatDay, formatInstant } from '../text/format.ts'
import { joinTexts } from '../text/join-texts.ts'
import { messagesFor } from '../text/messages.ts'
import { approversOf } from '../wf-package-status/content.ts'
import { stateLabel } from '../wf-package-status/labels.ts'
import {
  type ListContent,
  type ListKey,
  type ListView,
  type OwnView,
  readKept,
  readList,
} from './list-content.ts'
import type { ListExtras } from './list-extras.ts'
import { loadListExtras } from './late.ts'
import { groupRows, keyOf, type ShownRow, type ShownRows, updateRows } from './shown-rows.ts'
import { listStyles } from './wf-list.styles.ts'

/**
 * Lists the requests that the signed-in person has started, and those that wait for the person: to be signed, or to be read or
 * edited. Each has a link to its page, and one to sign it. If the policy of the site allows `remind`, the person can have the
 * service email the approvers of a request.
 *
 * With `view="form"`, it lists the requests of one form by state, age, stop and office, for people whom the policy of the site lets do
 * that (`getFormList`), and who may view them. This list changes with each poll.
 *
 * While the list is open, no row moves or disappears. A request that no longer belongs there stays, with the reason.
 * New requests wait behind a button. Back, Forward and reloading return to the same place in the same list.
 *
 * The proxy has to keep lists (`ROUTESLIP_LISTS=true`). It knows only the requests that it has learnt of, so the element never
 * says that nothing is left to do. It says since when the proxy knows requests and when it last looked, and links to the inbox of
 * the routing service.
 *
 * ```html
 * <wf-list endpoint="/api/wf" detail-url="/requests/{formId}/{packageId}"></wf-list>
 * ```
 *
 * @element wf-list
 *
 * @slot empty - Shown if no request is known, or none meets the conditions.
 *
 * @fires {WfLoadEvent<ListContent>} wf-load - The list was loaded, for the first time or again.
 * @fires {WfErrorEvent} wf-error - The list could not be loaded, or a reminder could not be sent.
 * @fires {WfBeforeChangeEvent} wf-before-change - A reminder is about to be sent. Cancelable.
 * @fires {WfSignedOutEvent} wf-signed-out - The session has ended.
 *
 * @csspart base - The whole element.
 * @csspart views - The buttons that choose between the two lists.
 * @csspart conditions - The fields that choose which requests of a form are shown.
 * @csspart all - The button that removes these conditions.
 * @csspart requests - A list of requests.
 * @csspart request - One request.
 * @csspart left - One that no longer belongs there.
 * @csspart new - The button that shows new requests.
 * @csspart title - The field of the request that `title-field` names.
 * @csspart sign - The link to the signing page.
 * @csspart remind - The button that opens the dialog for a reminder.
 * @csspart dialog - The dialog.
 * @csspart note - The field for a note in that dialog.
 * @csspart email - The text of the email in that dialog.
 * @csspart send - The button that sends the reminder.
 * @csspart edit - The link to the page where a draft is edited.
 * @csspart copy - The link to the page where a request is used again.
 * @csspart more - The button that shows more requests.
 * @csspart known - What the list is based on.
 * @csspart empty - The message that there is nothing to show.
 * @csspart loading - The placeholder shown until the content has loaded.
 * @csspart stale - The notice or mark that the content may be out of date.
 * @csspart failure - The notice that the content could not be loaded.
 * @csspart try-again - The button in either notice.
 * @csspart missing - The message that the site keeps no lists.
 * @csspart forbidden - The message for people without rights.
 * @csspart signed-out - The message for people who are not signed in.
 * @csspart sign-in - The link to the sign-in page.
 * @csspart not-configured - The message for the page author.
 * @csspart no-proxy - The message for the page author that no proxy was found.
 *
 * @cssprop [--wf-accent] - Color of the link that signs, and of underlines.
 * @cssprop [--wf-on-accent] - Color of text on the accent color.
 * @cssprop [--wf-focus] - Color of the focus ring.
 * @cssprop [--wf-danger] - Color of messages for the page author.
 * @cssprop [--wf-surface] - Background of the dialog.
 * @cssprop [--wf-text] - Text color of the dialog.
 * @cssprop [--wf-line] - Color of borders.
 * @cssprop [--wf-radius=0.5em] - Corner radius.
 * @cssprop [--wf-space=1em] - Distance between blocks.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text color of notices.
 * @cssprop [--wf-notice-line] - Border color of notices.
 *
 * @cssState loading - The list has not loaded yet.
 * @cssState loaded - The list is shown.
 * @cssState empty - No request is known.
 * @cssState busy - A request is in progress.
 * @cssState stale - The latest poll failed: the list may be out of date.
 * @cssState failed - The list could not be loaded.
 * @cssState missing - The site keeps no lists.
 * @cssState forbidden - The person may not list the requests of the form.
 * @cssState signed-out - The person is not signed in.
 * @cssState not-configured - A setting is missing or invalid; the element shows which.
 * @cssState no-proxy - No proxy was found at the endpoint.
 */
export class WfList extends RouteslipElement {
  static override styles = [controlStyles, listStyles]

  /**
   * The only list to show: `mine`, `waiting`, or `form` for the requests of one form, with conditions to choose. If absent, the element has
   * buttons for the first two. It begins with `waiting`, or with `mine` if that has requests and `waiting` has none.
   */
  @property() view: ListView | '' = ''

  /** Ids of up to ten forms whose requests are shown, separated by spaces; with `view="form"`, one. If absent, all that the site serves. */
  @property() forms = ''

  /** The names of the forms, by id. As an attribute, JSON. */
  @property({ attribute: 'form-names', type: Object }) formNames: Readonly<Record<string, string>> = {}

  /**
   * Natural key of a field of the entry that is shown with each request, such as its purpose. It is read as the person for the rows on
   * the screen, and never stored. If absent, rows show nothing of the entry.
   */
  @property({ attribute: 'title-field' }) titleField = ''

  /** URL of the page of a request, with the placeholders `{formId}` and `{packageId}`. If absent, requests have no link. */
  @property({ attribute: 'detail-url' }) detailUrl = ''

  /**
   * URL of the signing page, with the placeholders `{formId}`, `{packageId}` and `{signatureId}`. If absent, the nearest
   * `<wf-context>` or the page configures it; otherwise, nothing can be signed from the list.
   */
  @property({ attribute: 'sign-url' }) signUrl = ''

  /**
   * URL of the page where people edit a draft, with the placeholders `{formId}` and `{packageId}`. If absent, the nearest
   * `<wf-context>` or the page configures it; otherwise, drafts have no such link.
   */
  @property({ attribute: 'edit-url' }) editUrl = ''

  /**
   * URL of the page on which one of the person's own requests is used again, with the placeholders `{formId}` and `{packageId}`. Its
   * `<wf-form>` has the number as `copy-from`. If absent, there is no such link.
   */
  @property({ attribute: 'copy-url' }) copyUrl = ''

  /** URL of the inbox of the routing service, which knows all requests. If absent, there is no link to it. */
  @property({ attribute: 'inbox-url' }) inboxUrl = ''

  @state() private _chosen: ListView | '' = ''

  /** Number of parts of the list that are shown. */
  #parts = 1
  #shown = nothingShown
  /** The code that the list needs after it is shown; `undefined` until it has loaded. */
  #extras: ListExtras | undefined
  #isSignedOut = false
  readonly #pageMessage = new PageMessage(this.announcer, {
    name: () => this.#texts.label,
    refresh: () => this.refresh(),
    hasFailed: () => this.#content.error !== undefined,
  })

  readonly #content = new Resource<ListKey, ListContent>(this, {
    key: () => this.#key,
    load: async ([client, view, forms], signal) =>
      view === 'form'
        ? await (await this.#loadExtras()).readForm(client, this.#parts, signal)
        : await readList(
            [client, view || (this.value?.view as OwnView | undefined) || '', forms],
            this.#parts,
            signal,
          ),
    watch: ([client, view], changed) =>
      // No events tell of changes in the list of a form.
      client.watch(view === 'form' ? view : '/list', (why) => {
        // The reads of lists belong to no package.
        client.invalidate('')
        changed(why)
      }),
    onForget: (isOtherPerson) => {
      if (this.#shown !== nothingShown) this.#parts = 1
      this.#shown = nothingShown
      this.#extras?.forget(isOtherPerson)
    },
    onLoad: (content) => this.#onLoad(content),
    onError: (error) => this.#onError(error),
  })

  constructor() {
    super()
    const find = (selector: string) => this.renderRoot.querySelector<HTMLElement>(selector)
    new FocusKeeper(this, (row) => row?.querySelector('a') ?? find('[part=requests] a') ?? find('button'))
  }

  /** The shown list; `undefined` if nothing is shown. */
  get value(): ListContent | undefined {
    return this.#content.value
  }

  /** Loads the list again. Never rejects: errors fire `wf-error`. */
  async refresh(): Promise<void> {
    this.currentClient?.invalidate()
    await this.#content.refresh()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    // A dialog that moves in the document stays open, but is not modal any more.
    this.#extras?.closeDialog()
  }

  protected override willUpdate(): void {
    const kept = this.hasUpdated ? undefined : readKept(this)
    if (!kept) return
    this._chosen = kept.view
    this.#parts = kept.parts
    // They notice whether the person moves meanwhile.
    this.#loadExtras().catch(() => {})
  }

  protected override updated(): void {
    const { value } = this
    this.showStates(
      statesOf({
        problem: this.configurationProblem(),
        error: this.#error,
        isLoaded: value !== undefined,
        isEmpty: value && this.#shown.rows.length === 0,
        isBusy: this.#content.busy,
      }),
    )
  }

  protected override render(): TemplateResult {
    const problem = this.configurationProblem()
    const content = problem ? this.renderConfigurationProblem(problem) : this.#renderState()
    return html`
      <div
        part="base"
        lang=${this.textLanguage}
        aria-busy=${this.#content.busy && !this.value}
        ?hidden=${!this.value && this.#pageMessage.isQuiet}
      >
        ${content}
      </div>
      ${this.#extras?.renderDialog(this.common, this.formatting, this.settings.get('signInUrl'))}
      ${this.announcer.render()}
    `
  }

  #renderState(): unknown {
    const { value } = this
    const error = this.#error
    // The conditions of the list of a form stay, because others may succeed.
    if (error && !value && (this.view !== 'form' || slotOf(error))) return this.#renderFailure(error)
    return [
      error && value ? this.#renderStale(error) : nothing,
      html`<div class="card">
        ${this.#isFixed ? this.#extras?.renderConditions() : this.#renderViews()}
        ${value ? this.#renderList(value) : error ? this.#renderFailure(error) : this.#renderLoading()}
      </div>`,
    ]
  }

  #renderFailure(error: unknown): unknown {
    const cause = causeOf(error)
    const text = failureText(error, this.common)
    if (cause === 'no-proxy') return this.renderConfigurationProblem(text, cause)
    const refusal =
      cause === 'missing' ? this.#texts.off : cause === 'forbidden' && this.#extras?.form?.refusal
    if (refusal) return html`<p part=${cause}>${refusal}</p>`
    if (!this.#isShown(text)) return nothing
    if (cause !== 'signed-out') return this.#pageMessage.renderFailure(text)
    return html`<p part=${cause}>${renderSignedOut(this.common, this.settings.get('signInUrl'))}</p>`
  }

  #renderStale(error: unknown): unknown {
    return this.#isShown(`${failureText(error, this.common)},loaded`)
      ? this.#pageMessage.renderNotice(
          'stale',
          staleText(error, this.#content.loadedAt, this.common, this.formatting),
        )
      : renderMark(this.common)
  }

  /** Whether this element shows a message that others in the page may have too. */
  #isShown(text: string): boolean {
    return this.#pageMessage.shows(this.currentClient, text)
  }

  /** The number counts the rows on the screen, nothing else: nobody knows how many there are. */
  #renderViews(): TemplateResult {
    const { length } = this.#shown.rows.filter(({ hasLeft }) => !hasLeft)
    const button = (view: OwnView) => {
      const isShown = view === (this.#chosen || this.value?.view)
      return html`<button
        type="button"
        aria-pressed=${isShown}
        @click=${() => isShown || (this._chosen = view)}
      >
        ${this.#texts.views[view]}
        ${isShown && length ? html`<span class="detail">${length}${this.value?.hasMore ? '+' : ''}</span>` : nothing}
      </button>`
    }
    return html`<div part="views" role="group" aria-label=${this.#texts.label}>
      ${button('waiting')} ${button('mine')}
    </div>`
  }

  #renderLoading(): TemplateResult {
    return html`<div class="skeleton" part="loading" role="img" aria-label=${this.common.loading}>
      <span></span><span></span><span></span>
    </div>`
  }

  #renderList(content: ListContent): unknown {
    const t = this.#texts
    const { rows, waiting } = this.#shown
    return [
      waiting > 0 ? this.#renderButton('new', t.new(`${waiting}`), () => this.#showNew()) : nothing,
      rows.length ? nothing : renderEmpty(this.#extras?.emptyText ?? t.empty[content.view as OwnView]),
      groupRows(rows).map(
        ([group, found]) => html`
          <strong class="group">${t.groups[group]}</strong>
          <ul part="requests" aria-label=${t.groups[group]}>
            ${repeat(
              found,
              ({ row }) => keyOf(row),
              (one) => this.#renderRow(one),
            )}
          </ul>
        `,
      ),
      content.leftOut > 0 ? html`<p class="error">${this.common.leftOut(content.leftOut)}</p>` : nothing,
      this.#extras?.renderUnopened(),
      content.hasMore ? this.#renderButton('more', t.more, () => void this.#showMore()) : nothing,
      this.#renderKnowledge(content),
    ]
  }

  #renderRow({ row, group, hasLeft }: ShownRow): TemplateResult {
    const t = this.#texts
    const departure = hasLeft ? (this.#extras?.departureOf(row) ?? 'gone') : undefined
    const { formId, packageId, state: found, started, received, initiator, inboxSignatures, actions } = row
    const ids = { formId, packageId, signatureId: actions.signatureId }
    const name = `${this.formNames[formId] ?? t.request} ${packageId}`
    const url = departure !== 'hidden' && fillUrl(this.detailUrl, ids)
    const signUrl = !departure && actions.canSign && fillUrl(this.settings.get('signUrl'), ids)
    const isDraft = isBeforeRouting(found)
    const editUrl = !departure && isDraft && group !== 'all' && fillUrl(this.settings.get('editUrl'), ids)
    const copyUrl = !departure && !isDraft && group === 'submitted' && fillUrl(this.copyUrl, ids)
    const { language } = this.formatting
    const names = approversOf(inboxSignatures).map(({ approver }) => approver ?? this.common.someone)
    const facts = [
      departure
        ? (this.#extras?.departureText(departure) ?? t.gone)
        : found === 'PRE_ROUTING' && started
          ? t.withdrawn
          : stateLabel(found, this.#stateTexts),
      !departure &&
        found === 'ROUTING' &&
        names.length > 0 &&
        `${this.#stateTexts.waitingFor} ${joinTexts(this, names)}`,
      initiator && t.from(initiator),
      !departure && received
        ? t.since(formatDay(received, language))
        : started && t.started(formatDay(started, language)),
      !departure && this.#extras?.remindedText(row, language),
    ].filter(Boolean)
    return html`
      <li part=${departure ? 'request left' : 'request'}>
        <div class="facts">
          <div class="name">
            ${url ? html`<a href=${url}><bdi>${name}</bdi></a>` : html`<bdi>${name}</bdi>`}
          </div>
          ${departure === 'hidden' ? nothing : this.#extras?.renderTitle(row)}
          <div class="detail">${facts.map((fact, at) => [at ? ' · ' : '', html`<bdi>${fact}</bdi>`])}</div>
        </div>
        ${[
          this.#renderLink('sign', signUrl, name),
          this.#renderLink('edit', editUrl, name),
          this.#renderLink('copy', copyUrl, name),
        ]}
        ${departure ? nothing : this.#extras?.renderRemind(row, name)}
      </li>
    `
  }

  #renderLink(part: 'sign' | 'edit' | 'copy', url: string | false | undefined, name: string): unknown {
    const t = this.#texts
    return url
      ? html`<a
          class="button ${part === 'sign' ? 'solid' : ''}"
          part=${part}
          href=${url}
          aria-label=${t[`${part}Named`](name)}
          >${t[part]}</a
        >`
      : nothing
  }

  async #loadExtras(): Promise<ListExtras> {
    const Extras = await loadListExtras()
    if (!this.#extras) {
      const shown = () => this.value && { view: this.value.view, parts: this.#parts, rows: this.#shown.rows }
      this.#extras = new Extras(this, () => this.currentClient, shown, this.announcer)
      this.requestUpdate()
    }
    return this.#extras
  }

  #renderButton(part: 'new' | 'more', text: string, onClick: () => void): TemplateResult {
    const isDisabled = part === 'more' && this.#content.busy
    return html`<div class="more">
      <button type="button" part=${part} aria-disabled=${isDisabled} @click=${onClick}>${text}</button>
    </div>`
  }

  #renderKnowledge({ known, isPartial }: ListContent): TemplateResult {
    const t = this.#texts
    const at = (text: string, options: Intl.DateTimeFormatOptions) =>
      formatInstant(new Date(text), this.formatting, options)
    const inbox = fillUrl(this.inboxUrl, {})
    const extras = this.#extras
    // Gaps must not go unnoticed, also if the code that names them cannot be loaded.
    const isIncomplete = isPartial || (!extras && (known.isLimited || known.gaps[0]))
    return html`<div part="known">
      <p>
        ${t.knownSince(at(known.since, { dateStyle: 'long' }))}
        ${known.checkedAt ? t.checked(at(known.checkedAt, { dateStyle: 'medium', timeStyle: 'short' })) : t.notChecked}
      </p>
      ${extras?.renderGaps(known, this.formatting)} ${isIncomplete ? html`<p>${t.partial}</p>` : nothing}
      ${inbox ? html`<p><a href=${inbox}>${t.inbox}</a></p>` : nothing}
    </div>`
  }

  get #texts(): Texts['list'] {
    return messagesFor(this, 'list', list)
  }

  get #stateTexts() {
    return messagesFor(this, 'packageStatus', packageStates)
  }

  /** Whether the page shows one list only. */
  get #isFixed(): boolean {
    return /^(?:mine|waiting|form)$/.test(this.view)
  }

  /** The list that the page or the person has chosen; empty if neither has. */
  get #chosen(): ListView | '' {
    return this.#isFixed ? this.view : this._chosen
  }

  get #key(): ListKey | readonly [] {
    const client = this.currentClient
    return client && !this.configurationProblem()
      ? [client, this.#chosen, this.#forms.join(' '), this.#extras?.filter ?? '']
      : []
  }

  get #forms(): readonly string[] {
    return this.forms.split(/\s+/).filter((text) => parseId(text))
  }

  protected override configurationProblem(): string {
    return super.configurationProblem(this.view === 'form' && !this.#forms[0] ? ['forms'] : [])
  }

  /** Why the list could not be loaded. It is missing if the site keeps none. */
  get #error(): unknown {
    const { error } = this.#content
    return this.view === 'form' || error instanceof NotFoundError ? error : outsidePackage(error)
  }

  /** Opens the list again. */
  #showNew(): void {
    const { value } = this
    if (!value) return
    this.#extras?.forget()
    this.#shown = updateRows([], value)
    this.requestUpdate()
  }

  async #showMore(): Promise<void> {
    if (this.#content.busy) return
    this.#parts++
    await this.#content.refresh()
  }

  #onLoad(content: ListContent): void {
    this.#isSignedOut = false
    const { waiting } = this.#shown
    this.#shown = updateRows(this.#shown.rows, content)
    if (this.#shown.waiting > waiting) this.announcer.announce(this.#texts.new(`${this.#shown.waiting}`))
    // Without them, rows say only that they are no longer in the list.
    this.#loadExtras().then(
      (extras) => extras.follow(),
      () => {},
    )
    if (endOutage(this.announcer)) this.announcer.announce(this.common.upToDate)
    this.dispatchEvent(new WfLoadEvent(content))
  }

  #onError(error: unknown): void {
    const isSignedOut = error instanceof SignedOutError
    const isRefused = !isSignedOut && slotOf(this.#error)
    if (isSignedOut || isRefused) this.#content.forget()
    const text = this.value ? this.common.stale : failureText(this.#error, this.common)
    if (!isRefused) this.#pageMessage.report(text)
    this.dispatchEvent(new WfErrorEvent(error))
    if (isSignedOut && !this.#isSignedOut) this.dispatchEvent(new WfSignedOutEvent())
    this.#isSignedOut = isSignedOut
  }
}

const nothingShown: ShownRows = { rows: [], waiting: 0 }

declare global {
  interface HTMLElementTagNameMap {
    'wf-list': WfList
  }
}
