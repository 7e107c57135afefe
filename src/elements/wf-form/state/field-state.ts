import type { EntryValues } from './entry-merge.ts'

/** A value, and how its control reads it. They differ if the control cannot show the value. */
interface Shown {
  /** `undefined` if the service's value is not known, as in a new request. Then it is what the page wrote. */
  readonly value: unknown
  readonly reads: unknown
}

/**
 * The knowledge of the form about one key. A stored field has nothing to send, because no control here has shown it. A shown field is
 * sent only to create a package, which needs all fields. A typed field is sent, unless the page has disabled its control.
 */
export type Field = StoredField | ShownField | TypedField

interface StoredField {
  readonly is: 'stored'
  readonly base: Shown
}

interface ShownField extends Flags {
  readonly is: 'shown'
  readonly base: Shown
}

interface TypedField extends Flags {
  readonly is: 'typed'
  readonly base: Shown
  readonly typed: Shown
}

interface Flags {
  /** Whether all its controls are disabled now. */
  readonly isOff?: boolean
  /** Whether only the person may keep it, such as a password. */
  readonly isSecret?: boolean
}

export type Fields = ReadonlyMap<string, Field>

/** The content of the controls of one key. */
export interface Reading extends Flags {
  /** `undefined` if the browser does not reveal it, as with letters in a number input. */
  readonly value: unknown
  /** Whether some or all of its controls were not on the page when it was read before; absent if none is new. */
  readonly newControls?: 'some' | 'all' | undefined
  /** The choices of a list that were not there either. */
  readonly newChoices?: readonly unknown[]
  /** Whether its controls have another key by now. */
  readonly isGone?: boolean
  /** Whether nobody has typed what it contains; see `judge()`. */
  readonly isFresh?: boolean
}

export type Readings = ReadonlyMap<string, Reading>

/** The content of a copy: the values of typed fields, and the values of the service when they were typed, as far as they are known. */
export interface Kept {
  readonly entry: EntryValues
  readonly base?: EntryValues
}

/** The fields after something has happened, and the values that their controls have to show. */
export interface FieldChange {
  readonly fields: Fields
  /** Values of the service, or of the page. */
  readonly shows: EntryValues
  /** Values that a person has typed. */
  readonly types: EntryValues
}

export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}

/** The value on the screen, or for a stored field, the one that it would show. */
export function valueOf({ base, ...field }: Field): unknown {
  const { value, reads } = 'typed' in field ? field.typed : base
  return value === undefined ? reads : value
}

/** How the controls of a field read it; `undefined` if none has shown it. */
export function readsOf(field: Field | undefined): unknown {
  if (!field || field.is === 'stored') return undefined
  return ('typed' in field ? field.typed : field.base).reads
}

/**
 * Applies what the controls contain. `sending`: what the service may have soon, so that undoing it is a change as well. What is known
 * of a control that has gone stays, as in forms of several steps.
 */
export function afterReading(fields: Fields, readings: Readings, sending: EntryValues): FieldChange {
  return change(fields, readings.keys(), (name, field, show, type) => {
    const reading = readings.get(name)
    if (!reading) return field
    const { value, isFresh } = reading
    const flags = flagsOf(field, reading)
    if (isFresh && field) {
      if (field.is === 'typed') type(field.typed.value)
      else if (field.base.value !== undefined) show(field.base.value)
      else return { is: 'shown', base: { value: undefined, reads: value ?? null }, ...flags }
      return field.is === 'stored' ? field : { ...field, ...flags }
    }
    if (value === undefined) return field && field.is !== 'stored' ? { ...field, ...flags } : field
    if (isFresh) return { is: 'shown', base: { value: undefined, reads: value }, ...flags }
    // A person may be faster than what fills a new control.
    const base = field?.base ?? { value: undefined, reads: null }
    if (field?.is === 'typed' && same(value, field.typed.reads)) return { ...field, ...flags }
    // Some controls always show something. If the service has nothing, a person who returns to that has chosen it.
    const isChosen = field?.is === 'typed' && base.value === null && value !== null
    const isBase = same(value, base.reads) && !isChosen
    const typed = isBase ? { value: base.value ?? value, reads: value } : twice(value)
    const isUndone = Object.hasOwn(sending, name) && !same(sending[name], typed.value)
    return isBase && !(isUndone && field?.is === 'typed')
      ? { is: 'shown', base, ...flags }
      : { is: 'typed', base, typed, ...flags }
  })
}

/**
 * Notes how controls read what was written into them. `written`: the keys. With `isStored`, what the page has made of that in
 * other fields counts as stored as well.
 */
export function afterFilling(
  fields: Fields,
  readings: Readings,
  written: EntryValues,
  isStored: boolean,
): FieldChange {
  return change(fields, readings.keys(), (name, field) => {
    const reading = readings.get(name)
    const isOurs = Object.hasOwn(written, name) || (isStored && field && field.is !== 'typed')
    if (!isOurs || !reading || reading.newControls || reading.value === undefined) return field
    const reads = reading.value
    const flags = flagsOf(field, reading)
    if (field?.is === 'typed') return { ...field, typed: { value: field.typed.value, reads }, ...flags }
    return { is: 'shown', base: { value: field?.base.value, reads }, ...flags }
  })
}

/**
 * Applies the entry of the service. Fields that nobody has changed follow it. A typed field whose value it contains is saved. All
 * others keep what the service had when they were typed, which shows a conflict later. `isFirst`: they were typed before anything was
 * known of the service.
 */
export function afterEntry(fields: Fields, entry: EntryValues, isFirst = false): FieldChange {
  return change(fields, Object.keys(entry), (name, field, show) => {
    if (!Object.hasOwn(entry, name)) return field
    const value = entry[name] ?? null
    if (field?.is === 'typed') {
      const { typed, base, ...flags } = field
      if (same(typed.value, value)) return { ...flags, is: 'shown', base: { value, reads: typed.reads } }
      return isFirst && base.value === undefined ? { ...field, base: twice(value) } : field
    }
    if (field && same(valueOf(field), value)) return { ...field, base: { value, reads: field.base.reads } }
    show(value)
    return { is: 'stored', base: twice(value) }
  })
}

/**
 * Notes that the service has an entry, and other values, which were `sent`. What was typed since then is still to be sent. The
 * service may have made something else of a value, which counts as shown until somebody changes it.
 */
export function afterSaving(fields: Fields, entry: EntryValues, sent: EntryValues): FieldChange {
  const followed = new Map(fields)
  for (const [name, field] of fields) {
    if (field.is !== 'typed' || !Object.hasOwn(sent, name)) continue
    const { typed, ...flags } = field
    const value = (Object.hasOwn(entry, name) ? entry[name] : sent[name]) ?? null
    const isSent = same(typed.value, sent[name])
    followed.set(
      name,
      isSent
        ? { ...flags, is: 'shown', base: { value, reads: typed.reads } }
        : { ...field, base: { value, reads: sent[name] } },
    )
  }
  const isSent = (name: string) => followed.get(name) !== fields.get(name)
  const others = Object.entries(entry).filter(([name]) => !isSent(name))
  return afterEntry(followed, Object.fromEntries(others))
}

/** Adds what was typed before a crash or in another tab. `wins`: also where something else is typed here. */
export function afterCopy(fields: Fields, { entry, base: bases = {} }: Kept, wins: boolean): FieldChange {
  return change(fields, Object.keys(entry), (name, field, _, type) => {
    if (!Object.hasOwn(entry, name) || (field?.is === 'typed' && !wins)) return field
    const value = entry[name] ?? null
    if (field && same(valueOf(field), value)) return field
    type(value)
    // Another value than that of the copy was saved by somebody else since then.
    const known = Object.hasOwn(bases, name) ? bases[name] : undefined
    const isKnown = field && (known === undefined || same(field.base.value, known))
    const base = isKnown ? field.base : { value: known, reads: known ?? null }
    return { is: 'typed', base, typed: twice(value) }
  })
}

/** Applies what a person has decided about conflicts. `choices`: whose value counts, by key. */
export function afterChoice(
  fields: Fields,
  theirs: EntryValues,
  choices: Readonly<Record<string, 'mine' | 'theirs'>>,
): FieldChange {
  const followed = new Map([...fields].filter(([name]) => choices[name] !== 'theirs'))
  for (const [name, field] of followed)
    if (choices[name] === 'mine') followed.set(name, { ...field, base: twice(theirs[name] ?? null) })
  return afterEntry(followed, theirs)
}

/** Gives up what was typed. */
export function afterDiscard(fields: Fields): FieldChange {
  return change(fields, [], (_, field, show) => {
    if (field?.is !== 'typed') return field
    const { base, isOff = false, isSecret: isHidden = false } = field
    show(base.value === undefined ? base.reads : base.value)
    return { is: 'shown', base, isOff, isSecret: isHidden }
  })
}

/** Returns the values that the browser may keep until the service has them; `undefined` if there is nothing. */
export function keptOf(fields: Fields): Kept | undefined {
  const typed = [...fields].flatMap(([name, field]) =>
    field.is === 'typed' && !field.isSecret ? [[name, field] as const] : [],
  )
  const bases = typed.filter(([, { base }]) => base.value !== undefined)
  return typed.length === 0
    ? undefined
    : {
        entry: Object.fromEntries(typed.map(([name, field]) => [name, field.typed.value])),
        ...(bases.length > 0 && {
          base: Object.fromEntries(bases.map(([name, { base }]) => [name, base.value])),
        }),
      }
}

/** The values that a person has typed and that the service does not have. */
export function typedOf(fields: Fields): EntryValues {
  return pick(fields, (field) => field.is === 'typed' && !field.isOff)
}

/** The values on the screen, without those of disabled controls. */
export function screenOf(fields: Fields): EntryValues {
  return pick(fields, (field) => !field.isOff)
}

/**
 * Returns the values of the service, as far as they are known. If the person has undone what was sent, the service may have that now; if
 * this page was closed meanwhile, it is not known.
 */
export function basesOf(fields: Fields, sending: EntryValues): EntryValues {
  return Object.fromEntries(
    [...fields].flatMap(([name, field]) => {
      const isUndone = field.is === 'typed' && same(field.typed.value, field.base.value)
      const isSent = Object.hasOwn(sending, name) && !same(sending[name], valueOf(field))
      const known = !isUndone ? field.base.value : isSent ? sending[name] : undefined
      return known === undefined ? [] : [[name, known]]
    }),
  )
}

/** The keys whose values may not be kept. */
export function secretsOf(fields: Fields): readonly string[] {
  return [...fields].flatMap(([name, field]) => (isSecret(field) ? [name] : []))
}

function flagsOf(field: Field | undefined, { isOff = false, ...reading }: Reading): Flags {
  return { isOff, isSecret: (reading.isSecret ?? false) || isSecret(field) }
}

function isSecret(field: Field | undefined): boolean {
  return (field && 'isSecret' in field && field.isSecret) ?? false
}

function pick(fields: Fields, isWanted: (field: ShownField | TypedField) => boolean): EntryValues {
  return Object.fromEntries(
    [...fields].flatMap(([name, field]) =>
      field.is !== 'stored' && isWanted(field) ? [[name, valueOf(field)]] : [],
    ),
  )
}

/** A control that shows the value as it is. */
function twice(value: unknown): Shown {
  return { value, reads: value }
}

type Show = (value: unknown) => void

/** Returns the same map if nothing changes. */
function change(
  before: Fields,
  more: Iterable<string>,
  to: (name: string, field: Field | undefined, show: Show, type: Show) => Field | undefined,
): FieldChange {
  const fields = new Map<string, Field>()
  const shows: [string, unknown][] = []
  const types: [string, unknown][] = []
  let isChanged = false
  for (const name of new Set([...before.keys(), ...more])) {
    const old = before.get(name)
    const field = to(
      name,
      old,
      (value) => shows.push([name, value]),
      (value) => types.push([name, value]),
    )
    const isOld = JSON.stringify(field) === JSON.stringify(old)
    isChanged ||= !isOld
    if (field) fields.set(name, (isOld && old) || field)
  }
  return {
    fields: isChanged ? fields : before,
    shows: Object.fromEntries(shows),
    types: Object.fromEntries(types),
  }
}
