import type { FileAsset } from '../../contract/storage.ts'
import type { ElementError } from '../events.ts'

/**
 * What is done with a file: uploaded; taken from the list, and so from the value; or deleted in the service, which takes
 * it from the list too.
 */
export type FileOperation = 'uploadFile' | 'removeFile' | 'deleteFile'

/** Something is about to be done with a file. Cancel it to keep it from being done: a file that is kept out leaves the list. */
export class FsBeforeChangeEvent extends Event {
  static readonly type = 'fs-before-change'
  /** What is about to be done. */
  readonly operation: FileOperation
  /** The file that is to be uploaded. */
  readonly file: File | undefined
  /** The stored file that is to be removed or deleted. */
  readonly asset: FileAsset | undefined

  constructor(operation: FileOperation, { file, asset }: { file?: File; asset?: FileAsset }) {
    super(FsBeforeChangeEvent.type, { bubbles: true, composed: true, cancelable: true })
    this.operation = operation
    this.file = file
    this.asset = asset
  }
}

/** A file was stored, and its confirmation read; or a stored file has left the list. The value has changed. */
export class FsChangeEvent extends Event {
  static readonly type = 'fs-change'
  /** What was done. */
  readonly operation: FileOperation
  /** The stored file; its `uuid` is what to keep. */
  readonly asset: FileAsset

  constructor(operation: FileOperation, asset: FileAsset) {
    super(FsChangeEvent.type, { bubbles: true, composed: true })
    this.operation = operation
    this.asset = asset
  }
}

/** A file could not be uploaded or deleted, or the stored files could not be verified. */
export class FsErrorEvent extends Event {
  static readonly type = 'fs-error'
  /** The file whose upload failed; `undefined` for any other failure. */
  readonly file: File | undefined
  /** Why it failed. If it is a `FileProblem`, nothing was sent. */
  readonly error: ElementError

  constructor(error: unknown, file?: File) {
    super(FsErrorEvent.type, { bubbles: true, composed: true })
    // The client and the file check reject with nothing else.
    this.error = error as ElementError
    this.file = file
  }
}

declare global {
  interface HTMLElementEventMap {
    'fs-before-change': FsBeforeChangeEvent
    'fs-change': FsChangeEvent
    'fs-error': FsErrorEvent
  }
}
