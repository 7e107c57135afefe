import { FsShares } from '../elements/fs-shares/fs-shares.ts'
import { define } from './define.ts'

define('fs-shares', FsShares)

export type { FsShares } from '../elements/fs-shares/fs-shares.ts'
export type * from '../elements/element/events.ts'
export type * from '../elements/fs-shares/fs-shares.events.ts'
export type * from '../elements/fs-uploader/fs-uploader.events.ts'
