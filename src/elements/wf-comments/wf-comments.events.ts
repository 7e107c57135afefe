import { ElementEvent } from '../element/element-event.ts'

/** The number of comments is known, or has changed. A page can show it in a tab or a badge. */
export class WfCommentsCountEvent extends ElementEvent {
  static override readonly type = 'wf-comments-count'
  /** The number of active comments. */
  readonly count: number

  constructor(count: number) {
    super()
    this.count = count
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'wf-comments-count': WfCommentsCountEvent
  }
}
