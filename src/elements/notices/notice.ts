import { html, type TemplateResult } from 'lit'
import type { Texts } from '../../locales/messages.ts'

/** `stale` appears with the previous content, `failure` replaces it. */
export type NoticePart = 'stale' | 'failure'

/** Renders a notice that something could not be loaded, with a button to try again. */
export function renderNotice(
  part: NoticePart,
  text: unknown,
  messages: Texts['common'],
  isTrying: boolean,
  onTryAgain: () => void,
): TemplateResult {
  return html`
    <div class="notice" part=${part}>
      <p>${text}</p>
      <button type="button" part="try-again" aria-disabled=${isTrying} @click=${onTryAgain}>
        ${isTrying ? messages.trying : messages.tryAgain}
      </button>
    </div>
  `
}
