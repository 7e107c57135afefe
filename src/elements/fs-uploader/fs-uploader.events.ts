import type { FileAsset } from '../../contract/schemas/storage.ts'
import type { ElementError } from '../element/events.ts'
import { ElementEvent } from '../element/element-event.ts'

/**
 * A change to files: `uploadFile` stores a file, `removeFile` removes a stored file from the list and the value,
 * `deleteFile` also deletes it in the service, and `updateFileMeta` changes its name, its last day or its metadata.
 */
export type FileOperation = 'uploadFile' | 'removeFile' | 'deleteFile' | 'updateFileMeta'

/**
 * A file is about to be uploaded, changed, removed or deleted. If the event is canceled, nothing is sent, and a new file leaves
 * the list.
 */
export class FsBeforeChangeEvent extends ElementEvent {
  static override readonly type = 'fs-before-change'
  /** The operation that is about to start. */
  readonly operation: FileOperation
  /** The file to upload. */
  readonly file: File | undefined
  /** The stored file to change, remove or delete. */
  readonly asset: FileAsset | undefined

  constructor(operation: FileOperation, { file, asset }: { file?: File; asset?: FileAsset }) {
    super(true)
    this.operation = operation
    this.file = file
    this.asset = asset
  }
}

/** The service confirmed a new file, or a stored file left the list. The value has changed. */
export class FsChangeEvent extends ElementEvent {
  static override readonly type = 'fs-change'
  /** The operation that ended. */
  readonly operation: FileOperation
  /** The stored file. Keep its `uuid`. */
  readonly asset: FileAsset

  constructor(operation: FileOperation, asset: FileAsset) {
    super()
    this.operation = operation
    this.asset = asset
  }
}

/** A file could not be uploaded or deleted, or the stored files could not be verified. */
export class FsErrorEvent extends ElementEvent {
  static override readonly type = 'fs-error'
  /** The file whose upload failed; `undefined` for any other failure. */
  readonly file: File | undefined
  /** Why it failed. If it is a `FileProblem`, nothing was sent. */
  readonly error: ElementError

  constructor(error: unknown, file?: File) {
    super()
    // The client and the file check reject with nothing else.
    this.error = error as ElementError
    this.file = file
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'fs-before-change': FsBeforeChangeEvent
    'fs-change': FsChangeEvent
    'fs-error': FsErrorEvent
  }
}
