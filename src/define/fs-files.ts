import { FsFiles } from '../elements/fs-files/fs-files.ts'
import { define } from './define.ts'

define('fs-files', FsFiles)

export type { FsFiles } from '../elements/fs-files/fs-files.ts'
export type * from '../elements/element/events.ts'
export type * from '../elements/fs-uploader/fs-uploader.events.ts'
