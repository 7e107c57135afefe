import { FsFiles } from '../elements/fs-files/fs-files.ts'
import { define } from './define.ts'

define('fs-files', FsFiles)
