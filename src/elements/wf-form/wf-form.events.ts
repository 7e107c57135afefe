import type { Package } from '../../contract/schemas/workflow.ts'
import { ElementEvent } from '../element/element-event.ts'

/** The service has saved what the person entered. */
export class WfFormSavedEvent extends ElementEvent {
  static override readonly type = 'wf-form-saved'
  /** Id of the package, which the first save creates. */
  readonly packageId: number

  constructor(packageId: number) {
    super()
    this.packageId = packageId
  }
}

/** The request was submitted: its routing has started. If the event is canceled, the page stays. */
export class WfFormSubmittedEvent extends ElementEvent {
  static override readonly type = 'wf-form-submitted'
  /** The package in its new state. */
  readonly value: Package
  /** Absolute URL of the page that follows; `undefined` without a `success-url`. */
  readonly url: string | undefined

  constructor(value: Package, url: string | undefined) {
    super(true)
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
