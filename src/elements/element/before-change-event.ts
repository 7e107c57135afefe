import type { OverrideChangeName } from '../../contract/routes/override-routes.ts'
import type { TransitionName } from '../../contract/values/transitions.ts'
import { ElementEvent } from './element-event.ts'

/** Fires before a change is sent. If the event is canceled, the element sends nothing. */
export class WfBeforeChangeEvent extends ElementEvent {
  static override readonly type = 'wf-before-change'
  /** Name of the operation. */
  readonly operation:
    | TransitionName
    | 'uploadAttachment'
    | OverrideChangeName
    | 'releaseLock'
    | 'sendReminder'
    | 'createPackage'
    | 'updateEntry'
  /** The body of the request; for an upload, the file. */
  readonly body: unknown

  constructor(operation: WfBeforeChangeEvent['operation'], body?: unknown) {
    super(true)
    this.operation = operation
    this.body = body
  }
}
