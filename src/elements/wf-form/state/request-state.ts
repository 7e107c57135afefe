import { SignedOutError } from '../../../client/index.ts'
import type { Package } from '../../../contract/schemas/workflow.ts'
import type { EntryConflict, EntryValues } from './entry-merge.ts'
import type { Creation } from './submission.ts'

/** The purpose of a submit button: to save what is entered, or to submit it as well. */
export type Intent = 'save' | 'submit'

/** How an attempt to save or submit ended, for the person. */
export type AttemptOutcome =
  | { readonly kind: 'saved' | 'submitted'; readonly at: number }
  /** `isSaved`: the entry is saved, but routing was not started. `mayReinitiate`: that is another way to start it. */
  | {
      readonly kind: 'failed'
      readonly error: unknown
      readonly isSaved: boolean
      readonly mayReinitiate?: boolean
    }
  /** A draft that the service does not save without these fields. */
  | { readonly kind: 'unfinished'; readonly names: readonly string[] }
  /** Another tab sends it now. */
  | { readonly kind: 'elsewhere' }
  /**
   * A draft that can only be submitted in the service itself. `isReturned`: it is known to have been in routing before. `isRefused`: the
   * service has refused it, with the reason `detail`.
   */
  | {
      readonly kind: 'resubmit'
      readonly isReturned: boolean
      readonly isRefused: boolean
      readonly detail?: string | undefined
    }
  | {
      readonly kind: 'conflict'
      readonly conflicts: readonly EntryConflict[]
      readonly theirs: EntryValues
    }

/** The request that a form saves and submits, as far as the form knows. */
export class RequestState {
  /** The action in progress; `undefined` if nothing is. */
  busy: Intent | undefined
  /** How the latest attempt ended; `undefined` before the first, and after a problem that its field shows. */
  outcome: AttemptOutcome | undefined
  /** The package as last loaded or changed. */
  found: Package | undefined
  /** The creation whose outcome is not known. */
  creation: Creation | undefined
  /** The action that the person asked for last. */
  lastIntent: Intent = 'save'
  /** Whether the person checks the answers before submitting them. The screen shows them instead of the form. */
  isReviewing = false

  /** Whether the request is saved and not in routing. */
  get isDraft(): boolean {
    return this.found?.state === 'PRE_ROUTING' || this.found?.state === 'DRAFT'
  }

  /** Notes the package as it is now. */
  loaded(found: Package | undefined): void {
    this.found = found
    // Somebody else has submitted it, or it is another one.
    if (!this.isDraft) this.isReviewing = false
    // A sign-in has solved the problem.
    if (this.outcome?.kind === 'failed' && this.outcome.error instanceof SignedOutError)
      this.outcome = undefined
  }

  /** Forgets everything about the request. */
  reset(): void {
    this.outcome = undefined
    this.isReviewing = false
    this.found = undefined
    this.creation = undefined
  }
}
