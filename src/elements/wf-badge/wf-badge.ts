import type { ReactiveController } from 'lit'
import { clientWith, NotFoundError, type PageClient, statusTable } from '../../client/index.ts'
import { parseId } from '../../contract/values/path.ts'
import { clientOf } from '../configuration/client-of.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { configurationProblem } from '../notices/configuration-problem.ts'
import { showStates } from '../element/element-states.ts'
import { WfChangeEvent, WfErrorEvent, WfLoadEvent, WfSignedOutEvent } from '../element/events.ts'
import { type ElementState, slotOf, statesOf } from '../loading/loadable.ts'
import { endOutage, noteOutage } from '../notices/outage.ts'
import { missingIds, type PackageTarget, scopeOf, targetOf } from '../element/package-target.ts'
import { Settings } from '../configuration/settings.ts'
import { type BadgeContent, contentOf, renderBadge } from './render-badge.ts'
import { badgeStyles } from './wf-badge.styles.ts'

/** A server that imports the module has no elements. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

/** The styles of all badges of the page. */
let sheet: CSSStyleSheet | undefined

/**
 * Shows the state of a package as one word in a line, for tables and lists. The people it waits for are in the
 * tooltip, and in the badge itself while it has the focus, also after a tap. The badges of a page load 100 packages per request. They have no actions and announce nothing, and do not use Lit, so that a page
 * can have hundreds of them.
 *
 * The content of the tag is shown until the script has loaded, and stays if it never loads.
 *
 * ```html
 * <wf-badge endpoint="/api/wf" form-id="6025" package-id="42"></wf-badge>
 * ```
 *
 * @element wf-badge
 *
 * @fires {WfLoadEvent<BadgeContent>} wf-load - The package was loaded, for the first time or again.
 * @fires {WfErrorEvent} wf-error - A request failed.
 * @fires {WfSignedOutEvent} wf-signed-out - The session has ended.
 * @fires {WfChangeEvent} wf-change - The package changed state.
 *
 * @csspart state - The state.
 * @csspart stale - The state, if it may be out of date.
 * @csspart failure - The mark that the package could not be loaded.
 * @csspart loading - The placeholder shown until the content has loaded.
 * @csspart not-configured - The message for the page author.
 * @csspart no-proxy - The message for the page author that no proxy was found.
 *
 * @cssprop [--wf-danger] - Color of messages for the page author.
 * @cssprop [--wf-radius=0.5em] - Corner radius; a badge uses four times as much.
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
export class WfBadge extends Base implements Configuration {
  static readonly observedAttributes: readonly string[] = ['endpoint', 'form-id', 'package-id']

  readonly #root = this.attachShadow({ mode: 'open' })
  /** happy-dom has none. */
  readonly #internals = ((this as Partial<HTMLElement>).attachInternals?.() ?? {}) as ElementInternals
  readonly #controllers: ReactiveController[] = []
  readonly #settings = new Settings(this, {
    addController: (controller) => void this.#controllers.push(controller),
    requestUpdate: () => void this.#requestUpdate(),
  })
  #client: PageClient | undefined
  /** The update for settings that have changed. */
  #update: Promise<void> | undefined
  #target: PackageTarget | undefined
  #value: BadgeContent | undefined
  #error: unknown
  /** Identifies the latest request, while it is in progress. */
  #request: object | undefined
  #stopWatching: (() => void) | undefined
  #states: readonly ElementState[] = []

  constructor() {
    super()
    adoptStyles(this.#root)
    // A framework may have set properties before the tag was defined.
    for (const name of ['endpoint', 'formId', 'packageId', 'client'] as const) {
      if (!Object.hasOwn(this, name)) continue
      const { [name]: value } = this
      delete this[name]
      Object.assign(this, { [name]: value })
    }
  }

  /**
   * Root URL of the proxy, such as `/api/wf`. If absent, the nearest `<wf-context>` or the page configures it.
   *
   * @attr endpoint
   * @reflect
   * @default ''
   */
  get endpoint(): string {
    return this.getAttribute('endpoint') ?? ''
  }

  set endpoint(value: string) {
    setAttribute(this, 'endpoint', value)
  }

  /**
   * Id of the package's form. If absent, the nearest `<wf-context>` or the page configures it.
   *
   * @attr form-id
   * @reflect
   * @default 0
   */
  get formId(): number {
    return parseId(this.getAttribute('form-id') ?? '') ?? 0
  }

  set formId(value: number) {
    setAttribute(this, 'form-id', value)
  }

  /**
   * Id of the package to show. If absent, the nearest `<wf-context>` or the page configures it.
   *
   * @attr package-id
   * @reflect
   * @default 0
   */
  get packageId(): number {
    return parseId(this.getAttribute('package-id') ?? '') ?? 0
  }

  set packageId(value: number) {
    setAttribute(this, 'package-id', value)
  }

  /** Client to call instead of the shared client for `endpoint`. */
  get client(): PageClient | undefined {
    return this.#client
  }

  set client(value: PageClient | undefined) {
    this.#client = value
    void this.#requestUpdate()
  }

  /** The loaded content; `undefined` if nothing is shown. */
  get value(): BadgeContent | undefined {
    return this.#value
  }

  /** Loads the content again, for example after the page has changed something. Never rejects: errors fire `wf-error`. */
  async refresh(): Promise<void> {
    await this.#requestUpdate()
    if (!this.#target || !this.#stopWatching) return
    this.#target[0].invalidate(scopeOf(this.#target))
    await this.#load(this.#target)
  }

  connectedCallback(): void {
    for (const controller of this.#controllers) controller.hostConnected?.()
    void this.#requestUpdate()
  }

  disconnectedCallback(): void {
    for (const controller of this.#controllers) controller.hostDisconnected?.()
    endOutage(this)
    // An element that only moves is connected again before the update.
    void this.#requestUpdate()
  }

  attributeChangedCallback(): void {
    void this.#requestUpdate()
  }

  /** Updates the badge once for all settings that change together. */
  #requestUpdate(): Promise<void> {
    return (this.#update ??= Promise.resolve().then(() => {
      this.#update = undefined
      if (this.isConnected) this.#follow()
      else this.#leave()
    }))
  }

  /** Loads the package of the settings, and again whenever it may have changed. */
  #follow(): void {
    const client = clientOf(this.#settings, (endpoint) => clientWith(endpoint, statusTable))
    const target = targetOf(this.#settings, client)
    if (target?.some((part, index) => part !== this.#target?.[index]) ?? this.#target) {
      this.#leave()
      this.#error = undefined
      this.#target = target
      // The badge shows the state that the client knows until the package has loaded.
      this.#value = target && contentOf(target[0].getCached('getStatus', inputOf(target), '1.2'))
    }
    if (!target || this.#stopWatching) return this.#render()
    this.#stopWatching = target[0].watch(scopeOf(target), (why) => {
      if (why === 'user') this.#value = this.#error = undefined
      // A request that began before a change may return the previous content.
      if (why !== 'poll' || !this.#request) void this.#load(target)
    })
    void this.#load(target)
  }

  #leave(): void {
    this.#stopWatching?.()
    this.#stopWatching = undefined
    this.#request = undefined
  }

  /** Loads the package. The client combines the requests of all badges. */
  async #load(target: PackageTarget): Promise<void> {
    const request = (this.#request = {})
    const rows = target[0].getStatus(inputOf(target), { version: '1.2' })
    this.#render()
    let value: BadgeContent | undefined
    let error: unknown
    try {
      value = contentOf(await rows)
    } catch (cause) {
      error = cause
    }
    if (this.#request !== request) return
    this.#request = undefined
    if (value) this.#onLoad(value)
    else this.#onError(error ?? new NotFoundError('getStatus', 'found nothing'))
  }

  #onLoad(value: BadgeContent): void {
    const from = this.#value?.found.state
    const { found } = value
    endOutage(this)
    this.#value = value
    this.#error = undefined
    this.#render()
    this.dispatchEvent(new WfLoadEvent(value))
    if (from && from !== found.state) this.dispatchEvent(new WfChangeEvent(found, from, found.state))
  }

  #onError(error: unknown): void {
    const wasSignedOut = slotOf(this.#error) === 'signed-out'
    const slot = slotOf(error)
    // These errors concern the package or the person, so the previous content is no longer valid.
    if (slot) this.#value = undefined
    if (slot && slot !== 'signed-out') endOutage(this)
    else noteOutage(this, () => this.refresh())
    this.#error = error
    this.#render()
    this.dispatchEvent(new WfErrorEvent(error))
    if (slot === 'signed-out' && !wasSignedOut) this.dispatchEvent(new WfSignedOutEvent())
  }

  #render(): void {
    const problem = configurationProblem(this, this.#settings, missingIds(this.#settings))
    const view = { problem, value: this.#value, error: this.#error }
    const states = statesOf({ ...view, isLoaded: !!this.#value, isBusy: !!this.#request })
    showStates(this.#internals, this.#states, states)
    this.#states = states
    const badge = renderBadge(this, view)
    // Content that has not changed stays, with its tooltip.
    if (this.#root.firstChild?.isEqualNode(badge)) return
    const hasFocus = this.#root.activeElement
    this.#root.replaceChildren(badge)
    if (hasFocus) badge.focus()
  }
}

function inputOf([, formId, packageId]: PackageTarget) {
  return { params: { formId }, query: { id: [packageId] } }
}

function adoptStyles(root: ShadowRoot): void {
  if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(badgeStyles)
  root.adoptedStyleSheets = [sheet]
}

function setAttribute(badge: Element, name: string, value: string | number | null | undefined): void {
  if (value) badge.setAttribute(name, String(value))
  else badge.removeAttribute(name)
}

declare global {
  interface HTMLElementTagNameMap {
    'wf-badge': WfBadge
  }
}
