import type {
  ForbiddenError,
  NotFoundError,
  RefusedError,
  SignedOutError,
  UnavailableError,
} from '../client/index.ts'
import type { Attachment } from '../contract/attachments.ts'
import type { TransitionName } from '../contract/transitions.ts'
import type { Package } from '../contract/workflow.ts'
import type { FileProblem } from './upload/file-problem.ts'

/**
 * Why an element could not load or change something: one of the client's errors, or a `FileProblem` if a file was not
 * sent. `name` tells them apart.
 */
export type ElementError =
  FileProblem | ForbiddenError | NotFoundError | RefusedError | SignedOutError | UnavailableError

/** What an element shows was loaded, for the first time or again. */
export class WfLoadEvent<T = unknown> extends Event {
  static readonly type = 'wf-load'
  /** What was loaded: what the `value` of the element holds from now on. */
  readonly value: T

  constructor(value: T) {
    super(WfLoadEvent.type, { bubbles: true, composed: true })
    this.value = value
  }
}

/** Loading or changing something failed. */
export class WfErrorEvent extends Event {
  static readonly type = 'wf-error'
  /** Why it failed. Its class tells what can be done about it. */
  readonly error: ElementError

  constructor(error: unknown) {
    super(WfErrorEvent.type, { bubbles: true, composed: true })
    // The client and the file check reject with nothing else.
    this.error = error as ElementError
  }
}

/** Nobody is signed in any more: once, until someone is again. The page may offer to sign in. */
export class WfSignedOutEvent extends Event {
  static readonly type = 'wf-signed-out'

  constructor() {
    super(WfSignedOutEvent.type, { bubbles: true, composed: true })
  }
}

/** Something is about to be changed. Cancel it to refuse, or to take over: then nothing is sent. */
export class WfBeforeChangeEvent extends Event {
  static readonly type = 'wf-before-change'
  /** Name of the operation. */
  readonly operation: TransitionName | 'uploadAttachment'
  /** What will be sent; a file for an upload. */
  readonly body: unknown

  constructor(operation: WfBeforeChangeEvent['operation'], body?: unknown) {
    super(WfBeforeChangeEvent.type, { bubbles: true, composed: true, cancelable: true })
    this.operation = operation
    this.body = body
  }
}

/** A package as an element shows it: badges know its id and state only. */
export type ShownPackage = Pick<Package, 'id' | 'state'> & Partial<Package>

/** Something has changed, whoever did it. */
export class WfChangeEvent extends Event {
  static readonly type = 'wf-change'
  /** What is there now: the package in its new state, or the attachment that was added. */
  readonly value: ShownPackage | Attachment
  /** State shown until now, where the state of the package has changed. */
  readonly from: string | undefined
  /** State shown from now on, where it has changed. */
  readonly to: string | undefined

  constructor(value: ShownPackage | Attachment, from?: string, to?: string) {
    super(WfChangeEvent.type, { bubbles: true, composed: true })
    this.value = value
    this.from = from
    this.to = to
  }
}

declare global {
  interface HTMLElementEventMap {
    'wf-load': WfLoadEvent
    'wf-error': WfErrorEvent
    'wf-signed-out': WfSignedOutEvent
    'wf-before-change': WfBeforeChangeEvent
    'wf-change': WfChangeEvent
  }
}
