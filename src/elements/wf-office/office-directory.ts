import { NotFoundError, type PageClient, RefusedError } from '../../client/index.ts'
import { officeSearchReaders } from '../../contract/readers/office-readers.ts'
import { officeSearchRoutes } from '../../contract/routes/office-routes.ts'
import type { Office } from '../../contract/schemas/offices.ts'

/** The offices that a page has loaded through one client. The elements of the page share them. */
export class OfficeDirectory {
  /** By key. */
  readonly offices = new Map<string, Office>()
  /** The keys that have been searched for. */
  readonly searched = new Set<string>()
  readonly #client
  /** Whether the service knows only the second form of the search (spec, Office search). */
  #usesSecondForm = false

  constructor(client: PageClient) {
    this.#client = client.extend({ routes: officeSearchRoutes, readers: officeSearchReaders })
  }

  /** Loads the office with a key and the offices below it. */
  async search(key: string, signal: AbortSignal): Promise<void> {
    const found = await (this.#usesSecondForm ? this.#find(key, signal) : this.#search(key, signal))
    for (const office of found) if (office) this.offices.set(office.naturalKey, office)
    this.searched.add(key)
  }

  async #search(key: string, signal: AbortSignal): Promise<readonly (Office | null)[]> {
    try {
      return await this.#client.searchOffices({ query: { searchTerm: key } }, { signal })
    } catch (error) {
      if (!(error instanceof NotFoundError || error instanceof RefusedError)) throw error
      const found = await this.#find(key, signal)
      this.#usesSecondForm = true
      return found
    }
  }

  #find(key: string, signal: AbortSignal): Promise<readonly (Office | null)[]> {
    return this.#client.findOffices({ query: { key } }, { signal })
  }
}

const directories = new WeakMap<PageClient, OfficeDirectory>()

export function directoryOf(client: PageClient): OfficeDirectory {
  let directory = directories.get(client)
  if (!directory) directories.set(client, (directory = new OfficeDirectory(client)))
  return directory
}
