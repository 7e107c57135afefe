import { uploadReaders } from '../contract/readers/upload-readers.ts'
import { uploadRoutes } from '../contract/routes/upload-routes.ts'
import type { ClientTable } from './client.ts'
import { createFileUpload } from './uploads/file-upload.ts'

/** The operations that a client needs to send files. A page that only shows packages does not download it. */
export const uploadTable: ClientTable<keyof typeof uploadRoutes> = {
  routes: uploadRoutes,
  readers: uploadReaders,
  createFileUpload,
}
