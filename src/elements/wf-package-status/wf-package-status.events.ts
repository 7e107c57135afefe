import { ElementEvent } from '../element/element-event.ts'

/**
 * Someone is about to leave the page to sign the package. Cancel it to take over: then the link is not followed, and the
 * page signs in its own way.
 */
export class WfSignEvent extends ElementEvent {
  static override readonly type = 'wf-sign'
  /** The absolute URL of the link. */
  readonly url: string
  /** The id of the signature that the person gives, if the service returns it. */
  readonly signatureId: number | null

  constructor(url: string, signatureId: number | null) {
    super(true)
    this.url = url
    this.signatureId = signatureId
  }
}

/**
 * Someone is about to leave the page to edit the data of the package, or to submit a draft. Cancel it to take over: then
 * the link is not followed, and the page lets people edit in its own way.
 */
export class WfEditEvent extends ElementEvent {
  static override readonly type = 'wf-edit'
  /** The absolute URL of the link. */
  readonly url: string

  constructor(url: string) {
    super(true)
    this.url = url
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'wf-edit': WfEditEvent
    'wf-sign': WfSignEvent
  }
}
