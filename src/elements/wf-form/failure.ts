import {
  ForbiddenError,
  NoProxyError,
  NotFoundError,
  RefusedError,
  SignedOutError,
  UnavailableError,
} from '../../client/index.ts'
import type { Messages } from '../../locales/messages.ts'
import { UnknownOutcomeError } from './carry-out.ts'

/** Why something was not saved or submitted, or may not have been. */
export interface Failure {
  readonly text: string
  /** The reason that the service or the site gives: a plain text in English. */
  readonly detail?: string | undefined
  /** Whether it is not known what happened. */
  readonly isUnknown: boolean
}

/** Returns what an error means to the person. `isSaved`: the entry is saved, but routing was not started. */
export function failureOf(
  error: unknown,
  isSaved: boolean,
  messages: Messages['form'],
  common: Messages['common'],
  timeOf: (time: number) => string,
): Failure {
  if (error instanceof UnknownOutcomeError) {
    const { cause } = error
    const reason = cause instanceof SignedOutError ? ` ${messages.signedOut}` : ''
    return { text: (isSaved ? messages.unknownSubmit : messages.unknownSave) + reason, isUnknown: true }
  }
  const outcome = isSaved ? messages.notSubmitted : messages.notSaved
  const detail = error instanceof RefusedError ? error.detail : undefined
  return { text: `${outcome} ${reasonOf(error, messages, common, timeOf)}`, detail, isUnknown: false }
}

function reasonOf(
  error: unknown,
  messages: Messages['form'],
  common: Messages['common'],
  timeOf: (time: number) => string,
): string {
  if (error instanceof SignedOutError) return messages.signedOut
  if (error instanceof ForbiddenError) return messages.forbidden
  if (error instanceof NotFoundError) return common.missing
  if (error instanceof NoProxyError) return common.noProxy(error.endpoint)
  if (error instanceof RefusedError)
    return error.refusedBy === 'service' ? messages.refused : messages.refusedHere
  if (error instanceof UnavailableError && error.limitedUntil !== undefined)
    return messages.limited(timeOf(error.limitedUntil))
  return messages.unavailable
}
