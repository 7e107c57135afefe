import { html, nothing, type TemplateResult } from 'lit'
import type { Texts } from '../../locales/messages.ts'
import type { Formatting } from '../text/format.ts'
import type { CardReads } from './card-reads.ts'
import type { Wait } from './missing.ts'

/** The messages of the facts, how their times are written, and what else is known about the package. */
export interface FactsContext {
  readonly messages: Texts['packageStatus']
  readonly common: Texts['common']
  /** How times and numbers are written; `undefined` in the first frame, which leaves their places empty. */
  readonly formatting: Formatting | undefined
  readonly reads: CardReads
  /** Whether the signed-in user made the request. */
  readonly isInitiator: boolean
  /** What a package in no inbox waits for, as far as that is known. */
  readonly wait: Wait | undefined
}

/** Keeps the place of a time or number in the first frame: about as wide as the text. */
export function renderPlace(text = '\u00a0'): TemplateResult {
  return html`<span class="place">${text}</span>`
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
