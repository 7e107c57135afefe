import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import type { PagePart } from '../../contract/routes/package-page.ts'
import type { Package } from '../../contract/schemas/workflow.ts'
import { packageStatus } from '../../locales/en-package-status.ts'
import type { Texts } from '../../locales/messages.ts'
import { controlStyles } from '../element/controls.styles.ts'
import { statusParts } from '../loading/expected-parts.ts'
import { type ShownPackage, WfChangeEvent } from '../element/events.ts'
import { FocusKeeper } from '../element/focus-keeper.ts'
import { renderIcon } from '../element/icon.ts'
import { loadMissing, loadRoutingNotes } from './late.ts'
import { createFormats, hasFormats } from '../text/format.ts'
import { messagesFor } from '../text/messages.ts'
import { renderNotice } from '../notices/notice.ts'
import { PackageElement, type PackageTarget } from '../element/package-element.ts'
import { linksFor } from './actions/action-link.ts'
import { renderActionList } from './actions/action-list.ts'
import { ActionOpener } from './actions/action-opener.ts'
import { type ActionName, actionsFor } from './actions/actions.ts'
import { CardExtras } from './card-extras.ts'
import { removalOf } from './card-reads.ts'
import { loadCard, type PackageStatusContent, peekContent, waitsForNobody } from './content.ts'
import { renderFacts } from './facts.ts'
import type { describeMissing, MissingTexts } from './missing.ts'
import type { RoutingNotes } from './routing-notes.ts'
import { stateIconPath, stateLabel } from './labels.ts'
import { WfEditEvent, WfSignEvent } from './wf-package-status.events.ts'
import { packageStatusStyles } from './wf-package-status.styles.ts'

/**
 * Shows the state of a package: who it is waiting for and since when, or who ended it and when, who submitted it, and the actions that the person
 * may take: sign, start routing, void, and the routing tools that the site allows. People who may sign or edit the package get
 * a link to the page for that.
 *
 * If the package is in nobody's inbox, the card shows the known reason: who returned or removed it, which document is missing,
 * or where the route is held. People with permission from the policy of the site can release a held route, with a reason.
 *
 * Before people start routing or sign, the card shows what is missing: documents, people at stops, another approver than the
 * initiator. If something could not be read, it shows that this could not be checked.
 *
 * If the policy of the site allows `remind` and the proxy keeps lists, people can have the service email the approvers, and the card
 * shows when that was done last.
 *
 * If the policy of the site lets initiators remove their request from routing, they can withdraw it, and go on to the page for
 * editing. If somebody signed at the same moment, they learn whose signature is gone.
 *
 * In tables and lists, use `<wf-badge>`, which shows only the state.
 *
 * The content of the tag is shown until the script has loaded, and stays if it never loads.
 *
 * ```html
 * <wf-package-status
 *   endpoint="/api/wf"
 *   form-id="6025"
 *   package-id="42"
 *   sign-url="/sign/{packageId}/{signatureId}"
 *   edit-url="/edit/{packageId}"
 * ></wf-package-status>
 * ```
 *
 * @element wf-package-status
 *
 * @slot loading - Shown until the content has loaded.
 * @slot forbidden - Shown to people without rights.
 * @slot missing - Shown if the package does not exist.
 * @slot signed-out - Shown to people who are not signed in.
 *
 * @fires {WfLoadEvent<PackageStatusContent>} wf-load - The package was loaded, for the first time or again.
 * @fires {WfErrorEvent} wf-error - A request failed.
 * @fires {WfSignedOutEvent} wf-signed-out - The session has ended.
 * @fires {WfBeforeChangeEvent} wf-before-change - The person confirmed an action: see `operation` and `body`. Cancelable.
 * @fires {WfChangeEvent} wf-change - The package changed state, or was restarted here.
 * @fires {WfSignEvent} wf-sign - The person follows the link to sign. Cancelable.
 * @fires {WfEditEvent} wf-edit - The person follows the link to edit the data of the package, or has withdrawn it. Cancelable.
 *
 * @csspart base - The whole element.
 * @csspart state - The state.
 * @csspart environment - The mark of the test environment.
 * @csspart lead - The headline: what the package waits for, or how it ended.
 * @csspart facts - The list of facts.
 * @csspart reason - The comment with which the package was returned to its initiator.
 * @csspart details - The details of the package, which the application has written.
 * @csspart checks - What is missing before the next step, or could not be checked.
 * @csspart pause - Since when a callback has frozen the route.
 * @csspart release - The button that lets a frozen route continue.
 * @csspart reminder - When the approvers were reminded.
 * @csspart remind - The button that opens the dialog for a reminder.
 * @csspart note - The field for a note in that dialog.
 * @csspart email - The text of the email in that dialog.
 * @csspart send - The button that sends the reminder.
 * @csspart counts - The number of comments and attachments.
 * @csspart sign - The link to the signing page.
 * @csspart edit - The link to the page where a draft is edited.
 * @csspart actions - The menu, if there are more than two actions.
 * @csspart action - A button that opens the dialog of an action.
 * @csspart dialog - The dialog.
 * @csspart stale - The notice or mark that the content may be out of date.
 * @csspart failure - The notice that the content could not be loaded.
 * @csspart try-again - The button in either notice.
 * @csspart people - The people to choose from if a search finds several.
 * @csspart named - The names of the people before the change is confirmed.
 * @csspart loading - The placeholder shown until the content has loaded.
 * @csspart forbidden - The message for people without rights.
 * @csspart missing - The message that the package does not exist.
 * @csspart signed-out - The message for people who are not signed in.
 * @csspart sign-in - The link to the sign-in page.
 * @csspart not-configured - The message for the page author.
 * @csspart no-proxy - The message for the page author that no proxy was found.
 *
 * @cssprop [--wf-accent] - Color of selected choices and of the main button.
 * @cssprop [--wf-focus] - Color of the focus ring.
 * @cssprop [--wf-on-accent] - Text color on the accent color.
 * @cssprop [--wf-danger] - Color of actions that take something away.
 * @cssprop [--wf-on-danger] - Text color on the danger color.
 * @cssprop [--wf-surface] - Background of the dialog.
 * @cssprop [--wf-text] - Text color of the dialog.
 * @cssprop [--wf-line] - Color of borders.
 * @cssprop [--wf-radius=0.5em] - Corner radius.
 * @cssprop [--wf-space=1em] - Distance between blocks.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text color of notices.
 * @cssprop [--wf-notice-line] - Border color of notices.
 * @cssprop [--wf-state-background] - Background of every state.
 * @cssprop [--wf-state-color] - Text color of every state.
 * @cssprop [--wf-state-line] - Border color of every state.
 *
 * @cssState loading - The package has not loaded yet.
 * @cssState loaded - The package is shown.
 * @cssState busy - A request is in progress.
 * @cssState stale - The latest request failed, so the content may be out of date.
 * @cssState failed - The package could not be loaded.
 * @cssState forbidden - The person has no rights to the package.
 * @cssState missing - The package does not exist.
 * @cssState signed-out - The person is not signed in.
 * @cssState not-configured - A setting is missing or invalid; the element shows which.
 * @cssState no-proxy - No proxy was found at the endpoint.
 */
export class WfPackageStatus extends PackageElement<PackageStatusContent> {
  static override styles = [controlStyles, packageStatusStyles]

  /**
   * URL of the signing page, with the placeholders `{formId}`, `{packageId}` and `{signatureId}`. If absent, the
   * nearest `<wf-context>` or the page configures it; otherwise, no link appears.
   */
  @property({ attribute: 'sign-url' }) signUrl = ''

  /**
   * URL of the page where people edit the data of the package, with the placeholders `{formId}`, `{packageId}` and
   * `{signatureId}`. The link appears for people who may edit. If absent, the nearest `<wf-context>` or the page configures
   * it; otherwise, no link appears, and a sentence refers the initiator of a draft to your page.
   */
  @property({ attribute: 'edit-url' }) editUrl = ''

  /** The package as last shown, while it is available to the person. */
  #shown: ShownPackage | undefined
  readonly #extras = new CardExtras(this, () => {
    const { target, value } = this
    return target && value ? { target, value } : undefined
  })
  /** The notes that only some cards show in routing; `undefined` until they are needed. */
  #notes: RoutingNotes | undefined
  /** Describes what the package lacks; `undefined` until it is needed. */
  #describe: typeof describeMissing | undefined
  /** Instead of that, if it could not be loaded. */
  readonly #unchecked = (): MissingTexts => ({ sentences: [this.#messages.unchecked] })
  /** What the package lacks; `undefined` if that is not needed or not known. */
  #missing: MissingTexts | undefined

  readonly #opener = new ActionOpener(this, {
    view: () => ({
      target: this.target,
      value: this.value,
      error: this.content.error,
      person: this.#extras.session?.univid,
      actionNames: this.#actionNames,
    }),
    onChanged: (found) => this.#showChanged(found),
    onDone: () => this.#focusState(),
  })

  constructor() {
    super()
    new FocusKeeper(this, () => this.#stateElement)
  }

  protected override get checksRightsFirst(): boolean {
    return false
  }

  protected override get expectedParts(): readonly PagePart[] {
    return statusParts
  }

  protected override load(target: PackageTarget, signal: AbortSignal): Promise<PackageStatusContent> {
    return loadCard(target, this.#shown?.id === target[2], signal)
  }

  protected override peek(target: PackageTarget): PackageStatusContent | undefined {
    return peekContent(target)
  }

  protected override forget(): void {
    this.#shown = undefined
  }

  /** The first format of a page takes as long as the card, so times follow a frame later. */
  protected override updated(): void {
    super.updated()
    if (this.value && !hasFormats()) afterFrame(() => this.#addTimes())
  }

  protected override loaded({ found }: PackageStatusContent): boolean {
    // It is tried again.
    if (this.#describe === this.#unchecked) this.#describe = undefined
    const before = this.#shown
    this.#shown = found
    if (before?.id !== found.id || before.state === found.state) return false
    this.announcer.announce(this.#messages.stateChanged(stateLabel(found.state, this.#messages)))
    this.dispatchEvent(new WfChangeEvent(found, before.state, found.state))
    this.#opener.actions?.warnOvertaken()
    return true
  }

  protected override renderContent(content: PackageStatusContent): unknown {
    const messages = this.#messages
    const { state } = content.found
    const { common, formatting } = this
    const { unopened } = this.#opener
    this.#missing = this.#findMissing(content)
    return html`
      <div class="row">
        <span part="state" data-state=${state} tabindex="-1"
          >${renderIcon(stateIconPath(state))}${stateLabel(state, messages)}</span
        >
        ${
          this.#extras.session?.env === 'test'
            ? html`<span part="environment" title=${messages.testHint}>${messages.test}</span>`
            : nothing
        }
      </div>
      ${renderFacts(content, {
        ...{ messages, common, reads: this.#extras.reads, isInitiator: this.#extras.isInitiator },
        formatting: hasFormats() ? formatting : undefined,
        wait: this.#missing?.wait,
      })}
      ${this.#renderActions(content)}
      ${
        unopened
          ? renderNotice('failure', messages.actionsFailed, common, false, () => void this.#open(unopened))
          : nothing
      }
    `
  }

  protected override get contentName(): string {
    return this.#messages.label
  }

  protected override renderDialogs(): unknown {
    const { common } = this
    const signInUrl = this.settings.get('signInUrl')
    return [
      this.#opener.actions?.render({
        ...{ common, signInUrl, editUrl: this.settings.get('editUrl') },
        statusMessages: this.#messages,
        language: this.textLanguage,
        state: this.value?.found.state ?? '',
        findPeople: this.settings.get('findPeople'),
      }),
      this.#notes?.renderDialogs(common, signInUrl, this.content.error),
    ]
  }

  /** Loads what shows a pause or reminders when it is needed. Without it, the card still shows that the route is held. */
  #renderNotes(value: PackageStatusContent): unknown {
    if ((waitsForNobody(value) || value.actions?.tools?.includes('sendReminder')) && !this.#notes)
      this.#loadPart(loadRoutingNotes, (Notes) => {
        this.#notes ??= new Notes(this, this.announcer)
      })
    return this.#notes?.render(this.target, value, this.formatting)
  }

  /** Returns what the package lacks before the person, or the route, can go on. Most cards need none of it. */
  #findMissing(content: PackageStatusContent): MissingTexts | undefined {
    const { reads, failed, isInitiator } = this.#extras
    const { state } = content.found
    const isNeeded =
      waitsForNobody(content) ||
      (state === 'ROUTING' && content.actions?.canSign) ||
      (state === 'PRE_ROUTING' && isInitiator)
    if (!isNeeded) return undefined
    if (!this.#describe)
      this.#loadPart(loadMissing, (describe) => (this.#describe = describe), this.#unchecked)
    const { lock, hasFailed } = this.#notes?.pause ?? {}
    return this.#describe?.(this, {
      ...{ content, reads, lock, person: this.#extras.session?.univid },
      failed: hasFailed ? new Set([...failed, 'getLocks']) : failed,
    })
  }

  /** Loads a part that the card needs now, or takes what replaces it. Without both, the card shows the rest. */
  #loadPart<Part>(load: () => Promise<Part>, use: (part: Part) => void, otherwise?: Part): void {
    void load()
      .catch(() => otherwise)
      .then((part) => {
        if (!part) return
        use(part)
        this.requestUpdate()
      })
  }

  #renderActions(content: PackageStatusContent) {
    const { state } = content.found
    const { isInitiator } = this.#extras
    const { sentences = [] } = this.#missing ?? {}
    const links = linksFor(content, isInitiator, this.target?.[1], (name) => this.settings.get(`${name}Url`))
    const mustEditElsewhere = state === 'DRAFT' && isInitiator && links.length === 0
    return [
      mustEditElsewhere ? html`<p>${this.#messages.editElsewhere}</p>` : nothing,
      renderActionList({
        names: this.#actionNames,
        links,
        messages: this.#messages,
        describedBy: sentences[0] ? 'checks' : undefined,
        onOpen: (name) => void this.#open(name),
        onFollow: (event, { name, url }) => {
          const signatureId = content.actions?.signatureId ?? null
          const follows = name === 'sign' ? new WfSignEvent(url, signatureId) : new WfEditEvent(url)
          if (!this.dispatchEvent(follows)) event.preventDefault()
        },
        onApproach: () => void this.#opener.prepare(),
      }),
      // Below the buttons, so that none of them moves when this appears.
      this.#renderNotes(content),
      sentences[0]
        ? html`<div part="checks" id="checks">${sentences.map((text) => html`<p>${text}</p>`)}</div>`
        : nothing,
    ]
  }

  get #actionNames(): ActionName[] {
    const names = actionsFor(this.value, this.#extras.session, removalOf(this.#extras.reads) !== undefined)
    // Routing has to wait for documents that it cannot start without.
    return names.filter((name) => name !== 'routePackage' || !this.#missing?.blocking)
  }

  get #stateElement(): HTMLElement | null {
    return this.renderRoot.querySelector('[part=state]')
  }

  get #messages(): Texts['packageStatus'] {
    return messagesFor(this, 'packageStatus', packageStatus)
  }

  async #open(name: ActionName): Promise<void> {
    await this.#opener.open(name)
    if (this.#opener.unopened) this.announcer.announce(this.#messages.actionsFailed)
  }

  /** Shows the package as the response to an action returned it. */
  #showChanged(found: Package): void {
    const before = this.#shown
    this.content.replace({ found, actions: found.actions, inbox: undefined })
    if (before?.state !== found.state) return
    this.announcer.announce(this.#messages.restarted)
    this.dispatchEvent(new WfChangeEvent(found))
  }

  #addTimes(): void {
    createFormats(this.formatting.language)
    this.requestUpdate()
  }

  /** Moves the focus to the state, which shows the outcome. The button may be gone. */
  #focusState(): void {
    this.renderRoot.querySelector('details')?.removeAttribute('open')
    this.#stateElement?.focus()
  }
}

/** Calls a function after the next frame has been drawn. Hidden pages draw none, and some test environments know none. */
function afterFrame(callback: () => void): void {
  const draws = typeof requestAnimationFrame === 'function' && !document.hidden
  if (draws) requestAnimationFrame(() => setTimeout(callback))
  else setTimeout(callback)
}

declare global {
  interface HTMLElementTagNameMap {
    'wf-package-status': WfPackageStatus
  }
}
