import { type EntryMerge, type EntryValues, mergeEntries } from './entry-merge.ts'
import type { FormFields } from './form-fields.ts'

/** The values that a person has entered into a form, and the entry of the service that it began with. */
export class Draft {
  readonly #fields: FormFields
  readonly #extras: () => readonly string[]
  /** The entry that the service had. Empty for a new request. */
  #base: EntryValues = {}
  /** The contents of the fields when they showed the base, in the form that they read it. */
  #shown: EntryValues
  readonly #blank: EntryValues

  /** `extras` returns the names of controls whose values are not part of the entry. */
  constructor(fields: FormFields, extras: () => readonly string[]) {
    this.#fields = fields
    this.#extras = extras
    this.#blank = this.#shown = fields.read()
  }

  /** The entry of the service that the person began with. */
  get base(): EntryValues {
    return this.#base
  }

  /** All values on the screen, also those that are not part of the entry. */
  get typed(): EntryValues {
    return this.#fields.read()
  }

  /** Whether the screen differs from what the service has. Disabled fields are not compared. */
  get isChanged(): boolean {
    return Object.entries(this.typed).some(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(this.#shown[name] ?? null),
    )
  }

  /** The fields of the entry as they are on the screen. A field that nobody has changed has exactly the value of the service. */
  get mine(): EntryValues {
    const extras = this.#extras()
    return Object.fromEntries(
      Object.entries(this.typed)
        .filter(([name]) => !extras.includes(name))
        .map(([name, value]) => {
          const isUntouched = JSON.stringify(value) === JSON.stringify(this.#shown[name])
          return [name, isUntouched && Object.hasOwn(this.#base, name) ? this.#base[name] : value]
        }),
    )
  }

  /** The entry to create a package with, which needs all fields. */
  get whole(): EntryValues {
    const empty = Object.entries(this.#fields.empty()).filter(([name]) => !this.#extras().includes(name))
    return { ...Object.fromEntries(empty), ...this.mine }
  }

  /** The values of the page before anybody typed. */
  get blank(): EntryValues {
    return this.#blank
  }

  /** Shows an entry of the service, other values that are part of it, and in their place what was typed. */
  show(base: EntryValues, others: EntryValues = {}, typed: EntryValues = {}): void {
    this.#base = base
    this.#fields.write({ ...base, ...others })
    this.#shown = this.typed
    this.#fields.write(typed)
  }

  /**
   * Takes note of what the service has now. It matters only if that contains everything that was typed: then it is saved, and
   * the fields that nobody has changed show what the service has.
   */
  refresh(entry: EntryValues): void {
    const { conflicts, entry: merged } = this.merge(entry)
    const isSame = Object.entries(merged).every(
      ([name, value]) => JSON.stringify(entry[name]) === JSON.stringify(value),
    )
    if (conflicts.length > 0 || !isSame) return
    const { mine } = this
    const isOld = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(mine[name])
    this.#fields.write(Object.fromEntries(Object.entries(entry).filter(isOld)))
    this.stored(entry, this.typed)
  }

  /** Merges what is on the screen with what the service has now. */
  merge(theirs: EntryValues): EntryMerge {
    return mergeEntries(this.#base, this.mine, theirs)
  }

  /** Notes that the service has an entry, which was sent when the screen contained `typed`. */
  stored(entry: EntryValues, typed: EntryValues): void {
    this.#base = entry
    this.#shown = typed
  }
}
