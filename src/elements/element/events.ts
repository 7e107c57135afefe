import type {
  ForbiddenError,
  NotFoundError,
  RefusedError,
  SignedOutError,
  UnavailableError,
} from '../../client/index.ts'
import type { Attachment } from '../../contract/schemas/attachments.ts'
import type { Package } from '../../contract/schemas/workflow.ts'
import type { FileProblem } from './file-problem.ts'
import type { WfBeforeChangeEvent } from './before-change-event.ts'
import { ElementEvent } from './element-event.ts'

// A badge changes nothing, so its bundle leaves out the module of this event.
export { WfBeforeChangeEvent } from './before-change-event.ts'

/**
 * The reason why an element could not load or change something: an error of the client, or a `FileProblem` if a file
 * was not sent. Its `name` identifies the kind.
 */
export type ElementError =
  | FileProblem
  | ForbiddenError
  | NotFoundError
  | RefusedError
  | SignedOutError
  | UnavailableError

/** The content of an element was loaded, for the first time or again. */
export class WfLoadEvent<T = unknown> extends ElementEvent {
  static override readonly type = 'wf-load'
  /** The loaded content, which is also the new `value` of the element. */
  readonly value: T

  constructor(value: T) {
    super()
    this.value = value
  }
}

/** Loading or changing something failed. */
export class WfErrorEvent extends ElementEvent {
  static override readonly type = 'wf-error'
  /** The cause. Its class shows how to react. */
  readonly error: ElementError

  constructor(error: unknown) {
    super()
    // The client and the file check reject with nothing else.
    this.error = error as ElementError
  }
}

/** The session has ended. Fires once until the person signs in again. The page can offer to sign in. */
export class WfSignedOutEvent extends ElementEvent {
  static override readonly type = 'wf-signed-out'
}

/** A package as an element shows it. A badge knows only its id and state. */
export type ShownPackage = Pick<Package, 'id' | 'state'> & Partial<Package>

/** A package or attachment has changed, here or elsewhere. */
export class WfChangeEvent extends ElementEvent {
  static override readonly type = 'wf-change'
  /** The package in its new state, or the new attachment. */
  readonly value: ShownPackage | Attachment
  /** The previous state, if the state of the package has changed. */
  readonly from: string | undefined
  /** The new state, if the state of the package has changed. */
  readonly to: string | undefined

  constructor(value: ShownPackage | Attachment, from?: string, to?: string) {
    super()
    this.value = value
    this.from = from
    this.to = to
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'wf-load': WfLoadEvent
    'wf-error': WfErrorEvent
    'wf-signed-out': WfSignedOutEvent
    'wf-before-change': WfBeforeChangeEvent
    'wf-change': WfChangeEvent
  }
}
