import type { Package } from '../../contract/schemas/workflow.ts'

/** The service has saved what the person entered. */
export class WfFormSavedEvent extends Event {
  static readonly type = 'wf-form-saved'
  /** Id of the package, which the first save creates. */
  readonly packageId: number

  constructor(packageId: number) {
    super(WfFormSavedEvent.type, { bubbles: true, composed: true })
    this.packageId = packageId
  }
}

/** The request was submitted: its routing has started. If the event is canceled, the page stays. */
export class WfFormSubmittedEvent extends Event {
  static readonly type = 'wf-form-submitted'
  /** The package in its new state. */
  readonly value: Package
  /** Absolute URL of the page that follows; `undefined` without a `success-url`. */
  readonly url: string | undefined

  constructor(value: Package, url: string | undefined) {
    super(WfFormSubmittedEvent.type, { bubbles: true, composed: true, cancelable: true })
    this.value = value
    this.url = url
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'wf-form-saved': WfFormSavedEvent
    'wf-form-submitted': WfFormSubmittedEvent
  }
}
