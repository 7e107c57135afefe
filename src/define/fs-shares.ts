import { FsShares } from '../elements/fs-shares/fs-shares.ts'
import { define } from './define.ts'

define('fs-shares', FsShares)
