import { z } from 'zod'
import { officeKeyPatterns, wholeText } from './patterns.ts'
import { parseTimestamp } from './timestamp.ts'
import { text } from './tolerant.ts'
import type { FieldKind } from './values.ts'

/**
 * Entry data: values by the natural key of their field. Which keys and kinds a form has, only the service knows, so
 * values pass as they are, and nothing is lost between reading an entry and writing it. See `fieldValues`.
 */
export const Entry = z.record(z.string(), z.unknown())
export type Entry = z.output<typeof Entry>

const date = z.string().refine((value) => parseTimestamp(`${value}T00:00:00`) !== undefined, {
  error: 'expected a date that exists, as yyyy-MM-dd',
})
const digits = z.string().regex(/^\d+$/)

/** What a field of each kind takes (spec, Entry), null apart: that stands for "no value". */
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

/** Entry with what goes into e-mails: version 1.1 of reading and updating it. */
export const EntryWithEmail = z.object({
  entry: Entry,
  emailContent: z.object({ packageDetails: text }).nullable().catch(null),
})
export type EntryWithEmail = z.output<typeof EntryWithEmail>

/** Body of an update in version 1.1. */
export const UpdateEntryBody = z.strictObject({
  /** All fields of the form; null values are allowed. */
  entry: Entry,
  /** Whether current approvers get an e-mail. Null or absent: if `deltaSummary` is given or data changed. */
  sendDeltaEmail: z.boolean().nullish(),
  emailContent: z
    .strictObject({
      /** HTML for the edit notification e-mail. */
      deltaSummary: z.string().nullish(),
      /** HTML kept with the package. Null or absent leaves the stored value; an empty string clears it. */
      packageDetails: z.string().nullish(),
    })
    .nullish(),
})
export type UpdateEntryBody = z.output<typeof UpdateEntryBody>

/**
 * Validation failure: codes by `entry['<natural key>']`. Codes stay open; see `validationCodes`. An answer that is
 * anything else is none, so readers can tell it from other errors whatever its status (spec, Errors).
 */
export const ValidationFailure = z
  .record(z.string().regex(/^entry\['.*'\]$/s), z.array(z.string()))
  .refine((failure) => Object.keys(failure).length > 0)
export type ValidationFailure = z.output<typeof ValidationFailure>

/** Natural key of the field that a key of a validation failure names. */
export function fieldOf(failureKey: string): string | undefined {
  return /^entry\['(.*)'\]$/s.exec(failureKey)?.[1]
}
