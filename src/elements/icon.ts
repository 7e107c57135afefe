import { html, type TemplateResult } from 'lit'

/** A drawing of lines, as an SVG path in a square of 24. It says nothing that words beside it do not say. */
export function renderIcon(path: string): TemplateResult {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path}></path></svg>`
}
