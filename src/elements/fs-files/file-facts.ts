import type { LitElement } from 'lit'
import { ForbiddenError, NotFoundError, type PageClient, SignedOutError } from '../../client/index.ts'
import type { Session } from '../../contract/schemas/session.ts'
import type { FileAsset } from '../../contract/schemas/storage.ts'
import { Resource } from '../loading/resource.ts'

/** The known facts about a file. */
export interface FileFacts {
  /** The latest facts, also those from before the file disappeared; `undefined` if it has never been found. */
  readonly asset: FileAsset | undefined
  /** Why the file is not available: the service did not find it, refused to show it, or did not respond. */
  readonly gone: 'missing' | 'forbidden' | 'unread' | undefined
}

interface Known {
  readonly session: Session
  readonly files: ReadonlyMap<string, FileFacts>
}

interface FileFactsOptions {
  readonly client: () => PageClient | undefined
  /** Uuids of the files to read. */
  readonly uuids: () => readonly string[]
  readonly onLoad: (known: Known) => void
  /** Called when the facts are no longer valid, for example because they were those of another person. */
  readonly onForget?: (isOtherPerson: boolean) => void
  readonly onError: (error: unknown) => void
}

/** Reads the facts about files: at first all, then one at each poll, in turn. */
export class FileFactsReader {
  readonly #options: FileFactsOptions
  readonly #resource: Resource<readonly [PageClient], Known>
  #turn = 0
  #readsAll = false
  /** Uuids of the files that have changed since the latest read began: it may return what was before. */
  readonly #changed = new Set<string>()

  constructor(host: LitElement, options: FileFactsOptions) {
    this.#options = options
    this.#resource = new Resource<readonly [PageClient], Known>(host, {
      key: () => {
        const client = options.client()
        return client ? [client] : []
      },
      load: ([client], signal) => this.#load(client, signal),
      watch: ([client], changed) => client.watch('files', changed),
      ...(options.onForget && { onForget: options.onForget }),
      onLoad: options.onLoad,
      onError: options.onError,
    })
  }

  get busy(): boolean {
    return this.#resource.busy
  }

  get error(): unknown {
    return this.#resource.error
  }

  get session(): Session | undefined {
    return this.#resource.value?.session
  }

  /** When the facts were loaded, in ms since 1970. */
  get loadedAt(): number {
    return this.#resource.loadedAt
  }

  /** Whether the proxy serves an operation. */
  serves(operation: string): boolean {
    return this.session?.allows.operations.includes(operation) ?? false
  }

  /** The facts about a file; `undefined` until they have loaded. */
  of(uuid: string): FileFacts | undefined {
    return this.#resource.value?.files.get(uuid)
  }

  /** Reads files that are not known yet, and one of the others; with `all`, every file. */
  async refresh(all = false): Promise<void> {
    this.#readsAll ||= all
    await this.#resource.refresh()
  }

  /** Shows newer facts about a file, such as the response to a change. */
  replace(asset: FileAsset): void {
    this.#set(asset.uuid, { asset, gone: undefined })
  }

  /** Notes that a file is not available any more. */
  lose(uuid: string): void {
    this.#set(uuid, { asset: this.of(uuid)?.asset, gone: 'missing' })
  }

  #set(uuid: string, facts: FileFacts): void {
    this.#changed.add(uuid)
    const known = this.#resource.value
    if (known) this.#resource.replace({ ...known, files: new Map(known.files).set(uuid, facts) })
  }

  async #load(client: PageClient, signal: AbortSignal): Promise<Known> {
    const before = this.#resource.value?.files
    const uuids = this.#options.uuids()
    const next = uuids[this.#turn++ % uuids.length]
    const isUnread = (uuid: string) => !before?.has(uuid) || before.get(uuid)?.gone === 'unread'
    const wanted = this.#readsAll ? uuids : uuids.filter((uuid) => isUnread(uuid) || uuid === next)
    const session = await client.getSession({ signal })
    this.#changed.clear()
    const errors: unknown[] = []
    const found = await Promise.all(
      wanted.map(
        async (uuid) =>
          [uuid, await this.#read(client, uuid, signal, (error) => errors.push(error))] as const,
      ),
    )
    // If other files can be read, the failure of one is shown in its row.
    const isOutage =
      errors.length === wanted.length || errors.some((error) => error instanceof SignedOutError)
    if (errors.length > 0 && isOutage) throw errors[0]
    this.#readsAll = false
    const current = found.filter(([uuid]) => !this.#changed.has(uuid))
    // Not `before`, because a change may have ended meanwhile.
    return { session, files: new Map([...(this.#resource.value?.files ?? []), ...current]) }
  }

  async #read(
    client: PageClient,
    uuid: string,
    signal: AbortSignal,
    onFailure: (error: unknown) => void,
  ): Promise<FileFacts> {
    try {
      return { asset: await client.getFileMeta({ params: { uuid } }, { signal }), gone: undefined }
    } catch (error) {
      const asset = this.of(uuid)?.asset
      if (error instanceof NotFoundError) return { asset, gone: 'missing' }
      if (error instanceof ForbiddenError) return { asset, gone: 'forbidden' }
      onFailure(error)
      return this.of(uuid) ?? { asset, gone: 'unread' }
    }
  }
}
