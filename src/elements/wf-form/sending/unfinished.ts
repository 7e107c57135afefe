import { html, nothing, type TemplateResult } from 'lit'
import type { FieldErrors } from '../../../client/index.ts'
import type { Texts } from '../../../locales/messages.ts'
import { captionOf, labelOf } from '../fields/field-captions.ts'
import { goTo, idOf } from '../fields/field-problems.ts'
import { type Fields, screenOf } from '../state/field-state.ts'
import { isDisabled } from '../fields/form-controls.ts'
import type { FormFields } from '../fields/form-fields.ts'

/** What the service refuses in a draft: problems, and the fields that only have to be filled in. */
interface Refusal {
  readonly errors: FieldErrors
  /** The natural keys of the fields, in the order of the page. */
  readonly unfinished: readonly string[]
}

/** Tells what is wrong with a draft from what it only lacks so far, and what the person can enter on this page. */
export function refusalOf(errors: FieldErrors, fields: FormFields, known: Fields): Refusal {
  const screen = screenOf(known)
  const isUnfinished = (name: string) =>
    errors[name]?.every((code) => code === 'validation.required') &&
    isEmpty(screen[name]) &&
    canBeEntered(name, fields)
  const unfinished = fields.names.filter(isUnfinished)
  const others = Object.entries(errors).filter(([name]) => !unfinished.includes(name))
  return { errors: Object.fromEntries(others), unfinished }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined
}

function canBeEntered(name: string, fields: FormFields): boolean {
  return fields.controlsOf(name).some((control) => control.type !== 'hidden' && !isDisabled(control))
}

interface UnfinishedOptions {
  /** The natural keys of the fields without which the service does not save a draft. */
  readonly names: readonly string[]
  readonly fields: FormFields
  readonly known: Fields
  /** Whether the browser keeps what is typed. */
  readonly isKept: boolean
  readonly messages: Texts['formOutcome']
}

/** Renders what else the service needs to save a draft, with links to the fields that are still empty. */
export function renderUnfinished(options: UnfinishedOptions): TemplateResult | typeof nothing {
  const { names, fields, known, isKept, messages } = options
  const screen = screenOf(known)
  const empty = names.filter((name) => isEmpty(screen[name]))
  if (empty.length === 0) return nothing
  return html`<div class="notice" part="unfinished" role="group" aria-labelledby="unfinished" tabindex="-1">
    <p id="unfinished">${isKept ? `${messages.keptHere} ` : nothing}${messages.alsoEnter}</p>
    <ul>
      ${empty.map((name) => renderLink(name, fields))}
    </ul>
  </div>`
}

function renderLink(name: string, fields: FormFields): unknown {
  const control = fields.controlOf(name)
  if (!control) return nothing
  const onClick = (event: Event) => {
    event.preventDefault()
    goTo(control, captionOf(fields, name) ?? control)
  }
  return html`<li><a href="#${idOf(control)}" @click=${onClick}>${labelOf(fields, name)}</a></li>`
}
