import { type LitElement, nothing } from 'lit'
import {
  ForbiddenError,
  NoProxyError,
  NotFoundError,
  type PageClient,
  SignedOutError,
} from '../../client/index.ts'
import type { Session } from '../../contract/schemas/session.ts'
import type { FileAsset } from '../../contract/schemas/storage.ts'
import { common } from '../../locales/en.ts'
import { uploader } from '../../locales/en-uploader.ts'
import type { Texts } from '../../locales/messages.ts'
import type { Announcer } from '../notices/announcer.ts'
import type { ElementState } from '../element/element-states.ts'
import { WfSignedOutEvent } from '../element/events.ts'
import { messagesFor } from '../text/messages.ts'
import { renderNotice } from '../notices/notice.ts'
import { endOutage, reportOutage, retryOutage } from '../notices/outage.ts'
import { Resource } from '../loading/resource.ts'
import { renderSignedOut } from '../notices/signed-out.ts'
import type { UploadList } from '../upload/upload-list.ts'
import { FsErrorEvent } from './fs-uploader.events.ts'

interface StorageStatusOptions {
  readonly client: () => PageClient | undefined
  /** URL of the page where people sign in. */
  readonly signInUrl: () => string | undefined
  /** The files in the list. */
  readonly uploads: Pick<
    UploadList<FileAsset, unknown>,
    'dispatch' | 'isSignedOut' | 'items' | 'stored' | 'unfinished'
  >
  /** Called when it is known who is signed in, with the facts that have loaded. */
  readonly onFound: (assets: readonly FileAsset[]) => void
}

interface Status {
  /** `undefined` if the proxy does not report it. */
  readonly session: Session | undefined
  /** Uuids of stored files that the service did not find. */
  readonly gone: ReadonlySet<string>
  /** Stored files that the service found now. */
  readonly found: readonly FileAsset[]
}

/**
 * Knows what the proxy allows, and which stored files have expired or were deleted elsewhere. Each poll verifies one stored
 * file, in turn. Announces an outage once, and shows it in a notice.
 */
export class StorageStatus {
  readonly #host: LitElement
  readonly #announcer: Announcer
  readonly #options: StorageStatusOptions
  readonly #resource: Resource<readonly [PageClient], Status>
  #polls = 0
  #isTrying = false
  /** The announced outage; empty without one. */
  #announced = ''

  constructor(host: LitElement, announcer: Announcer, options: StorageStatusOptions) {
    this.#host = host
    this.#announcer = announcer
    this.#options = options
    this.#resource = new Resource<readonly [PageClient], Status>(host, {
      key: () => {
        const client = options.client()
        return client ? [client] : []
      },
      load: ([client], signal) => this.#load(client, signal),
      watch: ([client], changed) => {
        options.uploads.dispatch({ type: 'release' })
        return client.watch('files', changed)
      },
      onLoad: (status) => this.#onLoad(status),
      onError: (error) => this.#onError(error),
    })
  }

  get isLoaded(): boolean {
    return this.#resource.value !== undefined
  }

  get error(): unknown {
    return this.#resource.error
  }

  /** Root URL at which no proxy was found; otherwise `undefined`. */
  get missingProxy(): string | undefined {
    return this.error instanceof NoProxyError ? this.error.endpoint : undefined
  }

  get session(): Session | undefined {
    return this.#resource.value?.session
  }

  /** Changes whenever anything else here does. */
  get version(): unknown {
    return this.#resource.value
  }

  /** The states of the element, if its settings are valid. */
  get states(): readonly ElementState[] {
    const { error, isLoaded } = this
    if (error instanceof SignedOutError) return ['signed-out']
    if (this.missingProxy !== undefined) return ['no-proxy']
    if (this.serves('uploadFile') === false) return ['forbidden']
    const { items, unfinished } = this.#options.uploads
    const isEmpty = items.length === 0
    const states: ElementState[] = [isLoaded ? 'loaded' : error ? 'failed' : 'loading']
    if (isEmpty) states.push('empty')
    if (unfinished.length > 0) states.push('busy')
    if (error && !isEmpty) states.push('stale')
    return states
  }

  /** Whether the proxy serves an operation; `undefined` if it does not report that. */
  serves(operation: 'uploadFile' | 'deleteFile'): boolean | undefined {
    return this.session?.allows.operations.includes(operation)
  }

  /** Loads everything again. */
  refresh(): void {
    void this.#resource.refresh()
  }

  /** Notes that the service does not find a stored file any more. */
  lose(uuid: string): void {
    const known = this.#resource.value
    if (known) this.#resource.replace({ ...known, gone: new Set(known.gone).add(uuid), found: [] })
  }

  isGone(uuid: string): boolean {
    return this.#resource.value?.gone.has(uuid) ?? false
  }

  /** The notice about an outage. */
  renderNotice(): unknown {
    // The message takes the place of the area for files.
    const text = this.missingProxy === undefined ? this.#outage : ''
    const part = this.#options.uploads.items.length > 0 ? 'stale' : 'failure'
    if (!text) return nothing
    // In another tab, because uploads wait in this one.
    const content =
      this.error instanceof SignedOutError
        ? renderSignedOut(this.#messages, this.#options.signInUrl(), '_blank')
        : text
    return renderNotice(part, content, this.#messages, this.#isTrying, () => void this.#onTryAgain())
  }

  get #messages(): Texts['common'] {
    return messagesFor(this.#host, 'common', common)
  }

  /** The message about the current outage. */
  get #outage(): string {
    const { error } = this.#resource
    if (!error) return ''
    if (error instanceof SignedOutError) return this.#messages.signedOut
    if (this.missingProxy !== undefined) return this.#messages.noProxy(this.missingProxy)
    return this.#options.uploads.items.length > 0 ? this.#messages.stale : this.#messages.unavailable
  }

  async #load(client: PageClient, signal: AbortSignal): Promise<Status> {
    const known = this.#resource.value
    const { isSignedOut, stored } = this.#options.uploads
    const session = (!isSignedOut && known?.session) || (await readSession(client, signal))

    const lost: string[] = []
    const found: FileAsset[] = []
    const next = stored[this.#polls++ % stored.length]
    const asked = stored.filter((asset) => asset === next || (isUnread(asset) && !this.isGone(asset.uuid)))
    await Promise.all(
      asked.map(async ({ uuid }) => {
        try {
          found.push(await client.getFileMeta({ params: { uuid } }, { signal }))
        } catch (error) {
          if (!(error instanceof NotFoundError || error instanceof ForbiddenError)) throw error
          lost.push(uuid)
        }
      }),
    )
    // Not `known`, because a deletion may have ended meanwhile.
    const gone = new Set([...(this.#resource.value?.gone ?? []), ...lost])
    for (const { uuid } of found) gone.delete(uuid)
    return { session, gone, found }
  }

  #onLoad({ session, found }: Status): void {
    if (session) this.#options.uploads.dispatch({ type: 'signed-in', univid: session.univid })
    this.#options.onFound(found)
    if (endOutage(this.#announcer)) this.#announcer.announce(this.#messages.upToDate)
    this.#announced = ''
  }

  #onError(error: unknown): void {
    if (error instanceof SignedOutError) this.#options.uploads.dispatch({ type: 'signed-out' })
    const isNew = this.#outage !== this.#announced
    this.#announced = this.#outage
    const { files } = messagesFor(this.#host, 'uploader', uploader)
    reportOutage(this.#announcer, files, this.#announced, () => this.#resource.refresh())
    this.#host.dispatchEvent(new FsErrorEvent(error))
    if (isNew && error instanceof SignedOutError) this.#host.dispatchEvent(new WfSignedOutEvent())
  }

  async #onTryAgain(): Promise<void> {
    if (this.#isTrying) return
    this.#isTrying = true
    this.#host.requestUpdate()
    await (retryOutage(this.#announcer) ?? this.#resource.refresh())
    this.#isTrying = false
    this.#host.requestUpdate()
    if (this.#resource.error) this.#announcer.announce(this.#messages.stillUnavailable)
  }
}

/** Returns a stored file of which only the uuid is known. */
export function unreadAsset(uuid: string): FileAsset {
  return {
    uuid,
    filename: null,
    fileSize: null,
    contentType: null,
    uploadDate: null,
    expirationDate: null,
    metadata: null,
  }
}

/** Whether only the uuid of a stored file is known. */
export function isUnread({ filename, uploadDate }: FileAsset): boolean {
  return filename === null && uploadDate === null
}

/** Resolves with `undefined` if the proxy does not serve the session. */
export async function readSession(client: PageClient, signal: AbortSignal): Promise<Session | undefined> {
  try {
    return await client.getSession({ signal })
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}
