import { formatField, type ParsedField, parseField } from './field-kinds.ts'
import {
  controlsIn,
  type FormControl,
  isBox,
  isDisabled,
  kindOf,
  nameOf,
  numberStyleOf,
  readControls,
  submitButtonsOf,
  writeControls,
} from './form-controls.ts'
import type { EntryValues } from './entry-merge.ts'

/**
 * The controls of a form as an entry of the service, by natural key, which is their `name`.
 *
 * The kind of a field is the `data-kind` of its control, or follows from the type of the input. Controls with
 * `data-kind="none"`, buttons, file inputs, hidden inputs without `data-kind` and controls without a name are not fields.
 * Controls may be replaced at any time, so they are found again for each call.
 */
export class FormFields {
  readonly #form: HTMLFormElement
  /** Values that their controls cannot show, with what these show instead. */
  readonly #unshown = new Map<string, { readonly value: unknown; readonly shown: string }>()
  /** The controls that `setReadOnly()` has locked, so that it unlocks no others. */
  readonly #locked = new Set<FormControl>()

  constructor(form: HTMLFormElement) {
    this.#form = form
  }

  /** The natural keys of all fields, in the order of the page. */
  get names(): readonly string[] {
    return [...this.#byName.keys()]
  }

  /**
   * The entry as it is on the screen: empty fields are null. A field is left out if its control is disabled, or if the
   * browser does not reveal what is entered. So the merge with a stored entry keeps the stored value. An entry that is
   * created needs all fields: `{ ...fields.empty(), ...fields.read() }`.
   */
  read(): Record<string, unknown> {
    const entry = new Map<string, unknown>()
    for (const [name, controls] of this.#byName) {
      const text = readEnabled(controls)
      if (text === undefined) continue
      const unshown = this.#unshown.get(name)
      if (unshown?.shown === text) entry.set(name, unshown.value)
      else entry.set(name, parse(controls, text).value)
    }
    return Object.fromEntries(entry)
  }

  /** An entry with null for each field. */
  empty(): Record<string, unknown> {
    return Object.fromEntries(this.names.map((name) => [name, null]))
  }

  /**
   * Shows the values of an entry. Fields that the entry lacks remain as they are. `read()` returns a value that its
   * control cannot show, such as a radio button that does not exist, until someone changes the field.
   */
  write(entry: EntryValues): void {
    for (const [name, controls] of this.#byName) {
      if (!Object.hasOwn(entry, name)) continue
      const value = entry[name] ?? null
      // Custom elements may load later. Until then, nobody can have changed them.
      const late = controls.find((control) => control.matches(':not(:defined)'))
      if (late) {
        void customElements.whenDefined(late.localName).then(() => this.write({ [name]: value }))
        continue
      }
      writeControls(controls, format(controls, value))
      const shown = readControls(controls) ?? ''
      if (JSON.stringify(parse(controls, shown).value) === JSON.stringify(value)) this.#unshown.delete(name)
      else this.#unshown.set(name, { value, shown })
    }
  }

  /**
   * Returns the fields that are not valid as far as the page can know, with codes of the service (spec, Errors) if a
   * required field is empty or a text does not have the shape of its kind, or else with the message of the browser.
   */
  problems(): Record<string, readonly string[]> {
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
      else if (this.#unshown.get(name)?.shown !== text && !parse(controls, text).isValid)
        found.set(name, ['validation.badAnswerType'])
      else if (invalid) found.set(name, [message])
    }
    return Object.fromEntries(found)
  }

  /** The control of a field that takes focus: of several, the chosen one or else the first. */
  controlOf(name: string): FormControl | undefined {
    const controls = this.controlsOf(name)
    return controls.find((control) => isBox(control) && control.checked) ?? controls[0]
  }

  /** All controls of a field. Radio buttons and checkboxes may be several. */
  controlsOf(name: string): readonly FormControl[] {
    return this.#byName.get(name) ?? []
  }

  /**
   * Locks all fields and the buttons that submit them, or unlocks those that this method has locked. People can still reach
   * and copy the text of most fields. Call it again after controls were replaced.
   */
  setReadOnly(isReadOnly: boolean): void {
    const controls = [...this.#byName.values()].flat()
    for (const control of isReadOnly ? [...controls, ...submitButtonsOf(this.#form)] : this.#locked) {
      const property = canBeReadOnly(control) ? 'readOnly' : 'disabled'
      if (isReadOnly === Boolean(control[property])) continue
      control[property] = isReadOnly
      if (isReadOnly) this.#locked.add(control)
    }
    if (!isReadOnly) this.#locked.clear()
  }

  /** The controls of each field, in the order of the page. */
  get #byName(): ReadonlyMap<string, readonly FormControl[]> {
    const found = new Map<string, FormControl[]>()
    for (const control of controlsIn(this.#form)) {
      const name = nameOf(control)
      found.set(name, [...(found.get(name) ?? []), control])
    }
    return found
  }
}

/** The first control of a field has its kind. */
function parse([control]: readonly FormControl[], text: string): ParsedField {
  return control ? parseField(text, kindOf(control), numberStyleOf(control)) : { value: null, isValid: true }
}

function format([control]: readonly FormControl[], value: unknown): string {
  return control ? formatField(value, kindOf(control), numberStyleOf(control)) : ''
}

/** Returns the text of a field, or `undefined` if nobody can enter it or the browser does not reveal it. */
function readEnabled(controls: readonly FormControl[]): string | undefined {
  const enabled = controls.filter((control) => control.matches(':defined') && !isDisabled(control))
  return enabled.length > 0 ? readControls(enabled) : undefined
}

function canBeReadOnly(control: FormControl): boolean {
  return control instanceof HTMLInputElement
    ? !/^(checkbox|radio|range|color|hidden|submit)$/.test(control.type)
    : 'readOnly' in control
}
