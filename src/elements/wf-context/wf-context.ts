import { css, html, LitElement, type TemplateResult } from 'lit'
import { property } from 'lit/decorators.js'
import type { PageClient } from '../../client/index.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { ContextConsumer, ContextProvider } from '../configuration/context.ts'
import { idConverter } from '../element/package-element.ts'

/**
 * Configures all elements inside it. Their own attributes take precedence. Contexts can be nested, and changes apply to
 * the elements at once.
 *
 * ```html
 * <wf-context endpoint="/api/wf" form-id="6025" package-id="42" time-zone="America/Chicago">
 *   <wf-package-status></wf-package-status>
 *   <wf-history></wf-history>
 * </wf-context>
 * ```
 *
 * @element wf-context
 *
 * @slot - The part of the page that it configures.
 */
export class WfContext extends LitElement {
  static override styles = css`
    :host {
      display: contents;
    }

    :host([hidden]) {
      display: none;
    }
  `

  /** Root URL of the proxy, such as `/api/wf`. If absent, the surrounding configuration applies. */
  @property() endpoint = ''

  /** Id of the form. If absent, the surrounding configuration applies. */
  @property({ attribute: 'form-id', converter: idConverter }) formId = 0

  /** Id of the package. If absent, the surrounding configuration applies. */
  @property({ attribute: 'package-id', converter: idConverter }) packageId = 0

  /** IANA name of the time zone, such as `America/Chicago`. If absent, the surrounding configuration applies. */
  @property({ attribute: 'time-zone' }) timeZone = ''

  /**
   * URL of the signing page, with the placeholders `{formId}`, `{packageId}` and `{signatureId}`. If absent, the
   * surrounding configuration applies.
   */
  @property({ attribute: 'sign-url' }) signUrl = ''

  /**
   * URL of the page where people edit and submit a draft, with the placeholders `{formId}` and `{packageId}`. If absent,
   * the surrounding configuration applies.
   */
  @property({ attribute: 'edit-url' }) editUrl = ''

  /**
   * URL of the page where people sign in, with the placeholder `{returnUrl}`. If absent, the surrounding configuration
   * applies.
   */
  @property({ attribute: 'sign-in-url' }) signInUrl = ''

  /** Client to call instead of the shared client for `endpoint`. If absent, the surrounding configuration applies. */
  @property({ attribute: false }) client: PageClient | undefined

  readonly #outer = new ContextConsumer<Configuration>(this, this)
  readonly #provider = new ContextProvider<Configuration>(this, () => this.#configuration)

  protected override willUpdate(): void {
    this.#provider.notify()
  }

  protected override render(): TemplateResult {
    return html`<slot></slot>`
  }

  get #configuration(): Configuration {
    const { endpoint, formId, packageId, timeZone, signUrl, editUrl, signInUrl, client } = this
    const own = { endpoint, formId, packageId, timeZone, signUrl, editUrl, signInUrl, client }
    const given = Object.entries(own).filter(([, value]) => value)
    return { ...this.#outer.value, ...(Object.fromEntries(given) as Configuration) }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'wf-context': WfContext
  }
}
