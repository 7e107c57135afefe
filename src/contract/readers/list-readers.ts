import type { ListKnowledge, ListRow, Reminder, RequestList } from '../schemas/lists.ts'
import {
  count,
  flag,
  id,
  number,
  object,
  orNull,
  requiredFlag,
  requiredText,
  rows,
  text,
} from './field-readers.ts'
import { packageActions } from './page-readers.ts'
import { inboxSignature } from './status-readers.ts'

type RowReminder = NonNullable<ListRow['reminder']>

/** The reader of the JSON response to `getList`. */
export const listReaders = {
  getList: object<RequestList>({
    rows: rows(
      object<ListRow>({
        formId: id,
        packageId: id,
        state: requiredText,
        started: text,
        received: text,
        initiator: text,
        inboxSignatures: orNull(rows(inboxSignature)),
        reminder: orNull(
          object<RowReminder>({ sentAt: text, isUncertain: flag, count: number, limit: number }),
        ),
        actions: packageActions,
      }),
    ),
    next: text,
    isPartial: requiredFlag,
    known: object<ListKnowledge>({
      since: requiredText,
      checkedAt: text,
      gaps: rows(object<{ from: string; to: string }>({ from: requiredText, to: requiredText })),
      isLimited: requiredFlag,
    }),
  }),
}

const reminder = object<Reminder>({
  text: requiredText,
  language: text,
  noteLimit: count,
  noteLead: text,
  sentAt: text,
  isUncertain: flag,
  count: number,
  limit: number,
  refusal: text,
  nextAt: text,
})

/** The readers of the JSON responses to `ownReminderRoutes`. */
export const reminderReaders = { getReminder: reminder, sendReminder: reminder }
