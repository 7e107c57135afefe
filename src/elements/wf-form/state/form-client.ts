import type { Client, PageClient } from '../../../client/index.ts'
import { formReaders } from '../../../contract/readers/form-readers.ts'
import { formRoutes } from '../../../contract/routes/form-routes.ts'

/** The client of the page with the operations that only forms call. */
export type FormClient = PageClient & Pick<Client, keyof typeof formRoutes>

export function formClient(client: PageClient): FormClient {
  return client.extend({ routes: formRoutes, readers: formReaders })
}
