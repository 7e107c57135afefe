import type { Client, PageClient } from '../../client/index.ts'
import { fileReaders, shareReaders } from '../../contract/readers/file-readers.ts'
import { fileRoutes, shareRoutes } from '../../contract/routes/file-routes.ts'

/** The client of the page with the operations that only files and shares need. */
export type FilesClient = PageClient & Pick<Client, keyof typeof fileRoutes | keyof typeof shareRoutes>

export function filesClient(client: PageClient): FilesClient {
  return client.extend({
    routes: { ...fileRoutes, ...shareRoutes },
    readers: { ...fileReaders, ...shareReaders },
  })
}
