import { type FieldKind, fieldKinds } from '../../../contract/values/values.ts'
import { elementsOf } from '../../element/form-element.ts'
import { languageOf, validTag } from '../../text/language.ts'
import type { NumberStyle } from './field-kinds.ts'
import { joinParts, kindOfPart, splitParts } from './field-parts.ts'

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
  checked?: boolean
  /** A list if the control has several values, such as `<fs-uploader>`. */
  value?: string | readonly string[]
}

/** Separates the values of a field that has several, such as a group of checkboxes. The service stores one text. */
const separator = ', '

/** Types of controls that are not fields: buttons, files, and hidden ones, which carry tokens of the site. */
const notFields = new Set(['submit', 'reset', 'button', 'image', 'file', 'hidden', 'fieldset', 'output'])

/** Controls that have been passwords. Some pages make them readable for a while. */
const passwords = new WeakSet<FormControl>()

/** Controls that have been dates. Some pages make them text inputs with a calendar of their own. */
const dates = new WeakSet<FormControl>()

/** Whether a control is for something that only the person may keep: a password, a payment card, or a code that works once. */
export function isSecret(control: FormControl): boolean {
  const purpose = control.getAttribute('autocomplete') ?? ''
  return passwords.has(control) || /(?:^|\s)(?:cc-|one-time-code|\w+-password)/i.test(purpose)
}

/** Whether a control is a field of the entry. With a `data-kind` or a `data-field`, hidden inputs and outputs are. */
function isField(control: FormControl): boolean {
  const { kind, field } = control.dataset
  if (control.type === 'password') passwords.add(control)
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
  const { kind: own, part } = control.dataset
  if (control.type === 'date') dates.add(control)
  const type = dates.has(control) ? 'date' : control.type
  const wanted = own ?? (part && kindOfPart(part)) ?? control.getAttribute('level') ?? type
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

/**
 * Returns how a control writes numbers: in the language of the page, but `<input type="number">` and what only scripts read in plain
 * form.
 */
export function numberStyleOf(control: FormControl): NumberStyle {
  if (/^(?:number|range|hidden)$/.test(control.type ?? '') || control.dataset['part'] || isChoice(control))
    return null
  return languageStyleOf(control)
}

export function languageStyleOf(control: FormControl): NumberStyle {
  return validTag(languageOf(control))
}

/** Whether a control can be chosen or not, so that its value is set by the page author. */
export function isChoice(control: FormControl): boolean {
  return isBox(control) || control instanceof HTMLSelectElement
}

/** Whether a control is a checkbox or a radio button, or a custom element that can be checked, such as a switch. */
export function isBox(control: FormControl): boolean {
  if (!(control instanceof HTMLInputElement)) return typeof control.checked === 'boolean'
  return control.type === 'checkbox' || control.type === 'radio'
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
  if (controls.some(({ validity }) => validity?.badInput)) return undefined
  if (hasParts(controls))
    return joinParts(new Map(controls.map((control) => [partOf(control), textsIn(control).join('')])))
  return controls
    .flatMap(textsIn)
    .filter((text) => text !== '')
    .join(separator)
}

function textsIn(control: FormControl): readonly string[] {
  if (isBox(control)) return control.checked ? choicesOf(control) : []
  if (control instanceof HTMLSelectElement) return [...control.selectedOptions].map(({ value }) => value)
  return [control.value ?? ''].flat()
}

/** Returns which part of its value a control contains: its `data-part`. */
function partOf({ dataset }: FormControl): string {
  return dataset['part'] ?? ''
}

function hasParts(controls: readonly FormControl[]): boolean {
  return controls.some(partOf)
}

/**
 * Shows a text in the controls of a field, without an event. An option that a select lacks is added to it. Returns the controls that
 * have changed.
 */
export function writeControls(controls: readonly FormControl[], text: string): readonly FormControl[] {
  if (controls.length > 1 && readControls(controls) === text && !controls.some(hasRest)) return []
  const before = controls.map((control) => textsIn(control).join())
  if (hasParts(controls)) {
    const parts = splitParts(text)
    for (const control of controls) {
      const part = parts.get(partOf(control)) ?? ''
      const option = choicesOf(control).find((value) => value && part && Number(value) === Number(part))
      writeText([control], option ?? part)
    }
  } else writeText(controls, text)
  return controls.filter((control, at) => textsIn(control).join() !== before[at])
}

/** The texts of several rows that a control contains, because the page has not added the rows yet. */
const rests = new WeakMap<FormControl, string>()

function hasRest(control: FormControl): boolean {
  return rests.has(control) && rests.get(control) === control.value
}

function writeText(controls: readonly FormControl[], text: string): void {
  const choices = controls.flatMap(choicesOf)
  if (controls.length > 1 && controls.every(({ type }) => type === 'select-one')) {
    // Rows of a list, or copies of one control. Each shows one choice.
    const parts = chosenOf(text, choices)
    const lists = placesFor(parts, controls)
    for (const control of controls) {
      const own =
        control === lists.at(-1) ? parts.splice(0).join(separator) : lists.includes(control) && parts.shift()
      writeText([control], own || '')
    }
    return
  }
  const chosen = new Set(chosenOf(text, choices))
  const written = controls.filter((one) => !isChoice(one))
  const all = written.length > 1 ? text.split(separator) : [text]
  const inputs = placesFor(all, written)
  // Without those of the boxes, such as the text beside "Other". All rows of a list may have one name.
  const texts = choices.length > 0 ? [...chosen].filter((one) => !choices.includes(one)) : all
  for (const control of controls) {
    if (isBox(control)) {
      const [value = ''] = choicesOf(control)
      const isSingle = control.type === 'radio' || controls.length === 1
      assign(control, 'checked', isSingle ? value === text : chosen.has(value))
    } else if (control instanceof HTMLSelectElement) {
      const wanted = control.multiple ? chosen : new Set([text])
      const known = new Set(choicesOf(control))
      for (const value of wanted) if (value && !known.has(value)) control.append(new Option(value, value))
      for (const option of control.options) option.selected = wanted.has(option.value)
      // Browsers choose the first option otherwise.
      if (!text && !known.has('')) control.selectedIndex = -1
    } else {
      const isLast = control === inputs.at(-1)
      const own = isLast ? texts.splice(0).join(separator) : (inputs.includes(control) && texts.shift()) || ''
      assign(control, 'value', own)
      if (isLast && inputs.length > 1 && own.includes(separator)) rests.set(control, own)
      else rests.delete(control)
    }
  }
}

/**
 * Returns the controls that show texts, of several with one name. A page may have a control twice, for small and for large screens, or
 * a hidden row that it copies.
 */
function placesFor(texts: readonly string[], controls: readonly FormControl[]): readonly FormControl[] {
  const shown = controls.length > 1 ? controls.filter(isDisplayed) : []
  return shown.length > 0 && shown.length >= texts.length ? shown : controls
}

/** Whether the page displays a control, as soon as its form is shown. */
function isDisplayed(control: FormControl): boolean {
  for (let one: Element | null = control; one && one !== control.form; one = one.parentElement)
    if (getComputedStyle(one).display === 'none') return false
  return true
}

/** Sets a property where the browser has it. A framework may have replaced that of the control, to know what scripts write. */
function assign(control: FormControl, property: 'checked' | 'value', value: unknown): void {
  Reflect.set(Object.getPrototypeOf(control) as object, property, value, control)
}

/** Whether a text can be shown by controls as they are: choices may have changed since it was chosen. */
export function offers(controls: readonly FormControl[], text: string): boolean {
  if (!controls.every(isChoice) || hasParts(controls)) return true
  const choices = controls.flatMap(choicesOf)
  const isSingle = controls.some(({ type }) => type === 'radio' || type === 'select-one')
  return isSingle ? choices.includes(text) : chosenOf(text, choices).every((one) => choices.includes(one))
}

/** Returns the options of a list. */
export function optionsOf(control: Element | undefined): readonly HTMLOptionElement[] {
  return control instanceof HTMLSelectElement ? [...control.options] : []
}

/** Fires the events with which the page learns of a value, as if a person had entered it. */
export function fireEdit(control: FormControl): void {
  const isNative = control instanceof HTMLInputElement
  if (
    isNative &&
    isBox(control) &&
    !isDisabled(control) &&
    (control.checked || control.type === 'checkbox')
  ) {
    // Many scripts only listen to clicks of boxes.
    const { checked } = control
    assign(control, 'checked', !checked)
    control.click()
    if (control.checked !== checked) assign(control, 'checked', checked)
  } else if (!isNative || control.type !== 'radio' || isDisabled(control)) {
    // Old libraries replace `Event`.
    control.dispatchEvent(new UIEvent('input', { bubbles: true, composed: true }))
    // Some calendars and sums only follow keys, which the browser fires as well when it fills in a form.
    if (isNative || control instanceof HTMLTextAreaElement)
      control.dispatchEvent(new KeyboardEvent('keyup', { key: 'Unidentified', bubbles: true }))
    control.dispatchEvent(new UIEvent('change', { bubbles: true }))
  }
}

function choicesOf(control: FormControl): readonly string[] {
  if (isBox(control)) return [(control as HTMLInputElement).value ?? 'on']
  return optionsOf(control).map(({ value }) => value)
}

/**
 * Returns which of the values a text contains. Values may contain the separator, so whole values are matched first, the longest
 * before the others. Others end at the next separator.
 */
function chosenOf(text: string, values: readonly string[]): string[] {
  const known = [...new Set(values)].filter(Boolean).toSorted((one, other) => other.length - one.length)
  const split = (rest: string, isExact: boolean): readonly string[] | undefined => {
    const [first = ''] = rest.split(separator)
    for (const value of isExact ? known : [...known, first]) {
      if (rest === value) return [value]
      const others =
        rest.startsWith(value + separator) && split(rest.slice(value.length + separator.length), isExact)
      if (others) return [value, ...others]
    }
    return undefined
  }
  return (split(text, true) ?? split(text, false) ?? []).filter(Boolean)
}

/** Returns the file inputs of a form that can be used. Those with `data-kind="none"` belong to the page. */
export function fileInputsOf(form: HTMLFormElement): readonly HTMLInputElement[] {
  return elementsOf(form).filter(
    (element): element is HTMLInputElement =>
      element instanceof HTMLInputElement &&
      element.type === 'file' &&
      element.dataset['kind'] !== 'none' &&
      !element.matches(':disabled'),
  )
}

/** Whether the files of an input become attachments of the request. */
export function isForAttachments(input: HTMLInputElement): boolean {
  return input.dataset['attachmentType'] !== undefined
}
