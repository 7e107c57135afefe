import { html, type TemplateResult } from 'lit'
import type { Messages } from '../locales/messages.ts'

/**
 * Says that something could not be loaded, and lets people try again. The part `stale` stands beside what was shown
 * before, `failure` in its place.
 */
export function renderNotice(
  part: 'stale' | 'failure',
  text: string,
  words: Messages['common'],
  isTrying: boolean,
  onTryAgain: () => void,
): TemplateResult {
  return html`
    <div class="notice" part=${part}>
      <p>${text}</p>
      <button type="button" part="try-again" aria-disabled=${isTrying} @click=${onTryAgain}>
        ${isTrying ? words.trying : words.tryAgain}
      </button>
    </div>
  `
}
