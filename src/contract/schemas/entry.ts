import { z } from 'zod'
import { officeKeyPatterns, wholeText } from '../values/patterns.ts'
import { parseTimestamp } from '../values/timestamp.ts'
import { text } from './field-schemas.ts'
import type { FieldKind } from '../values/values.ts'

/**
 * Entry data: values by the natural key of their field. Only the service knows the fields of a form, so the schema accepts
 * all values unchanged, and nothing gets lost if an entry is read and written back. See `fieldValues`.
 */
export const Entry = z.record(z.string(), z.unknown())
export type Entry = z.output<typeof Entry>

const date = z.string().refine((value) => parseTimestamp(`${value}T00:00:00`) !== undefined, {
  error: 'expected a date that exists, as yyyy-MM-dd',
})
const digits = z.string().regex(/^\d+$/)

/** Valid values of each kind of field (spec, Entry). An empty field is null, which these schemas do not cover. */
export const fieldValues = {
  text: z.string(),
  date,
  url: z.url({ protocol: /^https?$/ }),
  email: z.email(),
  number: z.number().int(),
  currency: z.number(),
  no_answer: z.null(),
  university_id: digits,
  org: z.string().regex(wholeText(officeKeyPatterns.org)),
  department: z.string().regex(wholeText(officeKeyPatterns.department)),
  sub_department: z.string().regex(wholeText(officeKeyPatterns.sub_department)),
  position: digits,
} as const satisfies Readonly<Record<FieldKind, z.ZodType>>

/** Entry data with e-mail content, in version 1.1 of `getEntry` and `updateEntry`. */
export const EntryWithEmail = z.object({
  entry: Entry,
  emailContent: z.object({ packageDetails: text }).nullable().catch(null),
})
export type EntryWithEmail = z.output<typeof EntryWithEmail>

/** Body of an update in version 1.1. */
export const UpdateEntryBody = z.strictObject({
  /** All fields of the form; null values are allowed. */
  entry: Entry,
  /** Whether current approvers get an e-mail. If it is null or absent, they do if `deltaSummary` is set or data changed. */
  sendDeltaEmail: z.boolean().nullish(),
  emailContent: z
    .strictObject({
      /** HTML for the edit notification e-mail. */
      deltaSummary: z.string().nullish(),
      /** HTML stored with the package. Null or absent keeps the stored value; an empty string removes it. */
      packageDetails: z.string().nullish(),
    })
    .nullish(),
})
export type UpdateEntryBody = z.output<typeof UpdateEntryBody>

/**
 * Validation failure: codes by `entry['<natural key>']`. Unknown codes are valid; see `validationCodes`. Any other key makes
 * the schema fail, so that readers recognize a validation failure under any status (spec, Errors).
 */
export const ValidationFailure = z
  .record(z.string().regex(/^entry\['.*'\]$/s), z.array(z.string()))
  .refine((failure) => Object.keys(failure).length > 0)
export type ValidationFailure = z.output<typeof ValidationFailure>

/** Returns the natural key of a field from a key of a validation failure. */
export function fieldOf(failureKey: string): string | undefined {
  return /^entry\['(.*)'\]$/s.exec(failureKey)?.[1]
}
