import { ForbiddenError, RefusedError, SignedOutError, UnavailableError } from '../../../client/index.ts'
import type { Texts } from '../../../locales/messages.ts'
import { causeOf, failureText, statusBetween } from '../../loading/loadable.ts'
import { UnknownOutcomeError } from './carry-out.ts'
import type { FormTexts } from './form-texts.ts'

/** Why something was not saved or submitted, or may not have been. */
interface Failure {
  readonly text: string
  /** The reason that the service or the site gives: a plain text in English. */
  readonly detail?: string | undefined
  /** Whether it is not known what happened. */
  readonly isUnknown: boolean
  /** Whether the person has to sign in before the next attempt. */
  readonly isSignedOut: boolean
}

/** The texts about failures. */
export interface FailureTexts extends FormTexts {
  readonly reasons: Texts['formOutcome']
}

/** Returns what an error means to the person. `isSaved`: the entry is saved, but routing was not started. */
export function failureOf(error: unknown, isSaved: boolean, texts: FailureTexts): Failure {
  const { messages, reasons } = texts
  if (error instanceof UnknownOutcomeError) {
    const isSignedOut = error.cause instanceof SignedOutError
    const status = statusBetween(error.cause)
    const between = status === undefined ? '' : ` ${texts.common.between(String(status))}`
    const reason = isSignedOut ? ` ${messages.signedOut}` : between
    const text = (isSaved ? reasons.unknownSubmit : reasons.unknownSave) + reason
    return { text, isUnknown: true, isSignedOut }
  }
  const outcome = isSaved ? reasons.notSubmitted : reasons.notSaved
  const detail = error instanceof RefusedError ? error.detail : undefined
  const isSignedOut = error instanceof SignedOutError
  return { text: `${outcome} ${reasonOf(error, texts)}`, detail, isUnknown: false, isSignedOut }
}

function reasonOf(error: unknown, { messages, reasons, common, timeOf }: FailureTexts): string {
  if (error instanceof SignedOutError) return messages.signedOut
  if (error instanceof ForbiddenError) return reasons.forbidden
  if (error instanceof RefusedError)
    return error.refusedBy === 'service' ? reasons.refused : reasons.refusedHere
  if (error instanceof UnavailableError && error.limitedUntil !== undefined)
    return reasons.limited(timeOf(error.limitedUntil))
  return causeOf(error) === 'failed' ? reasons.unavailable : failureText(error, common)
}
