import { html, nothing, type TemplateResult } from 'lit'
import type { Texts } from '../../locales/messages.ts'
import type { Formatting } from '../text/format.ts'
import type { CardReads } from './card-reads.ts'

/** The messages of the facts, how their times are written, and what else is known about the package. */
export interface FactsContext {
  readonly messages: Texts['packageStatus']
  readonly attachmentMessages: Texts['attachments']
  readonly common: Texts['common']
  readonly formatting: Formatting
  readonly reads: CardReads
  /** Whether the signed-in user made the request. */
  readonly isInitiator: boolean
}

/** Renders a fact. */
export function renderFact(label: string, value: unknown): TemplateResult {
  return html`
    <div>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>
  `
}

/** Renders the headline of a card, and the line below it if there is one. */
export function renderLead(text: unknown, detail?: unknown): TemplateResult {
  return html`<p class="lead">${text}</p>
    ${detail ? html`<p class="detail">${detail}</p>` : nothing}`
}
