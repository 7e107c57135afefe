import { FsUploader } from '../elements/fs-uploader/fs-uploader.ts'
import { define } from './define.ts'

define('fs-uploader', FsUploader)
