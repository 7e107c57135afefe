import { z } from 'zod'
import {
  count,
  countParameter,
  flag,
  id,
  idParameter,
  officeKey,
  orNull,
  rows,
  text,
} from './field-schemas.ts'
import { StopReference } from './history.ts'
import { cleanNote, maxNoteLength, noteProblem } from '../values/note.ts'
import { InboxSignature, PackageActions } from './workflow.ts'

/** `mine`: what the user has started. `waiting`: what the user may sign, or has in the inbox. */
export const listViews = ['mine', 'waiting'] as const

/** Maximum number of forms that a request for a list may name. */
const maxForms = 10

/** Where a list continues: `next` of the part before. */
const place = z
  .string()
  .regex(/^[\w-]{1,500}$/)
  .optional()

/** Which list, and where it continues. Without forms, the list contains those of all forms that the site serves. */
export const ListQuery = z.strictObject({
  view: z.enum(listViews),
  form: z.array(idParameter).min(1).max(maxForms).optional(),
  after: place,
})
export type ListQuery = z.output<typeof ListQuery>

/** Which requests of a form the list contains, and where it continues. A request meets all of these conditions. */
export const FormListQuery = z.strictObject({
  /** One of `packageStates`, or a state that the spec does not list. */
  state: z
    .string()
    .regex(/^[A-Z_]{1,40}$/)
    .optional(),
  /** Number of days for which nothing has changed, at least. */
  days: countParameter.optional(),
  /** Number of the stop at which it is. */
  stop: countParameter.optional(),
  /** Natural key of the office through which it is routed at the moment. */
  office: officeKey.optional(),
  after: place,
})
export type FormListQuery = z.output<typeof FormListQuery>

/** The reminders of a request in a list that the approvers who hold it now have got. */
const RowReminder = z.object({
  /** When the last one of any approvers was sent, in ISO 8601 with a time zone. Null if none was. */
  sentAt: text,
  /** Whether it is not known if that one was sent. */
  isUncertain: flag,
  count: z.number().int().nonnegative(),
  /** Maximum of `count`. */
  limit: z.number().int().nonnegative(),
})

/** A request in a list. The service has confirmed in this moment that the user may view it. */
export const ListRow = z.object({
  formId: id,
  packageId: id,
  /** One of `packageStates`, or a state that the spec does not list. */
  state: z.string(),
  /** Local date-time at which routing began. Null if it is not known to have begun. Not null in PRE_ROUTING: the initiator has withdrawn it. */
  started: text,
  /**
   * Local date-time since when the user has it in the inbox; in the list of a form, of the latest receipt by anyone who has. Null in the
   * list `mine`, and if it is not known.
   */
  received: text,
  /** Display name of the initiator. Null in the list `mine`, and if it is not known. */
  initiator: text,
  /** The inboxes that hold the package, as in bulk status. */
  inboxSignatures: orNull(rows(InboxSignature)),
  /** Null if the site does not offer the user to remind the approvers. */
  reminder: orNull(RowReminder),
  /** Actions that the user may take. */
  actions: PackageActions,
})
export type ListRow = z.output<typeof ListRow>

/** A request in the list of a form. */
export const FormListRow = ListRow.extend({
  /** The stops at which it is. Null if they are not known. */
  stops: orNull(rows(StopReference)),
})
export type FormListRow = z.output<typeof FormListRow>

/** What the proxy knows, which may be less than there is. Times are in ISO 8601 with a time zone. */
export const ListKnowledge = z.object({
  /** Since when the proxy learns of requests. */
  since: z.string(),
  /** When it last found that nothing was left to check. Null if it never did since it began to run. */
  checkedAt: text,
  /** Times in which no proxy ran, so that requests that were started then may be missing. */
  gaps: rows(z.object({ from: z.string(), to: z.string() })),
  /** Whether there are so many requests without a known holder, such as those for an office, that some may be missing. */
  isLimited: z.boolean(),
})
export type ListKnowledge = z.output<typeof ListKnowledge>

/** A part of a list, the latest change first. There are no totals: they would tell of requests that the user may not view. */
export const RequestList = z.object({
  rows: rows(ListRow),
  /** Where the list continues, for `after`. Null at its end. */
  next: text,
  /** Whether some requests could not be checked and are missing. */
  isPartial: z.boolean(),
  known: ListKnowledge,
})
export type RequestList = z.output<typeof RequestList>

/** A part of the list of a form. */
export const FormRequestList = RequestList.extend({ rows: rows(FormListRow) })
export type FormRequestList = z.output<typeof FormRequestList>

/**
 * Why nobody can be reminded now:
 *
 * - `wait`: the people who hold the package have got it, or a reminder, too recently.
 * - `limit`: they have got as many reminders as are allowed.
 * - `day`: the user has sent as many reminders in 24 hours as are allowed.
 * - `nobody`: nobody but the user holds it.
 * - `stopped`: an earlier reminder has changed the data of a package, so the operator has to check this form.
 */
export const reminderRefusals = ['wait', 'limit', 'day', 'nobody', 'stopped'] as const
export type ReminderRefusal = (typeof reminderRefusals)[number]

/** The reminders of a package. Times are in ISO 8601 with a time zone. */
export const Reminder = z.object({
  /** The text that the service emails. */
  text: z.string(),
  /** Its language, such as `de`. */
  language: text,
  /** Maximum number of characters of a note that the user may add. Null if the site lets the user add none. */
  noteLimit: count,
  /** The words before the note in the e-mail, which name its author. */
  noteLead: text,
  /** When the last reminder was sent. Null if none was. */
  sentAt: text,
  /** Whether it is not known if the last reminder was sent. */
  isUncertain: flag,
  /** Number of reminders that the people who hold the package now have got. */
  count: z.number().int().nonnegative(),
  /** Maximum of `count`. */
  limit: z.number().int().nonnegative(),
  /** Why nobody can be reminded now, such as one of `reminderRefusals`. Null if somebody can. */
  refusal: text,
  /** When a reminder is possible again, if only time is missing. */
  nextAt: text,
})
export type Reminder = z.output<typeof Reminder>

/** The body of a request for a reminder. */
export const ReminderBody = z.strictObject({
  /** Plain text in one line, which the e-mail quotes. Without a visible character, there is no note. See `noteProblem()`. */
  note: z
    .string()
    .overwrite(cleanNote)
    .refine((note) => noteProblem(note) === undefined, {
      error: `must have at most ${maxNoteLength} characters, no "://", "www." or "@", and no control characters`,
    })
    .meta({ maxLength: maxNoteLength })
    .optional(),
})
export type ReminderBody = z.output<typeof ReminderBody>
