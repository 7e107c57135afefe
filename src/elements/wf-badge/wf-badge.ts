import type { ReactiveController } from 'lit'
import { NoProxyError, type PageClient, packageScope, SignedOutError } from '../../client/index.ts'
import { isId, parseId } from '../../contract/values/path.ts'
import { common } from '../../locales/en.ts'
import { packageStatus } from '../../locales/en-package-status.ts'
import { clientOf } from '../configuration/client-of.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { configurationProblem } from '../notices/configuration-problem.ts'
import { type ElementState, showStates, slotOf } from '../element/element-states.ts'
import {
  type ShownPackage,
  WfChangeEvent,
  WfErrorEvent,
  WfLoadEvent,
  WfSignedOutEvent,
} from '../element/events.ts'
import { messagesFor, messagesLanguage } from '../text/messages.ts'
import { endOutage, noteOutage } from '../notices/outage.ts'
import { Settings } from '../configuration/settings.ts'
import { type BadgeContent, peekBadge, readBadges } from './read-badges.ts'
import { renderBadge } from './render-badge.ts'
import { badgeStyles } from './wf-badge.styles.ts'

type Target = readonly [client: PageClient, formId: number, packageId: number]

/** A server that imports the module has no elements. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

/** The styles of all badges of the page. */
let sheet: CSSStyleSheet | undefined

/** Badges that have to be updated, and the update that does this. */
let queue = new Set<WfBadge>()
let update: Promise<void> | undefined

/**
 * Shows the state of a package as one word in a line, for tables and lists. People it waits for are in the tooltip. The
 * badges of a page load 100 packages per request. They have no actions and announce nothing, and do not use Lit, so that a page
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
 * @csspart failure - The mark that the package is not available or could not be loaded.
 * @csspart loading - The placeholder shown until the package has loaded.
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

  readonly #internals = this.attachInternals()
  readonly #controllers: ReactiveController[] = []
  readonly #settings = new Settings(this, {
    addController: (controller) => void this.#controllers.push(controller),
    requestUpdate: () => this.#requestUpdate(),
  })
  #client: PageClient | undefined
  #states: readonly ElementState[] = []
  #target: Target | undefined
  #value: BadgeContent | undefined
  #error: unknown
  /** The package as last loaded, while it is available to the person. */
  #loaded: ShownPackage | undefined
  #isDue = false
  /** Identifies the latest request, while it is in progress. */
  #request: object | undefined
  #stopWatching: (() => void) | undefined

  constructor() {
    super()
    adoptStyles(this.attachShadow({ mode: 'open' }))
    adoptProperties(this)
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
    this.#setAttribute('endpoint', value)
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
    this.#setAttribute('form-id', value)
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
    this.#setAttribute('package-id', value)
  }

  /** Client to call instead of the shared client for `endpoint`. */
  get client(): PageClient | undefined {
    return this.#client
  }

  set client(value: PageClient | undefined) {
    this.#client = value
    this.#requestUpdate()
  }

  /** The loaded content; `undefined` if nothing is shown. */
  get value(): BadgeContent | undefined {
    return this.#value
  }

  /** Loads the content again, for example after the page has changed something. Never rejects: errors fire `wf-error`. */
  async refresh(): Promise<void> {
    if (this.#target) this.#target[0].invalidate(scopeOf(this.#target))
    this.#isDue = true
    await this.#enqueue()
  }

  connectedCallback(): void {
    for (const controller of this.#controllers) controller.hostConnected?.()
    this.#requestUpdate()
  }

  disconnectedCallback(): void {
    for (const controller of this.#controllers) controller.hostDisconnected?.()
    endOutage(this)
    // An element that only moves is connected again before the update.
    this.#requestUpdate()
  }

  attributeChangedCallback(): void {
    this.#requestUpdate()
  }

  /** Updates all queued badges, and loads the packages of those that need it. Resolves when they have loaded. */
  static async #updateAll(): Promise<void> {
    const badges = queue
    queue = new Set()
    update = undefined
    const request = {}
    const reads = new Map<PageClient, Map<number, Map<number, WfBadge[]>>>()
    for (const badge of badges) {
      const target = badge.#prepare(request)
      if (!target) continue
      const [client, formId, packageId] = target
      const forms = entry(reads, client, () => new Map<number, Map<number, WfBadge[]>>())
      const packages = entry(forms, formId, () => new Map<number, WfBadge[]>())
      entry(packages, packageId, () => []).push(badge)
    }
    const all = [...reads].flatMap(([client, forms]) =>
      [...forms].map(([formId, packages]) =>
        readBadges(client, formId, [...packages.keys()], (id, content, error) => {
          for (const badge of packages.get(id) ?? []) {
            if (badge.#request !== request) continue
            if (content) badge.#onLoad(content)
            else badge.#onError(error)
          }
        }),
      ),
    )
    // While the requests are on their way.
    for (const badge of badges) if (badge.isConnected) badge.#render()
    await Promise.all(all)
  }

  #requestUpdate(): void {
    void this.#enqueue()
  }

  /** Updates the badge with all others of the same moment. Resolves when they have loaded what they need. */
  #enqueue(): Promise<void> {
    queue.add(this)
    return (update ??= Promise.resolve().then(() => WfBadge.#updateAll()))
  }

  /** Reads the settings. Returns the package to load, if it has to be loaded now. */
  #prepare(request: object): Target | undefined {
    if (!this.isConnected) {
      this.#watch(undefined)
      this.#request = undefined
      return undefined
    }
    const client = clientOf(this.#settings)
    const formId = this.#settings.get('formId')
    const packageId = this.#settings.get('packageId')
    const target =
      client && isId(formId) && isId(packageId) ? ([client, formId, packageId] as const) : undefined
    if (target?.some((part, index) => part !== this.#target?.[index]) ?? this.#target) {
      this.#watch(undefined)
      this.#forget()
      this.#request = undefined
      this.#target = target
      this.#value = target && peekBadge(...target)
    }
    if (!this.#stopWatching) this.#watch(target)
    const isDue = this.#isDue && target
    this.#isDue = false
    if (isDue) this.#request = request
    return isDue || undefined
  }

  /** Loads a package, and again whenever it may have changed; or stops this. */
  #watch(target: Target | undefined): void {
    this.#stopWatching?.()
    this.#isDue = true
    this.#stopWatching = target?.[0].watch(scopeOf(target), (why) => {
      if (why === 'user') this.#forget()
      // A request that began before a change may return the previous content.
      if (why === 'poll' && this.#request) return
      this.#isDue = true
      this.#requestUpdate()
    })
  }

  #forget(): void {
    this.#error = undefined
    this.#value = undefined
    this.#loaded = undefined
  }

  #onLoad(value: BadgeContent): void {
    const before = this.#loaded
    const { found } = value
    endOutage(this)
    this.#error = undefined
    this.#request = undefined
    this.#value = value
    this.#loaded = found
    this.#render()
    this.dispatchEvent(new WfLoadEvent(value))
    if (before && before.state !== found.state)
      this.dispatchEvent(new WfChangeEvent(found, before.state, found.state))
  }

  #onError(error: unknown): void {
    const wasSignedOut = this.#error instanceof SignedOutError
    const slot = slotOf(error)
    // These errors concern the package or the person, so the previous content is no longer valid.
    if (slot) this.#forget()
    if (slot && slot !== 'signed-out') endOutage(this)
    else noteOutage(this, () => this.refresh())
    this.#error = error
    this.#request = undefined
    this.#render()
    this.dispatchEvent(new WfErrorEvent(error))
    if (slot === 'signed-out' && !wasSignedOut) this.dispatchEvent(new WfSignedOutEvent())
  }

  #render(): void {
    const texts = messagesFor(this, 'common', common)
    const missing = (['formId', 'packageId'] as const).filter((name) => !isId(this.#settings.get(name)))
    const problem = configurationProblem(
      this,
      this.#settings,
      missing.map((name) => attributeOf[name]),
    )
    const states = problem ? (['not-configured'] as const) : this.#statesNow
    showStates(this.#internals, this.#states, states)
    this.#states = states
    const badge = renderBadge({
      problem,
      value: this.#value,
      error: this.#error,
      messages: messagesFor(this, 'packageStatus', packageStatus),
      common: texts,
      language: messagesLanguage(this),
    })
    const { shadowRoot } = this
    if (!shadowRoot?.firstChild?.isEqualNode(badge)) shadowRoot?.replaceChildren(badge)
  }

  get #statesNow(): readonly ElementState[] {
    const error = this.#error
    const slot = slotOf(error)
    if (slot) return [slot]
    const busy = this.#request ? (['busy'] as const) : []
    if (this.#value) return ['loaded', ...busy, ...(error ? (['stale'] as const) : [])]
    return [error instanceof NoProxyError ? 'no-proxy' : error ? 'failed' : 'loading', ...busy]
  }

  #setAttribute(name: string, value: string | number | null | undefined): void {
    if (value) this.setAttribute(name, String(value))
    else this.removeAttribute(name)
  }
}

const attributeOf = { formId: 'form-id', packageId: 'package-id' } as const

function adoptStyles(root: ShadowRoot): void {
  if (!sheet) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(badgeStyles)
  }
  root.adoptedStyleSheets = [sheet]
}

/** Sets the properties again that a framework has set before the tag was defined. */
function adoptProperties(badge: object): void {
  for (const name of ['endpoint', 'formId', 'packageId', 'client']) {
    if (!Object.hasOwn(badge, name)) continue
    const own = badge as Record<string, unknown>
    const value = own[name]
    delete own[name]
    own[name] = value
  }
}

function scopeOf([, formId, packageId]: Target): string {
  return packageScope(formId, packageId)
}

/** Returns the value of a key, which is added if it is missing. */
function entry<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = create()))
  return value
}

declare global {
  interface HTMLElementTagNameMap {
    'wf-badge': WfBadge
  }
}
