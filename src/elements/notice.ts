import { html, type TemplateResult } from 'lit'
import { en } from '../locales/en.ts'

/** Says that something could not be loaded, and lets people try again. What was shown stays beside it. */
export function renderNotice(text: string, isTrying: boolean, onTryAgain: () => void): TemplateResult {
  return html`
    <div class="notice" part="stale">
      <p>${text}</p>
      <button type="button" aria-disabled=${isTrying} @click=${onTryAgain}>
        ${isTrying ? en.common.trying : en.common.tryAgain}
      </button>
    </div>
  `
}
