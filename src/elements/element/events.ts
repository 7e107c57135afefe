import type {
  ForbiddenError,
  NotFoundError,
  RefusedError,
  SignedOutError,
  UnavailableError,
} from '../../client/index.ts'
import type { Attachment } from '../../contract/schemas/attachments.ts'
import type { OverrideChangeName } from '../../contract/routes/override-routes.ts'
import type { TransitionName } from '../../contract/values/transitions.ts'
import type { Package } from '../../contract/schemas/workflow.ts'
import type { FileProblem } from './file-problem.ts'

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
export class WfLoadEvent<T = unknown> extends Event {
  static readonly type = 'wf-load'
  /** The loaded content, which is also the new `value` of the element. */
  readonly value: T

  constructor(value: T) {
    super(WfLoadEvent.type, { bubbles: true, composed: true })
    this.value = value
  }
}

/** Loading or changing something failed. */
export class WfErrorEvent extends Event {
  static readonly type = 'wf-error'
  /** The cause. Its class shows how to react. */
  readonly error: ElementError

  constructor(error: unknown) {
    super(WfErrorEvent.type, { bubbles: true, composed: true })
    // The client and the file check reject with nothing else.
    this.error = error as ElementError
  }
}

/** The session has ended. Fires once until the person signs in again. The page can offer to sign in. */
export class WfSignedOutEvent extends Event {
  static readonly type = 'wf-signed-out'

  constructor() {
    super(WfSignedOutEvent.type, { bubbles: true, composed: true })
  }
}

/** Fires before a change is sent. If the event is canceled, the element sends nothing. */
export class WfBeforeChangeEvent extends Event {
  static readonly type = 'wf-before-change'
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
    super(WfBeforeChangeEvent.type, { bubbles: true, composed: true, cancelable: true })
    this.operation = operation
    this.body = body
  }
}

/** A package as an element shows it. A badge knows only its id and state. */
export type ShownPackage = Pick<Package, 'id' | 'state'> & Partial<Package>

/** A package or attachment has changed, here or elsewhere. */
export class WfChangeEvent extends Event {
  static readonly type = 'wf-change'
  /** The package in its new state, or the new attachment. */
  readonly value: ShownPackage | Attachment
  /** The previous state, if the state of the package has changed. */
  readonly from: string | undefined
  /** The new state, if the state of the package has changed. */
  readonly to: string | undefined

  constructor(value: ShownPackage | Attachment, from?: string, to?: string) {
    super(WfChangeEvent.type, { bubbles: true, composed: true })
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
