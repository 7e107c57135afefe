import type { FileAsset } from '../../contract/storage.ts'

/** A file is about to be uploaded. Cancel it to keep the file out: then nothing is sent. */
export class FsBeforeChangeEvent extends Event {
  static readonly type = 'fs-before-change'
  readonly operation = 'uploadFile'
  readonly file: File

  constructor(file: File) {
    super(FsBeforeChangeEvent.type, { bubbles: true, composed: true, cancelable: true })
    this.file = file
  }
}

/** A file was stored, and its confirmation read. */
export class FsChangeEvent extends Event {
  static readonly type = 'fs-change'
  /** What was stored; its `uuid` is what to keep. */
  readonly asset: FileAsset

  constructor(asset: FileAsset) {
    super(FsChangeEvent.type, { bubbles: true, composed: true })
    this.asset = asset
  }
}

/** A file could not be uploaded, or looking after the uploaded ones failed. `error` is one of the client's errors. */
export class FsErrorEvent extends Event {
  static readonly type = 'fs-error'
  /** The file, where it is about one. */
  readonly file: File | undefined
  readonly error: unknown

  constructor(error: unknown, file?: File) {
    super(FsErrorEvent.type, { bubbles: true, composed: true })
    this.error = error
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
