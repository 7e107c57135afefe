import type { EntryValues } from './entry-merge.ts'
import {
  afterChoice,
  afterCopy,
  afterDiscard,
  afterEntry,
  afterFilling,
  afterReading,
  afterSaving,
  type Field,
  type FieldChange,
  type Fields,
  type Kept,
  type Readings,
  same,
  valueOf,
} from './field-state.ts'

/** The state of a form. */
export interface FormState {
  readonly fields: Fields
  /** The values that the page wrote into its controls. */
  readonly own: EntryValues
  /** Values that are being sent, or may have been sent: the service may have them soon. */
  readonly sending: EntryValues
}

/** An event in the life of a form. */
export type FormEvent =
  /** The screen, as it is now. */
  | { readonly type: 'read'; readonly readings: Readings }
  /** The screen, after the effect `show`. */
  | {
      readonly type: 'filled'
      readonly readings: Readings
      readonly written: EntryValues
      readonly isStored: boolean
    }
  /** Another package was loaded, and the copy of it. The entry contains the sub-type. `isOther`: the screen showed another one. */
  | { readonly type: 'opened'; readonly entry: EntryValues; readonly kept: Kept; readonly isOther: boolean }
  /** The package was loaded again. */
  | { readonly type: 'loaded'; readonly entry: EntryValues }
  /** Another tab of the person has changed the copy. */
  | { readonly type: 'copied'; readonly kept: Kept }
  /** The person begins with the values of an earlier request. */
  | { readonly type: 'copiedFrom'; readonly values: EntryValues }
  | { readonly type: 'sending'; readonly values: EntryValues }
  /** The service has the entry, which contained the values that were `sent`. */
  | { readonly type: 'stored'; readonly entry: EntryValues; readonly sent: EntryValues }
  /** The person has decided about conflicts with an entry of the service. */
  | {
      readonly type: 'chosen'
      readonly theirs: EntryValues
      readonly choices: Readonly<Record<string, 'mine' | 'theirs'>>
    }
  | { readonly type: 'discarded' | 'emptied' }

/** Something to do after an event. */
export type Effect =
  /** Writes values as a person would, then dispatches `filled` and `read`. */
  | { readonly do: 'show'; readonly values: EntryValues; readonly isStored: boolean }
  /** Empties the form, in which all controls are new next. */
  | { readonly do: 'empty' }

type Next = readonly [FormState, ...Effect[]]

/** Returns what an event changes, and what follows from it. */
export function next(state: FormState, event: FormEvent): Next {
  const { fields, own, sending } = state
  switch (event.type) {
    case 'read': {
      const found = [...event.readings].filter(
        ([name, { isFresh, value }]) => isFresh && !fields.has(name) && value !== undefined,
      )
      const isNew = found.some(([name]) => !Object.hasOwn(own, name))
      const values = isNew
        ? { ...Object.fromEntries(found.map(([name, { value }]) => [name, value])), ...own }
        : own
      return changed({ ...state, own: values }, afterReading(fields, event.readings, sending))
    }
    case 'filled':
      return changed(state, afterFilling(fields, event.readings, event.written, event.isStored))
    case 'opened': {
      const known = event.isOther ? returned(own) : { fields, shows: {} }
      const followed = afterEntry(known.fields, event.entry, true)
      const restored = afterCopy(followed.fields, event.kept, false)
      return changed({ ...state, sending: {} }, { ...restored, shows: { ...known.shows, ...followed.shows } })
    }
    case 'loaded':
      return changed(state, afterEntry(fields, event.entry))
    case 'copied':
      return changed(state, afterCopy(fields, event.kept, true))
    case 'copiedFrom':
      return changed(state, afterCopy(fields, { entry: event.values }, false))
    case 'sending':
      return [{ ...state, sending: event.values }]
    case 'stored':
      return changed({ ...state, sending: {} }, afterSaving(fields, event.entry, event.sent))
    case 'chosen':
      return changed(state, afterChoice(fields, event.theirs, event.choices))
    case 'discarded':
      return changed(state, afterDiscard(fields))
    case 'emptied':
      return [{ ...state, fields: new Map(), sending: {} }, { do: 'empty' }]
  }
}

/** Whether a person has typed something that the service does not have. Disabled fields are not sent. */
export function isChanged({ fields }: FormState): boolean {
  return [...fields.values()].some((field) => field.is === 'typed' && !field.isOff)
}

/** Whether a control shows a value of the service that it cannot contain. Nobody here can mend it. */
export function isUnshown(field: Field | undefined): boolean {
  if (field === undefined || field.is === 'stored') return false
  return !same(valueOf(field), (field.is === 'typed' ? field.typed : field.base).reads)
}

/** The form as the page wrote it. */
function returned(own: EntryValues): { readonly fields: Fields; readonly shows: EntryValues } {
  const fields = Object.entries(own).map(
    ([name, reads]) => [name, { is: 'shown', base: { value: undefined, reads } }] as const,
  )
  return { fields: new Map(fields), shows: own }
}

function changed(state: FormState, { fields, shows, types }: FieldChange): Next {
  const effects: Effect[] = []
  // The page learns once of each value.
  const stored = Object.entries(shows).filter(([name]) => !Object.hasOwn(types, name))
  if (stored.length > 0) effects.push({ do: 'show', values: Object.fromEntries(stored), isStored: true })
  if (Object.keys(types).length > 0) effects.push({ do: 'show', values: types, isStored: false })
  return [{ ...state, fields }, ...effects]
}
