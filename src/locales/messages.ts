import type * as en from './en.ts'
import type * as files from './en-files.ts'
import type * as form from './en-form.ts'
import type * as fields from './en-form-fields.ts'
import type * as outcome from './en-form-outcome.ts'
import type * as review from './en-form-review.ts'
import type * as office from './en-office.ts'
import type * as officeList from './en-office-list.ts'
import type * as actions from './en-package-actions.ts'
import type * as overrides from './en-overrides.ts'
import type * as pause from './en-pause.ts'
import type * as route from './en-route.ts'
import type * as savedRoute from './en-saved-route.ts'

/** All visible texts of the elements in one language, by element. */
export type Messages = typeof en &
  typeof actions &
  typeof fields &
  typeof files &
  typeof form &
  typeof office &
  typeof officeList &
  typeof outcome &
  typeof overrides &
  typeof pause &
  typeof review &
  typeof route &
  typeof savedRoute

/** The name of a group of messages: those of one element, or shared ones. */
export type Section = Exclude<keyof Messages, 'language'>
