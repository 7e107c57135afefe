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
  readsOf,
  same,
  valueOf,
} from './field-state.ts'
import { afterWriting, judge, noOrigins, type Origins, textOf } from './origins.ts'

/** The state of a form. */
export interface FormState {
  readonly fields: Fields
  /** The values that the page wrote into its controls. */
  readonly own: EntryValues
  /** Values that are being sent, or may have been sent: the service may have them soon. */
  readonly sending: EntryValues
  /** Who changes the controls. Absent until something has happened. */
  readonly origins?: Origins
}

/** An event in the life of a form. */
export type FormEvent =
  /** The screen, as it is now. `isInEditor`: the person is in an editor of the form. */
  | { readonly type: 'read'; readonly readings: Readings; readonly isInEditor?: boolean }
  /** The screen, after the effect `show`. */
  | {
      readonly type: 'filled'
      readonly readings: Readings
      readonly values: EntryValues
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
  /** The page has another form in the place of this one. */
  | { readonly type: 'replaced' }
  /** A control of a field has fired an event, so that what it contains counts as entered. */
  | { readonly type: 'entered'; readonly name: string }
  /** Somebody does something on the page, so scripts may change fields for them from now on. */
  | { readonly type: 'touched' }
  /** The form is about to be sent. The screen, before the page learns of it. */
  | { readonly type: 'pressed'; readonly readings: Readings }
  /** A press is being carried out. What scripts change from now on is not the person's. */
  | { readonly type: 'submitting' }

/** Something to do after an event. */
export type Effect =
  /** Writes values as a person would, then dispatches `filled` and `read`. */
  | { readonly do: 'show'; readonly values: EntryValues; readonly isStored: boolean }
  /** Empties the form, in which all controls are new next. */
  | { readonly do: 'empty' }

type Next = readonly [FormState, ...Effect[]]

/** Returns what an event changes, and what follows from it. */
export function next(state: FormState, event: FormEvent): Next {
  const { fields, own, sending, origins = noOrigins } = state
  const origin = (now: Partial<Origins>): Next => [{ ...state, origins: { ...origins, ...now } }]
  switch (event.type) {
    case 'read': {
      const isEditing = event.isInEditor && { hasUsedEditor: true, isUntouched: false }
      const { judged, ...seen } = judge({ ...origins, ...isEditing }, fields, own, event.readings)
      const found = [...judged].filter(
        ([name, { isFresh, value }]) => isFresh && !fields.has(name) && value !== undefined,
      )
      const isNew = found.some(([name]) => !Object.hasOwn(own, name))
      const values = isNew
        ? { ...Object.fromEntries(found.map(([name, { value }]) => [name, value])), ...own }
        : own
      const now = { ...state, own: values, ...seen }
      return changed(now, afterReading(fields, judged, sending), event.readings)
    }
    case 'filled': {
      const { readings, values, isStored } = event
      const now = { ...state, origins: afterWriting(origins, readings, values) }
      return changed(now, afterFilling(fields, readings, values, isStored))
    }
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
      return [{ fields: new Map(), own, sending: {} }, { do: 'empty' }]
    case 'replaced':
      return origin(noOrigins)
    case 'entered':
      return origin({ entered: [...origins.entered, event.name] })
    case 'touched':
      return origin({ isUntouched: false, refused: new Set() })
    case 'pressed':
      return origin({ atSubmit: event.readings })
    case 'submitting':
      return origin({ isUntouched: true })
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

/** `readings`: what the controls contain, if it is not known from the fields of the state. */
function changed(state: FormState, { fields, shows, types }: FieldChange, readings?: Readings): Next {
  const effects: Effect[] = []
  // The page learns once of each value.
  const stored = Object.entries(shows).filter(([name]) => !Object.hasOwn(types, name))
  if (stored.length > 0) effects.push({ do: 'show', values: Object.fromEntries(stored), isStored: true })
  if (Object.keys(types).length > 0) effects.push({ do: 'show', values: types, isStored: false })
  const earlier = new Set(state.origins?.earlier)
  for (const name of Object.keys({ ...shows, ...types })) {
    const content = readings ? readings.get(name)?.value : readsOf(state.fields.get(name))
    if (content !== undefined) earlier.add(textOf(name, content))
  }
  return [{ ...state, fields, origins: { ...noOrigins, ...state.origins, earlier } }, ...effects]
}
