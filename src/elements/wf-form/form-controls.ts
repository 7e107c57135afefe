import { type FieldKind, fieldKinds } from '../../contract/values/values.ts'
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

/** Whether a control is a field of the entry. With a `data-kind`, hidden inputs and outputs are. */
function isField(control: FormControl): boolean {
  const { kind } = control.dataset
  if (!nameOf(control) || kind === 'none') return false
  // The type of an `<object>` is that of its content.
  return kind !== undefined || (control.localName !== 'object' && !notFields.has(control.type ?? ''))
}

/** Returns the natural key of a control's field. */
export function nameOf(control: FormControl): string {
  return control.getAttribute('name') ?? control.name ?? ''
}

/** Returns the kind of a control's field: `data-kind`, the `level` of `<wf-office>`, or what the type of an input implies. */
export function kindOf(control: FormControl): FieldKind {
  const kind = control.dataset.kind ?? control.getAttribute('level') ?? control.type
  return fieldKinds.find((known) => known === kind) ?? 'text'
}

/** Returns the controls of a form, in the order of the page. Custom elements that have not loaded come last. */
export function controlsIn(form: HTMLFormElement): FormControl[] {
  const listed = form.elements as Iterable<Element> as Iterable<FormControl>
  const late = form.querySelectorAll<FormControl>(
    ':is(wf-office, fs-uploader, [data-kind])[name]:not(:defined)',
  )
  return [...listed, ...late].filter(isField)
}

/** Returns the buttons that submit a form, also those outside of it. */
export function submitButtonsOf(form: HTMLFormElement): FormControl[] {
  return [...(form.elements as Iterable<Element> as Iterable<FormControl>)].filter(
    ({ type }) => type === 'submit',
  )
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
  const has = (value: string) =>
    value !== '' && (separator + text + separator).includes(separator + value + separator)
  for (const control of controls) {
    if (isBox(control)) {
      control.checked =
        control.type === 'radio' || controls.length === 1 ? control.value === text : has(control.value)
    } else if (control instanceof HTMLSelectElement) {
      const isChosen = control.multiple ? has : (value: string) => value === text
      const options = [...control.options]
      if (text !== '' && !options.some(({ value }) => isChosen(value))) {
        control.append(new Option(text, text))
      }
      for (const option of control.options) option.selected = isChosen(option.value)
    } else {
      control.value = text
    }
  }
}
