import { fieldValues } from '../../contract/schemas/entry.ts'
import type { FieldKind, ValidationCode } from '../../contract/values/values.ts'
import type { EmulatorContext } from '../context.ts'
import type { EmulatorState } from '../state/state.ts'
import type { Field, Form } from '../state/stored-forms.ts'

/** Validation codes by natural key of the field. Empty if the entry is valid. */
type EntryFailures = ReadonlyMap<string, ValidationCode>

/**
 * Validates an entry against the fields of its form. A value of the wrong type is `badAnswerType`, a value of the right
 * type that is not valid is `invalidValue`, and a reference to something that does not exist is `notFound`. The entry must
 * contain all fields; optional ones may be null.
 */
export function checkEntry(
  state: EmulatorState,
  form: Form,
  entry: Readonly<Record<string, unknown>>,
): EntryFailures {
  const failures = new Map<string, ValidationCode>()
  for (const field of form.fields) {
    const value = Object.hasOwn(entry, field.naturalKey) ? entry[field.naturalKey] : undefined
    const code = checkValue(state, field, value)
    if (code) failures.set(field.naturalKey, code)
  }
  const known = new Set(form.fields.map(({ naturalKey }) => naturalKey))
  for (const key of Object.keys(entry)) if (!known.has(key)) failures.set(key, 'validation.invalidValue')
  return failures
}

function checkValue(
  state: EmulatorState,
  { kind, required }: Field,
  value: unknown,
): ValidationCode | undefined {
  if (value === undefined) return 'validation.required'
  if (kind === 'no_answer') return value === null ? undefined : 'validation.badAnswerType'
  if (value === null || (required && value === '')) return required ? 'validation.required' : undefined

  if (!fieldValues[kind].safeParse(value).success) {
    return hasShape(kind, value) ? 'validation.invalidValue' : 'validation.badAnswerType'
  }
  const exists = references[kind]
  return exists && typeof value === 'string' && !exists(state, value) ? 'validation.notFound' : undefined
}

/** Whether an invalid value has the right type. */
function hasShape(kind: FieldKind, value: unknown): boolean {
  if (typeof value !== 'string') return false
  return kind === 'url' || kind === 'email' || (kind === 'date' && /^\d{4}-\d\d-\d\d$/.test(value))
}

/** Kinds whose values refer to something, with the check whether it exists. */
const references: Partial<Readonly<Record<FieldKind, (state: EmulatorState, value: string) => boolean>>> = {
  university_id: (state, value) => state.people.has(value),
  org: (state, value) => state.offices.has(value),
  department: (state, value) => state.offices.has(value),
  sub_department: (state, value) => state.offices.has(value),
  position: (state, value) => state.positions.has(value),
}

/** Returns the response for an entry that is not valid. */
export function validationResponse({ specOptions }: EmulatorContext, failures: EntryFailures): Response {
  const body = Object.fromEntries([...failures].map(([key, code]) => [`entry['${key}']`, [code]]))
  return Response.json(body, { status: Number(specOptions.validationStatus) })
}
