import { html, LitElement, type TemplateResult } from 'lit'
import { property } from 'lit/decorators.js'
import { clientFor, type PageClient } from '../../client/index.ts'
import { common } from '../../locales/en.ts'
import type { Texts } from '../../locales/messages.ts'
import { Announcer } from '../notices/announcer.ts'
import { clientOf } from '../configuration/client-of.ts'
import { configurationProblem } from '../notices/configuration-problem.ts'
import { showStates } from './element-states.ts'
import type { ElementState } from '../loading/loadable.ts'
import type { Formatting } from '../text/format.ts'
import { formattingLanguage, messagesLanguage, messagesFor } from '../text/messages.ts'
import { endOutage } from '../notices/outage.ts'
import { Settings } from '../configuration/settings.ts'

export type { ElementState } from '../loading/loadable.ts'

/** The part of their internals that elements need. */
type Internals = Pick<ElementInternals, 'states'> & Partial<ElementInternals>

/** The base of all elements: the proxy that they call, their language, and their announcements. */
export abstract class RouteslipElement extends LitElement {
  /** Root URL of the proxy, such as `/api/wf`. If absent, the nearest `<wf-context>` or the page configures it. */
  @property() endpoint = ''

  /**
   * IANA name of the institution's time zone, such as `America/Chicago`. Times then include their age. If absent, the
   * nearest `<wf-context>` or the page configures it; otherwise, times appear without their age.
   */
  @property({ attribute: 'time-zone' }) timeZone = ''

  /**
   * URL of the page where people sign in, with the placeholder `{returnUrl}` for the encoded URL of this page. If absent, the
   * nearest `<wf-context>` or the page configures it; otherwise, people who are signed out get no link.
   */
  @property({ attribute: 'sign-in-url' }) signInUrl = ''

  /** Client to call instead of the shared client for `endpoint`. */
  @property({ attribute: false }) client: PageClient | undefined

  /** Test environments without a browser lack all of it (happy-dom) or the members of form fields (jsdom). */
  protected readonly internals = ((this as Partial<HTMLElement>).attachInternals?.() ?? {}) as Internals
  protected readonly announcer = new Announcer(this)
  protected readonly settings = new Settings(this, this)

  #states: readonly ElementState[] = []

  override connectedCallback(): void {
    super.connectedCallback()
    // The new place may be in another language.
    if (this.hasUpdated) this.requestUpdate()
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot()
    for (const type of ['keydown', 'keypress', 'keyup']) root.addEventListener(type, keepTyping)
    return root
  }

  protected override firstUpdated(): void {
    const swallowed = this.localName !== 'wf-form' && this.querySelector('main, nav, form, footer, script')
    if (swallowed) {
      const tag = this.localName
      console.warn(`<${tag}> contains a <${swallowed.localName}>. Close it with </${tag}>, not with "/>".`)
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    endOutage(this.announcer)
  }

  /** Client to call; `undefined` if the element is not configured. */
  protected get currentClient(): PageClient | undefined {
    return clientOf(this.settings, clientFor)
  }

  protected get common(): Texts['common'] {
    return messagesFor(this, 'common', common)
  }

  /** The language and time zone of dates and numbers. */
  protected get formatting(): Formatting {
    return { language: formattingLanguage(this), timeZone: this.settings.get('timeZone') }
  }

  /** The language of the element's own texts. */
  protected get textLanguage(): string {
    return messagesLanguage(this)
  }

  /** Sets the states that a page can style. */
  protected showStates(states: readonly ElementState[]): void {
    showStates(this.internals, this.#states, states)
    this.#states = states
  }

  /** Returns an error message for the page author, or an empty string. `missing` lists attributes. */
  protected configurationProblem(missing: readonly string[] = []): string {
    return configurationProblem(this, this.settings, missing)
  }

  /** Renders a message for the page author. */
  protected renderConfigurationProblem(
    problem: string,
    part: 'not-configured' | 'no-proxy' = 'not-configured',
  ): TemplateResult {
    return html`<p class="error" part=${part}>${problem}</p>`
  }
}

/**
 * Keeps what people type into a field of an element from the page: it sees the element as the target, and would take a letter
 * for one of its shortcuts.
 */
function keepTyping(event: Event): void {
  const { key, ctrlKey, metaKey, altKey } = event as KeyboardEvent
  const field = event.target as Element
  if (key?.length !== 1 || ctrlKey || metaKey || altKey) return
  // A form in a slot belongs to the page.
  if (field.getRootNode() === event.currentTarget && field.matches('input, textarea, select'))
    event.stopPropagation()
}
