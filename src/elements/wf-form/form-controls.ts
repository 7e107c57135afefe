import { type FieldKind, fieldKinds } from '../../contract/values/values.ts'
import { elementsOf } from '../element/form-element.ts'
import { languageOf, validTag } from '../text/language.ts'
import type { NumberStyle } from './field-kinds.ts'

/** A control of a form: an input, a select, a textarea, an output, or a form-associated custom element. */
export interface FormControl extends HTMLElement {
  readonly name?: string
  readonly type?: string
  readonly form?: HTMLFormElement | null
  readonly validity?: ValidityState
  readonly validationMessage?: string
  readonly labels?: NodeListOf<HTMLLabelElement> | null
  readOnly?: boolean
  disabled?: boolean
  /** A list if the control has several values, such as `<fs-uploader>`. */
  value?: string | readonly string[]
}

/** Separates the values of a field that has several, such as a group of checkboxes. The service stores one text. */
const separator = ', '

/** The events of native controls and of the elements of this package when people change a value. */
export const editEvents = ['input', 'change', 'fs-change']

/** Types of controls that are not fields: buttons, files, and hidden ones, which carry tokens of the site. */
const notFields = new Set(['submit', 'reset', 'button', 'image', 'file', 'hidden', 'fieldset', 'output'])

/** Whether a control is a field of the entry. With a `data-kind` or a `data-field`, hidden inputs and outputs are. */
function isField(control: FormControl): boolean {
  const { kind, field } = control.dataset
  if (!nameOf(control) || kind === 'none') return false
  if (kind !== undefined || field !== undefined) return true
  // A calendar may hide the input that has the label, and show another one.
  if (control.type === 'hidden') return isLabelled(control)
  // The type of an `<object>` is that of its content.
  return control.localName !== 'object' && !notFields.has(control.type ?? '')
}

function isLabelled(control: FormControl): boolean {
  const root = control.getRootNode() as Document | ShadowRoot
  return control.id !== '' && root.querySelector(`label[for="${CSS.escape(control.id)}"]`) !== null
}

/** Returns the natural key of a control's field: `data-field`, or else its name. */
export function nameOf(control: FormControl): string {
  return control.dataset['field'] ?? control.getAttribute('name') ?? control.name ?? ''
}

/**
 * Returns the kind of a control's field: `data-kind`, the `level` of `<wf-office>`, or what the type of an input implies. A number
 * whose `step` has decimals is an amount.
 */
export function kindOf(control: FormControl): FieldKind {
  const wanted = control.dataset.kind ?? control.getAttribute('level') ?? control.type
  const kind = fieldKinds.find((known) => known === wanted) ?? 'text'
  const step = control.getAttribute('step') ?? ''
  return kind === 'number' && (step === 'any' || Number(step) % 1 !== 0) ? 'currency' : kind
}

/** Returns the controls of a form, in the order of the page. Custom elements that have not loaded come last. */
export function controlsIn(form: HTMLFormElement): FormControl[] {
  const late = Element.prototype.querySelectorAll.call(
    form,
    ':is(wf-office, fs-uploader, [data-kind])[name]:not(:defined)',
  )
  return ([...elementsOf(form), ...late] as FormControl[]).filter(isField)
}

/** Returns the buttons that submit a form, also those outside of it. */
export function submitButtonsOf(form: HTMLFormElement): FormControl[] {
  return (elementsOf(form) as FormControl[]).filter(({ type }) => type === 'submit')
}

/** Returns how a control writes numbers: in the language of the page, but `<input type="number">` in plain form. */
export function numberStyleOf(control: FormControl): NumberStyle {
  if (control.type === 'number' || control.type === 'range' || isChoice(control)) return null
  return validTag(languageOf(control))
}

/** Whether a control can be chosen or not, so that its value is set by the page author. */
export function isChoice(control: FormControl): boolean {
  return isBox(control) || control instanceof HTMLSelectElement
}

/** Whether a control is a checkbox or a radio button. */
export function isBox(control: FormControl): control is HTMLInputElement {
  return control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')
}

/** Whether a person or a fieldset has taken the control out of the form. */
export function isDisabled(control: FormControl): boolean {
  return control.matches(':disabled')
}

/**
 * Returns the text of a field's controls; empty if nothing is entered or chosen, and `undefined` if the browser does not
 * reveal what is entered, as with letters in `<input type="number">`.
 */
export function readControls(controls: readonly FormControl[]): string | undefined {
  const texts: string[] = []
  for (const control of controls) {
    if (control.validity?.badInput) return undefined
    if (isBox(control)) {
      if (control.checked) texts.push(control.value)
    } else if (control instanceof HTMLSelectElement) {
      texts.push(...[...control.selectedOptions].map(({ value }) => value))
    } else {
      texts.push(...[control.value ?? ''].flat())
    }
  }
  return texts.filter((text) => text !== '').join(separator)
}

/** Shows a text in the controls of a field. An option that a select lacks is added to it. */
export function writeControls(controls: readonly FormControl[], text: string): void {
  const chosen = chosenOf(text, controls.flatMap(choicesOf))
  for (const control of controls) {
    if (isBox(control)) {
      const isSingle = control.type === 'radio' || controls.length === 1
      control.checked = isSingle ? control.value === text : chosen.has(control.value)
    } else if (control instanceof HTMLSelectElement) {
      const isChosen = (value: string) => (control.multiple ? chosen.has(value) : value === text)
      const hasChoice = [...control.options].some(({ value }) => isChosen(value))
      if (text !== '' && !hasChoice) control.append(new Option(text, text))
      for (const option of control.options)
        option.selected = hasChoice ? isChosen(option.value) : text !== '' && option.value === text
    } else {
      control.value = text
    }
  }
}

function choicesOf(control: FormControl): readonly string[] {
  if (isBox(control)) return [control.value]
  return control instanceof HTMLSelectElement ? [...control.options].map(({ value }) => value) : []
}

/**
 * Returns which of the values a text contains. Values may contain the separator, so whole values are matched first, the longest
 * before the others.
 */
function chosenOf(text: string, values: readonly string[]): ReadonlySet<string> {
  const known = [...new Set(values)].filter(Boolean).toSorted((one, other) => other.length - one.length)
  const split = (rest: string): readonly string[] | undefined => {
    for (const value of known) {
      if (rest === value) return [value]
      const others = rest.startsWith(value + separator) && split(rest.slice(value.length + separator.length))
      if (others) return [value, ...others]
    }
    return undefined
  }
  return new Set(split(text) ?? text.split(separator).filter(Boolean))
}
