import { html, type TemplateResult } from 'lit'

/** Renders an SVG path in a 24 × 24 box as an outline icon. Text beside it must have the same meaning. */
export function renderIcon(path: string): TemplateResult {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path}></path></svg>`
}
