import { attachment, fileAsset } from './page-readers.ts'

/** The readers of the JSON responses to `uploadRoutes`. */
export const uploadReaders = {
  uploadAttachment: attachment,
  uploadFile: fileAsset,
}
