/** The number of comments has become known, or is another one: what a tab or a badge shows. */
export class WfCommentsCountEvent extends Event {
  static readonly type = 'wf-comments-count'
  /** Comments that are there and not inactive. */
  readonly count: number

  constructor(count: number) {
    super(WfCommentsCountEvent.type, { bubbles: true, composed: true })
    this.count = count
  }
}

declare global {
  interface HTMLElementEventMap {
    'wf-comments-count': WfCommentsCountEvent
  }
}
