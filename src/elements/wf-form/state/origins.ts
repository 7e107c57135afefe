import type { EntryValues } from './entry-merge.ts'
import { type Fields, type Readings, readsOf, same } from './field-state.ts'

/** What is known of who changes the controls: a person, this form, or a script of the page by itself. */
export interface Origins {
  /** Whether nobody has done anything since values were written or a press began, so that only scripts change fields. */
  readonly isUntouched: boolean
  /** Whether the person has been in an editor, such as one in a frame. */
  readonly hasUsedEditor: boolean
  /** The keys whose controls have fired an event since the fields were read; all keys after values were written. */
  readonly entered: readonly string[]
  /** The fields when the form was about to be sent, until they are read again; `undefined` otherwise. */
  readonly atSubmit: Readings | undefined
  /** What scripts have written before anybody did anything. Each value is put right once. */
  readonly refused: ReadonlySet<string>
  /** What fields contained before values were written into them. */
  readonly earlier: ReadonlySet<string>
  /** The values written last: by this form, or by the page because of what a person did. */
  readonly given: ReadonlyMap<string, unknown>
}

/** Nobody has done anything with the form. */
export const noOrigins: Origins = {
  isUntouched: true,
  hasUsedEditor: false,
  entered: [],
  atSubmit: undefined,
  refused: new Set(),
  earlier: new Set(),
  given: new Map(),
}

/** Finds out which of the readings nobody has typed: they are fresh. `own`: the values that the page wrote into its controls. */
export function judge(
  origins: Origins,
  fields: Fields,
  own: EntryValues,
  readings: Readings,
): { readonly origins: Origins; readonly judged: Readings } {
  const { isUntouched, hasUsedEditor, entered, atSubmit, earlier } = origins
  const refused = new Set(origins.refused)
  const given = new Map(origins.given)
  const judged = new Map(readings)
  for (const [name, reading] of readings) {
    const { value, newControls, newChoices = [], isGone } = reading
    const text = textOf(name, value)
    const before = readsOf(fields.get(name))
    const isEntered = entered.includes(name)
    // The page has drawn a field again because of what a person did, such as a price for a choice. This does not count if the
    // field contained what the person typed, or if the new value is one that it had at first or before it was filled.
    const isAnswer =
      newControls === 'all' &&
      !isUntouched &&
      !isEntered &&
      !isEmpty(value) &&
      given.has(name) &&
      same(given.get(name), before) &&
      !same(own[name], value) &&
      !earlier.has(text)
    if (isAnswer) given.set(name, value)
    // An editor that was ready before a field was filled does not know its new text, and puts back an earlier one.
    const isPutBack =
      atSubmit && !hasUsedEditor && !same(atSubmit.get(name)?.value, value) && earlier.has(text)
    const isChanged = before !== undefined && !isEntered && !isGone && !same(value, before)
    // The choices of a list are others now, and contain the earlier one.
    const isOffered = isChanged && !isEmpty(before) && newChoices.some((one) => same(one, before))
    const isRefused = isChanged && !isOffered && isUntouched && !refused.has(text)
    if (isRefused) refused.add(text)
    if ((newControls && !isAnswer) || isPutBack || isOffered || isRefused)
      judged.set(name, { ...reading, isFresh: true })
  }
  return {
    origins: { ...origins, entered: [], atSubmit: undefined, refused, given },
    judged,
  }
}

/** Notes what was written, and how its controls read it. */
export function afterWriting(origins: Origins, readings: Readings, written: EntryValues): Origins {
  const given = new Map(origins.given)
  for (const [name, { value, newControls }] of readings)
    if (Object.hasOwn(written, name) && !newControls) given.set(name, value)
  return { ...origins, isUntouched: true, entered: [...readings.keys()], given }
}

/** Names a value of a field. */
export function textOf(name: string, value: unknown): string {
  return JSON.stringify([name, value])
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined
}
