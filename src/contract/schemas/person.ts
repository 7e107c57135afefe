import { z } from 'zod'
import { flag, optionalId, text } from './field-schemas.ts'

/** A person in the institution's directory. Which fields an operation returns is open in the spec. */
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
  /** Whether the directory withholds the contact details of this person. */
  directoryRestricted: flag,
  activeUser: flag,
})
export type Person = z.output<typeof Person>
