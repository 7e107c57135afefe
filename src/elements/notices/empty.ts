import { html, type TemplateResult } from 'lit'

/** Renders that there is nothing to show. The page can say so in its own words. */
export function renderEmpty(text: unknown): TemplateResult {
  return html`<slot name="empty"><p part="empty">${text}</p></slot>`
}
