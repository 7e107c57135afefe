import type { BrowserBody } from '../../contract/browser-operations.ts'
import type { Package } from '../../contract/workflow.ts'

/** The package was loaded, for the first time or again. */
export class WfLoadEvent extends Event {
  static readonly type = 'wf-load'
  readonly package: Package

  constructor(found: Package) {
    super(WfLoadEvent.type, { bubbles: true, composed: true })
    this.package = found
  }
}

/** Loading or changing something failed. `error` is one of the client's errors. */
export class WfErrorEvent extends Event {
  static readonly type = 'wf-error'
  readonly error: unknown

  constructor(error: unknown) {
    super(WfErrorEvent.type, { bubbles: true, composed: true })
    this.error = error
  }
}

/** Someone is about to void the package. Cancel it to take over: then nothing is sent. */
export class WfBeforeChangeEvent extends Event {
  static readonly type = 'wf-before-change'
  readonly operation = 'voidPackage'
  /** What will be sent. */
  readonly body: BrowserBody<'voidPackage'>

  constructor(body: BrowserBody<'voidPackage'>) {
    super(WfBeforeChangeEvent.type, { bubbles: true, composed: true, cancelable: true })
    this.body = body
  }
}

/** The package is in another state than the one shown before, whoever brought it there. */
export class WfChangeEvent extends Event {
  static readonly type = 'wf-change'
  /** State shown until now. */
  readonly from: string
  /** State shown from now on. */
  readonly to: string

  constructor(from: string, to: string) {
    super(WfChangeEvent.type, { bubbles: true, composed: true })
    this.from = from
    this.to = to
  }
}

declare global {
  interface HTMLElementEventMap {
    'wf-load': WfLoadEvent
    'wf-error': WfErrorEvent
    'wf-before-change': WfBeforeChangeEvent
    'wf-change': WfChangeEvent
  }
}
