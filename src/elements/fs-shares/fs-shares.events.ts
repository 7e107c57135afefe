import { ElementEvent } from '../element/element-event.ts'

/** A change to the shares of files. */
export type ShareOperation = 'createShare' | 'revokeShare'

/** A file and the application that it is, or will be, shared with. */
export interface SharedFile {
  /** Uuid of the file. */
  readonly fileAssetUuid: string
  /** Client id of the application. */
  readonly granteeClientId: string
}

/** A file is about to be shared, or no longer to be shared. If the event is canceled, nothing is sent. */
export class FsBeforeShareEvent extends ElementEvent {
  static override readonly type = 'fs-before-share'
  /** The operation that is about to start. */
  readonly operation: ShareOperation
  /** The file and the application. */
  readonly share: SharedFile

  constructor(operation: ShareOperation, share: SharedFile) {
    super(true)
    this.operation = operation
    this.share = share
  }
}

/** The service has confirmed that a file is shared, or no longer shared. */
export class FsShareEvent extends ElementEvent {
  static override readonly type = 'fs-share'
  /** The operation that ended. */
  readonly operation: ShareOperation
  /** The file and the application. */
  readonly share: SharedFile

  constructor(operation: ShareOperation, share: SharedFile) {
    super()
    this.operation = operation
    this.share = share
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'fs-before-share': FsBeforeShareEvent
    'fs-share': FsShareEvent
  }
}
