import type { LitElement } from 'lit'
import type { PageClient } from '../../client/index.ts'
import type { Office } from '../../contract/schemas/offices.ts'
import { type ElementState, outsidePackage, statesOf } from '../loading/loadable.ts'
import { Resource } from '../loading/resource.ts'
import { directoryOf, type OfficeDirectory } from './office-directory.ts'

interface OfficeLookupOptions {
  readonly client: () => PageClient | undefined
  /** The key whose office and the offices below are needed now; empty if none are. */
  readonly wanted: () => string
  /** Called when the search for a key has ended. */
  readonly onSearched: (key: string) => void
  readonly onError: (error: unknown) => void
}

/** The offices that an element knows. Loads those that it needs, and only the latest of them. */
export class OfficeLookup {
  readonly #options: OfficeLookupOptions
  readonly #resource: Resource<readonly [OfficeDirectory, string], string>

  constructor(host: LitElement, options: OfficeLookupOptions) {
    this.#options = options
    this.#resource = new Resource<readonly [OfficeDirectory, string], string>(host, {
      key: () => {
        const directory = this.#directory
        const wanted = options.wanted()
        return directory && wanted && !directory.searched.has(wanted) ? [directory, wanted] : []
      },
      load: async ([directory, key], signal) => {
        await directory.search(key, signal)
        return key
      },
      // Offices rarely change.
      watch: () => () => {},
      onLoad: options.onSearched,
      onError: options.onError,
    })
  }

  get offices(): ReadonlyMap<string, Office> {
    return this.#directory?.offices ?? new Map<string, Office>()
  }

  /** Whether the search for a key has ended, with or without a result. */
  hasSearched(key: string): boolean {
    return this.#directory?.searched.has(key) ?? false
  }

  get busy(): boolean {
    return this.#resource.busy
  }

  /** The error of the latest search; `undefined` if it succeeded. */
  get error(): unknown {
    return outsidePackage(this.#resource.error)
  }

  /** The states of the element after the latest search. */
  get states(): readonly ElementState[] {
    const { busy, error } = this
    if (busy) return ['busy']
    return error ? statesOf({ error, isLoaded: false }) : []
  }

  /** Repeats the search if it failed. */
  retry(): void {
    if (this.error && !this.busy) void this.#resource.refresh()
  }

  get #directory(): OfficeDirectory | undefined {
    const client = this.#options.client()
    return client && directoryOf(client)
  }
}
