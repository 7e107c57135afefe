import { FsUploader } from '../elements/fs-uploader/fs-uploader.ts'
import { define } from './define.ts'

define('fs-uploader', FsUploader)

export type { FsUploader } from '../elements/fs-uploader/fs-uploader.ts'
export type * from '../elements/element/events.ts'
export type * from '../elements/fs-uploader/fs-uploader.events.ts'
