import { html, nothing, type TemplateResult } from 'lit'
import { voidReasons } from '../../../contract/values/values.ts'
import type { Texts } from '../../../locales/messages.ts'
import type { ShownPackage } from '../../element/events.ts'
import type { ActionName } from './actions.ts'
import { voidReasonLabel } from '../labels.ts'

/** The problem with an input, as the key of a message. */
export type InputProblem = 'voidReasonMissing' | 'commentMissing'

/** The body of a request, or the problem with the input. */
type ActionInput = { readonly body?: object } | { readonly problem: InputProblem }

/** Reads the form of an action. `univid` is the person who gets a returned package. */
export function readActionForm(
  name: ActionName,
  form: FormData,
  found: ShownPackage,
  univid: string | undefined,
): ActionInput {
  const text = (field: string) => {
    const value = form.get(field)
    return typeof value === 'string' ? value.trim() : ''
  }
  const { id, subType = null } = found
  switch (name) {
    case 'routePackage':
      return { body: { state: 'ROUTING', subType } }
    case 'voidPackage': {
      const voidReason = text('reason')
      return voidReason ? { body: { id, state: 'VOID', voidReason } } : { problem: 'voidReasonMissing' }
    }
    case 'returnPackage':
      return { body: { univid } }
    case 'returnToInitiator': {
      const comment = text('comment')
      return comment ? { body: { comment } } : { problem: 'commentMissing' }
    }
    default:
      return {}
  }
}

/** Renders the controls of an action; most actions need none. `Recipient` renders those of `returnPackage`. */
export function renderControls(
  name: ActionName,
  messages: Texts['packageActions'],
  statusMessages: Texts['packageStatus'],
  isInvalid: boolean,
): TemplateResult | typeof nothing {
  switch (name) {
    case 'voidPackage':
      return html`
        <fieldset
          role="radiogroup"
          aria-labelledby="question"
          aria-describedby="error"
          aria-required="true"
          aria-invalid=${isInvalid}
        >
          <legend id="question">${messages.voidQuestion}</legend>
          ${voidReasons.map((reason) =>
            renderChoice('radio', 'reason', reason, voidReasonLabel(reason, statusMessages)),
          )}
        </fieldset>
      `
    case 'returnToInitiator':
      return html`
        <label class="field">
          ${messages.comment}
          <textarea
            name="comment"
            rows="4"
            aria-required="true"
            aria-invalid=${isInvalid}
            aria-describedby="hint error"
          ></textarea>
        </label>
        <p class="detail" id="hint">${messages.commentHint}</p>
      `
    case 'getPdf':
      return html`
        <fieldset aria-labelledby="title">
          ${(['includeRouting', 'mergeAttachments'] as const).map((part) =>
            renderChoice('checkbox', part, 'true', messages[part]),
          )}
        </fieldset>
      `
    default:
      return nothing
  }
}

function renderChoice(
  type: 'radio' | 'checkbox',
  name: string,
  value: string,
  label: string,
): TemplateResult {
  return html`
    <label>
      <input type=${type} name=${name} value=${value} />
      ${label}
    </label>
  `
}
