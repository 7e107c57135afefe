import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { NotFoundError, RefusedError, SignedOutError } from '../../client/index.ts'
import { route } from '../../locales/en-route.ts'
import type { Texts } from '../../locales/messages.ts'
import { controlStyles } from '../element/controls.styles.ts'
import { property } from 'lit/decorators.js'
import { WfErrorEvent, WfLoadEvent, WfSignedOutEvent } from '../element/events.ts'
import { messagesFor } from '../text/messages.ts'
import { renderEmpty } from '../notices/empty.ts'
import { PackageElement, type PackageTarget } from '../element/package-element.ts'
import { type ElementState, outsidePackage, statesOf } from '../loading/loadable.ts'
import { keyOf, readOfficeText } from '../wf-office/office-key.ts'
import { FollowedControls } from './followed-controls.ts'
import { forgetRoutes } from './forget-routes.ts'
import { loadSavedRoutes } from './late.ts'
import { createOfficeRoute, nameOfOffice, type OfficeRouteKey } from './office-route.ts'
import type { PackageRoute } from './package-route.ts'
import { renderRoute, type RouteListContext } from './route-list.ts'
import { routeOfSummary } from './route-stops.ts'
import type { SavedRouteContext, savedRoutes } from './saved-route.ts'
import { routeStyles } from './wf-route.styles.ts'

export type { PackageRoute } from './package-route.ts'

/**
 * Shows who will have to approve a request. Before there is a package, it shows the usual route of an office: of the one in
 * `office`, or of the one that a control of the form contains. For a saved package, it shows the route that the service
 * calculates from the saved data, and marks it as outdated when the form is edited. It names roles that nobody holds, people
 * who approve their own request or more than once, and stops without anybody. People who may change overrides also see which
 * are in force, if the proxy serves `getOverrides`.
 *
 * While a package is routed, it shows the whole route, and how that differs from what this browser last showed before the
 * request was submitted. The service does not keep that; the browser keeps up to 20 routes until somebody signs out.
 *
 * A route that cannot be loaded never keeps a form from being sent. The content of the tag is shown until the script has
 * loaded, and stays if it never loads.
 *
 * ```html
 * <label>Department <wf-office name="department" level="department"></wf-office></label>
 * <wf-route endpoint="/api/wf" form-id="6025" office-name="department"></wf-route>
 * ```
 *
 * @element wf-route
 *
 * @slot empty - Shown instead of a route: the request has none, or something has to be chosen first.
 * @slot loading - Shown until the content has loaded.
 * @slot forbidden - Shown to people without rights.
 * @slot missing - Shown if the package does not exist.
 * @slot signed-out - Shown to people who are not signed in.
 *
 * @fires {WfLoadEvent<PackageRoute | UsualRoute>} wf-load - The route was loaded, for the first time or again.
 * @fires {WfErrorEvent} wf-error - The route failed to load.
 * @fires {WfSignedOutEvent} wf-signed-out - The session has ended.
 *
 * @csspart base - The whole element.
 * @csspart source - The sentence that states which route this is, and of when.
 * @csspart hint - The sentence about what the usual route of an office leaves open.
 * @csspart warnings - Sentences about anything unusual in the route.
 * @csspart differences - How the route differs from the one before the submission.
 * @csspart stops - The ordered list of stops.
 * @csspart stop - One stop.
 * @csspart person - A person or role at a stop, and what they do.
 * @csspart empty - The message that there is nothing to show.
 * @csspart outdated - The notice that the data has changed since.
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
 * @cssprop [--wf-focus] - Color of the focus ring.
 * @cssprop [--wf-success] - Color of the mark of people who have signed.
 * @cssprop [--wf-danger] - Color of roles that nobody holds.
 * @cssprop [--wf-line] - Color of borders.
 * @cssprop [--wf-radius=0.5em] - Corner radius.
 * @cssprop [--wf-space=1em] - Distance between blocks.
 * @cssprop [--wf-notice-background] - Background of notices.
 * @cssprop [--wf-notice-color] - Text color of notices.
 * @cssprop [--wf-notice-line] - Border color of notices.
 *
 * @cssState loading - The route has not loaded yet.
 * @cssState loaded - A route is shown.
 * @cssState empty - The request has no route, or something has to be chosen first.
 * @cssState busy - A request is in progress.
 * @cssState stale - The form has been edited since, or the latest request failed: the route may be out of date.
 * @cssState failed - The route could not be loaded.
 * @cssState forbidden - The person has no rights to the package.
 * @cssState missing - The package does not exist.
 * @cssState signed-out - The person is not signed in.
 * @cssState not-configured - A setting is missing or invalid; the element shows which.
 * @cssState no-proxy - No proxy was found at the endpoint.
 */
export class WfRoute extends PackageElement<PackageRoute> {
  static override styles = [controlStyles, routeStyles]

  /** Number of the office whose usual route is shown, such as `11-0420`. A control takes precedence. */
  @property() office = ''

  /** Id of the control that contains the number of the office. */
  @property() for = ''

  /** Name of the control that contains the number of the office, in the form around the element. */
  @property({ attribute: 'office-name' }) officeName = ''

  /** Sub-type of the request. A control takes precedence. */
  @property({ attribute: 'sub-type' }) subType = ''

  /** Name of the control that contains the sub-type, in the form around the element. */
  @property({ attribute: 'sub-type-name' }) subTypeName = ''

  /** Whether the person has chosen the office whose route loads. */
  #isChosen = false

  /** `undefined` until its code has loaded, which only a saved package needs. */
  #savedRoutes: typeof savedRoutes | undefined

  readonly #controls = new FollowedControls(this)

  readonly #usual = createOfficeRoute(this, {
    key: () => this.#usualKey,
    onLoad: (usual) => {
      if (this.#isChosen) {
        const { stops } = routeOfSummary(usual.summaries, this.#messages)
        this.announcer.announce(this.#messages.changed(stops.length, usual.office))
      }
      this.#isChosen = true
      this.dispatchEvent(new WfLoadEvent(usual))
    },
    onError: (error) => {
      this.#isChosen = true
      this.dispatchEvent(new WfErrorEvent(error))
      if (!(error instanceof SignedOutError)) return
      forgetRoutes()
      this.dispatchEvent(new WfSignedOutEvent())
    },
  })

  /** Loads the route again. Never rejects: errors fire `wf-error`. */
  override async refresh(): Promise<void> {
    await (this.#isSaved ? super.refresh() : this.#usual.refresh())
  }

  protected override get missing(): readonly string[] {
    return super.missing.filter((name) => name !== 'package-id')
  }

  protected override get hasFailed(): boolean {
    return this.#isSaved ? super.hasFailed : this.#usual.error !== undefined
  }

  protected override get contentName(): string {
    return this.#messages.label
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed)
    // While the rights are read, so that the route loads no later.
    if (this.#isSaved) void loadSavedRoutes().catch(() => {})
  }

  protected override async load(target: PackageTarget, signal: AbortSignal): Promise<PackageRoute> {
    this.#savedRoutes ??= await loadSavedRoutes()
    return await this.#savedRoutes.load(target, signal)
  }

  protected override peek(): undefined {
    return undefined
  }

  protected override loaded(content: PackageRoute): boolean {
    this.#savedRoutes?.remember(content, this.#savedContext)
    return false
  }

  protected override forget(): void {
    if (this.content.error instanceof SignedOutError) forgetRoutes()
  }

  protected override render(): TemplateResult {
    if (this.#isSaved || this.configurationProblem(this.missing)) return super.render()
    const content = this.#renderUsual()
    return html`
      <div part="base" lang=${this.textLanguage} aria-busy=${this.#usual.busy} ?hidden=${this.isQuiet}>
        ${content}
      </div>
      ${this.announcer.render()}
    `
  }

  protected override updated(): void {
    super.updated()
    if (this.configurationProblem(this.missing)) return
    if (!this.#isSaved) this.showStates(this.#usualStates)
    else if (this.value && this.#controls.isEdited) this.showStates(['loaded', 'stale'])
  }

  protected override renderContent(content: PackageRoute): unknown {
    return this.#savedRoutes?.render(content, this.#savedContext)
  }

  #renderUsual(): unknown {
    const t = this.#messages
    const [, , office] = this.#usualKey
    const { value, error } = this.#usual
    if (!office) return renderEmpty(t.chooseOffice)
    if (error instanceof NotFoundError) return renderEmpty(t.noRoute(office))
    if (error instanceof RefusedError) {
      return html`${renderEmpty(this.#subType ? t.refused : t.chooseSubType)}
      ${error.detail ? html`<p class="detail">${error.detail}</p>` : nothing}`
    }
    if (error) return this.renderError(outsidePackage(error))
    if (!value) return this.renderPlaceholder()
    const { assignment, summaries } = value
    return html`
      <p part="source">${t.usual(nameOfOffice(this.currentClient, office))}</p>
      <div class="detail" part="hint">
        ${assignment.routeName ? html`<p><bdi>${assignment.routeName}</bdi></p>` : nothing}
        <p>${t.usualHint} ${assignment.optOutIfPossible ? t.optOut : nothing}</p>
      </div>
      ${renderRoute(routeOfSummary(summaries, t), this.#listContext)}
    `
  }

  get #messages(): Texts['route'] {
    return messagesFor(this, 'route', route)
  }

  get #isSaved(): boolean {
    return this.target !== undefined
  }

  get #subType(): string {
    return this.#controls.subType || this.subType
  }

  get #usualKey(): OfficeRouteKey | readonly [] {
    const client = this.currentClient
    const formId = this.settings.get('formId')
    const office = keyOf(readOfficeText(this.#controls.office || this.office))
    return client && formId && office && !this.#isSaved ? [client, formId, office, this.#subType] : []
  }

  get #usualStates(): readonly ElementState[] {
    const { busy, error, value } = this.#usual
    // The service has reported that no route exists.
    const isNone = error instanceof NotFoundError || error instanceof RefusedError
    if (!busy && !value && (isNone || !error)) return ['empty']
    return statesOf({ error: isNone ? undefined : outsidePackage(error), isLoaded: !!value, isBusy: busy })
  }

  get #listContext(): RouteListContext {
    return { messages: this.#messages, common: this.common, formatting: this.formatting }
  }

  get #savedContext(): SavedRouteContext {
    const { savedAt, isEdited } = this.#controls
    const request = (['endpoint', 'formId', 'packageId'] as const).map((name) => this.settings.get(name))
    return { ...this.#listContext, element: this, request: request.join('/'), savedAt, isEdited }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'wf-route': WfRoute
  }
}
