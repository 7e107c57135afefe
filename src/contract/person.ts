import { z } from 'zod'
import { flag, optionalId, text } from './tolerant.ts'

/** Someone in the institution's directory, as far as the endpoint tells: which fields appear where, the spec leaves open. */
export const Person = z.object({
  id: optionalId,
  displayName: text,
  hrdeptdesc: text,
  collegeName: text,
  personType: text,
  title: text,
  /** University id, a string of digits. */
  univid: text,
  email: text,
  campusPostalAddress: text,
  officePhone: text,
  naturalKey: text,
  type: text,
  /** Login name at the institution. */
  loginid: text,
  jobCode: text,
  /** Whether the directory keeps contact details of this person back. */
  directoryRestricted: flag,
  activeUser: flag,
})
export type Person = z.output<typeof Person>
