import { type FieldErrors, fieldErrorsOf, type PageClient, SignedOutError } from '../../client/index.ts'
import type { Package } from '../../contract/workflow.ts'
import { WfBeforeChangeEvent, WfChangeEvent, WfErrorEvent } from '../events.ts'
import { missingDocuments } from './documents.ts'
import type { Choices, Draft } from './draft.ts'
import type { EntryConflict, EntryValues } from './entry-merge.ts'
import type { OtherProblem } from './field-problems.ts'
import { formClient } from './form-client.ts'
import { type Creation, type Extras, route, save, type Stop } from './submission.ts'
import { WfFormSavedEvent } from './wf-form.events.ts'

/** The purpose of a submit button: to save what is entered, or to submit it as well. */
export type Intent = 'save' | 'submit'

/** How an attempt to save or submit ended, for the person. */
export type Outcome =
  | { readonly kind: 'saved' | 'submitted'; readonly at: number }
  /** `isSaved`: the entry is saved, but routing was not started. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly isSaved: boolean }
  /** Another tab sends it now. */
  | { readonly kind: 'elsewhere' }
  /** A draft that was returned to its initiator. The service has no call to submit it. */
  | { readonly kind: 'resubmit' }
  | {
      readonly kind: 'conflict'
      readonly conflicts: readonly EntryConflict[]
      readonly theirs: EntryValues
    }

/** The form that a sender belongs to. */
export interface SenderHost {
  readonly element: HTMLElement & { requestUpdate(): void }
  readonly draft: () => Draft
  readonly extras: () => Extras
  /** Shows what is not valid. Returns whether there is anything. */
  readonly showProblems: (errors: FieldErrors, others?: readonly OtherProblem[]) => boolean
  /** Returns the uploads that keep the request from being submitted. */
  readonly uploadProblems: () => readonly OtherProblem[]
  /** Runs a function unless another tab sends the same request. */
  readonly exclusively: (run: () => Promise<void>) => Promise<boolean>
  /** Called when the package, or the creation whose outcome is unknown, has changed. */
  readonly onChange: () => void
  readonly onSubmitted: (found: Package) => void
}

/** Saves and submits a request: one step after the other, one attempt at a time. */
export class Sender {
  readonly #host: SenderHost
  /** The action in progress; `undefined` if nothing is. */
  busy: Intent | undefined
  /** How the latest attempt ended; `undefined` before the first, and after a problem that its field shows. */
  outcome: Outcome | undefined
  /** The package as last loaded or changed. */
  found: Package | undefined
  /** The creation whose outcome is not known. */
  creation: Creation | undefined
  /** The action that the person asked for last. */
  lastIntent: Intent = 'save'

  constructor(host: SenderHost) {
    this.#host = host
  }

  async run(intent: Intent, client: PageClient, formId: number): Promise<void> {
    if (this.busy) return
    const { element } = this.#host
    this.lastIntent = intent
    this.busy = intent
    element.requestUpdate()
    const isMine = await this.#host.exclusively(() => this.#attempt(intent, client, formId))
    if (!isMine) this.outcome = { kind: 'elsewhere' }
    this.busy = undefined
    element.requestUpdate()
  }

  /** Settles the conflicts of the latest attempt. */
  settle(choices: Choices): void {
    if (this.outcome?.kind !== 'conflict') return
    const { theirs, conflicts } = this.outcome
    this.#host.draft().settle(theirs, conflicts, choices)
    this.outcome = undefined
  }

  /** Leaves what somebody else changed as it is, and the screen as well. */
  cancel(): void {
    this.outcome = undefined
    this.#host.element.requestUpdate()
  }

  /** Forgets a problem that a sign-in has solved. */
  signedIn(): void {
    if (this.outcome?.kind === 'failed' && this.outcome.error instanceof SignedOutError)
      this.outcome = undefined
  }

  /** Forgets everything about the request. */
  reset(): void {
    this.outcome = undefined
    this.found = undefined
    this.creation = undefined
  }

  async #attempt(intent: Intent, client: PageClient, formId: number): Promise<void> {
    const { element, showProblems } = this.#host
    let isSaved = false
    this.outcome = undefined
    try {
      const stop = await this.#save(client, formId)
      if (stop) return this.#stop(stop)
      isSaved = true
      const { found } = this
      if (!found) return
      this.outcome = { kind: 'saved', at: Date.now() }
      element.dispatchEvent(new WfFormSavedEvent(found.id))
      if (intent === 'submit') await this.#submit(client, formId, found)
    } catch (error) {
      const errors = fieldErrorsOf(error)
      if (!errors || !showProblems(errors)) this.outcome = { kind: 'failed', error, isSaved }
      element.dispatchEvent(new WfErrorEvent(error))
    }
  }

  async #save(client: PageClient, formId: number): Promise<Stop | undefined> {
    const { onChange, draft, extras } = this.#host
    return await save({
      ...this.#request(client, formId),
      draft: draft(),
      extras: extras(),
      found: this.found,
      creation: this.creation,
      remember: (creation) => {
        this.creation = creation
        onChange()
      },
      created: (found) => {
        this.creation = undefined
        this.found = found
        onChange()
        this.#host.element.dispatchEvent(new WfChangeEvent(found))
      },
    })
  }

  async #submit(client: PageClient, formId: number, found: Package): Promise<void> {
    const { element, extras, showProblems, uploadProblems, onSubmitted } = this.#host
    if (found.state === 'DRAFT') this.outcome = { kind: 'resubmit' }
    if (found.state !== 'PRE_ROUTING') return
    const missing = await missingDocuments(element, client, { formId, packageId: found.id })
    // Files may have been added since the form was checked.
    const problems = [...uploadProblems(), ...missing]
    if (problems.length > 0) return void showProblems({}, problems)
    const routed = await route({ ...this.#request(client, formId), extras: extras() }, found)
    if ('why' in routed) return this.#stop(routed)
    this.found = routed
    this.outcome = { kind: 'submitted', at: Date.now() }
    element.dispatchEvent(new WfChangeEvent(routed, found.state, routed.state))
    onSubmitted(routed)
  }

  #request(client: PageClient, formId: number) {
    const { element } = this.#host
    return {
      client: formClient(client),
      formId,
      confirm: (operation: WfBeforeChangeEvent['operation'], body: unknown) =>
        element.dispatchEvent(new WfBeforeChangeEvent(operation, body)),
    }
  }

  #stop(stop: Stop): void {
    if (stop.why === 'conflict') this.outcome = { ...stop, kind: 'conflict' }
  }
}
