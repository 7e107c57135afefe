import {
  elementsOf,
  isChecked as isCheckedByPage,
  resetForm,
  submitButtonsOf,
  writtenForms,
} from '../../element/form-element.ts'
import { formatField, type ParsedField, parseField } from './field-kinds.ts'
import {
  controlsIn,
  fileInputsOf,
  fireEdit,
  type FormControl,
  isBox,
  isForAttachments,
  isDisabled,
  isSecret,
  kindOf,
  languageStyleOf,
  nameOf,
  numberStyleOf,
  optionsOf,
  readControls,
  writeControls,
} from './form-controls.ts'
import type { EntryValues } from '../state/entry-merge.ts'
import type { Reading, Readings } from '../state/field-state.ts'
import { purposesOf } from './form-buttons.ts'
import type { Lock } from './form-hints.ts'
import { Locks } from './locks.ts'
import { Press } from './press.ts'
import type { Intent } from '../state/request-state.ts'

export { DraftKeeper } from '../kept/draft-keeper.ts'
export { isChanged, next } from '../state/form-state.ts'
export { keptOf, secretsOf } from '../state/field-state.ts'
export { lockOf, renderHints } from './form-hints.ts'
export { draftInAddress, leaveDraft, markSubmitted, readMark, removeMark } from '../kept/page-history.ts'
export { watchValues } from './watch-values.ts'

/**
 * The controls of a form as an entry of the service, by natural key, which is their `name`.
 *
 * The kind of a field is the `data-kind` of its control, or follows from the type of the input. Controls with
 * `data-kind="none"`, buttons, file inputs, hidden inputs without `data-kind` and controls without a name are not fields.
 * Controls may be replaced at any time, so they are found again for each call.
 */
export class FormFields {
  readonly #form: HTMLFormElement
  readonly #within: Element
  /** The controls and options that were on the page before, with the key under which each was read. */
  #known = new WeakMap<Element, string>()
  readonly #locks = new Locks()
  readonly press: Press

  /** `within` contains the fields if the form has others as well. */
  constructor(form: HTMLFormElement, within: Element = form) {
    this.#form = form
    this.#within = within
    this.press = new Press(form)
  }

  /** The natural keys of all fields, in the order of the page. */
  get names(): readonly string[] {
    return [...this.#byName.keys()]
  }

  /** Reads all fields: empty ones are null. Controls that have appeared since the last time are new once. */
  read(): Readings {
    return this.#look(true)
  }

  /** Does the same as `read()`, but new controls stay new. */
  peek(): Readings {
    return this.#look(false)
  }

  #look(isClaiming: boolean): Readings {
    const readings = new Map<string, Reading>()
    const byName = this.#byName
    for (const [name, controls] of byName) {
      const defined = controls.filter((control) => control.matches(':defined'))
      if (defined.length === 0) continue
      const text = readUsable(defined)
      const news = defined.filter((one) => this.#isNew(one)).length
      readings.set(name, {
        value: text === undefined ? undefined : parse(controls, text).value,
        newControls: news === 0 ? undefined : news === defined.length ? 'all' : 'some',
        newChoices: (defined[0]?.type === 'select-one' ? optionsOf(defined[0]) : [])
          .filter((one) => this.#isNew(one))
          .map((one) => parse(controls, one.value).value),
        isOff: defined.every(isDisabled),
        isSecret: controls.some(isSecret),
      })
      if (!isClaiming) continue
      // A list of rows numbers the others again when one has gone.
      for (const control of defined) {
        const earlier = this.#known.get(control) ?? name
        if (!byName.has(earlier)) readings.set(earlier, { value: null, isGone: true })
      }
      this.#claim(name, defined)
    }
    return readings
  }

  #isNew(element: Element): boolean {
    return !this.#known.has(element)
  }

  #claim(name: string, controls: readonly FormControl[]): void {
    for (const control of controls) {
      if (!control.matches(':defined')) continue
      for (const one of [control, ...optionsOf(control)]) this.#known.set(one, name)
    }
  }

  /** Returns the key of a control that has fired an event. If a person has caused it, the control is not filled as a new one. */
  entered(control: FormControl, isOwn: boolean): string | undefined {
    const name = nameOf(control)
    const controls = this.controlsOf(name)
    if (!controls.includes(control)) return undefined
    if (isOwn) this.#claim(name, controls)
    return name
  }

  /** Whether the person is in an editor of the form. */
  get isInEditor(): boolean {
    const { activeElement } = document
    return (
      activeElement !== null &&
      isEditor(activeElement) &&
      Node.prototype.contains.call(this.#form, activeElement)
    )
  }

  /** Empties the form, in which all controls are new next. The rest of a form with other fields stays: `own` is what the page wrote. */
  empty(own: EntryValues): void {
    if (this.#within === this.#form) resetForm(this.#form)
    else {
      this.write(own)
      this.emptyFiles()
    }
    this.forget()
  }

  /** Forgets which controls are known. */
  forget(): void {
    this.#known = new WeakMap()
  }

  /**
   * Shows the values of an entry, and tells the page as if a person had entered them. Fields that the entry lacks remain as they
   * are. A control may not be able to show a value, such as a radio button that does not exist.
   */
  write(entry: EntryValues): void {
    const written = [...this.#byName].flatMap(([name, controls]) => {
      if (!Object.hasOwn(entry, name)) return []
      const value = entry[name] ?? null
      // Custom elements may load later. Until then, nobody can have changed them.
      const late = controls.find(isUndefined)
      if (!late) return [{ controls, text: format(controls, value) }]
      void customElements.whenDefined(late.localName).then(() => this.write({ [name]: value }))
      return []
    })
    // All values stand before the page learns of the first.
    const changed = new Set(written.flatMap(({ controls, text }) => writeControls(controls, text)))
    writtenForms.add(this.#form)
    // The page may draw its controls again after each event, so its reaction to one value may take back others.
    for (const { controls, text } of [...written, ...written]) {
      for (const control of writeControls(controls, text)) changed.add(control)
      for (const control of controls) if (changed.delete(control)) fireEdit(control)
    }
    writtenForms.delete(this.#form)
  }

  /**
   * Returns the fields that are not valid as far as the page can know, with codes of the service (spec, Errors) if a
   * required field is empty or a text does not have the shape of its kind, or else with the message of the browser. `unshown`
   * contains the keys whose values cannot be shown.
   */
  problems(unshown: readonly string[] = []): Record<string, readonly string[]> {
    const found = new Map<string, readonly string[]>()
    for (const [name, controls] of this.#byName) {
      if (controls.every(isDisabled)) continue
      const text = readControls(controls)
      const invalid = controls.find(({ validity }) => validity?.valid === false)
      const validity = invalid?.validity
      const message = invalid?.validationMessage ?? ''
      if (validity?.customError) found.set(name, [message])
      else if (text === undefined || validity?.typeMismatch) found.set(name, ['validation.badAnswerType'])
      else if (validity?.valueMissing) found.set(name, ['validation.required'])
      else if (!unshown.includes(name) && !parse(controls, text).isValid)
        found.set(name, ['validation.badAnswerType'])
      // The title describes the pattern.
      else if (invalid)
        found.set(name, [validity?.patternMismatch ? `${message} ${invalid.title}`.trim() : message])
    }
    return Object.fromEntries(found)
  }

  /** The controls that people see, that are not fields, and that the page refuses as they are, such as a repeated address. */
  get refused(): readonly HTMLInputElement[] {
    if (!isCheckedByPage(this.#form)) return []
    const fields = new Set([...this.#byName.values()].flat())
    return (elementsOf(this.#form) as HTMLInputElement[]).filter(
      (one) =>
        this.#isOwn(one) &&
        !fields.has(one) &&
        one.type !== 'file' &&
        !one.localName.includes('-') &&
        one.willValidate &&
        !one.validity.valid &&
        one.checkVisibility({ visibilityProperty: true }),
    )
  }

  /** The control of a field that takes focus: of several, the chosen one or else the first. */
  controlOf(name: string): FormControl | undefined {
    const controls = this.controlsOf(name)
    return controls.find((control) => isBox(control) && control.checked) ?? controls[0]
  }

  /** Moves the focus to the first field that can have it. */
  focusFirst(): void {
    this.names.some((name) => {
      const control = this.controlOf(name)
      control?.focus()
      return control?.matches(':focus-within')
    })
  }

  /** Whether people see a control of the field. */
  isVisible(name: string): boolean {
    return this.controlsOf(name).some((control) => control.checkVisibility({ visibilityProperty: true }))
  }

  /** All controls of a field. Radio buttons and checkboxes may be several. */
  controlsOf(name: string): readonly FormControl[] {
    return this.#byName.get(name) ?? []
  }

  /**
   * Locks all fields and the buttons of the form, or only the buttons that submit it, if others save it. Unlocks what this method has
   * locked before and need not be locked now. Call it again after controls were replaced.
   */
  lock(lock: Lock): void {
    const controls = lock === 'all' ? [...[...this.#byName.values()].flat(), ...this.#fileInputs] : []
    this.#locks.set([...controls, ...this.#buttonsFor(lock)])
  }

  /** The names of the files in inputs for attachments that the service does not have yet. */
  get chosenFiles(): readonly string[] {
    return this.#fileInputs.flatMap(({ files }) => [...(files ?? [])].map(({ name }) => name))
  }

  emptyFiles(): void {
    for (const input of this.#fileInputs) input.value = ''
  }

  get #fileInputs(): readonly HTMLInputElement[] {
    return fileInputsOf(this.#form).filter((input) => isForAttachments(input) && this.#isOwn(input))
  }

  /** Whether a button submits the form. */
  get submits(): boolean {
    return this.#buttonsThat('submit').length > 0
  }

  /**
   * The purpose of a `submit` event without a button, which a script has caused: to save, if a button saves or scripts have several.
   * `undefined` if a button of the page may be meant.
   */
  get scriptedPurpose(): Intent | undefined {
    const buttons = submitButtonsOf(this.#form)
    const purposes = [...purposesOf(buttons).values()]
    const others = elementsOf(this.#form).filter((one) => (one as FormControl).type === 'button')
    if (buttons.length === 0 && others.length > 1) return 'save'
    return purposes.includes('save') ? 'save' : purposes.length === buttons.length ? 'submit' : undefined
  }

  #buttonsFor(lock: Lock): readonly FormControl[] {
    if (lock === 'all') return submitButtonsOf(this.#form).filter((one) => this.#isOwn(one))
    return lock === 'submit' && this.#buttonsThat('save').length > 0 ? this.#buttonsThat('submit') : []
  }

  #buttonsThat(intent: Intent): readonly FormControl[] {
    return [...purposesOf(submitButtonsOf(this.#form))].flatMap(([button, own]) =>
      own === intent && this.#isOwn(button) ? [button as FormControl] : [],
    )
  }

  #isOwn(control: Element): boolean {
    return this.#within === this.#form || this.#within.contains(control)
  }

  /** The controls of each field, in the order of the page. */
  get #byName(): ReadonlyMap<string, readonly FormControl[]> {
    const found = new Map<string, FormControl[]>()
    for (const control of controlsIn(this.#form)) {
      if (!this.#isOwn(control)) continue
      const name = nameOf(control)
      found.set(name, [...(found.get(name) ?? []), control])
    }
    return found
  }
}

/** Reads the controls that are not disabled, or all of them if all are. */
function readUsable(controls: readonly FormControl[]): string | undefined {
  const enabled = controls.filter((control) => !isDisabled(control))
  return readControls(enabled.length > 0 ? enabled : controls)
}

/** The first control of a field has its kind. */
function parse([control]: readonly FormControl[], text: string): ParsedField {
  if (!control) return { value: null, isValid: true }
  const parsed = parseField(text, kindOf(control), numberStyleOf(control))
  // A script may keep what people see in a hidden input.
  return parsed.isValid || control.type !== 'hidden'
    ? parsed
    : parseField(text, kindOf(control), languageStyleOf(control))
}

function format([control]: readonly FormControl[], value: unknown): string {
  return control ? formatField(value, kindOf(control), numberStyleOf(control)) : ''
}

/** Whether people can write in an element that is no control. */
function isEditor(element: Element): boolean {
  return element instanceof HTMLIFrameElement || (element instanceof HTMLElement && element.isContentEditable)
}

/** Whether a control is a custom element whose code has not loaded. happy-dom matches `:defined` with no element. */
function isUndefined(control: FormControl): boolean {
  return control.localName.includes('-') && control.matches(':not(:defined)')
}
