import type * as en from './en.ts'
import type * as attachments from './en-attachments.ts'
import type * as comments from './en-comments.ts'
import type * as history from './en-history.ts'
import type * as packageStatus from './en-package-status.ts'
import type * as upload from './en-upload.ts'
import type * as uploader from './en-uploader.ts'
import type * as files from './en-files.ts'
import type * as form from './en-form.ts'
import type * as formList from './en-form-list.ts'
import type * as hints from './en-form-hints.ts'
import type * as fields from './en-form-fields.ts'
import type * as outcome from './en-form-outcome.ts'
import type * as copy from './en-form-copy.ts'
import type * as review from './en-form-review.ts'
import type * as office from './en-office.ts'
import type * as officeList from './en-office-list.ts'
import type * as actions from './en-package-actions.ts'
import type * as listExtras from './en-list-extras.ts'
import type * as list from './en-list.ts'
import type * as missing from './en-missing.ts'
import type * as overrides from './en-overrides.ts'
import type * as pause from './en-pause.ts'
import type * as changes from './en-changes.ts'
import type * as refusals from './en-refusals.ts'
import type * as reminder from './en-reminder.ts'
import type * as route from './en-route.ts'
import type * as savedRoute from './en-saved-route.ts'

/** The English messages, by element. */
export type English = typeof en &
  typeof attachments &
  typeof comments &
  typeof history &
  typeof packageStatus &
  typeof upload &
  typeof uploader &
  typeof actions &
  typeof copy &
  typeof fields &
  typeof files &
  typeof form &
  typeof formList &
  typeof hints &
  typeof office &
  typeof officeList &
  typeof outcome &
  typeof listExtras &
  typeof list &
  typeof missing &
  typeof overrides &
  typeof changes &
  typeof pause &
  typeof refusals &
  typeof reminder &
  typeof review &
  typeof route &
  typeof savedRoute

/** All messages of the elements in one language, as `addLanguage()` takes them. */
export type Messages = Translation<English>

/** The messages of the elements as they use them: texts, and functions that return texts. */
export type Texts = Compiled<English>

/** The name of a group of messages: those of one element, or shared ones. */
export type Section = Exclude<keyof English, 'language'>

/**
 * One message by plural category of its number (CLDR). A language has the categories that `Intl.PluralRules` names.
 * `#` is replaced by the number.
 */
export type Forms = { readonly other: string } & { readonly [Category in Intl.LDMLPluralRule]?: string }

/** The translation of an English message, or of a group of messages. */
type Translation<English> = English extends string
  ? string
  : English extends Forms
    ? Forms
    : { readonly [Name in keyof English]: Translation<English[Name]> }

/**
 * A message with placeholders such as `{name}` becomes a function. Its arguments are in the order of the placeholders of
 * the English message. A message with forms takes its number first. Numbers are formatted.
 */
export type Compiled<English> = English extends string
  ? Arguments<English> extends []
    ? string
    : (...values: Arguments<English>) => string
  : English extends Forms
    ? (number: number, ...values: Arguments<English['other']>) => string
    : { readonly [Name in keyof English]: Compiled<English[Name]> }

type Arguments<English extends string> = English extends `${string}{${string}}${infer Rest}`
  ? [value: string | number, ...Arguments<Rest>]
  : []
