import { html, LitElement, type TemplateResult } from 'lit'
import { property } from './decorators.ts'
import { type Client, clientFor } from '../client/index.ts'
import { common } from '../locales/en.ts'
import type { Messages } from '../locales/messages.ts'
import { Announcer } from './announcer.ts'
import { Settings } from './configuration.ts'
import type { Formatting } from './format.ts'
import { languageOf } from './language.ts'
import { messagesLanguage, messagesFor } from './messages.ts'

/** States that a page can style with `:state(...)`. */
export type ElementState =
  | 'not-configured'
  | 'loading'
  | 'loaded'
  | 'empty'
  | 'busy'
  | 'stale'
  | 'forbidden'
  | 'signed-out'
  | 'missing'
  | 'failed'

/** What all elements have in common: where their proxy is, their language, and how they speak up. */
export abstract class RouteslipElement extends LitElement {
  /** Root URL of the proxy, such as `/api/wf`. Absent: as the nearest `<wf-context>` or the page is configured. */
  @property() endpoint = ''

  /**
   * IANA name of the institution's time zone, such as `America/Chicago`. With it, times also say how long ago they were.
   * Absent: as the nearest `<wf-context>` or the page is configured; else times are only shown as the services state them.
   */
  @property({ attribute: 'time-zone' }) timeZone = ''

  /** Client to call instead of the page's shared one for `endpoint`. */
  @property({ attribute: false }) client: Client | undefined

  protected readonly internals: ElementInternals = this.attachInternals()
  protected readonly announcer = new Announcer(this)
  protected readonly settings = new Settings(this)

  #states: readonly ElementState[] = []

  override connectedCallback(): void {
    super.connectedCallback()
    // It may have been moved to where another language is spoken.
    if (this.hasUpdated) this.requestUpdate()
  }

  /** Client to call; `undefined` where the element is not configured. */
  protected get currentClient(): Client | undefined {
    const endpoint = this.settings.get('endpoint')
    if (this.settings.foreignOrigin) return undefined
    return this.settings.get('client') ?? (endpoint ? clientFor(endpoint) : undefined)
  }

  protected get common(): Messages['common'] {
    return messagesFor(this, 'common', common)
  }

  /** How dates and numbers are written. */
  protected get formatting(): Formatting {
    return { language: languageOf(this), timeZone: this.settings.get('timeZone') }
  }

  /** Language of the element's own words. */
  protected get textLanguage(): string {
    return messagesLanguage(this)
  }

  /** Tells pages which of these states the element is in. */
  protected showStates(states: readonly ElementState[]): void {
    const { states: shown } = this.internals
    const before = this.#states
    this.#states = states
    // Older browsers have no custom states, or want names of another form.
    try {
      for (const state of before) if (!states.includes(state)) shown.delete(state)
      for (const state of states) if (!before.includes(state)) shown.add(state)
    } catch {}
  }

  /** What the author of the page is told; `missing` names attributes. Empty where all is well. */
  protected configurationProblem(missing: readonly string[] = []): string {
    const origin = this.settings.foreignOrigin
    if (origin) return this.common.foreignEndpoint(this.localName, origin)
    const hasClient = this.settings.get('client') ?? this.settings.get('endpoint')
    const names = [...(hasClient ? [] : ['endpoint']), ...missing]
    return names.length > 0 ? this.common.notConfigured(this.localName, names.join(', ')) : ''
  }

  protected renderConfigurationProblem(flaw: string): TemplateResult {
    return html`<p class="error" part="not-configured">${flaw}</p>`
  }
}
