import { SignedOutError } from '../../../client/index.ts'
import type { Texts } from '../../../locales/messages.ts'
import { failureText } from '../../loading/loadable.ts'
import type { Formatting } from '../../text/format.ts'
import type { RequestState } from './request-state.ts'

/** The texts of a form, and how it writes times. */
export interface FormTexts {
  readonly messages: Texts['form']
  readonly common: Texts['common']
  /** The language in which to write dates and lists. */
  readonly language: string | undefined
  /** Returns a time of day for people. */
  readonly timeOf: (time: number) => string
  /** The link to the sign-in page, which opens a new tab; `nothing` if its address is not known. */
  readonly signIn: unknown
}

/** Returns what is being done, or when the request was saved, submitted or kept in this browser. */
export function statusText(
  { busy, outcome, found }: RequestState,
  { keptAt, isChanged }: { readonly keptAt: number | undefined; readonly isChanged: boolean },
  { messages, timeOf }: FormTexts,
): string {
  if (busy) return busy === 'save' ? messages.saving : messages.submitting
  if (outcome?.kind === 'failed') return ''
  if (isChanged && keptAt !== undefined) return keptAt ? messages.kept(timeOf(keptAt)) : messages.notKept
  if (outcome?.kind !== 'saved' && outcome?.kind !== 'submitted') return ''
  const time = timeOf(outcome.at)
  return outcome.kind === 'saved' ? messages.saved(time, `${found?.id}`) : messages.submitted(time)
}

/** Returns a time of day for people. */
export function timeText(time: number, { language, timeZone }: Formatting): string {
  const style = { timeStyle: 'short', ...(timeZone && { timeZone }) } as const
  return new Intl.DateTimeFormat(language, style).format(time)
}

/** Returns why the form could not be loaded. */
export function loadErrorText(error: unknown, isFilled: boolean, { messages, common }: FormTexts): string {
  return isFilled && error instanceof SignedOutError ? messages.signedOut : failureText(error, common)
}
