import type { Client, PageClient } from '../../../client/index.ts'
import { transitionReaders } from '../../../contract/readers/transition-readers.ts'
import { transitionRoutes } from '../../../contract/routes/transition-routes.ts'
import type { TransitionName } from '../../../contract/values/transitions.ts'

const table = { routes: transitionRoutes, readers: transitionReaders }

/** Returns the client with the operations that change the state of a package. */
export function transitionClient(client: PageClient): Pick<Client, TransitionName> {
  return client.extend(table)
}
