import * as general from './en.ts'
import * as attachments from './en-attachments.ts'
import * as comments from './en-comments.ts'
import * as history from './en-history.ts'
import * as packageStatus from './en-package-status.ts'
import * as upload from './en-upload.ts'
import * as uploader from './en-uploader.ts'
import * as files from './en-files.ts'
import * as form from './en-form.ts'
import * as formList from './en-form-list.ts'
import * as hints from './en-form-hints.ts'
import * as fields from './en-form-fields.ts'
import * as copy from './en-form-copy.ts'
import * as review from './en-form-review.ts'
import * as outcome from './en-form-outcome.ts'
import * as office from './en-office.ts'
import * as officeList from './en-office-list.ts'
import * as actions from './en-package-actions.ts'
import * as listExtras from './en-list-extras.ts'
import * as list from './en-list.ts'
import * as missing from './en-missing.ts'
import * as overrides from './en-overrides.ts'
import * as pause from './en-pause.ts'
import * as changes from './en-changes.ts'
import * as refusals from './en-refusals.ts'
import * as reminder from './en-reminder.ts'
import * as route from './en-route.ts'
import * as savedRoute from './en-saved-route.ts'
import type { English } from './messages.ts'

/** All English messages. Elements import only the sections that they need. */
export const english: English = {
  ...general,
  ...attachments,
  ...comments,
  ...history,
  ...packageStatus,
  ...upload,
  ...uploader,
  ...actions,
  ...copy,
  ...fields,
  ...files,
  ...form,
  ...formList,
  ...hints,
  ...office,
  ...officeList,
  ...outcome,
  ...listExtras,
  ...list,
  ...missing,
  ...overrides,
  ...changes,
  ...pause,
  ...review,
  ...refusals,
  ...reminder,
  ...route,
  ...savedRoute,
}
