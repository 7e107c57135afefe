import { css, html, LitElement, type TemplateResult } from 'lit'
import { property } from '../decorators.ts'
import type { Client } from '../../client/index.ts'
import type { Configuration } from '../configuration.ts'
import { ContextConsumer, ContextProvider } from '../context.ts'
import { idConverter } from '../package-element.ts'

/**
 * Configures all elements inside it that are not told otherwise by their own attributes. May stand inside another one;
 * what changes here changes there, without a reload.
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
 * @slot - The part of the page that it holds for.
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

  /** Root URL of the proxy, such as `/api/wf`. Absent: as outside. */
  @property() endpoint = ''

  /** Id of the form. Absent: as outside. */
  @property({ attribute: 'form-id', converter: idConverter }) formId = 0

  /** Id of the package. Absent: as outside. */
  @property({ attribute: 'package-id', converter: idConverter }) packageId = 0

  /** IANA name of the institution's time zone, such as `America/Chicago`. Absent: as outside. */
  @property({ attribute: 'time-zone' }) timeZone = ''

  /** Address at which a package is signed, with `{formId}`, `{packageId}` and `{signatureId}`. Absent: as outside. */
  @property({ attribute: 'sign-url' }) signUrl = ''

  /** Client to call instead of the page's shared one for `endpoint`. Absent: as outside. */
  @property({ attribute: false }) client: Client | undefined

  readonly #outer = new ContextConsumer<Configuration>(this)
  readonly #provider = new ContextProvider<Configuration>(this, {})

  protected override willUpdate(): void {
    const { endpoint, formId, packageId, timeZone, signUrl, client } = this
    const own = { endpoint, formId, packageId, timeZone, signUrl, client }
    const told = Object.entries(own).filter(([, value]) => value)
    this.#provider.set({ ...this.#outer.value, ...(Object.fromEntries(told) as Configuration) })
  }

  protected override render(): TemplateResult {
    return html`<slot></slot>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'wf-context': WfContext
  }
}
