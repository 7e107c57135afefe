import { z } from 'zod'
import { Office } from './offices.ts'
import { Person } from './person.ts'
import { flag, orNull, rows, text } from './field-schemas.ts'

/** The stop of a route that an event or a callback belongs to. */
export const StopReference = z.object({ name: text, stopNumber: z.number().int().nullable().catch(null) })
export type StopReference = z.output<typeof StopReference>

/** The destination that a role resolves to, with a class: a `person`, or an `office` or a `position` with a name. */
export const Resolution = Person.extend({ '@class': text, name: text })
export type Resolution = z.output<typeof Resolution>

/** A past, current or expected event of a package. Fields that only a `signature` has are null in other classes. */
export const HistoryEvent = z.object({
  /** One of `historyClasses`, or one that the spec does not list. */
  '@class': z.string(),
  /** Local date-time of the receipt or the action. */
  actionDate: text,
  /** Receiver or actor. Absent on `complete`. */
  person: orNull(Person),
  /** Absent on `void`, `unvoid` and `complete`. */
  stop: orNull(StopReference),
  /** One of `permissions`, or one that the spec does not list. */
  permission: text,
  /** How or why the approver received the package. */
  context: text,
  resolution: orNull(Resolution),
  /** Local date-time. */
  routingDate: text,
  /** Details of an office destination. */
  office: orNull(Office),
  /** Values seen: BYPASSED_REMOVE, APPROVED, VOIDED. */
  state: text,
  autoSigned: flag,
  inboxSigned: flag,
  /** Whether the package is in this person's inbox now. */
  isInInbox: flag,
})
export type HistoryEvent = z.output<typeof HistoryEvent>

export const HistoryEventList = rows(HistoryEvent)
