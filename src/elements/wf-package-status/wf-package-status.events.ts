/**
 * Someone is about to leave the page to sign the package. Cancel it to take over: then the link is not followed, and the
 * page signs in its own way.
 */
export class WfSignEvent extends Event {
  static readonly type = 'wf-sign'
  /** Where the link leads, absolute. */
  readonly url: string
  /** The signature that is asked of the person, where the service names it. */
  readonly signatureId: number | null

  constructor(url: string, signatureId: number | null) {
    super(WfSignEvent.type, { bubbles: true, composed: true, cancelable: true })
    this.url = url
    this.signatureId = signatureId
  }
}

declare global {
  interface HTMLElementEventMap {
    'wf-sign': WfSignEvent
  }
}
