import { html, type TemplateResult } from 'lit'
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

/** Renders the sentence that a card leads with. */
export function renderLead(text: unknown): TemplateResult {
  return html`<p class="lead">${text}</p>`
}
