import { html, type TemplateResult } from 'lit'
import type { Texts } from '../../locales/messages.ts'

/** Renders that content may be out of date, beside a notice above that says why. */
export function renderMark({ mayBeOld }: Texts['common']): TemplateResult {
  return html`<p class="detail" part="stale">${mayBeOld}</p>`
}
