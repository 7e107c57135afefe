import { html, nothing, type TemplateResult } from 'lit'
import { formReview } from '../../../locales/en-form-review.ts'
import type { Texts } from '../../../locales/messages.ts'
import { messagesFor, messagesLanguage } from '../../text/messages.ts'
import { describeMissing, type MissingFacts } from '../../wf-package-status/missing.ts'
import { type Answer, type AnswerOptions, answersOf } from '../fields/answers.ts'
import type { FormFields } from '../fields/form-fields.ts'
import { reviewStyles } from './review.styles.ts'

/** The form that is reviewed. */
export interface ReviewHost extends AnswerOptions {
  readonly element: HTMLElement
  readonly fields: FormFields
  readonly isBusy: boolean
  /** Called to return to the form. `name` is the field to change. */
  readonly onBack: (name?: string) => void
  readonly onSubmit: () => void
}

/** The step before a submission: people check what they have entered, and who will get it. */
export class Review {
  static readonly styles = [reviewStyles]

  /** Fields that the page hides from the person, because they do not apply. */
  #hidden: ReadonlySet<string> = new Set()
  /** Facts about what the request lacks. */
  missing: MissingFacts | undefined

  /** Notes which fields the person sees. Call it while the form is shown. */
  begin(fields: FormFields): void {
    const isHidden = (name: string) => fields.controlsOf(name).every((one) => !one.checkVisibility())
    this.#hidden = new Set(fields.names.filter(isHidden))
  }

  /** Renders the answers, in place of the form. */
  renderAnswers(host: ReviewHost): TemplateResult {
    const t = textsOf(host)
    // Values of hidden fields are sent too, so they are shown.
    const answers = answersOf(host.fields, host, t).filter(
      ({ name, text }) => text || !this.#hidden.has(name),
    )
    return html`
      <div class="own" part="review" lang=${messagesLanguage(host.element)}>
        <h2 part="review-title" tabindex="-1">${t.title}</h2>
        <dl>${answers.map((answer) => renderAnswer(answer, t, host.onBack))}</dl>
      </div>
    `
  }

  /** Renders what follows the documents: the elements of the page for this step, and the buttons. */
  renderEnd(host: ReviewHost): TemplateResult {
    const { isBusy, onBack, onSubmit } = host
    const t = textsOf(host)
    const sentences = this.missing ? describeMissing(host.element, this.missing).sentences : []
    return html`
      <slot name="review"></slot>
      <div class="own end" lang=${messagesLanguage(host.element)}>
        ${
          sentences.length > 0
            ? html`<div class="notice" part="checks">${sentences.map((text) => html`<p>${text}</p>`)}</div>`
            : nothing
        }
        <p class="detail">${t.effect}</p>
        <div class="buttons">
          <button type="button" class="solid" part="submit" aria-disabled=${isBusy} @click=${onSubmit}>
            ${t.submit}
          </button>
          <button type="button" part="back" @click=${() => onBack()}>${t.back}</button>
        </div>
      </div>
    `
  }
}

function renderAnswer(
  { name, label, text }: Answer,
  t: Texts['formReview'],
  onChange: (name: string) => void,
): TemplateResult {
  return html`<div part="answer">
    <dt><bdi>${label}</bdi></dt>
    <dd class=${text ? nothing : 'empty'}>${text ? html`<bdi>${text}</bdi>` : t.notEntered}</dd>
    <dd class="change">
      <button type="button" class="link" aria-label=${t.changeOf(label)} @click=${() => onChange(name)}>
        ${t.change}
      </button>
    </dd>
  </div>`
}

function textsOf({ element }: ReviewHost): Texts['formReview'] {
  return messagesFor(element, 'formReview', formReview)
}
