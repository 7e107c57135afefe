/** The number of comments is known, or has changed. A page can show it in a tab or a badge. */
export class WfCommentsCountEvent extends Event {
  static readonly type = 'wf-comments-count'
  /** The number of active comments. */
  readonly count: number

  constructor(count: number) {
    super(WfCommentsCountEvent.type, { bubbles: true, composed: true })
    this.count = count
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'wf-comments-count': WfCommentsCountEvent
  }
}
